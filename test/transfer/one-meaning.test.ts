/**
 * What a name, a status, a date, a slug or a key means is said once: the same files are served, imported, adopted and validated, and all
 * four must say the same of each. Rows are generated.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modulesOf } from '../../src/deployments.ts';
import { createRedirects } from '../../src/modules/content/permalinks/redirects.ts';
import { declaredBy } from '../../src/modules/types/declarations.ts';
import { standardTaxonomies } from '../../src/modules/types/taxonomies.ts';
import { standardTypes } from '../../src/modules/types/types.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { declare } from '../../src/validate/declarations.ts';
import { createFileSite } from '../../src/validate/file-site.ts';
import { readParsedFiles } from '../../src/validate/parsed-file.ts';
import { askInProcess } from '../support/in-process.ts';
import { writeFiles } from '../support/markdown-sites.ts';
import { startSite } from '../support/site.ts';
import { run, temporary } from '../cli/run.ts';

const clock = Date.parse('2026-06-01T12:00:00Z');

interface Row {
  readonly name: string;
  readonly text: string;
}

const dated = 'date: 2026-03-05T10:00:00';
const matter = (...lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\nText\n`;

/** Every status word and flag in every spelling. */
function statusLines(): string[][] {
  const flags = [
    'draft',
    'Draft',
    'isDraft',
    'is_draft',
    'is-draft',
    'published',
    'publish',
    'Publish',
    'private',
    'hidden',
    'unlisted',
    'headless',
  ];
  const values = ['true', 'false', 'yes', '"no"', '1', '0', '""', 'perhaps'];
  const words = [
    'publish',
    'Publish',
    'published',
    'draft',
    ' Draft ',
    'pending',
    'private',
    'trash',
    'wip',
    'inherit',
    'true',
    'Texas',
  ];
  const keys = ['status', 'Status', 'post_status', 'state'];
  const maps = ['build', '_build'].flatMap((key) =>
    [
      'render: never',
      'render: false',
      'render: link',
      'render: always',
      'list: never',
      'list: local',
      'render: never, list: never',
    ].map((said) => [`${key}: { ${said} }`]),
  );
  return [
    ...flags.flatMap((flag) => values.map((value) => [`${flag}: ${value}`])),
    ...keys.flatMap((key) => words.map((word) => [`${key}: "${word}"`])),
    ...['public', 'Public', 'private', 'members', ''].map((word) => [`visibility: "${word}"`]),
    ...['draft: true', 'isDraft: true', 'private: true'].flatMap((flag) =>
      words.slice(0, 8).map((word) => [`status: "${word}"`, flag]),
    ),
    ...maps,
    ['permalink: false'],
    ['permalink: "/x/y/"'],
    ['draft: false', 'permalink: false'],
  ];
}

const dateLines = [
  'date: 2026-03-05',
  'date: 2026-03-05 10:00:00',
  'date: 2026-03-05T10:00:00+02:00',
  'date: 2026-03-05T10:00:00Z',
  'date: March 5, 2026',
  'date: 5 Mar 2026',
  'date: Fri, 06 Mar 2026 10:00:00 GMT',
  'date: 2026/3/5',
  'date: 1772704800',
  'pubDate: 2026-03-05',
  'pub_date: 2026-03-05',
  'publishDate: 2026-03-05',
  'published: 2026-03-05',
  'created: 2026-03-05',
  'date: 2999-01-01',
  'pubDate: 2999-01-01',
];

const slugLines = [
  'slug: ""',
  'slug:',
  'slug: ~',
  'slug: null',
  'slug: "///"',
  'slug: "  "',
  'slug: own-slug',
  'slug: "Other Slug"',
  'slug: Über',
  'slug: 2024',
  '',
];

const tagLines = [
  'tags: [fog]',
  'tags: fog, tide',
  'tags: red green blue',
  'tags: "low tide, fog"',
  'tags: [2024]',
  'tags: 2024',
  'tags: [2024, fog]',
  'tags: ["low tide"]',
  'tags: "#fog"',
  'tag: low tide',
  'Tags: [Fog, TIDE]',
  'tags: [Ärger]',
  'tags: []',
];

const authorLines = [
  'author: anna',
  'author: Anna Berg',
  'author: Anna <anna@example.org>',
  'authors: [Jonas, Anna]',
  'byline: Mia',
  'author: { name: Mia Moos }',
  'author: anna berg',
  'creator: "ANNA"',
  '',
];

const rows: Row[] = [
  ...statusLines().map((lines) => [dated, ...lines]),
  ...dateLines.map((line) => [line]),
  ...slugLines.flatMap((line) => ['', 'draft: true'].map((status) => [dated, line, status])),
  ...tagLines.map((line) => [dated, line]),
  ...tagLines.slice(0, 8).map((line) => [dated, line.replace(/^tags/, 'categories')]),
  ...authorLines.map((line) => [dated, line]),
  ...[
    'Password: abc',
    'PASSWORD: abc',
    'post_password: abc',
    'pass-word: abc',
    'password: ""',
    'password: "0"',
    'password: 0',
  ].map((line) => [dated, line]),
].map((lines, at) => ({
  name: `r${at}`,
  text: matter(`title: Row ${at}`, ...lines.filter((line) => line !== '')),
}));

