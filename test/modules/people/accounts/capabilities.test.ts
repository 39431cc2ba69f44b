import { describe, expect, it } from 'vitest';
import { createAccess } from '../../../../src/modules/people/accounts/capabilities.ts';
import type { Actor } from '../../../../src/kernel/model/access.ts';
import { canEditSomething, canReadPost, type PostLike } from '../../../../src/modules/people/accounts/record.ts';
import { canStick } from '../../../../src/modules/content/posts/access.ts';
import { canCreateTerm } from '../../../../src/modules/content/terms/access.ts';
import { canEditComment } from '../../../../src/modules/comments/access.ts';
import { standardRoles } from '../../../../src/modules/people/accounts/roles.ts';
import { standardStatuses } from '../../../../src/modules/types/statuses.ts';
import { standardTaxonomies } from '../../../../src/modules/types/taxonomies.ts';
import { defineType, standardTypes } from '../../../../src/modules/types/types.ts';

const book = defineType({ name: 'book', plural: 'Books', singular: 'Book', capabilityType: 'book' });
const own = 1;
const stranger = 2;

const posts = new Map<number, PostLike>();
let lastId = 100;
/** Puts a post of user 1 on the site; `change` says what is different. */
function post(change: Partial<PostLike> = {}): PostLike {
  const made = { id: ++lastId, type: 'post', status: 'publish', author: own, parent: 0, ...change };
  posts.set(made.id, made);
  return made;
}

const terms = [
  { id: 1, taxonomy: 'category' },
  { id: 2, taxonomy: 'category' },
  { id: 3, taxonomy: 'post_tag' },
  { id: 4, taxonomy: 'nav_menu' },
  { id: 5, taxonomy: 'gone' },
];
const front = post({ id: 90, type: 'page' });
const talk = post({ id: 91 });
const comments = [
  { id: 1, post: 91 },
  { id: 2, post: 999 },
];

const access = createAccess({
  roles: standardRoles,
  types: [...standardTypes, book],
  taxonomies: standardTaxonomies,
  statuses: standardStatuses,
  implied: { translate: ['manage_options'] },
  lookup: {
    post: (id) => posts.get(id),
    term: (id) => terms.find((term) => term.id === id),
    comment: (id) => comments.find((comment) => comment.id === id),
    isDefaultTerm: (term) => term.id === 1,
    isFrontPage: (page) => page.id === front.id,
  },
});

const roleNames = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'visitor'] as const;
const letters = 'AEWCSV';
const actor = (role: string, id = own): Actor | null => (role === 'visitor' ? null : { id, roles: [role] });

/** The letters of the roles whose user may: Administrator, Editor, author (Writer), Contributor, Subscriber, Visitor. */
function allowed(capability: string, thing: unknown, id: number): string {
  return roleNames.map((role, i) => (access.can(actor(role, id), capability, thing) ? letters[i] : '')).join('');
}

