/** What `deploy/` and the Dockerfile hold, run as far as it can be here, and the page that says how. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { build } from '../build/bundle.mjs';
import { run, temporary } from './cli/run.ts';
import { type Nginx, startNginx } from './support/nginx.ts';
import { freePort } from './support/postgres.ts';
import { startSite, type TestSite, until } from './support/site.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const dockerfile = await read('Dockerfile');
const page = await read('docs/deploying.md');

describe('nginx', () => {
  let site: TestSite;
  let nginx: Nginx;
  let url: string;
  beforeAll(async () => {
    site = await startSite({
      operator: { trusted_proxies: ['127.0.0.1'], require_https: true },
      files: { 'posts/a.md': '---\nid: 7\ntitle: A\n---\nx\n' },
    });
    const conf = (await read('deploy/nginx.conf')).replace('127.0.0.1:4180', new URL(site.url).host);
    nginx = await startNginx(conf);
    url = nginx.url;
  });
  afterAll(async () => {
    nginx.stop();
    await site.close();
  });
  const credentials = (): string => `Basic ${btoa(`admin:${site.password}`)}`;

  it('forwards requests and keeps the ETag', async () => {
    const [through, direct] = await Promise.all(
      [url, site.url].map((base) => fetch(`${base}/cms-json/cms/v2/posts/7`, { headers: { 'accept-encoding': 'gzip' } })),
    );
    expect([through?.status, await through?.json()]).toEqual([200, await direct?.json()]);
    expect(through?.headers.get('etag')).toBe(direct?.headers.get('etag'));
  });

  it("sets the client address itself and ignores a client's claim of HTTPS", async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${url}/cms-json/cms/v2/users/me`, { headers: { authorization: credentials(), ...headers } });
    const forged = await ask({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1', forwarded: 'proto=https' });
    expect([forged.status, forged.headers.get('x-cms-auth')]).toEqual([401, 'insecure-connection']);
  });

  it('does not cache responses for signed-in users', async () => {
    const headers = { authorization: credentials(), 'x-forwarded-proto': 'https' };
    const direct = await fetch(`${site.url}/cms-json/cms/v2/posts?context=edit`, { headers });
    expect(direct.status).toBe(200);
    await fetch(`${url}/cms-json/cms/v2/posts?context=edit`, { headers });
    expect((await fetch(`${url}/cms-json/cms/v2/posts?context=edit`)).status).toBe(401);
  });

  it('allows uploads over a megabyte, and hides metrics from everyone', async () => {
    const large = await fetch(`${url}/cms-json/cms/v2/posts`, { method: 'POST', body: 'x'.repeat(3 * 1024 ** 2) });
    expect(large.headers.get('server')).toContain('nginx');
    // The server's own limit for visitors, and its own answer: JSON.
    expect(large.headers.get('content-type')).toContain('json');
    for (const path of ['/metrics', '/readyz']) expect((await fetch(url + path)).status).toBe(404);
  });
});

describe('systemd', () => {
  it('reports no problem with the unit, and little exposure', async () => {
    const folder = await temporary();
    const unit = join(folder, 'cms.service');
    // What it starts is not installed here.
    await writeFile(unit, (await read('deploy/cms.service')).replace('/usr/local/bin/cms', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect([verified.error, verified.status, verified.stderr]).toEqual([undefined, 0, '']);
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', '--no-pager', unit], {
      encoding: 'utf8',
    });
    expect([judged.status, judged.stdout.split('\n').filter((line) => line.includes('Overall'))]).toEqual([
      0,
      [expect.any(String)],
    ]);
  });
});

describe('Caddy', () => {
  it('accepts the configuration', async () => {
    const { error, status, stderr } = spawnSync(
      'caddy',
      ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/Caddyfile')],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: await temporary() },
      },
    );
    expect([error, status, stderr]).toEqual([undefined, 0, expect.not.stringContaining('"warn"')]);
  });
});

/** Instructions of the stages, in order; lines that go on are joined. */
function stages(): readonly (readonly (readonly [string, string])[])[] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const found: [string, string][][] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') found.push([]);
    found.at(-1)?.push([word, rest]);
  }
  return found;
}

