/**
 * A live site, read over its interface in either spelling: everything a visitor sees, and with an application password what
 * its user may see and edit: drafts, meta, people with addresses and roles, comments of every state, settings.
 *
 * The network is used once. What comes is kept in the spool, from which both passes read and an interrupted run goes on.
 */
import { createOperatorFetcher, type Fetcher } from '../../kernel/http-client/fetch.ts';
import { decodeEntities } from '../../render/text.ts';
import { type Item, type LostItem, type PostItem, type Remark, type Source, SourceError } from '../import/items.ts';
import { mapOf } from '../../kernel/model/maps.ts';
import { standardTaxonomies } from '../../modules/terms/taxonomies.ts';
import { standardTypes } from '../../modules/types/types.ts';
import type { Importer, OpenSource } from './open.ts';
import { authorizationOf, type Client, createClient, type Params } from './rest/client.ts';
import { type Collection, createCollection, type Row } from './rest/collection.ts';
import { designOf, lostOne, menusOf, titlesWanted } from './rest/design.ts';
import { type Discovered, discover } from './rest/discover.ts';
import { readComment, readTerm, readUser } from './rest/related-items.ts';
import { readPost } from './rest/posts.ts';
import { askOnce, contextOf, fieldsOf, type Reading, rowsOfList, startList } from './rest/reading.ts';
import {
  declarationOf,
  type Kind,
  parametersOf,
  permalinkOf,
  readKinds,
  readLocations,
  readSettings,
  readTheme,
  spellKinds,
  type UsualKinds,
} from './rest/site.ts';
import { openSpool } from './rest/spool.ts';
import { id, oddFields, raw, rendered } from './rest/values.ts';
import { createSiteFacts } from './wxr/site-facts.ts';
import { operatorDefaults } from '../../kernel/model/operator.ts';

interface RestOptions {
  /** Tests put in their own. */
  readonly fetcher?: Fetcher;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly clock?: () => number;
}

const timeoutMs = 60_000;

export const restImporter: Importer = createRestImporter();

export function createRestImporter({ fetcher, sleep, clock }: RestOptions = {}): Importer {
  return {
    format: 'rest',
    about: 'a live site by its address, over its REST interface; with --user also what is not public',
    recognises: ({ source }) => /^https?:\/\//i.test(source),
    async open({
      source,
      operator = operatorDefaults(),
      credentials,
      scratch,
      keepGoing,
      signal,
      say,
    }: OpenSource): Promise<Source> {
      const out = fetcher ?? createOperatorFetcher(operator, { timeoutMs });
      const authorization = credentials === undefined ? undefined : authorizationOf(credentials);
      const found = await discover(out, source, { secret: authorization !== undefined });
      const client = createClient({
        fetcher: out,
        root: found.root,
        origins: found.origins,
        authorization,
        signal,
        say,
        ...(sleep ? { sleep } : {}),
      });
      if (authorization !== undefined) await refuseStranger(client, found);
      const who = credentials?.split(':', 1)[0] ?? '';
      const spool = await openSpool(scratch, `${found.root} ${who}`, clock);
      let isDone = false;
      return {
        format: 'rest',
        name: found.root,
        hasSiteTime: true,
        async *items(pass, progress) {
          isDone = false;
          const isSignedIn = authorization !== undefined;
          yield* itemsOf({ found, client, spool, isSignedIn, keepGoing, lost: new Map() }, progress);
          isDone = pass === 'write';
        },
        fetch: (media, into) => client.download(media, into),
        // Another pass may follow the one that writes.
        close: async () => (isDone ? spool.finish() : undefined),
      };
    },
  };
}

interface Listed {
  readonly collection: Collection;
  /** Whether its items came in the edit context. */
  isEdit(): boolean;
  read(row: Row, url: string): readonly Item[];
  /** What it is, for the report. */
  readonly what: string;
}

const unsorted: readonly string[] = [
  'nav_menu_item',
  'cms_template',
  'cms_template_part',
  'cms_global_styles',
  'cms_font_family',
  'cms_font_face',
];
const passing = /^(?:auto-draft|inherit|any|request-.*)$/;

