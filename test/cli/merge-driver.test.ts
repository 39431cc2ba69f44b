/** Content files that two branches have changed, as git merges them with `cms merge-driver`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asPerson } from '../support/git-site.ts';
import { builtProgram } from '../support/program-build.ts';
import { run } from './run.ts';

let dir: string;
const git = (...args: readonly string[]): string => asPerson(dir, ...args);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cms-merge-test-'));
  git('init', '-q', '-b', 'main');
  writeFileSync(join(dir, 'site.yaml'), 'name: Example\n');
  expect((await run(['merge-driver', '--install', dir])).status).toBe(0);
  expect(git('config', 'merge.cms.driver')).toContain('cms.js" merge-driver %O %A %B %P');
  expect(readFileSync(join(dir, '.gitattributes'), 'utf8')).toContain('*.md merge=cms\n');
  expect((await run(['merge-driver', '--install', dir])).status).toBe(0);
  expect(readFileSync(join(dir, '.gitattributes'), 'utf8').match(/\*\.md merge=cms/g)).toHaveLength(1);
  const { main } = await builtProgram();
  const program = join(dir, '.git/driver.mjs');
  writeFileSync(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});\nprocess.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  git('config', 'merge.cms.driver', `"${process.execPath}" "${program}" merge-driver %O %A %B %P`);
  git('add', '.');
  git('commit', '-qm', 'begin');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let count = 0;
/** Merges what two branches made of a file. @returns the file, and whether git found a conflict */
function merge(base: string | null, ours: string, theirs: string, name = 'post.md'): { text: string; isClean: boolean } {
  const path = `${++count}-${name}`;
  const put = (text: string) => {
    writeFileSync(join(dir, path), text);
    git('add', '.');
    git('commit', '-qm', path);
  };
  if (base !== null) put(base);
  git('checkout', '-qb', `branch-${count}`);
  put(theirs);
  git('checkout', '-q', 'main');
  put(ours);
  let isClean = true;
  try {
    git('merge', '-q', '-m', 'merge', `branch-${count}`);
  } catch {
    isClean = false;
  }
  const text = readFileSync(join(dir, path), 'utf8');
  if (!isClean) git('merge', '--abort');
  return { text, isClean };
}

const post = (fields: string, body = 'one\n\ntwo\n\nthree\n') => `---\n${fields}---\n${body}`;

describe('branches that changed different fields never conflict', () => {
  it.each([
    [
      'neighbouring lines, and the date of the change of both',
      post('id: 7\ntitle: A\nstatus: draft\nmodified: 2026-01-01T10:00:00\n'),
      post('id: 7\ntitle: "B" # ours\nstatus: draft\nmodified: 2026-01-02T10:00:00\n'),
      post('id: 7\ntitle: A\nstatus: publish # theirs\nmodified: 2026-01-03T10:00:00\n'),
      post('id: 7\ntitle: "B" # ours\nstatus: publish # theirs\nmodified: 2026-01-03T10:00:00\n'),
    ],
    [
      'the date of the change under the name of another program, in two time zones',
      post('title: A\nlastmod: 2026-01-01\n'),
      post('title: B\nlastmod: 2026-01-03T00:30:00+02:00\n'),
      post('title: A\nlastmod: 2026-01-02 23:00:00 Z\n'),
      post('title: B\nlastmod: 2026-01-02 23:00:00 Z\n'),
    ],
    [
      'a key that came and one that went',
      post('title: A\nsticky: true\nslug: a\n'),
      post('title: A\nslug: a\n'),
      post('title: A\nsticky: true\nexcerpt: "E"\nslug: a\n'),
      post('title: A\nexcerpt: "E"\nslug: a\n'),
    ],
    [
      'names in a list',
      post('title: A\ntags: [a, b]\nslug: a\n'),
      post('title: A\ntags: [a, b, c]\nslug: a\n'),
      post('title: A\ntags: [b, d]\nslug: a\n'),
      post('title: A\ntags: [b, c, d]\nslug: a\n'),
    ],
    [
      'members of a map',
      post('title: A\nmeta:\n  a: 1\n  b: 2\n'),
      post('title: A\nmeta:\n  a: 3\n  b: 2\n'),
      post('title: A\nmeta:\n  a: 1\n  b: 4\n'),
      post('title: A\nmeta:\n  a: 3\n  b: 4\n'),
    ],
    [
      'ids that each side gave to a file without one',
      post('title: A\n'),
      post('id: 12\ntitle: A\n'),
      post('id: 9\ntitle: A\nslug: a\n'),
      post('id: 9\ntitle: A\nslug: a\n'),
    ],
    [
      'a body beside a field, with long line ends',
      post('title: A\nslug: a\n').replaceAll('\n', '\r\n'),
      post('title: B\nslug: a\n').replaceAll('\n', '\r\n'),
      post('title: A\nslug: b\n', 'one\n\ntwo\n\nfour\n').replaceAll('\n', '\r\n'),
      post('title: B\nslug: b\n', 'one\n\ntwo\n\nfour\n').replaceAll('\n', '\r\n'),
    ],
    [
      'different paragraphs and neighbouring fields',
      post('title: A\nslug: a\n'),
      post('title: B\nslug: a\n', 'ONE\n\ntwo\n\nthree\n'),
      post('title: A\nslug: b\n', 'one\n\ntwo\n\nTHREE\n'),
      post('title: B\nslug: b\n', 'ONE\n\ntwo\n\nTHREE\n'),
    ],
  ])('%s', (_, base, ours, theirs, merged) => {
    expect(merge(base, ours, theirs)).toEqual({ text: merged, isClean: true });
  });

  it('menu items do not conflict, even if two got the same id', () => {
    const menu = (...items: string[]) => `name: Main\nitems:\n${items.map((item) => `  - ${item}\n`).join('')}`;
    const a = '{ id: 1, url: /a, label: A }';
    const { text, isClean } = merge(
      menu(a),
      menu(a, '{ id: 2, url: /b, label: B }'),
      menu(a, '{ id: 2, url: /c, label: C }'),
      'menu.yaml',
    );
    expect(isClean).toBe(true);
    expect(text.match(/id: 2/g)).toHaveLength(1);
    for (const url of ['/a', '/b', '/c']) expect(text).toContain(`url: ${url}`);
  });
});

