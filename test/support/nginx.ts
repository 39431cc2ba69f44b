/** nginx with a configuration of `deploy/`, on a port of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporary } from '../cli/run.ts';
import { freePort } from './postgres.ts';
import { until } from './site.ts';

export interface Nginx {
  readonly url: string;
  /** Takes another configuration; requests under way are answered as before. */
  change(conf: string): Promise<void>;
  stop(): void;
}

/** @param conf  as for `/etc/nginx/conf.d`, with addresses of servers that listen */
export async function startNginx(conf: string): Promise<Nginx> {
  const [folder, port] = [await temporary(), await freePort()];
  const temporaries = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const write = (text: string): Promise<void> => {
    const own = text.replace('listen 80;', `listen 127.0.0.1:${port};`).replace('/var/cache/nginx/cms', join(folder, 'cache'));
    return writeFile(join(folder, 'cms.conf'), own);
  };
  await write(conf);
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user}\ndaemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporaries}\ninclude ${folder}/cms.conf;\n}\n`,
  );
  const line = ['-p', folder, '-c', join(folder, 'nginx.conf')];
  const checked = spawnSync('nginx', ['-t', ...line], { encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining('test is successful')]);
  expect(checked.stderr).not.toContain('[warn]');
  const nginx = spawn('nginx', line, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/cms-json/`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    async change(text) {
      await write(text);
      nginx.kill('SIGHUP');
    },
    stop: () => void nginx.kill(),
  };
}
