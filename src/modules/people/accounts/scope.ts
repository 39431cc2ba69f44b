/**
 * Scopes of application passwords. One row of `scopes` each; several, separated by commas (`drafts,folder:pages/docs`), allow what all of them allow.
 *
 * A scope never grants a right. It is checked for every request, including nested ones (batches, embeds, abilities), and for every write; an unknown
 * scope refuses everything.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { type Params, readingMethods } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isDraft, type PostType } from '../../types/record.ts';

/** The parts of a site that scopes use. */
export type ScopedSite = Pick<Site, 'types' | 'posts' | 'paths' | 'statuses'>;
type Limits = Required<Pick<Actor, 'refuses'>> & Pick<Actor, 'mayWrite'>;

interface ScopeRow {
  readonly form: string;
  readonly pattern: RegExp;
  /** What may be changed, in words for users who create such a password. */
  changes(named: string): string;
  /** @param named  the part after the colon */
  limits(named: string, site: ScopedSite): Limits;
}

/** Routes irrelevant for builds; below their namespaces, not the indexes of those. */
const closedToBuilds = new RegExp(
  [
    '^/cms/v2/(?:settings|plugins|block-directory|pattern-directory)(?:/|$)|/application-passwords(?:/|$)',
    '^/(?:cms-site-health|cms-block-editor|cms-abilities|folders|installer|lang/(?:tm|ate|st))/v1/|^/lang/v1/custom-xml-config',
    '^/seo/v1/(?!get_head(?:/|$))|^/mcp$',
  ].join('|'),
  'i',
);
/** Routes whose edit context contains personal data, */
const people = /^\/cms\/v2\/(?:users|comments)(?:\/|$)/i;
/** and parameters that reveal it or account data. */
const asked = ['search', 'search_columns', 'author_email', 'roles', 'capabilities', 'who'];
const orders: readonly unknown[] = ['email', 'registered_date'];
/** A batch changes nothing itself: its requests are checked one by one. */
const batch = '/batch/v1';
/** Files that are written with an item. */
const companions = /^(?:revisions|comments)\//;

const scopes: readonly ScopeRow[] = [
  {
    form: 'read',
    pattern: /^read$/,
    changes: () => 'nothing',
    limits: () => ({ refuses: (method) => !readingMethods.has(method) }),
  },
  {
    form: 'build',
    pattern: /^build$/,
    changes: () => 'nothing',
    limits: () => ({
      refuses: (method, route, params) =>
        !readingMethods.has(method) || closedToBuilds.test(route) || (people.test(route) && isOfAccounts(params)),
    }),
  },
  {
    form: 'drafts',
    pattern: /^drafts$/,
    changes: () => 'drafts, without publishing them',
    limits: (_named, site) => ({
      refuses: (method, route, params) => changesOther(method, route, (place) => isDraftWrite(site, method, place, params)),
      mayWrite: (path) => companions.test(path) || isDraftFile(site, path),
    }),
  },
  {
    form: 'type:NAME',
    pattern: /^type:([\w-]{1,50})$/,
    changes: (named) => `items of the type ${named}`,
    limits(named, { types }) {
      const type = types.get(named);
      if (!type) return nothing;
      return { refuses: (method, route) => changesOther(method, route, (place) => isBelow(place, `/cms/v2/${type.restBase}`)) };
    },
  },
  {
    form: 'folder:PATH',
    pattern: /^folder:((?![./])[^,\\\p{C}]{0,199}[^,\\\p{C}/])$/u,
    changes: (named) => `items whose files are in the folder ${named}`,
    limits(named, site) {
      const isIn = (path: string): boolean => path.startsWith(`${named}/`);
      return {
        refuses: (method, route) =>
          changesOther(method, route, (place) => {
            const item = itemAt(site, place);
            return item !== null && (item.id === undefined || isIn(site.posts.get(item.id)?.path ?? ''));
          }),
        mayWrite: (path) => companions.test(path) || isIn(path),
      };
    },
  },
];

const nothing: Limits = { refuses: () => true };