describe('a conflict for a person', () => {
  it('is one field that both sides changed, marked in place', () => {
    const { text, isClean } = merge(
      post('title: A # it\nslug: a\nstatus: draft\n'),
      post('title: B # it\nslug: a\nstatus: draft\n'),
      post('title: C # it\nslug: c\nstatus: draft\n'),
    );
    expect(isClean).toBe(false);
    expect(text).toBe(post('<<<<<<< ours\ntitle: B # it\n=======\ntitle: C # it\n>>>>>>> theirs\nslug: c\nstatus: draft\n'));
  });

  it('is a field that one side changed and the other removed', () => {
    const { text, isClean } = merge(post('title: A\nslug: a\n'), post('title: A\n'), post('title: A\nslug: b\n'));
    expect(isClean).toBe(false);
    expect(text).toBe(post('title: A\n<<<<<<< ours\n=======\nslug: b\n>>>>>>> theirs\n'));
  });

  it('is one paragraph that both sides changed, and nothing else of the file', () => {
    const { text, isClean } = merge(
      post('title: A\nslug: a\n'),
      post('title: B\nslug: a\n', 'ours\n\ntwo\n'),
      post('title: A\nslug: b\n', 'theirs\n\ntwo\n'),
    );
    expect(isClean).toBe(false);
    expect(text).toMatch(/^---\ntitle: B\nslug: b\n---\n<<<<<<< ours\nours\n/);
    expect(text).not.toContain('conflict_markers');
  });

  it('is a file that one side cannot parse: git merges its lines', () => {
    const { text, isClean } = merge(post('title: A\n'), post('title: B\n'), post('title: [C\n'));
    expect(isClean).toBe(false);
    expect(text).toContain('title: B\n=======\ntitle: [C\n');
  });

  it('is a body that git takes for no text, beside a field that is merged', () => {
    const { text, isClean } = merge(
      post('title: A\nslug: a\n', 'one\0\n'),
      post('title: B\nslug: a\n', 'ours\0\n'),
      post('title: A\nslug: b\n', 'theirs\0\n'),
    );
    expect(isClean).toBe(false);
    expect(text).toBe(post('title: B\nslug: b\n', 'ours\0\n'));
  });
});

it('a text of more than a megabyte is merged', () => {
  const lines = 'a line of many\n'.repeat(100_000);
  const { text, isClean } = merge(
    post('title: A\n', `one\n${lines}two\n`),
    post('title: A\n', `eins\n${lines}two\n`),
    post('title: A\n', `one\n${lines}zwei\n`),
  );
  expect(isClean).toBe(true);
  expect(text).toBe(post('title: A\n', `eins\n${lines}zwei\n`));
});

it('the merge driver is called by git, or says how to install it', async () => {
  const { status, err } = await run(['merge-driver', 'one'], { cwd: dir });
  expect([status, err]).toEqual([2, expect.stringContaining('cms merge-driver --install')]);
  const outside = mkdtempSync(join(tmpdir(), 'cms-merge-test-'));
  writeFileSync(join(outside, 'site.yaml'), 'name: Example\n');
  expect((await run(['merge-driver', '--install', outside])).status).toBe(2);
  rmSync(outside, { recursive: true });
});
