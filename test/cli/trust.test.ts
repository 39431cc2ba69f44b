/**
 * The real program over a folder that a merged pull request has changed: no command of the repository runs, nobody it brings may sign in,
 * and what lies there is told.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blankAccount } from '../../src/modules/people/users/record.ts';
import { createApplicationPassword } from '../../src/modules/people/accounts/passwords.ts';
import { builtProgram } from '../support/program-build.ts';
import { until } from '../support/site.ts';

let base = '';
let program = '';
let canary = '';
let count = 0;

beforeAll(async () => {
  const { main } = await builtProgram();
  base = await mkdtemp(join(tmpdir(), 'cms-trust-'));
  canary = join(base, 'canary');
  program = join(base, 'cms.mjs');
  writeFileSync(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     const [, , first, second] = process.argv;
     const lines = first === '--several' ? JSON.parse(second) : [process.argv.slice(2)];
     for (const line of lines) process.exitCode = await main(line, processIo);`,
  );
});

afterAll(() => rm(base, { recursive: true, force: true }));

/** Many wrong passwords are tried here; the limit of these has tests of its own. */
const env = (over: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  CMS_STATE_DIR: join(base, 'state'),
  CMS_SIGN_IN_ATTEMPTS: '1000',
  ...over,
});

function cms(line: readonly string[], over: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...line], {
    encoding: 'utf8',
    env: env(over),
    cwd: base,
  });
  return { status, out: stdout, err: stderr };
}

/** Several commands in one process, one after the other. */
function several(lines: readonly (readonly string[])[], over: Readonly<Record<string, string>> = {}) {
  return cms(['--several', JSON.stringify(lines)], over);
}

/** A new site, under git unless said otherwise. */
function site({ isTracked = true } = {}): { readonly dir: string; readonly password: string } {
  const dir = join(base, `site-${++count}`);
  const { out } = cms(['init', dir]);
  if (isTracked) git(dir, 'init', '-q');
  if (isTracked) commit(dir);
  return { dir, password: out.trim() };
}

function git(dir: string, ...line: readonly string[]): void {
  execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...line], { stdio: 'ignore' });
}

function commit(dir: string): void {
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'x');
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The document of somebody who may sign in with a password that the attacker knows. */
function forged(id: number, login = 'eve'): { readonly text: string; readonly as: string } {
  const { password, hash } = createApplicationPassword();
  const entry = {
    uuid: `00000000-0000-4000-8000-0000000000${id}`,
    appId: '',
    name: 'x',
    hash,
    created: 1,
    lastUsed: null,
    lastIp: null,
  };
  const account = { ...blankAccount(id, login, '2026-01-01T00:00:00'), roles: ['administrator'], applicationPasswords: [entry] };
  return { text: JSON.stringify(account), as: `${login}:${password}` };
}

const asked = async (url: string, as: string): Promise<number> =>
  (await fetch(`${url}/cms-json/cms/v2/users/me`, { headers: { authorization: `Basic ${Buffer.from(as).toString('base64')}` } }))
    .status;

/** Serves while `work` runs. @returns the exit status and what was said */
async function serving(
  line: readonly string[],
  work: (url: string, said: () => string) => Promise<void>,
  over: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | null; readonly err: string }> {
  const child = spawn(process.execPath, [program, 'serve', ...line, '--port', '0'], { env: env(over), cwd: base });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  try {
    const url = await until(() => child.exitCode ?? /serving .* at (http:\/\/[\d.:]+)/.exec(err)?.[1]);
    if (typeof url === 'string') await work(url, () => err);
  } finally {
    child.kill('SIGTERM');
  }
  return { status: await ended, err };
}

