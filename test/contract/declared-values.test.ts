/** Custom fields are shown as the type that site.yaml declares, whatever their files look like. */
import { describe, expect, it } from 'vitest';
import { findings, said, sound } from '../validate/findings.ts';
import { startSite } from '../support/site.ts';

const settings = `name: Quay
types:
  book:
    plural: Books
    rest_base: books
    taxonomies: [genre]
    fields:
      isbn: { type: string }
      pages: { type: integer }
      weight: { type: number, default: "1.5" }
      lent: { type: boolean }
      marks: { type: array, items: { type: integer } }
      names: { type: array, items: string }
      more: object
      size: { type: string, enum: [1, 2], default: 1 }
taxonomies:
  genre: { plural: Genres, rest_base: genres, fields: { code: { type: string }, rank: { type: integer } } }
`;

/** What a file says, what is shown, and whether it is a finding. */
const rows: readonly (readonly [line: string, shown: unknown, isFinding?: true])[] = [
  ['isbn: 978', '978'],
  ['isbn: 0978', '0978'],
  ['isbn: true', 'true'],
  ['isbn: [978]', '', true],
  ['pages: 12', 12],
  ['pages: "12"', 12],
  ['pages: lots', 0, true],
  ['pages: 1.5', 0, true],
  ['pages: true', 0, true],
  ['pages: 12345678901234567890', 0, true],
  ['weight: 2', 2],
  ['weight: 2.5', 2.5],
  ['weight: heavy', 1.5, true],
  ['weight: .inf', 1.5, true],
  ['lent: true', true],
  ['lent: perhaps', false, true],
  ['lent: 1', false, true],
  ['marks: [1, 2]', [1, 2]],
  ['marks: [1, two, 3]', [1, 3], true],
  ['marks: 7', [], true],
  ['names: [1, two]', ['1', 'two']],
  ['more: { a: 1 }', { a: 1 }],
  ['more: none', {}, true],
  ['size: 2', '2'],
  ['size: 3', '1', true],
];
const book = (id: number, line: string): string => `---\nid: ${id}\ntitle: Book ${id}\nmeta:\n  ${line}\n---\nText\n`;
const files = { 'site.yaml': settings, ...Object.fromEntries(rows.map(([line], n) => [`books/n${n}.md`, book(500 + n, line)])) };

describe('a custom field', () => {
  it('is returned with its declared type', async () => {
    const site = await startSite({
      files: { ...files, 'terms/genre/sea.yaml': 'id: 70\nname: Sea\nmeta:\n  code: 12\n  rank: first\n' },
    });
    try {
      for (const [n, [line, shown]] of rows.entries()) {
        const { body } = await site.ask('GET', `/cms/v2/books/${500 + n}`);
        expect([line, body.meta[line.split(':')[0] as string]]).toEqual([line, shown]);
      }
      expect((await site.ask('GET', '/cms/v2/genres/70')).body.meta).toEqual({ code: '12', rank: 0 });
      const { body } = await site.ask('OPTIONS', '/cms/v2/books');
      expect(body.schema.properties.meta.properties).toMatchObject({
        weight: { default: 1.5 },
        size: { enum: ['1', '2'], default: '1' },
      });
    } finally {
      await site.close();
    }
  });

  it.each(rows.map(([line, , isFinding = false]) => [line, isFinding] as const))(
    '%s is a finding: %j',
    async (line, isFinding) => {
      const [key = ''] = line.split(':');
      const found = said(await findings({ ...sound, 'site.yaml': settings, 'books/n.md': book(500, line) })).filter((one) =>
        one.startsWith('books/'),
      );
      expect(found).toEqual(isFinding ? [`books/n.md 5:${key.length + 5} error field:meta.${key}`] : []);
    },
  );

  it('keeps its line when the returned value is sent back', async () => {
    const site = await startSite({ files });
    try {
      for (const [n, [line]] of rows.entries()) {
        const route = `/cms/v2/books/${500 + n}`;
        const { body } = await site.ask('GET', `${route}?context=edit`, { as: 'admin' });
        const saved = await site.ask('PUT', route, { as: 'admin', body: { title: 'New', meta: body.meta } });
        expect([line, saved.status, saved.body.meta]).toEqual([line, 200, body.meta]);
        expect(await site.read(`books/n${n}.md`)).toContain(`\n  ${line}\n`);
      }
    } finally {
      await site.close();
    }
  });

  it('is removed from the file when set to its default or null', async () => {
    const site = await startSite({
      files: { 'site.yaml': settings, 'books/n.md': book(500, 'weight: 2\n  pages: 12\n  own: kept') },
    });
    try {
      const save = async (meta: object): Promise<string> => {
        const { status } = await site.ask('PUT', '/cms/v2/books/500', { as: 'admin', body: { meta } });
        expect(status).toBe(200);
        return /^meta:\n((?: .*\n)+)/m.exec(await site.read('books/n.md'))?.[1] ?? '';
      };
      expect(await save({ weight: 1.5 })).toBe('  pages: 12\n  own: kept\n');
      expect(await save({ pages: null })).toBe('  own: kept\n');
    } finally {
      await site.close();
    }
  });

  it('cannot have a default of another type: it is dropped, and its line reported', async () => {
    const text = 'types:\n  book:\n    fields:\n      pages: { type: integer, default: lots }\n';
    const site = await startSite({ files: { 'site.yaml': text } });
    try {
      expect((await site.ask('GET', '/cms/v2/types/book')).status).toBe(200);
      const keys = ['types', 'book', 'fields', 'pages', 'default'];
      expect(site.site.problems()).toMatchObject([{ path: 'site.yaml', rule: 'declaration', keys }]);
    } finally {
      await site.close();
    }
  });
});
