/** What `cms validate` prints in each format, its exit status, and what it writes when it is asked to. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unifiedDiff } from '../../src/modules/git/diff/index.ts';
import { printGithub } from '../../src/cli/findings/github.ts';
import { printProblem } from '../../src/cli/findings/text.ts';
import { rules } from '../../src/validate/rules.ts';
import { filesIn, pretend, run, temporary } from './run.ts';
import { etagOf } from '../../src/kernel/yaml/codec.ts';
import { createDisk } from '../../src/kernel/store/durable.ts';
import { createLog } from '../../src/kernel/store/log.ts';
import { openSeal, stateDirectory } from '../../src/kernel/store/state.ts';
import fc from 'fast-check';
import '../support/seed.ts';
import { failDisk } from '../support/disk-faults.ts';
import { sample } from '../support/sample-site.ts';

async function siteWith(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporary();
  for (const [path, text] of Object.entries({
    'site.yaml': 'name: Quay\n',
    'terms/category/news.yaml': 'id: 1\nname: News\n',
    ...files,
  })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text, path.endsWith('.jpg') ? 'latin1' : 'utf8');
  }
  return dir;
}

const broken = {
  'posts/a.md': '---\nid: 1\ncategories:\n  - newz\n---\nA\n',
  'posts/b.md': '---\nid: 2\ndate: "next week"\n---\nB\n',
  'posts/c.md': '---\nid: 1\ntitle: C\n---\nC\n',
  'posts/d.md': '<<<<<<< HEAD\nD\n=======\nE\n>>>>>>> other\n',
  'posts/e.md': 'No front matter.\n',
};

describe('validate', () => {
  it('prints file, line, column, the source line and a hint', async () => {
    const dir = await siteWith(broken);
    const { status, out } = await run(['validate', dir]);
    expect(status).toBe(1);
    expect(out).toContain('posts/a.md:4:5 warning unknown category "newz"\n      - newz\n        ^\n    did you mean news?\n');
    expect(out).toContain('posts/b.md:3:7 error invalid date "next week"\n    date: "next week"\n          ^\n');
    expect(out).toContain('posts/c.md:2:5 error id 1 is already used by posts/a.md');
    expect(out).toMatch(/posts\/d\.md:1:1 error .*conflict/);
    expect(out).not.toContain('posts/e.md');
    expect(out.split('\n').at(-1)).toBe('3 errors, 1 warning, 1 note in 7 files (--notes shows them)');
    expect((await run(['validate', dir, '--notes'])).out).toContain('posts/e.md:1:1 note has no id yet\n');
  });

  it('escapes control characters for a terminal', async () => {
    const dir = await siteWith({ 'posts/a.md': '---\nid: 1\ndate: \u001b[2Jx\u202e\n---\n' });
    const { out } = await run(['validate', dir]);
    expect(out).toContain('posts/a.md:3:7 error');
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });

  it('writes nothing, not even ids', async () => {
    const dir = await siteWith(broken);
    const [before, names, time] = [await filesIn(dir), await readdir(dir), (await stat(dir)).mtimeMs];
    await run(['validate', dir]);
    await run(['validate', dir, '--fix', '--dry-run']);
    expect(await filesIn(dir)).toEqual(before);
    expect(await readdir(dir)).toEqual(names);
    expect((await stat(dir)).mtimeMs).toBe(time);
  });

  it('prints JSON', async () => {
    const cwd = await siteWith(broken);
    const { status, out, err } = await run(['validate', '--json'], { cwd });
    const { problems, ...counts } = JSON.parse(out) as { problems: { rule: string }[] };
    expect({ status, err, ...counts }).toEqual({ status: 1, err: '', files: 7, errors: 3, warnings: 1, notes: 1 });
    expect(problems.map(({ rule }) => rule).sort()).toEqual([
      'conflict-marker',
      'duplicate-id',
      'field:date',
      'missing-id',
      'unknown-name',
    ]);
    expect((await run(['validate', '--format', 'json'], { cwd })).out).toBe(out);
  });

  it('exits with 0 for warnings, unless there are too many', async () => {
    const dir = await siteWith({ 'posts/a.md': '---\nid: 1\ntiitle: x\n---\nA\n' });
    expect(await run(['validate', dir])).toMatchObject({
      status: 0,
      out: expect.stringContaining('0 errors, 1 warning in 3 files'),
    });
    expect(await run(['validate', dir, '--max-warnings', '1'])).toMatchObject({ status: 0, err: '' });
    expect(await run(['validate', dir, '--max-warnings', '0'])).toMatchObject({ status: 1, err: 'more than 0 warnings' });
    expect(await run(['validate', dir, '--max-warnings', 'few'])).toMatchObject({ status: 2 });
    expect(await run(['validate', await siteWith({})])).toMatchObject({ status: 0, out: '2 files, no problems found' });
  });

  it('has no findings for the sample site', async () => {
    const { out } = await run(['validate', sample, '--json']);
    const { errors, warnings } = JSON.parse(out) as Record<string, unknown>;
    expect({ errors, warnings }).toEqual({ errors: 0, warnings: 0 });
  });

  it('lists its rules', async () => {
    const { out } = await run(['validate', '--rules']);
    expect(out).toContain('duplicate-id');
    expect(out.split('\n')).toHaveLength(Object.keys(rules).length + 1);
    const listed = JSON.parse((await run(['validate', '--rules', '--format', 'json'])).out) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(rules));
  });

  it('survives links, folders and files that are not what their names say', async () => {
    const dir = await siteWith({ 'posts/x.md/y.txt': 'x', 'media/a.jpg': '' });
    await symlink('/etc/passwd', join(dir, 'posts/link.md'));
    const { out } = await run(['validate', dir, '--json']);
    const { problems } = JSON.parse(out) as { problems: { rule: string }[] };
    expect(problems.map(({ rule }) => rule).sort()).toEqual(['not-content', 'not-read-link', 'unused-media', 'wrong-bytes']);
  });
});

describe('--fix', () => {
  it('adds ids, and changes nothing else', async () => {
    const dir = await siteWith(broken);
    const { status, out } = await run(['validate', dir, '--fix']);
    expect(status).toBe(1);
    expect(out).toContain('posts/c.md fixed id 3\nposts/e.md fixed id 4\n');
    expect(out).not.toMatch(/duplicate|no id yet/);
    expect(await filesIn(dir)).toMatchObject({
      ...broken,
      'posts/c.md': broken['posts/c.md'].replace('id: 1', 'id: 3'),
      'posts/e.md': '---\nid: 4\n---\nNo front matter.\n',
    });
    const again = await filesIn(dir);
    await run(['validate', dir, '--fix']);
    expect(await filesIn(dir)).toEqual(again);
  });

  const repairable = {
    'terms/tag/walks.yaml': 'id: 2\nname: Walks\naliases: [strolls]\n',
    'users/anna.yaml': 'id: 1\nname: Anna\naliases: [ann]\n',
    'pages/about.md': '---\nid: 5\naliases:\n  - who # we were\n---\n',
    'posts/a.md':
      '---\r\nid: 1\r\nauthor: "ann" # since 2020\r\ntags: [x, strolls]\r\n---\r\n\r\nSee [us](/who/#team),\r\n`/who/` and <a href="/who">us</a>.\r\n',
    'menus/main.yaml':
      '# The header\nid: 3\nname: Main\nitems:\n  # first\n  - page: who\n    title: Us # short\n    items:\n      - url: /who#team\n        title: Again\n        id: 1\n',
    'comments/1/1.html': '---\nid: 1\n---\nYes\n',
    'comments/1/2.html': '---\nid: 1\n---\nNo\n',
    'media/Cat.jpg': '\xff\xd8\xff\xe0',
    'media/cat.jpg.yaml': 'id: 9\nalt: A cat\n',
  };
  const repaired = {
    'posts/a.md':
      '---\r\nid: 1\r\nauthor: "anna" # since 2020\r\ntags: [x, walks]\r\n---\r\n\r\nSee [us](/about/#team),\r\n`/who/` and <a href="/about/">us</a>.\r\n',
    'menus/main.yaml':
      '# The header\nid: 3\nname: Main\nitems:\n  # first\n  - page: about\n    title: Us # short\n    id: 11\n    items:\n      - url: /about/#team\n        title: Again\n        id: 10\n',
    'comments/1/2.html': '---\nid: 2\n---\nNo\n',
    'media/Cat.jpg.yaml': 'id: 9\nalt: A cat\n',
  };

  it('replaces names, URLs and file names with the current ones', async () => {
    const dir = await siteWith(repairable);
    const { out } = await run(['validate', dir, '--fix', '--json']);
    const { fixed } = JSON.parse(out) as { fixed: { path: string; message: string }[] };
    const { 'media/cat.jpg.yaml': _, ...stay } = repairable;
    const files = await filesIn(dir);
    expect(files).toMatchObject({ ...stay, 'media/Cat.jpg': expect.any(String), ...repaired });
    expect(files).not.toHaveProperty('media/cat.jpg.yaml');
    expect(fixed.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
      'comments/1/2.html id 2',
      'media/cat.jpg.yaml renamed to media/Cat.jpg.yaml',
      'menus/main.yaml id 10',
      'menus/main.yaml id 11',
      'menus/main.yaml items.items.url: /about/#team',
      'menus/main.yaml items.page: about',
      'posts/a.md /who → /about/',
      'posts/a.md /who/ → /about/',
      'posts/a.md author: anna',
      'posts/a.md tags: walks',
    ]);
    expect((await run(['validate', dir, '--fix'])).out).not.toContain('fixed');
  });

  it('shows the diff with --dry-run', async () => {
    const dir = await siteWith(repairable);
    const git = (...line: string[]): string =>
      execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...line], {
        cwd: dir,
      }).toString();
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'x');
    const { out, status } = await run(['validate', dir, '--fix', '--dry-run']);
    expect(status).toBe(0);
    await writeFile(join(dir, '../x.patch'), `${out}\n`);
    execFileSync('git', ['apply', '--check', join(dir, '../x.patch')], { cwd: dir });
    execFileSync('git', ['apply', join(dir, '../x.patch')], { cwd: dir });
    expect(await filesIn(dir)).toMatchObject(repaired);
    expect((await run(['validate', dir, '--fix', '--dry-run'])).out).toBe('');
  });

  it('is required by --dry-run', async () => {
    expect(await run(['validate', await siteWith({}), '--dry-run'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('--fix'),
    });
  });
});

describe('unifiedDiff', () => {
  it('produces a patch', async () => {
    const dir = await temporary();
    execFileSync('git', ['init', '-q'], { cwd: dir });
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'long line\n');
    const text = fc.tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'end')).map(([all, end]) => all.join('') + end);
    const pairs = fc
      .sample(fc.tuple(text, text), { numRuns: 60, seed: 20261121 })
      .filter(([a, b]) => a !== b && a !== '' && b !== '');
    let patch = '';
    for (const [at, [a, b]] of pairs.entries()) {
      await writeFile(join(dir, `${at}.txt`), a);
      patch += `${unifiedDiff(`${at}.txt`, `${at}.txt`, a, b)}\n`;
    }
    await writeFile(join(dir, '.git/p'), patch);
    execFileSync('git', ['apply', '.git/p'], { cwd: dir });
    for (const [at, [, b]] of pairs.entries()) expect(await readFile(join(dir, `${at}.txt`), 'utf8')).toBe(b);
  });

  it('separates distant changes of a long file', () => {
    const long = Array.from({ length: 9000 }, (_, at) => `line ${at}\n`);
    const other = long.with(1, 'x\n').with(8998, 'y\n').join('');
    expect(
      unifiedDiff('a', 'a', long.join(''), other)
        .split('\n')
        .filter((line) => /^[-+]/.test(line)),
    ).toHaveLength(6);
    expect(unifiedDiff('a', 'a', 'x', 'x')).toBe('');
  });
});

/** Of SARIF 2.1.0, what these tests look at. */
interface SarifLog {
  readonly runs: readonly [
    {
      readonly columnKind: string;
      readonly tool: {
        readonly driver: {
          readonly name: string;
          readonly rules: readonly {
            readonly id: string;
            readonly shortDescription: { readonly text: string };
            readonly help: { readonly text: string };
            readonly defaultConfiguration: { readonly level: string };
          }[];
        };
      };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly locations: readonly [
          {
            readonly physicalLocation: {
              readonly artifactLocation: { readonly uri: string };
              readonly region: { readonly startLine: number; readonly startColumn: number; readonly endColumn?: number };
            };
          },
        ];
      }[];
    },
  ];
}

