/** The command line as a whole: help, misuse, exit statuses, what people see on a terminal. */
import { mkdir, writeFile } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgress, paint } from '../../src/cli/io.ts';
import { newSite, pretend, run, temporary } from './run.ts';

const commands = [
  'init',
  'serve',
  'start',
  'validate',
  'import',
  'export',
  'schema',
  'media',
  'routes',
  'user',
  'user list',
  'user create',
  'user set-role',
  'user delete',
  'password',
  'password create',
  'password list',
  'password revoke',
];

describe('help', () => {
  it('lists every command', async () => {
    const { status, out } = await run(['--help']);
    expect(status).toBe(0);
    for (const name of commands) expect(out).toContain(`  ${name.split(' ')[0]} `);
  });

  it.each(commands)('of %s ends with an example', async (name) => {
    const { status, out } = await run([...name.split(' '), '--help']);
    expect(status).toBe(0);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^ {2}\$ .*(cms|npm) /);
    expect(out).toMatch(/\nExamples?:\n/);
  });

  it('equals the output of help COMMAND', async () => {
    expect(await run(['help', 'init'])).toEqual(await run(['init', '--help']));
  });

  it('prints the version', async () => {
    expect(await run(['--version'])).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });
});

describe('a usage error', () => {
  const rows: readonly { line: string; says: RegExp }[] = [
    { line: '', says: /Usage: cms/ },
    { line: 'sreve', says: /unknown command 'sreve'[\s\S]*serve/ },
    { line: 'init', says: /missing required argument 'dir'\n {2}see cms init --help/ },
    { line: 'init a b', says: /too many arguments/ },
    { line: 'init x --titel y', says: /unknown option '--titel'[\s\S]*--title/ },
    { line: 'init x --deployment huge', says: /--deployment <shape>.*'huge' is invalid/ },
    { line: 'init x --timezone Mars/Base', says: /--timezone <zone>.*'Mars\/Base' is invalid/ },
    { line: 'init x --email nobody', says: /--email <address>.*'nobody' is invalid/ },
    { line: 'init x --url example.com', says: /--url <address>.*'example.com' is invalid/ },
    { line: 'init x --admin ///', says: /--admin <login>.*is invalid/ },
    { line: 'init x --writing docx', says: /--writing <kind>.*'docx' is invalid/ },
    { line: 'init x --language english!', says: /--language <locale>.*is invalid/ },
    { line: 'serve --port 99999', says: /--port <number>.*'99999' is invalid/ },
    { line: 'serve --port 80x', says: /--port <number>.*'80x' is invalid/ },
    { line: 'serve nowhere', says: /"nowhere" does not exist/ },
    { line: 'validate nowhere', says: /"nowhere" does not exist\n {2}to create a site there: cms init nowhere/ },
    { line: 'validate', says: /"content" does not exist/ },
    { line: 'user', says: /Usage: cms user/ },
    { line: 'user delte x', says: /unknown command 'delte'/ },
    { line: 'user delete x --trash --reassign y', says: /--reassign cannot be combined with --trash/ },
    { line: 'password revoke admin', says: /--all/ },
    { line: 'schema SITE --values', says: /--values requires --out or --type/ },
    { line: 'schema SITE --out x --type post', says: /--out cannot be combined with --type/ },
    { line: 'media fetch SITE --media nowhere', says: /"nowhere" does not exist/ },
    { line: 'media fetch SITE --from https://x.example/=nowhere', says: /"nowhere" does not exist/ },
    { line: 'media fetch --jobs 99', says: /'99' is invalid[\s\S]*\n {2}see cms media fetch --help/ },
    { line: 'user create ///', says: /^cms: '\/\/\/' is invalid for argument 'login'[\s\S]*\n {2}see cms user create --help/ },
    { line: 'validate --json --format sarif', says: /--json cannot be combined with --format sarif/ },
    { line: 'validate --dry-run', says: /--dry-run requires --fix/ },
    { line: 'validate --fix --dry-run --json', says: /--format does not apply to --dry-run/ },
    { line: 'validate --fix --dry-run --max-warnings 0', says: /--max-warnings does not apply to --dry-run/ },
    { line: 'validate --rules --format github', says: /--format does not apply to --rules/ },
    { line: 'validate --rules --fix', says: /--fix does not apply to --rules/ },
    { line: 'routes --deployment huge', says: /--deployment <shape>/ },
  ];
  it.each(rows)('cms $line', async ({ line, says }) => {
    const cwd = await temporary();
    const { dir } = line.includes('SITE') ? await newSite() : { dir: '' };
    const words = line === '' ? [] : line.split(' ').map((word) => (word === 'SITE' ? dir : word));
    const { status, out, err } = await run(words, { cwd });
    expect(err).toMatch(says);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('for a folder that is not a site says how to make one', async () => {
    const cwd = await temporary();
    await mkdir(join(cwd, 'content'));
    expect((await run(['serve'], { cwd })).err).toContain('to create a site there: cms init content');
    await writeFile(join(cwd, 'content/a.md'), '# A\n');
    expect((await run(['serve'], { cwd })).err).toContain('cms import content --into my-site');
  });

  it('for an environment variable names it', async () => {
    const { dir } = await newSite();
    expect(await run(['serve', dir], { env: { CMS_PORT: 'x' } })).toMatchObject({
      status: 2,
      err: expect.stringContaining('CMS_PORT=x is not a valid port'),
    });
  });

  it('has a stack trace with CMS_DEBUG', async () => {
    const { err } = await run(['validate', 'nowhere'], { env: { CMS_DEBUG: '1' } });
    expect(err).toMatch(/\n\s+at /);
  });
});

describe('on a terminal', () => {
  const people = { terminal: { out: true, err: true } };

  it('has colors, unless NO_COLOR is set', () => {
    expect(paint(pretend(people).io, 'out', 'red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(paint(pretend({ ...people, env: { NO_COLOR: '1' } }).io, 'out', 'red', 'x')).toBe('x');
    expect(paint(pretend().io, 'out', 'red', 'x')).toBe('x');
  });

  it('shows progress for work of more than a second, and clears it', () => {
    const { io, said } = pretend(people);
    let now = 0;
    const progress = createProgress(io, 'reading files', () => now);
    progress.update(1, 9);
    expect(said.drawn).toEqual([]);
    now = 1000;
    progress.update(5, 9);
    progress.update(6, 9);
    now = 1100;
    progress.update(7, 9);
    progress.end();
    expect(said.drawn).toEqual(['\r\u001b[Kreading files: 5 of 9', '\r\u001b[Kreading files: 7 of 9', '\r\u001b[K']);
  });

  it('has no progress elsewhere', () => {
    const { io, said } = pretend();
    let now = 0;
    const progress = createProgress(io, 'reading files', () => now);
    now = 5000;
    progress.update(5, 9);
    progress.end();
    expect(said.drawn).toEqual([]);
  });
});

describe('compiled code', () => {
  const kept = Object.getOwnPropertyDescriptor(module, 'enableCompileCache');
  afterEach(() => {
    vi.unstubAllEnvs();
    if (kept) Object.defineProperty(module, 'enableCompileCache', kept);
    else Reflect.deleteProperty(module, 'enableCompileCache');
  });

  it.each([
    ['of a server is kept in the state directory', ['serve', '--help'], true, 1],
    ['is not kept where no site has used the state directory yet', ['serve', '--help'], false, 0],
    ['of other commands is not kept', ['user', '--help'], true, 0],
    ['of all commands together is not kept', ['completion', 'bash'], true, 0],
  ])('%s', async (_, line, isUsed, times) => {
    const state = await temporary();
    if (isUsed) await writeFile(join(state, 'key'), '');
    vi.stubEnv('CMS_STATE_DIR', state);
    const enable = vi.fn();
    Object.defineProperty(module, 'enableCompileCache', { value: enable, configurable: true, writable: true });
    expect((await run(line)).status).toBe(0);
    expect(enable.mock.calls).toEqual(Array.from({ length: times }, () => [join(state, 'code')]));
  });
});
