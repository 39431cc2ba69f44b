#!/usr/bin/env node
/** Runs the command line of a built checkout. */
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`cms: needs Node 20.19 or newer, this is ${process.versions.node}`);
  process.exit(1);
}
const main = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error('cms: this checkout is not built yet\n  run npm install and npm run build in it first');
  process.exit(1);
}
// Whoever reads the output may have seen enough (`| head`); the work goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
const { main: run, processIo } = await import(main.href);
process.exitCode = await run(process.argv.slice(2), processIo);
