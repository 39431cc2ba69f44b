/**
 * What an application password is for, where it is not for whatever its account may do. One row of `scopes` each; several, written with
 * commas (`drafts,folder:pages/docs`), are for what all of them allow.
 *
 * It never gives a right. What it refuses is asked of every request, those within others (batches, embeds, abilities) included, and what
 * it may not write of every write; a scope that is not known refuses everything.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostType } from '../../types/record.ts';

/** What of a site scopes are about. */
export type ScopedSite = Pick<Site, 'types' | 'posts' | 'paths'>;
type Limits = Required<Pick<Actor, 'refuses'>> & Pick<Actor, 'mayWrite'>;

interface ScopeRow {
  /** As it is written. */
  readonly form: string;
  readonly pattern: RegExp;
  /** What may be changed, in words for people who give such a password away. */
  changes(named: string): string;
  /** @param named  what stands behind the colon */
  limits(named: string, site: ScopedSite): Limits;
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Routes that say nothing of pages; below their namespaces, not the indexes of those. */
const closedToBuilds = new RegExp(
  [
    '^/cms/v2/(?:settings|plugins|block-directory|pattern-directory)(?:/|$)|/application-passwords(?:/|$)',
    '^/(?:cms-site-health|cms-block-editor|cms-abilities|folders|installer|lang/(?:tm|ate|st))/v1/|^/lang/v1/custom-xml-config',
    '^/seo/v1/(?!get_head(?:/|$))|^/mcp$',
  ].join('|'),
  'i',
);
/** Where the edit context holds addresses of people, */
const people = /^\/cms\/v2\/(?:users|comments)(?:\/|$)/i;
/** and what is asked for by them, or by what else is of accounts, tells of them. */
const asked = ['search', 'search_columns', 'author_email', 'roles', 'capabilities', 'who'];
const orders: readonly unknown[] = ['email', 'registered_date'];
/** A batch changes nothing itself: what is in it is asked for one by one. */
const batch = '/batch/v1';
/** What is written beside an item that changes. */
const companions = /^(?:revisions|comments)\//;

const scopes: readonly ScopeRow[] = [
  {
    form: 'read',
    pattern: /^read$/,
    changes: () => 'nothing',
    limits: () => ({ refuses: (method) => !reading.has(method) }),
  },
  {
    form: 'build',
    pattern: /^build$/,
    changes: () => 'nothing',
    limits: () => ({
      refuses: (method, route, params) =>
        !reading.has(method) || closedToBuilds.test(route) || (people.test(route) && isOfAccounts(params)),
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

/** Whether a text is a scope; its type may be none of the site's. */
export function isScope(text: string): boolean {
  return text.length <= 400 && text.split(',').every((part) => rowOf(part) !== undefined);
}

/** In words, for people who give such a password away. */
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

/** Whether a request changes something, and not what is meant. */
function changesOther(method: string, route: string, isMeant: (route: string) => boolean): boolean {
  return !reading.has(method) && !isBelow(route, batch) && !isMeant(route);
}

function isBelow(route: string, base: string): boolean {
  return route === base || route.startsWith(`${base}/`);
}

interface ItemPlace {
  readonly type: PostType;
  /** Undefined: the collection. */
  readonly id: number | undefined;
  /** What is below the item: `/autosaves`. */
  readonly below: string;
}

/** The item of a type that a route is of. */
function itemAt({ types }: Pick<Site, 'types'>, route: string): ItemPlace | null {
  const [, base = '', id, below = ''] = /^\/cms\/v2\/([^/]+)(?:\/(\d+)(\/.*)?)?$/.exec(route) ?? [];
  const type = [...types.values()].find(({ restBase, restNamespace }) => restBase === base && restNamespace === 'cms/v2');
  return type?.viewable ? { type, id: id === undefined ? undefined : Number(id), below } : null;
}

/** A new draft, a change of one that leaves it a draft, or its way to the trash. */
function isDraftWrite(site: ScopedSite, method: string, route: string, params: Params): boolean {
  const item = itemAt(site, route);
  if (item === null || item.below !== '' || item.type.name === 'attachment') return false;
  if (item.id !== undefined && !isDraft(site.posts.get(item.id)?.status)) return false;
  return method === 'DELETE' ? [undefined, false, 'false', '0', 0].some((off) => off === params.force) : staysDraft(params);
}

function staysDraft({ status }: Params): boolean {
  return status === undefined || (typeof status === 'string' && isDraft(status));
}

function isDraft(status: string | undefined): boolean {
  return status === 'draft' || status === 'pending';
}

/** Whether a path is that of a draft, or of no item yet. */
function isDraftFile(site: ScopedSite, path: string): boolean {
  if (site.paths.find(path)?.kind !== 'post') return false;
  return [...site.posts.with('place', logicalPath(path))].every((id) => isDraft(site.posts.get(id)?.status));
}

function isOfAccounts(params: Params): boolean {
  return params.context === 'edit' || orders.includes(params.orderby) || asked.some((name) => (params[name] ?? '') !== '');
}
