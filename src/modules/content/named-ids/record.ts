/**
 * Names where ids are asked for: `?categories=notes,harbour`, `{"tags": ["fog"]}`, `{"author": "anna"}`, `{"parent": "about"}`. An addition of
 * this product: a slug that a term or author has, a former one too, and the path of an item stand for its id. Whatever else is no number
 * is refused as if there were no names.
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
/** The id that a name stands for. */
type Find = (name: string, site: Site, user: Actor | null) => number | undefined;

/** One term of a taxonomy. */
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

/** Whether somebody may know of a person: of oneself and of who has published something; those who list users know all. */
export function mayKnow(site: Site, user: Actor | null, id: number): boolean {
  return id === user?.id || site.access.can(user, 'list_users') || hasPublished(site, id);
}

const authorOf: Find = (name, site, user) => {
  // A shown name is no parameter: it may be anybody's.
  const { present, former } = peopleNamed(site);
  const id = findNamed(name, { present, former });
  return id !== undefined && mayKnow(site, user, id) ? id : undefined;
};

export const authorNamed: Named = one(authorOf);

/** An item of a type, as files name it: `about/team`. */
export function itemNamed(type: string): Named {
  return one(itemOf(type));
}

export function itemsNamed(type: string): Named {
  return several(itemOf(type));
}

/** One that the user may read, so that nobody learns of others. */
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
    // Ids, as nearly always.
    if (/^[\d\s,+-]*$/.test(value)) return value;
  } else if (typeof value !== 'object' || value === null) return value;
  else if (!Array.isArray(value) && 'terms' in value) return { ...value, terms: idsOf(value.terms, find) };
  const words = readList(value);
  if (words === null) return value;
  const ids = words.map((word) => idOf(word, find));
  return ids.some((id, at) => id !== words[at]) ? ids : value;
}

/** Of a text that is no number the id; any other value as it is. */
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