describe('a folder that looks like a git repository', () => {
  const traps: readonly (readonly [name: string, set: (dir: string, config: string) => void])[] = [
    [
      'a bare one at the top',
      (dir, config) => {
        put(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
        put(join(dir, 'config'), config);
        put(join(dir, 'objects/x'), '');
        put(join(dir, 'refs/x'), '');
      },
    ],
    [
      'a bare one below',
      (dir, config) => {
        put(join(dir, 'posts/HEAD'), 'ref: refs/heads/main\n');
        put(join(dir, 'posts/config'), config);
        put(join(dir, 'posts/objects/x'), '');
        put(join(dir, 'posts/refs/x'), '');
      },
    ],
    [
      'one with its own folder below',
      (dir, config) => {
        git(dir, 'init', '-q', 'posts');
        writeFileSync(join(dir, 'posts/.git/config'), config);
      },
    ],
    [
      'the outer one',
      (dir, config) => {
        writeFileSync(join(dir, '.git/config'), config);
        put(join(dir, '.gitattributes'), '* filter=x diff=x\n');
        for (const hook of ['post-index-change', 'pre-commit', 'post-checkout', 'fsmonitor-watchman']) {
          put(join(dir, '.git/hooks', hook), `#!/bin/sh\ntouch '${canary}'\n`);
          chmodSync(join(dir, '.git/hooks', hook), 0o755);
        }
      },
    ],
  ];

  it.each([
    ['inside the content', traps.slice(0, 3), {}, ['HEAD', 'posts/.git', 'posts/HEAD']],
    [
      'around it, and in the environment',
      traps.slice(3),
      { GIT_DIR: '.', GIT_EXTERNAL_DIFF: 'x', GIT_SSH_COMMAND: 'x', GIT_PAGER: 'x' },
      [],
    ],
  ] as const)('%s runs nothing, whatever the command', async (name, some, environment, paths) => {
    const { dir, password } = site();
    const command = `touch '${canary}'; false`;
    const over = Object.fromEntries(Object.keys(environment).map((key) => [key, key === 'GIT_DIR' ? dir : command]));
    const text = JSON.stringify(command);
    const keys = ['fsmonitor', 'sshCommand', 'pager', 'editor', 'hooksPath', 'askPass', 'gitProxy'].map(
      (key) => `\t${key} = ${text}\n`,
    );
    const place = some.length > 1 ? '\tworktree = .\n' : '';
    const more = `[filter "x"]\n\tclean = ${text}\n\tsmudge = ${text}\n[diff "x"]\n\ttextconv = ${text}\n[alias]\n\tls-files = ${JSON.stringify(`!${command}`)}\n`;
    for (const [, set] of some)
      set(dir, `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${place}${keys.join('')}${more}`);
    const served = await serving(
      [dir],
      async (url) => {
        expect(await asked(url, `admin:${password}`)).toBe(200);
        put(join(dir, 'posts/new.md'), '# New\n');
      },
      over,
    );
    expect(served.status).toBe(0);
    const number = ++count;
    const ran = several(
      [
        ['validate', dir, '--fix'],
        ['user', 'list', '--dir', dir],
        ['user', 'create', 'somebody', '--dir', dir],
        ['password', 'list', 'admin', '--dir', dir],
        ['adopt', dir],
        ['export', dir, '--format', 'json', '--out', join(base, `out-${number}.json`)],
        ['export', dir, '--format', 'archive', '--out', join(base, `out-${number}.tar.gz`)],
        ['import', dir, '--into', join(base, `into-${number}`), '--format', 'markdown'],
        ['media', 'list', dir],
        ['schema', dir],
        ['routes'],
        ['validate', dir, '--json'],
      ],
      over,
    );
    expect(existsSync(canary)).toBe(false);
    const { problems } = JSON.parse(ran.out.slice(ran.out.lastIndexOf('\n{\n') + 1)) as {
      problems: { rule: string; path: string }[];
    };
    expect([name, ...problems.flatMap(({ rule, path }) => (rule === 'not-read-repository' ? [path] : []))]).toEqual([
      name,
      ...paths,
    ]);
  });

  it('is dangerous: git itself would run it', () => {
    const { dir } = site({ isTracked: false });
    const set = (traps[0] as (typeof traps)[0])[1];
    set(dir, `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch '${canary}'; false"\n`);
    spawnSync('git', ['-C', dir, 'ls-files'], { env: { PATH: process.env.PATH ?? '', HOME: base } });
    spawnSync('git', ['-C', dir, 'status'], { env: { PATH: process.env.PATH ?? '', HOME: base } });
    expect(existsSync(canary)).toBe(true);
    rmSync(canary);
  });
});

describe('an account that came with the content', () => {
  it('cannot sign in on a running server, on any worker, nor after the next start; it is reported, and other accounts still work', async () => {
    const { dir, password } = site();
    const { text, as } = forged(77);
    for (const more of [[], ['--workers', '3']]) {
      const { err } = await serving([dir, ...more], async (url, said) => {
        for (let times = 0; times < 6; times++) expect(await asked(url, `admin:${password}`)).toBe(200);
        put(join(dir, '.cms/private/accounts/77.json'), text);
        put(join(dir, 'posts/pulled.md'), `# Pulled ${count++}\n`);
        for (let times = 0; times < 12; times++) expect(await asked(url, as)).toBe(401);
        await until(() => said().includes('accounts/77.json'));
        expect(await asked(url, `admin:${password}`)).toBe(200);
        expect(await asked(url, as)).toBe(401);
      });
      expect(err).toContain('was not made on this machine and has no effect');
    }
    const { err } = await serving([dir, '--read-only'], async (url) => {
      expect(await asked(url, as)).toBe(401);
      expect(await asked(url, `admin:${password}`)).toBe(200);
    });
    expect(err).toContain('cms adopt');
    expect(cms(['user', 'list', '--dir', dir]).out).not.toContain('eve');
    const { status, out } = cms(['validate', dir]);
    expect([status, out.includes('.cms/private/accounts/77.json')]).toEqual([1, true]);
  });

  it('has no effect in place of an existing one', async () => {
    const { dir, password } = site();
    const { text, as } = forged(1, 'admin');
    await serving([dir], async (url) => {
      expect(await asked(url, `admin:${password}`)).toBe(200);
      writeFileSync(join(dir, '.cms/private/accounts/1.json'), text);
      expect([await asked(url, as), await asked(url, `admin:${password}`)]).toEqual([401, 200]);
    });
    await serving([dir], async (url) =>
      expect([await asked(url, as), await asked(url, `admin:${password}`)]).toEqual([401, 200]),
    );
  });

  it('prevents the start while git tracks it, in any spelling, and has no effect if git cannot be asked', async () => {
    for (const name of ['.cms', '.CMS']) {
      const { dir } = site();
      const { text } = forged(77);
      put(join(dir, name, 'private/accounts/77.json'), text);
      git(dir, 'add', '-f', name);
      const { status, err } = await serving([dir], async () => {});
      expect([name, status, err.includes('is tracked by git')]).toEqual([name, 1, true]);
      expect(
        several([
          ['validate', dir],
          ['adopt', dir],
        ]),
      ).toMatchObject({
        status: 1,
        out: expect.stringContaining(`${name}/private/accounts/77.json`),
        err: expect.stringContaining('is tracked by git'),
      });
    }
    const { dir, password } = site();
    const { text, as } = forged(77);
    put(join(dir, '.cms/private/accounts/77.json'), text);
    git(dir, 'add', '-f', '.cms/private/accounts/77.json');
    const tools = join(base, 'no-git');
    mkdirSync(tools, { recursive: true });
    const { err } = await serving(
      [dir],
      async (url) => expect([await asked(url, as), await asked(url, `admin:${password}`)]).toEqual([401, 200]),
      { PATH: tools },
    );
    expect(err).toContain('cannot tell whether git tracks .cms');
  });

  it('has no effect in a clone or from an archive until a person adopts it', async () => {
    const { dir, password } = site();
    git(dir, 'add', '-f', '.cms/private');
    git(dir, 'commit', '-qm', 'y');
    const clone = join(base, `clone-${++count}`);
    git(base, 'clone', '-q', dir, clone);
    git(clone, 'rm', '-rq', '--cached', '.cms');
    put(join(clone, '.cms/private/accounts/77.json'), forged(77).text);
    await serving([clone], async (url) => expect(await asked(url, `admin:${password}`)).toBe(401));

    const state = join(base, 'elsewhere');
    const [made, { text, as }] = [site({ isTracked: false }), forged(77)];
    put(join(made.dir, '.cms/private/accounts/77.json'), text);
    const archive = join(base, `evil-${count}.tar.gz`);
    expect(cms(['adopt', made.dir], { CMS_STATE_DIR: state }).status).toBe(0);
    cms(['export', made.dir, '--format', 'archive', '--private', '--out', archive], { CMS_STATE_DIR: state });
    const restored = join(base, `restored-${count}`);
    expect(cms(['import', archive, '--into', restored]).err).toContain('cms adopt');
    await serving([restored], async (url) => expect(await asked(url, as)).toBe(401));
    const { out, err } = cms(['adopt', restored]);
    expect(out).toMatch(/accounts\/77\.json\s+eve: administrator, 1 password/);
    expect(err).toMatch(/adopted \d+ private files/);
    await serving([restored], async (url) => expect(await asked(url, as)).toBe(200));
  });

  it('cannot replace `.cms` by a link', async () => {
    const { dir } = site();
    const { text } = forged(77);
    put(join(dir, 'posts/evil/private/accounts/77.json'), text);
    renameSync(join(dir, '.cms'), join(base, `away-${++count}`));
    symlinkSync('posts/evil', join(dir, '.cms'));
    const { status, err } = await serving([dir], async () => {});
    expect([status, err.includes('is a link; it must be a folder')]).toEqual([1, true]);
  });
});

describe('a site from an earlier version', () => {
  it('from elsewhere lists every way to sign in', () => {
    const { dir } = site({ isTracked: false });
    const key = { id: 'a', publicKey: 'b', host: 'example.com' };
    const account = {
      ...JSON.parse(forged(77).text),
      passkeys: [key, { ...key, id: 'c' }],
      identities: [{ issuer: 'https://id.example', subject: 'x' }],
    };
    put(join(dir, '.cms/private/accounts/77.json'), JSON.stringify(account));
    const { out } = cms(['adopt', dir, '--dry-run'], { CMS_STATE_DIR: join(base, `fresh-${++count}`) });
    expect(out).toContain('eve: administrator, 1 password, 2 passkeys, a person of https://id.example');
  });

  it('is served, says what to do, and works after one command', async () => {
    const { dir, password } = site({ isTracked: false });
    const before = readFileSync(join(dir, '.cms/private/accounts/1.json'), 'utf8');
    const over = { CMS_STATE_DIR: join(base, `fresh-${++count}`) };
    const { err } = await serving([dir], async (url) => expect(await asked(url, `admin:${password}`)).toBe(401), over);
    expect(err).toContain(`cms adopt ${dir.slice(base.length + 1)}`);
    expect(cms(['adopt', dir, '--dry-run'], over).out).toContain('admin: administrator, 1 password');
    expect(cms(['adopt', dir], over).status).toBe(0);
    expect(cms(['adopt', dir], over).err).toContain('this machine wrote every private file');
    expect(readFileSync(join(dir, '.cms/private/accounts/1.json'), 'utf8')).toBe(before);
    await serving([dir], async (url) => expect(await asked(url, `admin:${password}`)).toBe(200), over);
  });

  it('keeps its accounts when copied', async () => {
    const { dir, password } = site({ isTracked: false });
    cpSync(dir, `${dir}-copy`, { recursive: true });
    await serving([`${dir}-copy`], async (url) => expect(await asked(url, `admin:${password}`)).toBe(200));
  });

  it('reports a state directory that cannot be written, and what to do', () => {
    writeFileSync(join(base, 'file'), '');
    const { status, err } = cms(['init', join(base, `site-${++count}`)], { CMS_STATE_DIR: join(base, 'file') });
    expect(status).toBe(1);
    expect(err).toMatch(/the state directory cannot be used: .*file/);
    expect(err).toContain('CMS_STATE_DIR names another folder');
  });
});
