/** What is written is read back before it is answered: what memory cannot read is never left in the folder, whatever a module prints. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FieldProblem, plainField, text } from '../../src/kernel/model/field.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';
import { startSite, type TestSite } from '../support/site.ts';

interface Weighed {
  readonly weight: string;
}

/** Takes every text, but does not read all that it prints. */
const weighed: Extension = {
  fields: {
    weight: {
      ...plainField<Weighed, 'weight'>('weight', text, '', of('string', 'How heavy it is.', { context: everywhere })),
      file: {
        key: 'weight',
        read(raw, draft: { weight?: string }) {
          if (raw === 'bogus') throw new FieldProblem('weight', 'weight must not be bogus');
          if (raw === 'fatal') throw new TypeError('no such weight');
          draft.weight = raw === undefined ? '' : text.parse(raw, 'weight');
        },
        print: ({ weight }) => weight || undefined,
      },
    },
  },
  prepareWrite: ({ input, ...write }, { params }) => ({
    ...write,
    input: { ...input, ...(params.weight === undefined ? {} : { weight: params.weight as string }) },
  }),
};
const weights: Module = { name: 'weights', extend: { item: weighed, term: weighed } };

let site: TestSite;
beforeAll(async () => {
  const files = {
    'pages/about.md': '---\n# by hand\nid: 20\ntitle:   About\n---\nHello\n',
    'pages/about/team.md': '---\nid: 21\ntitle: Team\n---\n',
    'terms/tag/news.yaml': '# by hand\nid: 30\nname:  News\n',
  };
  site = await startSite({ modules: [weights], files });
});
afterAll(() => site.close());

/** Every file with its text. */
async function folder(): Promise<Readonly<Record<string, string>>> {
  const found = await readdir(site.dir, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const own = paths.filter((path) => !path.startsWith(join(site.dir, '.cms'))).sort();
  return Object.fromEntries(await Promise.all(own.map(async (path) => [path, await readFile(path, 'utf8')])));
}

const served = async () =>
  Promise.all(
    ['pages?orderby=id&order=asc', 'posts', 'tags'].map(async (path) => (await site.ask('GET', `/cms/v2/${path}`)).body),
  );

const writes = [
  ['a new post', 'POST', '/posts', { title: 'New', status: 'publish' }],
  ['a new draft', 'POST', '/posts', { title: 'New' }],
  ['a change', 'PUT', '/pages/20', { title: 'Changed', content: 'Other' }],
  ['a change that moves files', 'PUT', '/pages/20', { slug: 'us' }],
  ['a change that publishes', 'PUT', '/pages/21', { status: 'private', parent: 0 }],
  ['a new term', 'POST', '/tags', { name: 'Sport' }],
  ['a change of a term', 'PUT', '/tags/30', { name: 'Sport', slug: 'sport' }],
] as const;

describe.each([
  ['does not fit', 'bogus', 400, { code: 'rest_value_unreadable', data: { status: 400, param: 'weight' } }],
  ['makes reading fail', 'fatal', 500, { code: 'internal_server_error' }],
] as const)('a value that %s', (_what, weight, status, refusal) => {
  it.each(writes)('leaves no trace of %s', async (_name, method, path, body) => {
    const before = [await folder(), await served()];
    const answer = await site.ask(method, `/cms/v2${path}`, { as: 'admin', body: { ...body, weight } });
    expect(answer).toMatchObject({ status, body: refusal });
    expect([await folder(), await served()]).toEqual(before);
    expect(site.site.problems()).toEqual([]);
  });

  it('does not block the next write', async () => {
    const { body } = await site.ask('PUT', '/cms/v2/pages/20', {
      as: 'admin',
      body: { title: `Not ${weight}`, weight: 'light' },
    });
    expect(body).toMatchObject({ weight: 'light', title: { rendered: `Not ${weight}` } });
    expect(await site.read('pages/about.md')).toContain('# by hand');
  });
});