describe('posts', () => {
  // Status, then who may: edit own, edit others', delete own, delete others', read own, read others'.
  it.each([
    ['publish', 'AEW', 'AE', 'AEW', 'AE', 'AEWCS', 'AEWCS'],
    ['future', 'AEW', 'AE', 'AEW', 'AE', 'AEWCS', 'AE'],
    ['draft', 'AEWC', 'AE', 'AEWC', 'AE', 'AEWCS', 'AE'],
    ['pending', 'AEWC', 'AE', 'AEWC', 'AE', 'AEWCS', 'AE'],
    ['private', 'AEWC', 'AE', 'AEWC', 'AE', 'AEWCS', 'AE'],
    ['auto-draft', 'AEWC', 'AE', 'AEWC', 'AE', 'AEWCS', 'AE'],
    ['trash', 'AEWC', 'AE', 'AEWC', 'AE', 'AEWCS', 'AE'],
  ])('%s', (status, editOwn, editOther, deleteOwn, deleteOther, readOwn, readOther) => {
    const one = post({ status });
    expect({
      edit: [allowed('edit_post', one, own), allowed('edit_post', one, stranger)],
      remove: [allowed('delete_post', one, own), allowed('delete_post', one, stranger)],
      read: [allowed('read_post', one, own), allowed('read_post', one, stranger)],
    }).toEqual({ edit: [editOwn, editOther], remove: [deleteOwn, deleteOther], read: [readOwn, readOther] });
  });

  // The right is that of the state it was trashed from.
  it.each([
    ['publish', 'AEW'],
    ['future', 'AEW'],
    ['draft', 'AEWC'],
  ])('trashed when %s', (status, who) => {
    const one = post({ status: 'trash', trashed: { status } });
    expect([allowed('edit_post', one, own), allowed('delete_post', one, own)]).toEqual([who, who]);
  });

  // Type, then who may: edit, delete and read a published one of another, create, publish.
  it.each([
    ['page', 'AE', 'AE', 'AEWCS', 'AE', 'AE'],
    ['attachment', 'AE', 'AE', 'AEWCS', 'AEW', 'AEW'],
    ['nav_menu_item', 'A', 'A', 'AEWCS', 'A', 'A'],
    ['cms_block', 'AE', 'AE', 'AEWC', 'AEW', 'AEW'],
    ['cms_template', 'A', 'A', 'A', 'A', 'A'],
    ['cms_global_styles', 'A', 'A', 'AEWC', 'A', 'AEW'],
    ['cms_navigation', 'A', 'A', 'AEWCS', 'A', 'A'],
    ['cms_font_family', 'A', 'A', 'A', 'A', 'A'],
    ['book', '', '', 'AEWCS', '', ''],
    ['unknown', 'AE', 'AE', 'AE', null, 'AE'],
  ])('of type %s', (type, edit, remove, read, create, publish) => {
    const one = post({ type });
    expect([
      allowed('edit_post', one, stranger),
      allowed('delete_post', one, stranger),
      allowed('read_post', one, stranger),
    ]).toEqual([edit, remove, read]);
    expect(allowed('publish_post', one, stranger)).toBe(publish);
    const words = access.types.get(type)?.capabilities;
    expect(words === undefined ? null : allowed(words.create_posts, undefined, own)).toBe(create);
  });

  it('also require the capabilities of their type', () => {
    const librarian: Actor = {
      id: 7,
      roles: [],
      capabilities: { edit_books: true, edit_others_books: true, edit_published_books: true },
    };
    const one = post({ type: 'book' });
    expect(['edit_book', 'edit_post', 'edit_page', 'delete_book'].map((name) => access.can(librarian, name, one.id))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('that do not exist are refused for everyone', () => {
    for (const name of ['read_post', 'edit_post', 'delete_post', 'publish_post', 'edit_page']) {
      expect(allowed(name, 999, own) + allowed(name, undefined, own)).toBe('');
    }
  });

  it('without an author belong to nobody', () => {
    expect(allowed('edit_post', post({ author: 0, status: 'draft' }), 0)).toBe('AEWC');
    expect(access.can(null, 'edit_post', post({ author: 0, status: 'draft' }))).toBe(false);
  });

  it('of the front page can be deleted by administrators, and edited as usual', () => {
    expect([allowed('delete_post', front, own), allowed('edit_post', front, own)]).toEqual(['A', 'AE']);
  });

  it('give their permissions to their revisions', () => {
    const revision = post({ type: 'revision', status: 'inherit', parent: post({ author: stranger }).id });
    expect(['read_post', 'edit_post', 'delete_post'].map((name) => allowed(name, revision, own))).toEqual(['AEWCS', 'AE', 'AE']);
    expect(allowed('delete_post', post({ type: 'revision', parent: front.id }), own)).toBe('A');
    expect(allowed('read_post', post({ type: 'revision', parent: 999 }), own)).toBe('');
    expect(allowed('read_post', post({ type: 'revision', parent: revision.id }), own)).toBe('');
  });
});

describe('canReadPost', () => {
  const draft = post({ status: 'draft' });
  const media = { type: 'attachment', status: 'inherit' };
  it.each([
    ['a published post', talk, 'AEWCSV'],
    ['a draft of another', draft, 'AE'],
    ['a private one', post({ status: 'private' }), 'AE'],
    ['a trashed one', post({ status: 'trash' }), 'AE'],
    ['loose media', post(media), 'AEWCSV'],
    ['media of a published post', post({ ...media, parent: talk.id }), 'AEWCSV'],
    ['media of a draft', post({ ...media, parent: draft.id }), 'AE'],
    ['media of media', post({ ...media, parent: post(media).id }), 'AEWCSV'],
    ['private media', post({ type: 'attachment', status: 'private' }), 'AE'],
    ['a menu made of blocks', post({ type: 'cms_navigation' }), 'AEWCSV'],
    ['a pattern', post({ type: 'cms_block' }), 'AEWC'],
    ['a template', post({ type: 'cms_template' }), 'A'],
    ['a revision', post({ type: 'revision', status: 'inherit', parent: talk.id }), ''],
    ['something of no known type', post({ type: 'unknown' }), ''],
  ])('%s', (_, one, who) => {
    expect(roleNames.map((role, i) => (canReadPost(access, actor(role, stranger), one) ? letters[i] : '')).join('')).toBe(who);
  });
});

describe('terms, comments and users', () => {
  it.each([
    ['edit_term', 2, 'AE'],
    ['delete_term', 2, 'AE'],
    ['assign_term', 2, 'AEWC'],
    ['delete_term', 1, ''],
    ['edit_term', 1, 'AE'],
    ['delete_term', 3, 'AE'],
    ['edit_term', 4, 'A'],
    ['assign_term', 4, 'A'],
    ['edit_term', 5, ''],
    ['edit_term', 99, ''],
    ['edit_comment', 1, 'AE'],
    ['edit_comment', 2, 'AEWC'],
    ['edit_comment', 99, ''],
    ['edit_user', stranger, 'A'],
    ['edit_user', own, 'AEWCS'],
    ['edit_user', { id: own }, 'AEWCS'],
    ['edit_user', undefined, 'A'],
    ['remove_user', own, ''],
    ['remove_user', stranger, 'A'],
    ['delete_user', own, 'A'],
    ['promote_user', own, 'A'],
    ['list_app_passwords', own, 'AEWCS'],
    ['delete_app_passwords', stranger, 'A'],
    ['create_app_password', stranger, 'A'],
    ['read_app_password', own, 'AEWCS'],
    ['edit_app_password', stranger, 'A'],
    ['delete_app_password', own, 'AEWCS'],
    ['edit_user_meta', own, 'AEWCS'],
    ['edit_term_meta', 2, 'AE'],
  ] as const)('%s of %j: %s', (capability, thing, who) => {
    // Things are those of a stranger's post, so that authorship plays no part.
    posts.set(talk.id, { ...talk, author: stranger });
    expect(allowed(capability, thing, own)).toBe(who);
  });

  it('meta keys with a leading _ are private', () => {
    expect([
      access.can(actor('editor'), 'edit_post_meta', talk.id, 'mood'),
      access.can(actor('editor'), 'edit_post_meta', talk.id, '_mood'),
    ]).toEqual([true, false]);
  });
});

describe('primitive capabilities', () => {
  it.each([
    ['read', 'AEWCS'],
    ['exist', 'AEWCSV'],
    ['edit_posts', 'AEWC'],
    ['upload_files', 'AEW'],
    ['unfiltered_html', 'AE'],
    ['edit_css', 'AE'],
    ['edit_block_css', 'AE'],
    ['moderate_comments', 'AE'],
    ['list_users', 'A'],
    ['create_users', 'A'],
    ['manage_options', 'A'],
    ['edit_theme_options', 'A'],
    ['install_languages', 'A'],
    ['upload_plugins', 'A'],
    ['update_https', 'A'],
    ['view_site_health_checks', 'A'],
    ['assign_categories', 'AEWC'],
    ['edit_categories', 'AE'],
    ['publish_blocks', 'AEW'],
    ['translate', 'A'],
    ['editor', 'E'],
    ['manage_links', ''],
    ['unfiltered_upload', ''],
    ['do_not_allow', ''],
    ['fly', ''],
    ['constructor', ''],
    ['__proto__', ''],
  ])('%s: %s', (capability, who) => {
    expect(allowed(capability, undefined, own)).toBe(who);
  });

  it('can be granted and denied per user', () => {
    const guest: Actor = { id: 9, roles: ['author'], capabilities: { list_users: true, upload_files: false } };
    expect(['list_users', 'upload_files', 'edit_posts'].map((name) => access.can(guest, name))).toEqual([true, false, true]);
    expect(access.extraCapabilities(guest)).toEqual({ author: true, list_users: true, upload_files: false });
  });

  // Recorded in users.json.
  it("are listed with the role's name", () => {
    expect(access.allCapabilities({ id: 3, roles: ['subscriber'] })).toEqual({ read: true, level_0: true, subscriber: true });
    expect(access.extraCapabilities({ id: 3, roles: ['subscriber'] })).toEqual({ subscriber: true });
  });
});

describe('named rules', () => {
  const who = (rule: (user: Actor | null) => boolean): string =>
    roleNames.map((role, i) => (rule(actor(role)) ? letters[i] : '')).join('');
  const category = standardTaxonomies[0]!;
  const tag = standardTaxonomies[1]!;

  // Recorded in posts-by-role (sticky, action links), categories, comments.
  it.each([
    ['edit something', 'AEWC', (user: Actor | null) => canEditSomething(access, user)],
    ['make a category', 'AE', (user: Actor | null) => canCreateTerm(access, user, category)],
    ['make a tag', 'AEWC', (user: Actor | null) => canCreateTerm(access, user, tag)],
    ['keep a post on top', 'AEW', (user: Actor | null) => canStick(access, user, standardTypes[0]!)],
    [
      'edit a comment on their own post',
      'AEW',
      (user: Actor | null) => {
        posts.set(talk.id, talk);
        return canEditComment(access, user, comments[0]!);
      },
    ],
  ])('%s: %s', (_, expected, rule) => {
    expect(who(rule)).toBe(expected);
  });
});