describe('--format sarif', () => {
  it('matches the SARIF 2.1.0 schema', async () => {
    const dir = await siteWith({ ...broken, 'posts/a b%.md': '---\nid: 7\n---\n[x](/no/)\n' });
    const { out, status } = await run(['validate', dir, '--format', 'sarif'], { cwd: dirname(dir) });
    expect(status).toBe(1);
    const log = JSON.parse(out) as SarifLog;
    expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') });
    const [{ tool, results, columnKind }] = log.runs;
    expect(columnKind).toBe('utf16CodeUnits');
    expect(tool.driver.name).toBe('cms');
    const ids = tool.driver.rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const rule of tool.driver.rules) {
      expect(rule.shortDescription.text).not.toBe('');
      expect(rule.help.text).not.toBe('');
      expect(['error', 'warning', 'note']).toContain(rule.defaultConfiguration.level);
    }
    expect(results).toHaveLength(6);
    for (const { ruleId, ruleIndex, level, message, locations } of results) {
      expect(ids[ruleIndex]).toBe(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
      expect(message.text).toEqual(expect.any(String));
      const { artifactLocation, region } = locations[0].physicalLocation;
      expect(artifactLocation.uri).toMatch(/^[^/\\][^\\ ]*$/);
      expect(() => decodeURIComponent(artifactLocation.uri)).not.toThrow();
      expect(region.startLine).toBeGreaterThan(0);
      expect(region.startColumn).toBeGreaterThan(0);
      if (region.endColumn !== undefined) expect(region.endColumn).toBeGreaterThan(region.startColumn);
    }
    const link = results.find(({ ruleId }) => ruleId === 'broken-link')!.locations[0].physicalLocation;
    expect(link.artifactLocation.uri).toBe(`${dir.split('/').at(-1)}/posts/a%20b%25.md`);
    expect(link.region).toMatchObject({ startLine: 4, startColumn: 5, endColumn: 9, snippet: { text: '[x](/no/)' } });
  });
});

