/** Archives as `site.yaml` declares them. */
import { describe, expect, it } from 'vitest';
import { declaredBy } from '../../../../src/modules/types/declarations.ts';
import { archiveSlug, typeOfArchive } from '../../../../src/modules/types/record.ts';
import { standardTaxonomies } from '../../../../src/modules/types/taxonomies.ts';
import { standardTypes } from '../../../../src/modules/types/types.ts';

function declared(row: Readonly<Record<string, unknown>>) {
  const entry = { data: { types: { book: { plural: 'Books', ...row } } } } as unknown as Parameters<typeof declaredBy>[0];
  const { types, problems } = declaredBy(entry, standardTypes, standardTaxonomies);
  const book = types.find(({ name }) => name === 'book');
  const at = typeOfArchive(new Map(types.map((one) => [one.name, one])), 'shelf');
  return [book && archiveSlug(book), at?.name, ...problems.map(({ keys, message }) => `${keys?.join('.')} ${message}`)];
}

const refused = 'types.book.has_archive types: has_archive must be true, or a slug of small letters, digits, "_" and "-"';

describe('has_archive', () => {
  it.each([
    [{}, ['', undefined]],
    [{ has_archive: false }, ['', undefined]],
    [{ has_archive: true }, ['book', undefined]],
    [{ has_archive: 'shelf' }, ['shelf', 'book']],
    [{ has_archive: 'shelf', public: false }, ['', undefined]],
    [{ has_archive: 'My Shelf' }, [undefined, undefined, refused]],
    [{ has_archive: '../x' }, [undefined, undefined, refused]],
    [{ has_archive: '' }, [undefined, undefined, refused]],
    [{ has_archive: 7 }, [undefined, undefined, refused]],
    [{ has_archive: ['shelf'] }, [undefined, undefined, refused]],
  ])('%j', (row, expected) => expect(declared(row)).toEqual(expected));

  it('does not exist for built-in types: posts are listed on the front page or a selected page', () => {
    expect(standardTypes.map(archiveSlug).filter((slug) => slug !== '')).toEqual([]);
    const [post] = standardTypes;
    expect(post && archiveSlug({ ...post, hasArchive: true })).toBe('');
  });
});
