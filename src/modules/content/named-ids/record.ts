/**
 * Names in place of ids: `?categories=notes,harbour`, `{"tags": ["fog"]}`, `{"author": "anna"}`, `{"parent": "about"}`. An extension: a current or
 * former slug of a term or author, or the path of an item, stands for its id. Anything else is refused as before.
 */
import { findNamed } from '../../../kernel/model/named.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Arg } from '../../../kernel/rest/args.ts';
import { readList } from '../../../kernel/rest/validate.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import { peopleNamed } from '../../people/users/record.ts';
import { termsNamed as namesOf } from '../terms/record.ts';

type Named = NonNullable<Arg['named']>;
type Find = (name: string, site: Site, user: Actor | null) => number | undefined;

export function termNamed(taxonomy: string): Named {
  return one(termOf(taxonomy));
}

/** Terms of a taxonomy: a list, or the `terms` of a map. */
export function termsNamed(taxonomy: string): Named {
  return several(termOf(taxonomy));
}

const termOf =
  (taxonomy: string): Find =>
  (name, { terms }) =>
    findNamed(name, namesOf(terms, taxonomy));

/** Whether a user may know of a person: oneself, anyone with published items; everyone for users who may list users. */
export function mayKnow(site: Site, user: Actor | null, id: number): boolean {
  return id === user?.id || site.access.can(user, 'list_users') || hasPublished(site, id);
}

const authorOf: Find = (name, site, user) => {
  // Display names do not count: they are not unique.
  const { present, former } = peopleNamed(site);
  const id = findNamed(name, { present, former });
  return id !== undefined && mayKnow(site, user, id) ? id : undefined;
};

export const authorNamed: Named = one(authorOf);

/** An item of a type by its path: `about/team`. */
export function itemNamed(type: string): Named {
  return one(itemOf(type));
}

export function itemsNamed(type: string): Named {
  return several(itemOf(type));
}

/** Only items that the user may read, so that names reveal nothing. */
const itemOf =
  (type: string): Find =>
  (place, { refs, posts, access }, user) => {
    const post = posts.get(refs.postId(type, place));
    return post && canReadPost(access, user, post) ? post.id : undefined;
  };

function one(find: Find): Named {
  return (value, site, user) => idOf(value, (name) => find(name, site, user));
}

function several(find: Find): Named {
  return (value, site, user) => idsOf(value, (name) => find(name, site, user));
}

function idsOf(value: unknown, find: (name: string) => number | undefined): unknown {
  if (typeof value === 'string') {
    // Fast path: only ids.
    if (/^[\d\s,+-]*$/.test(value)) return value;
  } else if (typeof value !== 'object' || value === null) return value;
  else if (!Array.isArray(value) && 'terms' in value) return { ...value, terms: idsOf(value.terms, find) };
  const words = readList(value);
  if (words === null) return value;
  const ids = words.map((word) => idOf(word, find));
  return ids.some((id, at) => id !== words[at]) ? ids : value;
}

/** The id for a text that is not a number; other values unchanged. */
function idOf(value: unknown, find: (name: string) => number | undefined): unknown {
  if (typeof value !== 'string' || value.trim() === '' || !Number.isNaN(Number(value))) return value;
  return find(value) ?? value;
}

function hasPublished({ posts, types }: Site, author: number): boolean {
  if (posts.count('author', author) === 0) return false;
  const shown = [...types.values()].filter(({ showInRest }) => showInRest).map(({ name }) => name);
  const query = {
    where: [
      { kind: 'in', index: 'author', values: [author] },
      { kind: 'in', index: 'type', values: shown },
      { kind: 'in', index: 'status', values: ['publish'] },
    ] as const,
    sort: { by: 'id', direction: 'asc' } as const,
    offset: 0,
    limit: 0,
  };
  return posts.query(query).total > 0;
}