describe('--format github', () => {
  it('prints one command per finding, relative to the repository', async () => {
    const dir = await siteWith(broken);
    const { out } = await run(['validate', 'x', '--format', 'github'].with(1, dir), { cwd: dirname(dir) });
    const base = dir.split('/').at(-1);
    expect(out.split('\n')).toHaveLength(5);
    expect(out).toContain(
      `::warning file=${base}/posts/a.md,line=4,col=5,title=unknown-name::unknown category "newz"%0Adid you mean news?`,
    );
    expect(out).toContain(`::error file=${base}/posts/b.md,line=3,col=7,title=field%3Adate::invalid date`);
    expect(out).toContain(`::notice file=${base}/posts/e.md`);
  });

  it('escapes special characters', () => {
    const problem = { path: 'a,b:c%.md', line: 1, column: 1, severity: 'error' as const, rule: 'x', message: '100%\r\nno: a, b' };
    expect(printGithub({ files: 1, problems: [problem], repairs: [], base: '' })).toEqual([
      '::error file=a%2Cb%3Ac%25.md,line=1,col=1,title=x::100%25%0D%0Ano: a, b',
    ]);
  });
});

describe('printProblem', () => {
  const problem = { path: 'a.md', line: 1, column: 1, severity: 'error' as const, rule: 'x', message: 'wrong' };

  it('shows the relevant part of a long line, and keeps tabs', () => {
    const { io } = pretend();
    const long = printProblem({ ...problem, column: 150, source: `${'x'.repeat(149)}HERE${'y'.repeat(40)}` }, io).split('\n');
    expect(long[1]?.[(long[2] as string).indexOf('^')]).toBe('H');
    expect(printProblem({ ...problem, column: 3, source: '\t\tx' }, io)).toBe(
      'a.md:1:1 error wrong\n    \t\tx\n    \t\t^'.replace(':1:1', ':1:3'),
    );
  });

  it('omits an empty line', () => {
    expect(printProblem({ ...problem, source: '' }, pretend().io)).toBe('a.md:1:1 error wrong');
  });
});

