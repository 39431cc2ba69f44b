/**
 * The lists of a live site: users, terms, posts of every type, comments. What their items tell of the site is learned on the way.
 */
import { decodeEntities } from '../../../render/text.ts';
import type { SourceItem, LostItem, PostItem, ImportRemark } from '../../import/items.ts';
import { createSiteFacts, type SiteFacts } from '../wxr/site-facts.ts';
import type { RestParams } from './client.ts';
import { type RestCollection, createCollection, type Row } from './collection.ts';
import { lostOne } from './design.ts';
import type { RestLanguages } from './languages.ts';
import { readPost } from './posts.ts';
import { contextOf, fieldsOf, type RestReading, rowsOfList, startList } from './reading.ts';
import { readComment, readTerm, readUser } from './related-items.ts';
import { type Kind, parametersOf, permalinkOf } from './site.ts';
import { id, oddFields, raw, rendered } from './values.ts';

/** What the items of a site tell of it as a whole. */
interface Learned {
  readonly facts: SiteFacts;
  /** Remarks on the site; one for each reason. */
  readonly remarks: Map<string, ImportRemark>;
  /** Keys of users. */
  readonly users: Set<string>;
  /** Slugs of users and terms, by kind and key. */
  readonly slugs: Map<string, string>;
  /** Titles of what menus point at. */
  readonly titles: ReadonlyMap<string, string[]>;
  permalink: string;
}

interface ListReading extends RestReading {
  readonly types: readonly Kind[];
  readonly taxonomies: readonly Kind[];
  /** Statuses that posts may have, as far as they are known. */
  readonly statuses: readonly string[];
  readonly learned: Learned;
  readonly languages: RestLanguages;
}

interface ItemList {
  readonly collection: RestCollection;
  /** Whether its items came in the edit context. */
  isEdit(): boolean;
  read(row: Row, url: string): readonly SourceItem[];
  /** What it is, for the report. */
  readonly what: string;
  /** The same list for another language was asked before. */
  readonly isFurther: boolean;
}