/** The forms of scopes, for messages: `read, build, … or folder:PATH`. */
export const scopesInWords = scopes
  .map(({ form }) => form)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

/** Whether a text is a scope; its type may be unknown to the site. */
export function isScope(text: string): boolean {
  return text.length <= 400 && text.split(',').every((part) => rowOf(part) !== undefined);
}

/** In words, for users who create such a password. */
export function scopeInWords(scope: string): string {
  if (!isScope(scope)) return 'may do whatever its account may';
  if (scope === 'build') return 'may read what pages are made of, and change nothing';
  const changes = scope.split(',').map((part) => rowOf(part)?.row.changes(rowOf(part)?.named ?? ''));
  return `may read, and change ${changes.includes('nothing') ? 'nothing' : changes.join(', and of these only ')}`;
}

export function limitsOf(scope: string, site: ScopedSite): Limits {
  if (!isScope(scope)) return nothing;
  const all = scope.split(',').map((part) => {
    const { row, named } = rowOf(part) as FoundRow;
    return row.limits(named, site);
  });
  const writing = all.flatMap(({ mayWrite }) => mayWrite ?? []);
  return {
    refuses: (method, route, params) => all.some(({ refuses }) => refuses(method, route, params)),
    ...(writing.length > 0 ? { mayWrite: (path: string) => writing.every((may) => may(path)) } : {}),
  };
}

interface FoundRow {
  readonly row: ScopeRow;
  readonly named: string;
}

function rowOf(part: string): FoundRow | undefined {
  for (const row of scopes) {
    const found = row.pattern.exec(part);
    if (found) return { row, named: found[1] ?? '' };
  }
  return undefined;
}

/** Whether a request changes something other than what the scope allows. */
function changesOther(method: string, route: string, isMeant: (route: string) => boolean): boolean {
  return !readingMethods.has(method) && !isBelow(route, batch) && !isMeant(route);
}

function isBelow(route: string, base: string): boolean {
  return route === base || route.startsWith(`${base}/`);
}

interface ItemPlace {
  readonly type: PostType;
  /** Undefined for the collection. */
  readonly id: number | undefined;
  /** The rest of the path: `/autosaves`. */
  readonly below: string;
}

/** The item of a type that a route addresses. */
function itemAt({ types }: Pick<Site, 'types'>, route: string): ItemPlace | null {
  const [, base = '', id, below = ''] = /^\/cms\/v2\/([^/]+)(?:\/(\d+)(\/.*)?)?$/.exec(route) ?? [];
  const type = [...types.values()].find(({ restBase, restNamespace }) => restBase === base && restNamespace === 'cms/v2');
  return type?.viewable ? { type, id: id === undefined ? undefined : Number(id), below } : null;
}

/** A new draft, a change that keeps a draft a draft, or trashing one. */
function isDraftWrite(site: ScopedSite, method: string, route: string, params: Params): boolean {
  const item = itemAt(site, route);
  if (item === null || item.below !== '' || item.type.name === 'attachment') return false;
  if (item.id !== undefined && !isDraftItem(site, item.id)) return false;
  return method === 'DELETE' ? [undefined, false, 'false', '0', 0].some((off) => off === params.force) : staysDraft(site, params);
}

function staysDraft({ statuses }: ScopedSite, { status }: Params): boolean {
  return status === undefined || (typeof status === 'string' && isDraft(statuses, status));
}

function isDraftItem({ posts, statuses }: ScopedSite, id: number): boolean {
  return isDraft(statuses, posts.get(id)?.status ?? '');
}

/** Whether a path is that of a draft, or of no item yet. */
function isDraftFile(site: ScopedSite, path: string): boolean {
  if (site.paths.find(path)?.kind !== 'post') return false;
  return [...site.posts.with('place', logicalPath(path))].every((id) => isDraftItem(site, id));
}

function isOfAccounts(params: Params): boolean {
  return params.context === 'edit' || orders.includes(params.orderby) || asked.some((name) => (params[name] ?? '') !== '');
}