describe('a required file', () => {
  it('is an error if it is an unreadable site.yaml, not a warning', async () => {
    const dir = await siteWith({ 'other.yaml': 'name: Other\n' });
    await rm(join(dir, 'site.yaml'));
    await symlink('other.yaml', join(dir, 'site.yaml'));
    const { status, out } = await run(['validate', dir, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out).problems).toContainEqual(expect.objectContaining({ path: 'site.yaml', severity: 'error' }));
  });

  it('is an error if it is a folder', async () => {
    const dir = await siteWith({});
    await rm(join(dir, 'site.yaml'));
    await mkdir(join(dir, 'site.yaml'));
    expect((await run(['validate', dir])).status).not.toBe(0);
  });

  it.each([
    ['types:\n  post:\n    plural: Posts\n', '3:13'],
    ['types:\n  book:\n    plural: Books\n    rest_base: No Base\n', '4:16'],
    ['types:\n  book:\n    fields:\n      isbn: { type: number }\n      pages: { type: count }\n', '5:22'],
    ['types:\n  book:\n    fields:\n      isbn: text\n', '4:13'],
    ['taxonomies:\n  genre:\n    plural: Genres\n  category:\n    plural: X\n', '4:3'],
    ['types:\n  users:\n    plural: Users\n', '2:3'],
  ])('is reported with the line of an invalid declaration: %j', async (text, place) => {
    const dir = await siteWith({ 'site.yaml': text });
    const { status, out } = await run(['validate', dir]);
    expect(status).toBe(1);
    expect(out).toContain(`site.yaml:${place} error`);
  });
});