const files = Object.fromEntries(rows.map(({ name, text }) => [`posts/${name}.md`, text]));

interface Said {
  readonly status: string;
  readonly slug: string;
  readonly date: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly isProtected: boolean;
}

/** What a folder is served as, by title. */
async function served(from: string): Promise<Map<string, Said>> {
  const site = await startSite({ from, clock: () => clock });
  try {
    const ask = async (path: string): Promise<any[]> => {
      const all: any[] = [];
      for (let page = 1; ; page++) {
        const { body } = await askInProcess(site, 'GET', `/cms-json/cms/v2/${path}per_page=100&page=${page}`, {
          user: { id: 1, roles: ['administrator'] },
        });
        if (!Array.isArray(body)) return all;
        all.push(...body);
        if (body.length < 100) return all;
      }
    };
    const slugs = async (path: string): Promise<Map<number, string>> =>
      new Map((await ask(`${path}?`)).map((one) => [one.id, one.slug]));
    const [tags, categories, users] = [await slugs('tags'), await slugs('categories'), await slugs('users')];
    const named = (map: Map<number, string>, ids: readonly number[]): string[] => ids.map((id) => map.get(id) ?? `#${id}`).sort();
    const posts = [...(await ask('posts?status=any&context=edit&')), ...(await ask('posts?status=trash&context=edit&'))];
    return new Map(
      posts.map((post) => [
        post.title.raw,
        {
          status: post.status,
          slug: post.slug,
          date: post.date,
          author: post.author === 0 ? '' : (users.get(post.author) ?? `#${post.author}`),
          tags: named(tags, post.tags),
          categories: named(categories, post.categories).filter((slug) => slug !== 'uncategorized'),
          isProtected: post.content.protected,
        },
      ]),
    );
  } finally {
    await site.close();
  }
}

/** What the check reads in a folder: status, slug and date, by title. */
async function validated(dir: string): Promise<Map<string, Pick<Said, 'status' | 'slug' | 'date'>>> {
  const store = await createStore({ dir, readOnly: true });
  try {
    const content = await store.load();
    const entry = content.entries.find(({ path }) => path === 'site.yaml');
    const model = declare({ ...declaredBy(entry, standardTypes, standardTaxonomies), modules: modulesOf('basic'), entry });
    const { parsedFiles } = readParsedFiles(content, model, 'UTC');
    const nowGmt = new Date(clock).toISOString().slice(0, 19);
    const { recordOf } = createFileSite({ parsedFiles, model, entry, zone: 'UTC', nowGmt, redirects: createRedirects() });
    const own = parsedFiles.filter(({ kind, of }) => kind === 'post' && of === 'post');
    return new Map(own.map((item) => [String(item.entry.data.title), recordOf(item)]));
  } finally {
    await store.close();
  }
}

it(`reads ${rows.length} files the same way, whether they are served, imported, adopted or validated`, async () => {
  expect(rows.length).toBeGreaterThan(250);
  const dir = await temporary();
  const [source, site, adopted, target] = ['source', 'site', 'adopted', 'target'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
    string,
  ];
  await writeFiles(source, files);
  await cp(source, adopted, { recursive: true });
  await writeFiles(site, { ...files, 'site.yaml': 'name: Quay\ntimezone: UTC\ntag_values: words\n' });
  const imported = await run(['import', source, '--into', target, '--timezone', 'UTC']);
  expect(imported.status, imported.err).toBe(0);
  const init = await run(['init', adopted, '--adopt', '--timezone', 'UTC', '--language', 'en_US']);
  expect(init.status, init.err).toBe(0);

  const server = await served(site);
  expect(server.size).toBe(rows.length);
  const others = { import: await served(target), adopt: await served(adopted) };
  for (const [who, said] of Object.entries(others)) {
    const differing = rows.flatMap(({ text }, at) => {
      const [one, other] = [server.get(`Row ${at}`), said.get(`Row ${at}`)];
      return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ text, server: one, [who]: other }];
    });
    expect(differing, who).toEqual([]);
  }
  const checked = await validated(site);
  const differing = rows.flatMap(({ text }, at) => {
    const { status, slug, date } = server.get(`Row ${at}`) as Said;
    const found = checked.get(`Row ${at}`);
    return found?.status === status && found.slug === slug && found.date === date
      ? []
      : [{ text, status, slug, date, found: found && { status: found.status, slug: found.slug, date: found.date } }];
  });
  expect(differing).toEqual([]);
});