/** @param asked  code of the language whose items the list was asked for; '' for none */
type ReadRow = (row: Row, url: string, asked: string) => readonly SourceItem[];

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
export async function* listItems(
  reading: ListReading,
  progress?: (done: number, total: number) => void,
): AsyncGenerator<SourceItem> {
  const { client, isSignedIn, types, taxonomies, learned } = reading;
  const lists = [
    userList(reading),
    ...taxonomies.flatMap((kind) => termLists(reading, kind)),
    ...types.filter(({ name }) => !otherTypes.includes(name)).flatMap((kind) => postLists(reading, kind)),
    ...commentLists(reading),
  ];
  let total = 0;
  let done = 0;
  for (const { collection } of lists) {
    total += await startList(reading, collection);
    progress?.(0, total);
  }
  for (const { collection, what, read, isEdit, isFurther } of lists) {
    // Notes are for those who may edit; a server may not know them at all.
    if (!isFurther && [400, 401, 403].includes(collection.refusedBy) && what !== 'notes')
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

/** A list for each language that it has to be asked for. What comes in more than one of them is read once. */
function itemLists(
  { client, spool, found, languages }: ListReading,
  route: string,
  what: string,
  variants: readonly RestParams[],
  read: ReadRow,
  name = route,
): ItemList[] {
  const seen = new Set<unknown>();
  return languages.queries(route).map(({ code, params }, at) => {
    const collection = createCollection({
      ...{ client, spool, route, knows: parametersOf(found.index, route) },
      name: code === '' ? name : `${name} ${code}`,
      variants: variants.map((one) => ({ ...one, ...params })),
    });
    return {
      ...{ collection, what, isFurther: at > 0 },
      read(row, url) {
        if (seen.has(row.id)) return [];
        seen.add(row.id);
        return read(row, url, code);
      },
      isEdit: () => variants[collection.variant]?.context === 'edit',
    };
  });
}

function bothContexts({ isSignedIn }: RestReading): readonly RestParams[] {
  return isSignedIn ? [{ context: 'edit' }, {}] : [{}];
}

function userList(reading: ListReading): ItemList {
  const { found, client, spool, learned } = reading;
  const route = found.dialect.spellRoute('/cms/v2/users');
  const variants = bothContexts(reading);
  const collection = createCollection({ client, spool, route, variants, knows: parametersOf(found.index, route) });
  return {
    ...{ collection, what: 'users', isFurther: false },
    read(row, url) {
      const user = readUser(row, url);
      learned.users.add(user.key);
      learned.slugs.set(`user ${user.key}`, user.slug);
      return [user];
    },
    isEdit: () => variants[collection.variant]?.context === 'edit',
  };
}

function termLists(reading: ListReading, { name, route }: Kind): ItemList[] {
  const { languages } = reading;
  const { slugs, titles } = reading.learned;
  return itemLists(reading, route, name, bothContexts(reading), (row, url, asked) => {
    const term = readTerm(row, url, name, languages.item(row, asked));
    slugs.set(`term ${term.key}`, term.slug);
    titles.get(`taxonomy ${term.key}`)?.push(term.name);
    return [term];
  });
}

function postLists(reading: ListReading, kind: Kind): ItemList[] {
  const { found, isSignedIn, taxonomies, statuses, learned, languages } = reading;
  const { name, route } = kind;
  const context = contextOf(reading, kind, taxonomies, learned.users);
  for (const field of context.more) noteField(learned.remarks, field);
  const fields = fieldsOf(reading, kind, context);
  const every = name === 'attachment' ? 'inherit,private,trash' : statuses.filter((one) => !internalStatus.test(one)).join(',');
  const variants: readonly RestParams[] = !isSignedIn
    ? [fields(false)]
    : [
        { context: 'edit', status: every, ...fields(true) },
        { context: 'edit', status: 'any', ...fields(true) },
        { context: 'edit', ...fields(true) },
        fields(false),
      ];
  return itemLists(reading, route, name, variants, (row, url, asked) => {
    const post = readPost(row, url, context, languages.item(row, asked));
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

function commentLists(reading: ListReading): readonly ItemList[] {
  const route = reading.found.dialect.spellRoute('/cms/v2/comments');
  const read: ReadRow = (row, url) => {
    const comment = readComment(row, url);
    return comment === null ? [] : [comment];
  };
  if (!reading.isSignedIn) return itemLists(reading, route, 'comments', [{}], read);
  const notes: RestParams = { context: 'edit', status: 'all', type: 'note' };
  return [
    ...itemLists(reading, route, 'comments', [{ context: 'edit', status: 'all' }, {}], read, `${route} all`),
    ...itemLists(reading, route, 'comments', [{ context: 'edit', status: 'spam' }], read, `${route} spam`),
    ...itemLists(reading, route, 'comments', [{ context: 'edit', status: 'trash' }], read, `${route} trash`),
    ...itemLists(reading, route, 'notes', [notes], read, `${route} note`),
  ];
}

/** Remarks on a row belong to the first of its items. */
function withRemarks([first, ...others]: readonly SourceItem[], remarks: readonly ImportRemark[]): readonly SourceItem[] {
  if (first === undefined) return [];
  return [remarks.length === 0 ? first : { ...first, remarks: [...(first.remarks ?? []), ...remarks] }, ...others];
}

/** What only editors see is not in the responses to visitors; reported once for each kind. */
function seenAsVisitor(remarks: Map<string, ImportRemark>, what: string, isSignedIn: boolean): void {
  const [rule, message] = isSignedIn
    ? [`as-visitor ${what}`, `${what} were read as a visitor sees them, because the user may not edit them`]
    : ['as-visitor', 'read as a visitor sees it: published items only, texts as rendered HTML, no meta, no email addresses'];
  remarks.set(rule, {
    severity: 'changed',
    rule: 'as-visitor',
    message,
    hint: 'import with the application password of an administrator',
  });
}

function noteField(remarks: Map<string, ImportRemark>, field: string): void {
  const message = `the field ${field}, added by a plugin, is stored under meta`;
  remarks.set(`field ${field}`, { severity: 'note', rule: 'added-field', message });
}

function lostList(what: string, source: string, status: number, isSignedIn: boolean): LostItem {
  const message = `access to the list was denied (${status})`;
  const hint = isSignedIn ? 'the user lacks permission' : 'import with an application password';
  return { kind: 'lost', what, place: { source }, remarks: [{ severity: 'lost', rule: 'refused', message, hint }] };
}