describe('an unfinished write', () => {
  const content = Buffer.from('---\nid: 1\ntitle: New\n---\nA\n');
  const logIn = (dir: string) =>
    createLog({
      ...{ dir: join(dir, '.cms'), seal: openSeal(stateDirectory()), disk: createDisk(), durability: 'log', clock: Date.now },
      ...{ flush: async () => undefined, alone: (work) => work(), background: () => undefined },
    });

  it('is finished, and reported as long as it cannot be', async () => {
    const dir = await siteWith({ 'posts/a.md': '---\nid: 1\ntitle: A\n---\nA\n' });
    await mkdir(join(dir, '.cms'));
    const before = etagOf(await readFile(join(dir, 'posts/a.md')));
    const log = logIn(dir);
    await log.append([[{ write: 'posts/a.md', before, after: etagOf(content), ino: 1, bytes: content }]]);
    await log.close();
    const mend = failDisk((call) => (call === 'rename' ? 'EROFS' : undefined));
    onTestFinished(mend);
    const { status, out } = await run(['validate', dir]);
    expect(status).toBe(0);
    expect(out).toContain('.cms/log');
    expect(out).toContain('in the middle of a write');
    expect(await readFile(join(dir, 'posts/a.md'), 'utf8')).toContain('title: A');
    expect((await run(['validate', dir, '--max-warnings', '0'])).status).toBe(1);
    mend();
    expect((await run(['validate', dir])).out).not.toContain('.cms/log');
    expect(await readFile(join(dir, 'posts/a.md'), 'utf8')).toContain('title: New');
  });

  // A machine that stands still for a third of a second looks like a server that has died: then once more.
  it('is not reported while a server is writing', { retry: 5 }, async () => {
    const dir = await siteWith({ 'posts/a.md': '---\nid: 1\ntitle: A\n---\nA\n' });
    await mkdir(join(dir, '.cms'));
    const log = logIn(dir);
    let count = 0;
    const write = async () => {
      const step = { write: `posts/${++count}.md`, before: null, after: etagOf(content), ino: 1, bytes: content };
      await log.append([[step]]);
    };
    await write();
    const writing = setInterval(() => void write(), 5);
    const { out } = await run(['validate', dir]);
    clearInterval(writing);
    expect(count).toBeGreaterThan(1);
    expect(log.peek()).not.toBeNull();
    await log.close();
    expect(out).not.toContain('.cms/log');
  });
});
