import { describe, expect, it } from 'vitest';
import { connect, defineTaxonomy, standardTaxonomies } from '../../../src/modules/types/taxonomies.ts';
import type { Taxonomy } from '../../../src/modules/types/record.ts';
import { defineType, standardTypes } from '../../../src/modules/types/types.ts';

const taxonomy = (name: string): Taxonomy => standardTaxonomies.find((one) => one.name === name)!;

describe('standard taxonomies', () => {
  // Recorded in types-taxonomies-statuses.json, edit context.
  it('category', () => {
    expect(taxonomy('category')).toMatchObject({
      label: 'Categories',
      description: '',
      types: ['post'],
      showCloud: true,
      hierarchical: true,
      restBase: 'categories',
      restNamespace: 'cms/v2',
      public: true,
      queryable: true,
      showAdminColumn: true,
      showInNavMenus: true,
      showInQuickEdit: true,
      showUi: true,
      hasDefault: true,
      folder: 'category',
      capabilities: {
        manage_terms: 'manage_categories',
        edit_terms: 'edit_categories',
        delete_terms: 'delete_categories',
        assign_terms: 'assign_categories',
      },
    });
  });

  it.each([
    ['post_tag', { restBase: 'tags', folder: 'tag', base: 'tag', types: ['post'], hierarchical: false, hasDefault: false }],
    ['nav_menu', { restBase: 'menus', public: false, base: null, types: ['nav_menu_item'], showUi: false, showCloud: false }],
    ['post_format', { showInRest: false, types: ['post'], showInNavMenus: true, showUi: false }],
    ['cms_pattern_category', { restBase: 'cms_pattern_category', public: false, showUi: true, types: ['cms_block'] }],
  ])('%s', (name, facts) => {
    expect(taxonomy(name)).toMatchObject(facts);
  });

  it('default to the capabilities of categories', () => {
    expect(taxonomy('cms_pattern_category').capabilities).toEqual({
      manage_terms: 'manage_categories',
      edit_terms: 'manage_categories',
      delete_terms: 'manage_categories',
      assign_terms: 'edit_posts',
    });
  });

  it('are connected with the standard types', () => {
    expect(connect(standardTypes, standardTaxonomies)).toEqual({ types: standardTypes, taxonomies: standardTaxonomies });
  });
});

describe('connect', () => {
  it('completes either side from the other', () => {
    const book = defineType({ name: 'book', plural: 'Books', singular: 'Book', taxonomies: ['post_tag'] });
    const genre = defineTaxonomy({ name: 'genre', plural: 'Genres', singular: 'Genre', types: ['book'] });
    const { types, taxonomies } = connect([...standardTypes, book], [...standardTaxonomies, genre]);
    expect(types.at(-1)?.taxonomies).toEqual(['post_tag', 'genre']);
    expect(taxonomies.find((one) => one.name === 'post_tag')?.types).toEqual(['post', 'book']);
  });
});

describe('defineTaxonomy', () => {
  it('creates a taxonomy from three words', () => {
    expect(defineTaxonomy({ name: 'genre', plural: 'Genres', singular: 'Genre' })).toMatchObject({
      label: 'Genres',
      restBase: 'genre',
      folder: 'genre',
      base: 'genre',
      public: true,
      showUi: true,
      showCloud: true,
      types: [],
    });
  });

  it('rejects a name that cannot be part of a URL', () => {
    expect(() => defineTaxonomy({ name: 'a/b', plural: 'x', singular: 'x' })).toThrow('a/b');
  });
});