describe('the container image', () => {
  const [first = [], last = []] = stages();
  const of = (word: string): readonly string[] => last.filter(([name]) => name === word).map(([, rest]) => rest);
  const copies = of('COPY').map((rest) => rest.replace('--from=build ', '').split(' ') as [string, string]);
  const env = Object.fromEntries(of('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=') as [string, string])));

  it('copies only existing files', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    const sources = first.filter(([word]) => word === 'COPY').flatMap(([, rest]) => rest.split(' ').slice(0, -1));
    expect(sources).toEqual(
      ['package.json', 'package-lock.json', 'build', 'editor', 'src', 'bin'].map((name) =>
        name.includes('.') ? name : `./${name}`.slice(2),
      ),
    );
    for (const source of sources)
      expect([source, existsSync(join(root, source)), ignored.includes(`!${source}`)]).toEqual([source, true, true]);
    expect(copies.map(([from]) => from)).toEqual(['package.json', 'node_modules', 'bin', 'dist'].map((name) => `/app/${name}`));
    expect(stages()).toHaveLength(2);
  });

  it('runs as an unprivileged user in a read-only folder, and reports its health', async () => {
    expect(of('USER')).toEqual(['cms']);
    const isRoot = process.getuid?.() === 0;
    // Where other users get to.
    const base = await mkdtemp('/tmp/cms-image-');
    await chmod(base, 0o755);
    const [app, site, state] = ['app', 'site', 'state'].map((name) => join(base, name)) as [string, string, string];
    let server: ChildProcess | undefined;
    try {
      for (const dir of [app, site, state]) await mkdir(dir);
      await build(join(root, `.build-image-${process.pid}`));
      await cp(join(root, `.build-image-${process.pid}`), join(app, 'dist'), { recursive: true });
      for (const name of ['package.json', 'bin']) await cp(join(root, name), join(app, name), { recursive: true });
      const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, { dev?: true }> };
      for (const [path, { dev }] of Object.entries(packages))
        if (path !== '' && !dev && existsSync(join(root, path))) await cp(join(root, path), join(app, path), { recursive: true });
      execFileSync('chmod', ['-R', 'a+rX,a-w', app]);
      const port = await freePort();
      const values = {
        PATH: process.env.PATH as string,
        ...env,
        CMS_PORT: String(port),
        CMS_STATE_DIR: state,
        CMS_HOST: '127.0.0.1',
      };
      const user = isRoot ? { uid: 10001, gid: 10001 } : {};
      if (isRoot) for (const dir of [site, state]) await chown(dir, 10001, 10001);
      const [entry = '[]'] = of('ENTRYPOINT');
      const [tini, dashes, node, ...program] = JSON.parse(entry) as string[];
      expect([tini, dashes, node]).toEqual(['tini', '--', 'node']);
      const call = (...line: readonly string[]) => [[...program, ...line], { cwd: app, env: values, ...user }] as const;
      const made = spawnSync(process.execPath, ...call('init', site));
      expect([made.status, String(made.stderr)]).toEqual([0, expect.stringContaining('created')]);
      const [cmd = '[]'] = of('CMD');
      const [command = '', folder] = JSON.parse(cmd) as string[];
      expect(of('VOLUME')).toEqual([JSON.stringify([folder, env.CMS_STATE_DIR]).replace(',', ', ')]);
      server = spawn(process.execPath, ...call(command, site));
      const [health = ''] = of('HEALTHCHECK');
      const path = new URL((JSON.parse(health.slice(health.indexOf('['))) as string[]).at(-1) as string);
      expect([path.port, of('EXPOSE')]).toEqual([env.CMS_PORT, [env.CMS_PORT]]);
      await until(() =>
        fetch(`http://127.0.0.1:${port}${path.pathname}`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    } finally {
      await new Promise<void>((done) => (server?.once('exit', () => done()).kill() ? undefined : done()));
      execFileSync('chmod', ['-R', 'u+w', base]);
      await rm(base, { recursive: true, force: true });
      await rm(join(root, `.build-image-${process.pid}`), { recursive: true, force: true });
    }
  });

  it('runs behind nginx with the compose file', async () => {
    const { services, volumes } = parse(await read('deploy/compose.yaml')) as { services: Record<string, any>; volumes: object };
    expect(services.cms).toMatchObject({ read_only: true, cap_drop: ['ALL'], build: '..' });
    expect(services.cms.volumes.map((one: string) => one.split(':')[1])).toEqual(['/site', env.CMS_STATE_DIR]);
    expect(volumes).toHaveProperty('state');
    expect(services.nginx).toMatchObject({ network_mode: 'service:cms', depends_on: { cms: { condition: 'service_healthy' } } });
    expect(existsSync(join(root, 'deploy', services.nginx.volumes[0].split(':')[0]))).toBe(true);
  });
});

describe('the deploying page', () => {
  const blocks = [...page.matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)].map(([, , text]) => text as string);

  it('names existing files and quotes them correctly', async () => {
    for (const [, file] of page.matchAll(/\b(deploy\/[\w.]+\w)/g)) expect(existsSync(join(root, file as string))).toBe(true);
    const unit = await read('deploy/cms.service');
    for (const said of ['/srv/site', '/etc/cms.env', 'CMS_STATE_DIR=/var/lib/cms'])
      expect([said, page.includes(said), unit.includes(said)]).toEqual([said, true, true]);
    expect(await read('deploy/nginx.conf')).toContain('proxy_set_header X-Forwarded-Proto $scheme;');
  });

  it('has valid shell commands', () => {
    for (const text of blocks) {
      const script = text.replace(/^(?:\$ |(?:\S+ ){5}cms (?=\S+))/gm, '');
      expect([text, spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr]).toEqual([text, '']);
    }
  });

  it('has commands that do what they say', async () => {
    const base = await temporary();
    const state = join(base, 'state');
    const lines = blocks
      .join('')
      .split('\n')
      .flatMap((line) => /(?:^|[$&;=\w/] |\t)(cms (?:init|adopt|backup|validate|user|doctor) [^&#\n]*)/.exec(line)?.[1] ?? [])
      .map((line) =>
        line.replaceAll('/srv/site', join(base, 'site')).replaceAll('/var/backups/cms', join(base, 'backups')).trim(),
      );
    // What needs a network is shown in other tests.
    const local = [...lines.filter((line) => line.startsWith('cms init')), ...lines.filter((line) => !/--url|init/.test(line))];
    expect(local.length).toBeGreaterThanOrEqual(6);
    for (const line of local) {
      // The name of a backup is the second it was made in.
      await rm(join(base, 'backups'), { recursive: true, force: true });
      await mkdir(join(base, 'backups'));
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain) as string);
      const { status, out, err } = await run(words.slice(1), {
        env: { CMS_STATE_DIR: state, CMS_TRUSTED_PROXIES: '127.0.0.1', CMS_PORT: '0', PATH: process.env.PATH as string },
      });
      expect([line, status, status === 0 ? '' : out + err]).toEqual([line, 0, '']);
    }
  });
});
