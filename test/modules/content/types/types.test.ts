import { describe, expect, it } from 'vitest';
import { defineType, standardTypes, typeCapabilities } from '../../../../src/modules/types/types.ts';
import type { PostType } from '../../../../src/modules/types/record.ts';

const type = (name: string): PostType => standardTypes.find((one) => one.name === name)!;
const ofPosts = (one: string, many: string): Record<string, string> => ({
  edit_post: `edit_${one}`,
  read_post: `read_${one}`,
  delete_post: `delete_${one}`,
  edit_posts: `edit_${many}`,
  edit_others_posts: `edit_others_${many}`,
  delete_posts: `delete_${many}`,
  publish_posts: `publish_${many}`,
  read_private_posts: `read_private_${many}`,
  read: 'read',
  delete_private_posts: `delete_private_${many}`,
  delete_published_posts: `delete_published_${many}`,
  delete_others_posts: `delete_others_${many}`,
  edit_private_posts: `edit_private_${many}`,
  edit_published_posts: `edit_published_${many}`,
  create_posts: `edit_${many}`,
});
const on = (names: string): Record<string, true> => Object.fromEntries(names.split(' ').map((name) => [name, true]));

describe('standard types', () => {
  it('match the catalogue, in order', () => {
    expect(standardTypes.filter((one) => one.showInRest).map((one) => one.name)).toEqual([
      'post',
      'page',
      'attachment',
      'nav_menu_item',
      'cms_block',
      'cms_template',
      'cms_template_part',
      'cms_global_styles',
      'cms_navigation',
      'cms_font_family',
      'cms_font_face',
    ]);
  });

  // Recorded in types-taxonomies-statuses.json, edit context.
  it('post', () => {
    expect(type('post')).toMatchObject({
      capabilities: ofPosts('post', 'posts'),
      description: '',
      hierarchical: false,
      hasArchive: false,
      showInNavMenus: true,
      showUi: true,
      viewable: true,
      label: 'Posts',
      restBase: 'posts',
      restNamespace: 'cms/v2',
      template: [],
      templateLock: false,
      taxonomies: ['category', 'post_tag', 'post_format'],
    });
    expect(type('post').supports).toEqual({
      ...on('title author thumbnail excerpt trackbacks custom-fields comments revisions post-formats autosave'),
      editor: [{ notes: true }],
    });
  });

  it('page', () => {
    expect(type('page')).toMatchObject({
      capabilities: ofPosts('page', 'pages'),
      hierarchical: true,
      viewable: true,
      taxonomies: [],
    });
    expect(type('page').supports).toEqual({
      ...on('title author thumbnail page-attributes custom-fields comments revisions autosave'),
      editor: [{ notes: true }],
    });
  });

  // Which routes the catalogue has for a type: autosaves, revisions, batch.
  it.each([
    ['post', 'posts', true, true, true],
    ['page', 'pages', true, true, true],
    ['attachment', 'media', false, false, false],
    ['nav_menu_item', 'menu-items', true, false, true],
    ['cms_block', 'blocks', true, true, true],
    ['cms_template', 'templates', true, true, false],
    ['cms_template_part', 'template-parts', true, true, false],
    ['cms_global_styles', 'global-styles', false, true, true],
    ['cms_navigation', 'navigation', true, true, true],
    ['cms_font_family', 'font-families', false, false, false],
    ['cms_font_face', 'font-families/(?P<font_family_id>[\\d]+)/font-faces', false, false, false],
  ])('%s have the routes of %s', (name, restBase, autosaves, revisions, batch) => {
    const { supports, ...one } = type(name);
    expect(one).toMatchObject({ restBase, batch });
    expect([supports.autosave === true, supports.revisions === true]).toEqual([autosaves, revisions]);
  });

  it('media are created by users who can upload, and listed as inherit', () => {
    expect(type('attachment').capabilities).toMatchObject({ create_posts: 'upload_files', edit_posts: 'edit_posts' });
    expect(type('attachment')).toMatchObject({ publicStatuses: ['inherit'], filterStatuses: ['inherit', 'private', 'trash'] });
  });

  it('menus, templates and fonts are created by designers', () => {
    for (const name of [
      'nav_menu_item',
      'cms_navigation',
      'cms_template',
      'cms_template_part',
      'cms_font_family',
      'cms_font_face',
    ]) {
      expect(type(name).capabilities).toMatchObject({
        create_posts: 'edit_theme_options',
        edit_others_posts: 'edit_theme_options',
      });
    }
  });
});

describe('defineType', () => {
  it('creates a type from three words', () => {
    expect(defineType({ name: 'book', plural: 'Books', singular: 'Book' })).toMatchObject({
      label: 'Books',
      restBase: 'book',
      folder: 'book',
      public: true,
      viewable: true,
      searchable: true,
      showInRest: true,
      showUi: true,
      hierarchical: false,
      batch: true,
      capabilities: ofPosts('post', 'posts'),
      deleteWithUser: false,
      supports: on('title editor autosave'),
      publicStatuses: ['publish'],
    });
  });

  it('applies options', () => {
    const hidden = defineType({
      name: 'note',
      plural: 'Notes',
      singular: 'Note',
      restBase: 'notes',
      public: false,
      supports: { author: true },
    });
    expect(hidden).toMatchObject({ folder: 'notes', viewable: false, searchable: false, showUi: false, deleteWithUser: true });
    expect(hidden.supports).toEqual({ author: true });
  });

  it('derives capabilities from the type, irregular or explicit plurals too', () => {
    expect(typeCapabilities(['person', 'people'])).toMatchObject({
      edit_post: 'edit_person',
      edit_others_posts: 'edit_others_people',
    });
    expect(typeCapabilities('blogpost')).toMatchObject({ edit_post: 'edit_blogpost', edit_posts: 'edit_blogposts' });
    expect(typeCapabilities('post', { edit_posts: 'draw' })).toMatchObject({ edit_posts: 'draw', create_posts: 'draw' });
  });

  it('rejects a name that cannot be part of a URL', () => {
    expect(() => defineType({ name: 'My Type', plural: 'x', singular: 'x' })).toThrow('My Type');
  });
});
