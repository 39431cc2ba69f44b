/** Whatever stands in a folder, looking at it and putting it right ends without an exception, at places that exist. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repair, validate } from '../../src/validate/validate.ts';
import type { Content } from '../../src/validate/declarations.ts';
import { locate } from '../../src/kernel/store/locate.ts';
import { ruleOf } from '../../src/validate/rules.ts';
import { parseEntry, printEntry } from '../../src/kernel/yaml/codec.ts';
import { kindOf } from '../../src/kernel/store/paths.ts';
import type { Blob, Entry } from '../../src/kernel/store/types.ts';
import { clock, modelOf, sound } from './findings.ts';
import '../support/seed.ts';

const paths = [
  'site.yaml',
  'posts/a.md',
  'posts/2026/03/b.html',
  'pages/x/y/index.md',
  'media/a.jpg.yaml',
  'media/a.jpg',
  'terms/category/c.yaml',
  'terms/tag/t.yaml',
  'users/u.yaml',
  'menus/m.yaml',
  'menus/_loose.yaml',
  'comments/1/1.html',
  'comments/x/1.html',
  'revisions/1/1.md',
  'blocks/b.html',
  'navigation/n.html',
  'templates/index.html',
  'template-parts/p.html',
  'styles/site.md',
  'patterns/p.html',
  'fonts/f.yaml',
  'fonts/f/a.yaml',
  'fonts/collections/c.yaml',
  'sidebars/s.yaml',
  'book/b.md',
  'posts/con .md',
  'postz/a.md',
  'terms/x/y.yaml',
];
const keys = [
  'id',
  'title',
  'slug',
  'date',
  'modified',
  'status',
  'author',
  'categories',
  'tags',
  'featured_media',
  'meta',
  'aliases',
  'parent',
  'post',
  'source',
  'fetch',
  'items',
  'locations',
  'widgets',
  'types',
  'taxonomies',
  'menu_locations',
  'permalink',
  'url',
  'home',
  'front',
  'front_page',
  'timezone',
  'logo',
  'trashed',
  'password',
  'fontFamily',
  'src',
  'name',
  'constructor',
  'theme',
  'supports',
  'fields',
  'toString',
  'page',
  'order',
];

const leaf = fc.oneof(
  fc.constantFrom(
    'x',
    'anna',
    '1',
    '0',
    '-1',
    'true',
    '~',
    '""',
    '2026-03-05',
    'no',
    '[]',
    '{}',
    '"\\ud800"',
    '/a/',
    '99999999999999999999',
    '.inf',
    '{x}',
    'constructor',
  ),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 3 })
      .map((pairs) => `{${pairs.map(([key, one]) => `${key}: ${one}`).join(', ')}}`),
  ),
})).value;
const yaml = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([key]) => key, maxLength: 8 })
  .map((pairs) => pairs.map(([key, one]) => `${key}: ${one}\n`).join(''));
const piece = fc.constantFrom(
  '<!-- wp:a {"ref":1} -->',
  '<!-- /wp:a -->',
  '<!-- wp:block {"ref":9} /-->',
  '<!-- wp:',
  '{',
  '}',
  '"',
  '[x](/about/)',
  '](',
  '<a href="/no',
  '<img srcset="a, /b 2x">',
  '\n',
  '```',
  '`',
  '/uploads/%ff',
  '/%E0%A4%A',
  'https://quay.example/',
  '<',
  '>',
  '\u0000',
  '\ud83d',
  'é',
  ' ',
  '?p=1',
  '&amp;',
  '--',
  '-->',
);
const body = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
const bytes = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(yaml, body).map(([head, text]) => Buffer.from(`---\n${head}---\n${text}`)) },
  { weight: 2, arbitrary: yaml.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
  { weight: 1, arbitrary: body.map((text) => Buffer.from(text)) },
);

function contentOf(files: ReadonlyMap<string, Buffer>): Content {
  const entries: Entry[] = [];
  const blobs: Blob[] = [];
  for (const [path, content] of files) {
    const stat = { size: content.length, mtimeMs: 0 };
    const parsed = kindOf(path) === 'blob' ? undefined : parseEntry(path, content, stat);
    if (parsed === undefined) blobs.push({ path, ...stat });
    else if ('entry' in parsed) entries.push(parsed.entry);
  }
  return { entries, blobs, others: ['posts/x.txt', 'X/y'] };
}

describe('validate', () => {
  it('accepts any file', async () => {
    const given = [...Object.entries(sound)].map(([path, text]) => [path, Buffer.from(text)] as const);
    const folder = fc.array(fc.tuple(fc.constantFrom(...paths), bytes), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(folder, async (some) => {
        const files = new Map([...given, ...some]);
        const content = contentOf(files);
        const model = modelOf(content);
        const circumstances = { clock, head: (path: string) => files.get(path) ?? null };
        const found = validate(content, model, circumstances);
        for (const { line, column, rule } of await locate(found, async (path) => files.get(path) ?? null)) {
          const declared = ruleOf(rule) ?? model.modules.checks.find((check) => check.rule === rule);
          expect(declared, rule).toBeDefined();
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
        const states = new Map(files);
        for (const write of repair(content, model, circumstances).steps.flat())
          states.set(write.path, Buffer.from(printEntry(states.get(write.from ?? write.path) ?? null, write)));
      }),
      { numRuns: 100 },
    );
  });

  it('reports nothing again after a fix', async () => {
    const folder = fc.array(
      fc.tuple(fc.constantFrom('posts/a.md', 'posts/b.md', 'menus/m.yaml', 'comments/1/1.html', 'users/u.yaml'), bytes),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(folder, async (some) => {
        const states = new Map<string, Buffer>(some);
        const first = contentOf(states);
        for (const write of repair(first, modelOf(first), { clock }).steps.flat())
          states.set(write.path, Buffer.from(printEntry(states.get(write.path) ?? null, write)));
        const second = contentOf(states);
        expect(second.entries).toHaveLength(first.entries.length);
        expect(repair(second, modelOf(second), { clock })).toEqual({ steps: [], repairs: [] });
      }),
      { numRuns: 60 },
    );
  });
});
