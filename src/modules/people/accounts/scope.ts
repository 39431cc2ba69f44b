/**
 * What an application password is for, where it is not for whatever its account may do:
 *
 *     read          read what the account may read, change nothing
 *     build         the same for programs that make pages: nothing of people's addresses, accounts, the settings of the service, and what
 *                   editors and translators work with
 *     type:<name>   read, and change items of one type
 *
 * It never gives a right. What it refuses is asked of every request, those within others (batches, embeds) included; a scope that is
 * not known refuses everything.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { Site } from '../../../kernel/site/site.ts';

type Refuses = NonNullable<Actor['refuses']>;

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Routes that say nothing of pages; below their namespaces, not the indexes of those. */
const closedToBuilds = new RegExp(
  [
    '^/cms/v2/(?:settings|plugins|block-directory|pattern-directory)(?:/|$)|/application-passwords(?:/|$)',
    '^/(?:cms-site-health|cms-block-editor|cms-abilities|folders|installer|lang/(?:tm|ate|st))/v1/|^/lang/v1/custom-xml-config',
    '^/seo/v1/(?!get_head(?:/|$))',
  ].join('|'),
  'i',
);
/** Where the edit context holds addresses of people, */
const people = /^\/cms\/v2\/(?:users|comments)(?:\/|$)/i;
/** and what is asked for by them, or by what else is of accounts, tells of them. */
const asked = ['search', 'search_columns', 'author_email', 'roles', 'capabilities', 'who'];
const orders: readonly unknown[] = ['email', 'registered_date'];

/** Whether a text is a scope; its type may be none of the site's. */
export function isScope(text: string): boolean {
  return text === 'read' || text === 'build' || /^type:[\w-]{1,50}$/.test(text);
}

/** In words, for people who give such a password away. */
export function scopeInWords(scope: string): string {
  if (scope === 'read') return 'may read, and change nothing';
  if (scope === 'build') return 'may read what pages are made of, and change nothing';
  return scope.startsWith('type:')
    ? `may read, and change items of the type ${scope.slice(5)}`
    : 'may do whatever its account may';
}

export function refusalsOf(scope: string, { types }: Pick<Site, 'types'>): Refuses {
  if (scope === 'read') return (method) => !reading.has(method);
  if (scope === 'build')
    return (method, route, params) =>
      !reading.has(method) || closedToBuilds.test(route) || (people.test(route) && isOfAccounts(params));
  const type = isScope(scope) ? types.get(scope.slice('type:'.length)) : undefined;
  if (!type) return () => true;
  // A batch changes nothing itself: what is in it is asked for one by one.
  const own = [`/cms/v2/${type.restBase}`, '/batch/v1'];
  return (method, route) => !reading.has(method) && !own.some((one) => route === one || route.startsWith(`${one}/`));
}

function isOfAccounts(params: Readonly<Record<string, unknown>>): boolean {
  return params.context === 'edit' || orders.includes(params.orderby) || asked.some((name) => (params[name] ?? '') !== '');
}
