/**
 * The lists of a live site: users, terms, posts of every type, comments. What their items tell of the site is learned on the way.
 */
import { decodeEntities } from '../../../render/text.ts';
import type { Item, LostItem, PostItem, Remark } from '../../import/items.ts';
import { createSiteFacts, type SiteFacts } from '../wxr/site-facts.ts';
import type { Params } from './client.ts';
import { type Collection, createCollection, type Row } from './collection.ts';
import { lostOne } from './design.ts';
import { readPost } from './posts.ts';
import { contextOf, fieldsOf, type Reading, rowsOfList, startList } from './reading.ts';
import { readComment, readTerm, readUser } from './related-items.ts';
import { type Kind, parametersOf, permalinkOf } from './site.ts';
import { id, oddFields, raw, rendered } from './values.ts';

/** What the items of a site tell of it as a whole. */
interface Learned {
  readonly facts: SiteFacts;
  /** Remarks on the site; one for each reason. */
  readonly remarks: Map<string, Remark>;
  /** Keys of users. */
  readonly users: Set<string>;
  /** Slugs of users and terms, by kind and key. */
  readonly slugs: Map<string, string>;
  /** Titles of what menus point at. */
  readonly titles: ReadonlyMap<string, string[]>;
  permalink: string;
}

interface ListReading extends Reading {
  readonly types: readonly Kind[];
  readonly taxonomies: readonly Kind[];
  /** Statuses that posts may have, as far as they are known. */
  readonly statuses: readonly string[];
  readonly learned: Learned;
}

interface ItemList {
  readonly collection: Collection;
  /** Whether its items came in the edit context. */
  isEdit(): boolean;
  read(row: Row, url: string): readonly Item[];
  /** What it is, for the report. */
  readonly what: string;
}

/** Types whose items are read elsewhere. */
const otherTypes: readonly string[] = [
  'nav_menu_item',
  'cms_template',
  'cms_template_part',
  'cms_global_styles',
  'cms_font_family',
  'cms_font_face',
];
const internalStatus = /^(?:auto-draft|inherit|any|request-.*)$/;

/** @param addresses  of the site */
export function beginLearning(addresses: readonly string[], titles: Learned['titles']): Learned {
  const facts = createSiteFacts();
  for (const address of addresses) facts.address(address);
  return { facts, remarks: new Map(), users: new Set(), slugs: new Map(), titles, permalink: '' };
}

/** The items of all lists. @param progress  items done, and all */
export async function* listItems(reading: ListReading, progress?: (done: number, total: number) => void): AsyncGenerator<Item> {
  const { client, isSignedIn, types, taxonomies, learned } = reading;
  const lists = [
    userList(reading),
    ...taxonomies.map((kind) => termList(reading, kind)),
    ...types.filter(({ name }) => !otherTypes.includes(name)).map((kind) => postList(reading, kind)),
    ...commentLists(reading),
  ];
  let total = 0;
  let done = 0;
  for (const { collection } of lists) {
    total += await startList(reading, collection);
    progress?.(0, total);
  }
  for (const { collection, what, read, isEdit } of lists) {
    // Notes are for those who may edit; a server may not know them at all.
    if ([400, 401, 403].includes(collection.refusedBy) && what !== 'notes')
      yield lostList(what, client.address(collection.route), collection.refusedBy, isSignedIn);
    for await (const one of rowsOfList(reading, collection)) {
      const number = 'row' in one ? id(one.row) : undefined;
      // Comments on posts that visitors may not read are counted all the same.
      if ('lost' in one && one.lost.missing && what === 'comments' && !isEdit()) continue;
      if ('lost' in one) yield lostOne(what, one.lost);
      else if (number === undefined) yield lostOne(what, { url: client.address(collection.route), status: 200 });
      else yield* withRemarks(read(one.row, client.address(`${collection.route}/${number}`)), oddFields(one.row));
      done++;
      progress?.(done, Math.max(total, done));
    }
    if (collection.variant >= 0 && !isEdit()) seenAsVisitor(learned.remarks, what, isSignedIn);
  }
}

function itemList(
  { client, spool, found }: Reading,
  route: string,
  what: string,
  variants: readonly Params[],
  read: ItemList['read'],
  name = route,
): ItemList {
  const collection = createCollection({ client, spool, route, name, variants, knows: parametersOf(found.index, route) });
  return { collection, what, read, isEdit: () => variants[collection.variant]?.context === 'edit' };
}

function bothContexts({ isSignedIn }: Reading): readonly Params[] {
  return isSignedIn ? [{ context: 'edit' }, {}] : [{}];
}