async function* itemsOf(reading: Reading, progress?: (done: number, total: number) => void): AsyncGenerator<Item> {
  const { found, client, spool, isSignedIn } = reading;
  const { dialect, index } = found;
  const once = (route: string, params: Params = {}): Promise<unknown> => askOnce(reading, dialect.spellRoute(route), params);
  const edit: Params = isSignedIn ? { context: 'edit' } : {};
  const kinds = async (route: string, usual: UsualKinds): Promise<readonly Kind[]> =>
    readKinds((await once(route, edit)) ?? (await once(route)) ?? spellKinds(usual), index, dialect);
  const types = await kinds('/cms/v2/types', standardTypes);
  const taxonomies = await kinds('/cms/v2/taxonomies', standardTaxonomies);
  const settings = isSignedIn ? mapOf(await once('/cms/v2/settings')) : {};
  const statuses = isSignedIn ? Object.keys(mapOf(await once('/cms/v2/statuses', edit))) : [];
  for (const kind of types)
    yield* some(declarationOf(kind, 'type', index, dialect, client.address(dialect.spellRoute('/cms/v2/types'))));
  for (const kind of taxonomies)
    yield* some(declarationOf(kind, 'taxonomy', index, dialect, client.address(dialect.spellRoute('/cms/v2/taxonomies'))));

  const facts = createSiteFacts();
  for (const address of [index.home, index.url, found.site]) facts.address(address);
  const remarks = new Map<string, Remark>();
  const users = new Set<string>();
  const slugs = new Map<string, string>();
  const titles = await titlesWanted(reading, types);
  let permalink = '';

  const listOf = (route: string, what: string, variants: readonly Params[], read: Listed['read'], name = route): Listed => {
    const collection = createCollection({ client, spool, route, name, variants, knows: parametersOf(index, route) });
    return { collection, what, read, isEdit: () => variants[collection.variant]?.context === 'edit' };
  };
  const both: readonly Params[] = isSignedIn ? [{ context: 'edit' }, {}] : [{}];

  const lists: Listed[] = [
    listOf(dialect.spellRoute('/cms/v2/users'), 'users', both, (row, url) => {
      const user = readUser(row, url);
      users.add(user.key);
      slugs.set(`user ${user.key}`, user.slug);
      return [user];
    }),
    ...taxonomies.map(({ name, route }) =>
      listOf(route, name, both, (row, url) => {
        const term = readTerm(row, url, name);
        slugs.set(`term ${term.key}`, term.slug);
        titles.get(`taxonomy ${term.key}`)?.push(term.name);
        return [term];
      }),
    ),
    ...types.filter(({ name }) => !unsorted.includes(name)).map((kind) => postsOf(kind)),
    ...commentLists(),
  ];

  function postsOf(kind: Kind): Listed {
    const { name, route } = kind;
    const context = contextOf(reading, kind, taxonomies, users);
    for (const field of context.more) noteField(remarks, field);
    const fields = fieldsOf(reading, kind, context);
    const every = name === 'attachment' ? 'inherit,private,trash' : [...statuses.filter((one) => !passing.test(one))].join(',');
    const variants: Params[] = !isSignedIn
      ? [fields(false)]
      : [
          { context: 'edit', status: every, ...fields(true) },
          { context: 'edit', status: 'any', ...fields(true) },
          { context: 'edit', ...fields(true) },
          fields(false),
        ];
    return listOf(route, name, variants, (row, url) => {
      const post = readPost(row, url, context);
      titles.get(`post_type ${post.key}`)?.push(...[raw(row, 'title') ?? '', rendered(row, 'title')].map(decodeEntities));
      if (name === 'post' && permalink === '') permalink = permalinkOf(row, index.home);
      tell(post);
      return [post];
    });
  }

  function tell(post: PostItem): void {
    if (post.media?.url) facts.attachment(post.media.path, post.media.url);
    if (post.type !== 'post' || post.status !== 'publish') return;
    const categories = (post.terms?.category ?? []).map((key) => slugs.get(`term ${key}`) ?? '');
    facts.post({ post, author: slugs.get(`user ${post.author ?? ''}`) ?? '', categories });
  }

  function commentLists(): Listed[] {
    const route = dialect.spellRoute('/cms/v2/comments');
    const read = (row: Row, url: string): Item[] => [...some(readComment(row, url))];
    if (!isSignedIn) return [listOf(route, 'comments', [{}], read)];
    const states = ['all', 'spam', 'trash'].map((status) =>
      listOf(route, 'comments', [{ context: 'edit', status }, ...(status === 'all' ? [{}] : [])], read, `${route} ${status}`),
    );
    return [...states, listOf(route, 'notes', [{ context: 'edit', status: 'all', type: 'note' }], read, `${route} note`)];
  }

  let total = 0;
  let done = 0;
  for (const { collection } of lists) {
    total += await startList(reading, collection);
    progress?.(0, total);
  }
  for (const { collection, what, read, isEdit } of lists) {
    // Notes are for those who write; a server may not know them at all.
    if ([400, 401, 403].includes(collection.refusedBy) && what !== 'notes')
      yield lostList(what, client.address(collection.route), collection.refusedBy, isSignedIn);
    for await (const one of rowsOfList(reading, collection)) {
      const number = 'row' in one ? id(one.row) : undefined;
      if ('lost' in one) yield lostOne(what, one.lost);
      else if (number === undefined) yield lostOne(what, { url: client.address(collection.route), status: 200 });
      else yield* withRemarks(read(one.row, client.address(`${collection.route}/${number}`)), oddFields(one.row));
      done++;
      progress?.(done, Math.max(total, done));
    }
    if (collection.variant >= 0 && !isEdit()) seenAsVisitor(remarks, what, isSignedIn);
  }
  yield* designOf(reading, types);
  yield* menusOf(reading, types, titles);
  if (types.some(({ name }) => ['post', 'page'].includes(name)))
    yield {
      kind: 'lost',
      what: 'revisions',
      place: { source: found.root },
      remarks: [{ severity: 'note', rule: 'revisions', message: 'revisions are not imported' }],
    };
  const theme = isSignedIn ? readTheme(await once('/cms/v2/themes', { status: 'active' })) : null;
  const locations = isSignedIn ? readLocations(await once('/cms/v2/menu-locations', edit)) : {};
  yield {
    kind: 'site',
    place: { source: found.root },
    settings: {
      ...readSettings(settings, index),
      ...(permalink || facts.permalink ? { permalink: permalink || facts.permalink } : {}),
      ...(Object.keys(locations).length > 0 ? { menu_locations: locations } : {}),
      ...(theme && !found.isCms ? { theme: { stylesheet: theme.stylesheet, block_theme: theme.isBlock } } : {}),
    },
    addresses: facts.addresses,
    uploads: facts.uploads,
    ...(remarks.size > 0 ? { remarks: [...remarks.values()] } : {}),
  };
  yield* reading.lost.values();
}

/** What was seen of a row is said of the first of its items. */
function withRemarks([first, ...others]: readonly Item[], remarks: readonly Remark[]): readonly Item[] {
  if (first === undefined) return [];
  return [remarks.length === 0 ? first : { ...first, remarks: [...(first.remarks ?? []), ...remarks] }, ...others];
}

/** What only those who may write see is not in a visitor's answers; said once for each kind. */
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

function* some<T>(one: T | null): Generator<T> {
  if (one !== null) yield one;
}

/** A wrong password is not the same as a visitor. @throws SourceError */
async function refuseStranger(client: Client, { dialect }: Discovered): Promise<void> {
  const { status, url } = await client.get(dialect.spellRoute('/cms/v2/users/me'));
  if (status === 401 || status === 403)
    throw new SourceError(
      'rejects this login and application password',
      { source: url },
      { hint: 'create an application password in the profile of the user; the login password does not work' },
    );
}
