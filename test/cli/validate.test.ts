/** What `cms validate` prints, its exit status, and that it writes nothing unless asked to. */
import { readdir, stat, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printProblem } from '../../src/cli/validate.ts';
import { filesIn, pretend, run, temporary } from './run.ts';

async function siteWith(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporary();
  for (const [path, text] of Object.entries({
    'site.yaml': 'name: Quay\n',
    'terms/category/news.yaml': 'id: 1\nname: News\n',
    ...files,
  })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
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
  it('shows file, line, column, the line and a hint', async () => {
    const dir = await siteWith(broken);
    const { status, out } = await run(['validate', dir]);
    expect(status).toBe(1);
    expect(out).toContain('posts/a.md:4:5 warning unknown category "newz"\n      - newz\n        ^\n    did you mean news?\n');
    expect(out).toContain('posts/b.md:3:7 error date is no date: "next week"\n    date: "next week"\n          ^\n');
    expect(out).toContain('posts/c.md:2:5 error id 1 is already used by posts/a.md');
    expect(out).toMatch(/posts\/d\.md:1:1 error .*conflict/);
    expect(out.split('\n').at(-1)).toBe('3 errors, 2 warnings in 7 files');
  });

  it('writes nothing, not even ids', async () => {
    const dir = await siteWith(broken);
    const [before, names, time] = [await filesIn(dir), await readdir(dir), (await stat(dir)).mtimeMs];
    await run(['validate', dir]);
    expect(await filesIn(dir)).toEqual(before);
    expect(await readdir(dir)).toEqual(names);
    expect((await stat(dir)).mtimeMs).toBe(time);
  });

  it('prints JSON', async () => {
    const { status, out, err } = await run(['validate', '--json'], { cwd: await siteWith(broken) });
    const { problems, ...counts } = JSON.parse(out) as { problems: { rule: string }[] };
    expect({ status, err, ...counts }).toEqual({ status: 1, err: '', files: 7, errors: 3, warnings: 2 });
    expect(problems.map(({ rule }) => rule).sort()).toEqual([
      'conflict-marker',
      'duplicate-id',
      'field:date',
      'missing-id',
      'unknown-category',
    ]);
  });

  it('ends with 0 when there are only warnings', async () => {
    expect(await run(['validate', await siteWith({ 'posts/a.md': 'A\n' })])).toMatchObject({
      status: 0,
      out: expect.stringContaining('0 errors, 1 warning in 3 files'),
    });
    expect(await run(['validate', await siteWith({})])).toMatchObject({ status: 0, out: '2 files, nothing found' });
  });

  it('gives ids with --fix, and changes nothing else', async () => {
    const dir = await siteWith(broken);
    const { status, out } = await run(['validate', dir, '--fix']);
    expect(status).toBe(1);
    expect(out).not.toMatch(/duplicate|no id yet/);
    expect(await filesIn(dir)).toMatchObject({
      ...broken,
      'posts/c.md': broken['posts/c.md'].replace('id: 1', 'id: 3'),
      'posts/e.md': '---\nid: 4\n---\n\nNo front matter.\n',
    });
    const again = await filesIn(dir);
    await run(['validate', dir, '--fix']);
    expect(await filesIn(dir)).toEqual(again);
  });
});

describe('printProblem', () => {
  const problem = { path: 'a.md', line: 1, column: 1, severity: 'error' as const, rule: 'x', message: 'wrong' };

  it('shows the part of a long line that it is about, and keeps tabs', () => {
    const { io } = pretend();
    const long = printProblem({ ...problem, column: 150, source: `${'x'.repeat(149)}HERE${'y'.repeat(40)}` }, io).split('\n');
    expect(long[1]?.[(long[2] as string).indexOf('^')]).toBe('H');
    expect(printProblem({ ...problem, column: 3, source: '\t\tx' }, io)).toBe(
      'a.md:1:1 error wrong\n    \t\tx\n    \t\t^'.replace(':1:1', ':1:3'),
    );
  });

  it('leaves out an empty line', () => {
    expect(printProblem({ ...problem, source: '' }, pretend().io)).toBe('a.md:1:1 error wrong');
  });
});