function userList(reading: ListReading): ItemList {
  const { found, learned } = reading;
  return itemList(reading, found.dialect.spellRoute('/cms/v2/users'), 'users', bothContexts(reading), (row, url) => {
    const user = readUser(row, url);
    learned.users.add(user.key);
    learned.slugs.set(`user ${user.key}`, user.slug);
    return [user];
  });
}

function termList(reading: ListReading, { name, route }: Kind): ItemList {
  const { slugs, titles } = reading.learned;
  return itemList(reading, route, name, bothContexts(reading), (row, url) => {
    const term = readTerm(row, url, name);
    slugs.set(`term ${term.key}`, term.slug);
    titles.get(`taxonomy ${term.key}`)?.push(term.name);
    return [term];
  });
}

function postList(reading: ListReading, kind: Kind): ItemList {
  const { found, isSignedIn, taxonomies, statuses, learned } = reading;
  const { name, route } = kind;
  const context = contextOf(reading, kind, taxonomies, learned.users);
  for (const field of context.more) noteField(learned.remarks, field);
  const fields = fieldsOf(reading, kind, context);
  const every = name === 'attachment' ? 'inherit,private,trash' : statuses.filter((one) => !internalStatus.test(one)).join(',');
  const variants: readonly Params[] = !isSignedIn
    ? [fields(false)]
    : [
        { context: 'edit', status: every, ...fields(true) },
        { context: 'edit', status: 'any', ...fields(true) },
        { context: 'edit', ...fields(true) },
        fields(false),
      ];
  return itemList(reading, route, name, variants, (row, url) => {
    const post = readPost(row, url, context);
    const shown = [raw(row, 'title') ?? '', rendered(row, 'title')].map(decodeEntities);
    learned.titles.get(`post_type ${post.key}`)?.push(...shown);
    if (name === 'post' && learned.permalink === '') learned.permalink = permalinkOf(row, found.index.home);
    learnFrom(learned, post);
    return [post];
  });
}

function learnFrom({ facts, slugs }: Learned, post: PostItem): void {
  if (post.media?.url) facts.attachment(post.media.path, post.media.url);
  if (post.type !== 'post' || post.status !== 'publish') return;
  const categories = (post.terms?.category ?? []).map((key) => slugs.get(`term ${key}`) ?? '');
  facts.post({ post, author: slugs.get(`user ${post.author ?? ''}`) ?? '', categories });
}

function commentLists(reading: ListReading): ItemList[] {
  const route = reading.found.dialect.spellRoute('/cms/v2/comments');
  const read = (row: Row, url: string): Item[] => {
    const comment = readComment(row, url);
    return comment === null ? [] : [comment];
  };
  if (!reading.isSignedIn) return [itemList(reading, route, 'comments', [{}], read)];
  const notes: Params = { context: 'edit', status: 'all', type: 'note' };
  return [
    itemList(reading, route, 'comments', [{ context: 'edit', status: 'all' }, {}], read, `${route} all`),
    itemList(reading, route, 'comments', [{ context: 'edit', status: 'spam' }], read, `${route} spam`),
    itemList(reading, route, 'comments', [{ context: 'edit', status: 'trash' }], read, `${route} trash`),
    itemList(reading, route, 'notes', [notes], read, `${route} note`),
  ];
}

/** Remarks on a row belong to the first of its items. */
function withRemarks([first, ...others]: readonly Item[], remarks: readonly Remark[]): readonly Item[] {
  if (first === undefined) return [];
  return [remarks.length === 0 ? first : { ...first, remarks: [...(first.remarks ?? []), ...remarks] }, ...others];
}

/** What only editors see is not in the responses to visitors; reported once for each kind. */
function seenAsVisitor(remarks: Map<string, Remark>, what: string, isSignedIn: boolean): void {
  const [rule, message] = isSignedIn
    ? [`as-visitor ${what}`, `${what} were read as a visitor sees them, because the user may not edit them`]
    : ['as-visitor', 'read as a visitor sees it: published items only, texts as rendered HTML, no meta, no e-mail addresses'];
  remarks.set(rule, {
    severity: 'changed',
    rule: 'as-visitor',
    message,
    hint: 'import with the application password of an administrator',
  });
}

function noteField(remarks: Map<string, Remark>, field: string): void {
  const message = `the field ${field}, added by a plugin, is stored under meta`;
  remarks.set(`field ${field}`, { severity: 'note', rule: 'added-field', message });
}

function lostList(what: string, source: string, status: number, isSignedIn: boolean): LostItem {
  const message = `access to the list was denied (${status})`;
  const hint = isSignedIn ? 'the user lacks permission' : 'import with an application password';
  return { kind: 'lost', what, place: { source }, remarks: [{ severity: 'lost', rule: 'refused', message, hint }] };
}
