#!/usr/bin/env node
/**
 * Serves a folder as a node does: pushes it into a schema of its own of the database that `CONFORMANCE_ENGINE` names, and serves that.
 *
 *     node .ci/engine-serve.mjs <dir> <port>
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

const [dir, port] = process.argv.slice(2);
const address = `${process.env.CONFORMANCE_ENGINE}?schema=c_${randomBytes(8).toString('hex')}`;
// Plugins are files of a folder.
const env = { ...process.env, CMS_ENGINE: address, CMS_PLUGINS: '' };

for (const args of [['migrate'], ['push', dir]]) {
  const { status, stderr } = spawnSync(process.execPath, ['bin/cms.js', 'engine', ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
const server = spawn(
  process.execPath,
  ['--import', './.ci/watch-names.mjs', 'bin/cms.js', 'serve', '--port', port, '--host', '127.0.0.1'],
  { env, stdio: 'inherit' },
);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));
