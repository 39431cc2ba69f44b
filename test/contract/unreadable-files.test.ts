/** A write to an item whose file somebody has left broken: refused with file and line, and the file keeps every byte. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite, until } from '../support/site.ts';

const admin = { as: 'admin' };
let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const create = async (path: string, body: object) => (await site.ask('POST', path, { ...admin, body })).body;
const conflict = (ours: string, theirs: string) => `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> branch\n`;

interface Case {
  /** Makes the item. @returns its file and the address it is written at */
  make(name: string): Promise<{ file: string; path: string }>;
  readonly change: object;
}

const posts: Case = {
  async make(name) {
    const { id } = await create('/cms/v2/posts', { title: name, content: 'x', status: 'publish' });
    return { file: site.site.posts.get(id)!.path, path: `/cms/v2/posts/${id}` };
  },
  change: { title: 'Changed' },
};
const cases: Readonly<Record<string, Case>> = {
  post: posts,
  page: {
    ...posts,
    async make(name) {
      const { id } = await create('/cms/v2/pages', { title: name, content: 'x', status: 'publish' });
      return { file: site.site.posts.get(id)!.path, path: `/cms/v2/pages/${id}` };
    },
  },
  term: {
    async make(name) {
      const { id } = await create('/cms/v2/tags', { name });
      return { file: site.site.terms.get(id)!.path, path: `/cms/v2/tags/${id}` };
    },
    change: { description: 'Changed' },
  },
  menu: {
    async make(name) {
      const { id } = await create('/cms/v2/menus', { name });
      return { file: site.site.terms.get(id)!.path, path: `/cms/v2/menus/${id}` };
    },
    change: { description: 'Changed' },
  },
};

describe.each(Object.entries(cases))('a write to an unreadable file of a %s', (name, { make, change }) => {
  const broken: readonly (readonly [string, (text: string) => string, number])[] = [
    ['with conflict markers at the top', (text) => conflict('title: a', 'title: b') + text, 1],
    ['with conflict markers', (text) => text.replace(/^(---\n)?/, `$1# a line\n${conflict('a: 1', 'a: 2')}`), 2],
    ['that is no YAML', (text) => text.replace(/^(---\n)?/, '$1slug: [\n'), 1],
  ];
  it.each(broken)('%s', async (what, breaks, line) => {
    const { file, path } = await make(`${name} ${what}`);
    const before = (await site.ask('GET', path, admin)).body;
    const text = breaks(await site.read(file));
    await site.write(file, text);
    for (const [method, body] of [
      ['PUT', change],
      ['POST', change],
      ['DELETE', undefined],
      ['DELETE', { force: true }],
    ] as const) {
      if (method === 'DELETE' && body === undefined && !path.includes('/p')) continue;
      const answer = await site.ask(method, path, { ...admin, ...(body ? { body } : {}) });
      expect([method, answer.status, answer.body.code]).toEqual([method, 409, 'rest_file_unreadable']);
      expect(answer.body.data).toMatchObject({ status: 409, file });
      expect(answer.body.data.line).toBeGreaterThanOrEqual(line);
      expect(answer.body.message).toContain(`${file}:${answer.body.data.line}`);
      expect(await site.read(file)).toBe(text);
    }
    expect((await site.ask('GET', path, admin)).body).toEqual(before);
    expect(site.log).toEqual([]);
  });
});

it('a write to a file with one invalid value names its line', async () => {
  const { file, path } = await posts.make('value');
  const text = (await site.read(file)).replace(/^---\n/, '---\nsticky: published-somehow\n');
  await site.write(file, text);
  await until(() => site.site.problems().some((problem) => problem.path === file));
  const answer = await site.ask('PUT', path, { ...admin, body: { title: 'Changed' } });
  expect(answer.body).toMatchObject({ code: 'rest_file_unreadable', data: { status: 409, file } });
  expect(answer.body.data.line).toBe(2);
  expect(await site.read(file)).toBe(text);
});

it('a write to unreadable settings is refused', async () => {
  const good = await site.read('site.yaml');
  await site.write('site.yaml', `${good}${conflict('title: A', 'title: B')}`);
  const answer = await site.ask('POST', '/cms/v2/settings', { ...admin, body: { title: 'Changed' } });
  expect(answer.body).toMatchObject({ code: 'rest_file_unreadable', data: { status: 409, file: 'site.yaml' } });
  expect(await site.read('site.yaml')).toContain('<<<<<<< HEAD');
  await site.write('site.yaml', good);
  await until(() => site.site.problems().length === 0 || !site.site.problems().some(({ path }) => path === 'site.yaml'));
  expect((await site.ask('POST', '/cms/v2/settings', { ...admin, body: { title: 'Changed' } })).status).toBe(200);
});

it('a write succeeds once the file is repaired', async () => {
  const { file, path } = await posts.make('mended');
  const good = await site.read(file);
  await site.write(file, conflict('a', 'b') + good);
  expect((await site.ask('PUT', path, { ...admin, body: { title: 'Changed' } })).status).toBe(409);
  await site.write(file, good);
  expect((await site.ask('PUT', path, { ...admin, body: { title: 'Changed' } })).status).toBe(200);
});
