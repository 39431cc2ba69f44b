/**
 * What a merged pull request could bring sets up nothing and runs nothing: `cms.config.yaml` in the git work tree of the content, with
 * plugins beside `site.yaml`.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/main.ts';
import { operatorSettings } from '../../src/kernel/model/operator.ts';
import { operatorOf } from '../../src/cli/operator.ts';
import { newSite, pretend, run } from './run.ts';

/** How each command that reads a folder is called; those that only take a folder of their own are left out with their reason. */
const calls: Readonly<Record<string, readonly string[]>> = {
  validate: ['DIR'],
  schema: ['DIR'],
  'user list': ['--dir', 'DIR'],
  'user create': ['ann', '--email', 'ann@example.com', '--dir', 'DIR'],
  'user set-role': ['admin', 'editor', '--dir', 'DIR'],
  'password list': ['--dir', 'DIR'],
  'password create': ['admin', '--dir', 'DIR'],
  doctor: ['DIR'],
  'media list': ['DIR'],
  'media fetch': ['DIR'],
  'media sizes': ['DIR'],
  export: ['DIR', '--format', 'json', '--out', 'OUT/site.json'],
  backup: ['DIR', '--out', 'OUT/site.tar'],
  'translate status': ['DIR'],
  redirects: ['DIR'],
  routes: ['DIR'],
  openapi: ['DIR'],
  types: ['DIR'],
  'item list': ['--dir', 'DIR'],
};
/** Of the others, why they are not called here. */
const apart: Readonly<Record<string, string>> = {
  serve: 'runs until it is stopped: asked of its settings below',
  start: 'serves',
  import: 'reads a source',
  'user password': 'asks for one',
  'user languages': 'of the extended deployment',
  'user upload-token': 'opens the folder as user list does',
  'user token': 'opens the folder as user list does',
  'user delete': 'opens the folder as user list does',
  'user invite': 'opens the folder as user list does',
  'user reset-factors': 'opens the folder as user list does',
  'password revoke': 'opens the folder as password list does',
  'doctor auth': 'asks a server',
  'media push': 'needs a store',
  'media pull': 'needs a store',
  'events list': 'opens the store alone',
  'events resend': 'opens the store alone',
  'events test': 'sends one request',
  'mail list': 'opens the store alone',
  'mail resend': 'opens the store alone',
  'mail test': 'sends one letter',
  'images key': 'asks for the key',
  'images sign': 'opens the folder as media list does',
  'item get': 'opens the folder as item list does',
  'item create': 'opens the folder as item list does',
  'item update': 'opens the folder as item list does',
  'item delete': 'opens the folder as item list does',
  mcp: 'opens the folder as item list does, and runs until it is stopped',
  'translate import': 'takes files',
  'translate export': 'opens the folder as translate status does',
  'translate order': 'opens the folder as translate status does',
  'translate pseudo': 'opens the folder as translate status does',
  log: 'needs a commit',
  diff: 'needs a commit',
  'restore item': 'needs a commit',
  'restore backup': 'takes an archive',
  restore: 'needs a commit',
};

let repository: string;
let dir: string;
let mark: string;
const trap = (): string =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, 'run');\nexport default { name: 'trap' };\n`;

beforeEach(async () => {
  const { dir: made } = await newSite();
  repository = join(made, '..');
  dir = made;
  mark = join(await mkdtemp(join(tmpdir(), 'cms-mark-')), 'mark');
  await mkdir(join(dir, 'plugins'));
  await writeFile(join(dir, 'plugins/trap.mjs'), trap());
  await writeFile(join(repository, 'cms.config.yaml'), 'plugins: true\nallow_svg: true\ndefault_role: administrator\n');
});
afterEach(() => rm(repository, { recursive: true, force: true }));

const inRepository = (): Promise<unknown> => mkdir(join(repository, '.git'), { recursive: true });

describe('in a git work tree', () => {
  beforeEach(inRepository);

  it.each(Object.keys(calls))('%s runs no plugin', async (name) => {
    const line = [...name.split(' '), ...(calls[name] as readonly string[])].map((word) =>
      word.replace('DIR', dir).replace('OUT', repository),
    );
    await run(line, { cwd: repository });
    expect(existsSync(mark)).toBe(false);
  });

  it('covers every command that reads operator settings, or lists it as an exception', async () => {
    const program = await createProgram(null, pretend().io);
    const leaves = (command: typeof program, before: string): string[] => [
      ...(command.options.some(({ long }) => long === '--config') ? [before] : []),
      ...command.commands.flatMap((below) => leaves(below as typeof program, `${before} ${below.name()}`.trim())),
    ];
    const known = [...Object.keys(calls), ...Object.keys(apart)];
    expect(leaves(program, '').filter((name) => !known.includes(name))).toEqual([]);
  });

  it('ignores operator settings, whatever the command', () => {
    for (const serves of [true, false]) {
      const { io, said } = pretend({ cwd: repository });
      const operator = operatorOf(dir, io, { serves }) as unknown as Record<string, unknown>;
      for (const [key, { default: usual }] of Object.entries(operatorSettings))
        if (!key.includes('.')) expect([key, operator[key]]).toEqual([key, usual]);
      expect(said.err.join('\n')).toMatch(/^cms\.config\.yaml is ignored: it is in a git work tree/);
    }
  });

  it('ignores a link to an operator settings file', async () => {
    await rm(join(repository, '.git'), { recursive: true });
    await mkdir(join(dir, '.git'));
    await rm(join(repository, 'cms.config.yaml'));
    await writeFile(join(dir, 'ops.yaml'), 'allow_svg: true\n');
    await symlink(join(dir, 'ops.yaml'), join(repository, 'cms.config.yaml'));
    expect(operatorOf(dir, pretend({ cwd: repository }).io).allow_svg).toBe(false);
  });

  it('is reported as an error by validate and doctor', async () => {
    const { status, out } = await run(['validate', dir], { cwd: repository });
    expect(status).toBe(1);
    expect(out).toMatch(/cms\.config\.yaml:1:1.*Its settings do not count/);
    expect(out).toMatch(/plugins\/trap\.mjs:1:1.*only a file that git could bring allows plugins/);
    const doctor = await run(['doctor', dir], { cwd: repository });
    expect(`${doctor.out}\n${doctor.err}`).toMatch(/cms\.config\.yaml does not count: git could bring it/);
  });

  it('accepts an operator file named from outside', async () => {
    const file = join(repository, 'cms.config.yaml');
    expect(operatorOf(dir, pretend({ cwd: repository, env: { CMS_CONFIG: file } }).io)).toMatchObject({
      allow_svg: true,
      plugins: true,
    });
    const { status } = await run(['validate', dir, '--config', file], { cwd: repository });
    expect(status).toBe(0);
    expect(existsSync(mark)).toBe(true);
  });
});

describe('next to a folder outside any repository', () => {
  it('operator settings are read, and only serving commands run plugins', () => {
    const { io, said } = pretend({ cwd: repository });
    expect(operatorOf(dir, io, { serves: true })).toMatchObject({ allow_svg: true, plugins: true });
    expect(operatorOf(dir, io)).toMatchObject({ allow_svg: true, plugins: false });
    expect(operatorOf(dir, pretend({ cwd: repository, env: { CMS_PLUGINS: '1' } }).io).plugins).toBe(true);
    expect(said.err).toEqual([]);
  });

  it('a repository of the content itself does not affect the file next to it', async () => {
    await mkdir(join(dir, '.git'));
    expect(operatorOf(dir, pretend({ cwd: repository }).io).allow_svg).toBe(true);
  });
});
