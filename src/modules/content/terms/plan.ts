/**
 * Creating, changing and deleting terms: slugs, uniqueness, and the files that change. Every function here plans; `site.write` executes.
 *
 * Source: behaviour of the reference (6.9); conformance scenario categories.
 */
import { fail } from '../../../kernel/errors.ts';
import type { PreparedInput } from '../../../kernel/extended.ts';
import { slugOfName } from '../posts/record.ts';
import { sortKey } from '../posts/sort-key.ts';
import { slugify, uniqueSlug } from '../../../kernel/model/slugs.ts';
import { ancestors, parentWithoutLoop, type Taxonomy } from '../../types/record.ts';
import { blankTerm, findTerm, type TermRecord } from './record.ts';
import { escapeName } from '../../../kernel/model/escape.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import { writePost } from '../posts/index.ts';
import { filterHtml } from '../../../render/filter.ts';
import { CompletedSet, inBatches } from '../../../kernel/site/in-batches.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';
import { termPath, writeTerm } from './file.ts';
import { itemsWith, termIndex } from './view.ts';

/** The input of a write. Absent keys change nothing; an empty slug is derived from the name. */
export type TermInput = Partial<Pick<TermRecord, 'name' | 'slug' | 'description' | 'parent' | 'meta'>>;

type PrepareTerm<Before extends unknown[] = []> = (site: PlanningSite, ...before: Before) => PreparedInput<TermInput>;

/** Creates a term (`planTermCreate`). @param prepare  called each time it is planned */
export async function createTerm(site: Site, taxonomy: Taxonomy, prepare: PrepareTerm): Promise<number> {
  const draft = await site.write((site) => ({ changes: [], result: draftTerm(site, taxonomy, prepare(site).input, 0) }));
  const done = await releaseInParts(site, draft);
  return site.write((site) => {
    const { input, plan } = prepare(site);
    return plan(planTermCreate(site, taxonomy, input, done));
  });
}

/**
 * Changes a term (`planTermUpdate`).
 * @param find  the current term; may refuse
 * @param prepare  called each time the change is planned
 */
export async function updateTerm(
  site: Site,
  taxonomy: Taxonomy,
  find: () => TermRecord,
  prepare: PrepareTerm<[before: TermRecord]>,
): Promise<number> {
  const { before, after } = await site.write((site) => {
    const before = find();
    return { changes: [], result: { before, after: changedTerm(site, taxonomy, before, prepare(site, before).input) } };
  });
  const done = after.slug === before.slug ? undefined : await releaseInParts(site, after);
  return site.write((site) => {
    const present = find();
    const { input, plan } = prepare(site, present);
    return plan(planTermUpdate(site, taxonomy, present, input, done));
  });
}

/**
 * Plans a new term.
 *
 * @param done  items already rewritten for its slug
 * @returns its id
 * @throws RestError empty_term_name; term_exists, with the id of the other in `term_id`
 */
export function planTermCreate(site: PlanningSite, taxonomy: Taxonomy, input: TermInput, done?: CompletedSet): WritePlan<number> {
  const slugged = draftTerm(site, taxonomy, input, site.nextId('terms'));
  const after = { ...slugged, path: termPath(site, slugged) };
  return { changes: [...releaseAlias(site, after, done), writeTerm(site, after)], result: after.id };
}

/** A new term without its path. */
function draftTerm(site: Site, taxonomy: Taxonomy, input: TermInput, id: number): TermRecord {
  const named = merge(blankTerm(id, taxonomy.name), input);
  const asked = slugify(input.slug ?? '');
  const wanted = asked || slugify(named.name);
  const other = existing(site, taxonomy, { ...named, slug: wanted }, asked !== '');
  if (other) fail('term_exists', { term_id: other.id, additional: [other.id, other.id] });
  return { ...named, slug: freeSlug(site, taxonomy, { ...named, slug: wanted }) };
}

/**
 * Plans a change of a term. A former slug becomes an alias; a parent that would close a cycle is dropped.
 *
 * @param done  items already rewritten for its slug
 * @throws RestError empty_term_name; duplicate_term_slug if another term has the slug and the parent stays
 */
export function planTermUpdate(
  site: Site,
  taxonomy: Taxonomy,
  before: TermRecord,
  input: TermInput,
  done?: CompletedSet,
): WritePlan<number> {
  const after = changedTerm(site, taxonomy, before, input);
  const released = after.slug === before.slug ? [] : releaseAlias(site, after, done);
  return {
    changes: [...released, writeTerm(site, after, before), ...keepDefault(site, taxonomy, before, after)],
    result: before.id,
  };
}

/** With a longer name, neither name nor slug changes (observed). */
const maxName = 200;

function changedTerm(site: Site, taxonomy: Taxonomy, before: TermRecord, all: TermInput): TermRecord {
  const { name = '', slug: _slug, ...others } = all;
  const input: TermInput = name.length > maxName && [...escapeName(name.trim())].length > maxName ? others : all;
  const merged = merge(before, input);
  const named = { ...merged, parent: parentWithoutLoop(site.terms, before.id, merged.parent) };
  const asked = input.slug === undefined ? before.slug : slugify(input.slug);
  let slug = asked || slugify(named.name) || String(before.id);
  const holder = findTerm(site.terms, taxonomy.name, slug);
  if (holder !== undefined && holder !== before.id && slug !== before.slug) {
    if (asked !== '' && named.parent === before.parent) fail('duplicate_term_slug');
    slug = freeSlug(site, taxonomy, { ...named, slug });
  }
  const aliases = [...new Set([...before.aliases, before.slug])].filter((alias) => alias !== slug);
  const renamed = slug === before.slug ? named : { ...named, slug, aliases };
  const follows = slug !== before.slug && slugOfName({ path: before.path, refs: site.refs }) === before.slug;
  return follows ? { ...renamed, path: termPath(site, renamed) } : renamed;
}

/**
 * Deletes a term: its children move up, and items without another term get the default one.
 * @param find  the current term; may refuse
 */
export async function deleteTerm(site: Site, taxonomy: Taxonomy, find: () => TermRecord): Promise<void> {
  await inBatches(itemsWith(site, find()), (ids) =>
    site.write(() => ({ changes: withoutTerm(site, taxonomy, find(), ids), result: null })),
  );
  await site.write(() => planTermDelete(site, taxonomy, find()));
}

function planTermDelete(site: Site, taxonomy: Taxonomy, term: TermRecord): WritePlan<null> {
  const items = withoutTerm(site, taxonomy, term, itemsWith(site, term));
  const children = childrenOf(site, term).map((child) => writeTerm(site, { ...child, parent: term.parent }, child));
  return { changes: [...items, ...children, { remove: term.path, expect: term.etag }], result: null };
}

function withoutTerm(site: Site, taxonomy: Taxonomy, term: TermRecord, items: readonly number[]): Write[] {
  const fallback = taxonomy.hasDefault ? site.refs.defaultTerm(taxonomy.name) : 0;
  return items.flatMap((id) => {
    const post = site.posts.get(id);
    if (!post) return [];
    const left = (post.terms[taxonomy.name] ?? []).filter((other) => other !== term.id);
    const next = left.length === 0 && fallback > 0 ? [fallback] : left;
    return [writePost(site, { ...post, terms: { ...post.terms, [taxonomy.name]: next } }, post)];
  });
}

export function childrenOf(site: Pick<Site, 'terms'>, term: Pick<TermRecord, 'id' | 'taxonomy'>): readonly TermRecord[] {
  return [...site.terms.with('parent', term.id)]
    .flatMap((id) => site.terms.get(id) ?? [])
    .filter(({ taxonomy }) => taxonomy === term.taxonomy);
}

function merge(before: TermRecord, input: TermInput): TermRecord {
  const name = input.name === undefined ? before.name : escapeName(input.name.trim());
  if (name === '') fail('empty_term_name');
  const { parent = before.parent, meta = before.meta, slug: _, ...more } = input;
  const description = input.description === undefined ? before.description : filterHtml(input.description, 'description');
  return { ...before, ...more, name, description, parent, meta };
}

/**
 * The existing term that makes a new one a duplicate: in a flat taxonomy one with the same name, in a hierarchy a sibling with the same name or slug.
 * With its own slug, the same name is fine.
 */
function existing(site: Site, taxonomy: Taxonomy, term: TermRecord, hasOwnSlug: boolean): TermRecord | undefined {
  const { peerGroup } = site.modules.extension([taxonomy.name, 'term']);
  const isPeer = (other: TermRecord): boolean =>
    (!taxonomy.hierarchical || other.parent === term.parent) && peerGroup(other) === peerGroup(term);
  const name = lowerAscii(term.name);
  const namesakes = called(site, taxonomy, term.name).filter((other) => isPeer(other) && lowerAscii(other.name) === name);
  const [namesake] = namesakes;
  if (!namesake) return undefined;
  const sameSlug = !hasOwnSlug || namesake.slug === term.slug;
  if (!sameSlug && findTerm(site.terms, taxonomy.name, term.slug) === undefined) return undefined;
  if (!taxonomy.hierarchical) return namesake;
  if (sameSlug && namesakes.some((peer) => peer.name === term.name)) return namesake;
  const holders = [...site.terms.with('slug', `${taxonomy.name}:${term.slug}`)].sort((a, b) => a - b);
  return holders.flatMap((id) => site.terms.get(id) ?? []).find(isPeer);
}

/** Terms of a taxonomy whose names sort alike, lowest id first. Cost: a look into the list by name. */
function called(site: Site, taxonomy: Taxonomy, name: string): readonly TermRecord[] {
  const key = sortKey(name);
  return site.terms.query({
    where: [
      { kind: 'in', index: 'taxonomy', values: [taxonomy.name] },
      { kind: 'range', order: 'name', after: key, before: key, inclusive: true },
    ],
    sort: { by: 'name', direction: 'asc' },
    offset: 0,
  }).records;
}

/**
 * A free slug: in a hierarchy the parents' slugs are appended until it is free, then numbers. Appended slugs are unique over all taxonomies
 * (observed).
 */
function freeSlug(site: Site, taxonomy: Taxonomy, term: TermRecord): string {
  if (term.slug === '') return String(term.id);
  const holder = findTerm(site.terms, taxonomy.name, term.slug);
  if (holder === undefined || holder === term.id) return term.slug;
  const taken = (slug: string): boolean =>
    [...site.taxonomies.keys()].some((name) => [...site.terms.with('slug', `${name}:${slug}`)].some((id) => id !== term.id));
  let slug = term.slug;
  for (const above of taxonomy.hierarchical ? ancestors(site.terms, term) : []) {
    slug += `-${above.slug}`;
    if (!taken(slug)) break;
  }
  return uniqueSlug(slug, taken);
}

/** Terms with the slug of `after` as an alias. */
function formerHolders(site: Site, { id, taxonomy, slug }: TermRecord): TermRecord[] {
  const holders = site.terms.with('slug', `${taxonomy}:~${slug}`);
  return [...holders].flatMap((other) => (other === id ? [] : (site.terms.get(other) ?? [])));
}

/** Items rewritten with the current slugs of their terms. */
function withPresentSlugs(site: Site, taxonomy: string, ids: readonly number[], done?: CompletedSet): Write[] {
  const key = termIndex(site, taxonomy);
  return ids.flatMap((id) => {
    const post = site.posts.get(id);
    if (!post || key === null || done?.has(post)) return [];
    const refs = (post.terms[taxonomy] ?? []).map((term) => site.refs.termRef(taxonomy, term));
    return [withKey(writePost(site, post, post), key, refs)];
  });
}

/** Runs `releaseAlias` for very many items ahead of time, in batches. */
async function releaseInParts(site: Site, after: TermRecord): Promise<CompletedSet> {
  const done = new CompletedSet();
  const items = formerHolders(site, after).flatMap((other) => itemsWith(site, other));
  await inBatches(items, async (ids) => {
    await site.write(() => ({ changes: withPresentSlugs(site, after.taxonomy, ids), result: null }));
    done.note(ids, site.posts.get);
  });
  return done;
}

/**
 * A term takes a former slug of another one. Files that use it for the other are rewritten with its current slug, and the alias is removed; otherwise
 * they would mean the wrong term.
 */
function releaseAlias(site: Site, after: TermRecord, done?: CompletedSet): FileChange[] {
  const { taxonomy, slug } = after;
  return formerHolders(site, after).flatMap((other) => [
    ...withPresentSlugs(site, taxonomy, itemsWith(site, other), done),
    ...childrenOf(site, other).flatMap((child) =>
      child.id === after.id ? [] : [withKey(writeTerm(site, child, child), 'parent', site.refs.termRef(taxonomy, other.id))],
    ),
    ...(isStoredDefault(site, other, slug) ? [writeDefault(site, other)] : []),
    writeTerm(site, { ...other, aliases: other.aliases.filter((alias) => alias !== slug) }, other),
  ]);
}

/** The default term is stored by slug, so its setting follows a new one. */
function keepDefault(site: Site, taxonomy: Taxonomy, before: TermRecord, after: TermRecord): Write[] {
  const byId = typeof site.settings.stored(`default_${taxonomy.name}`) === 'number';
  const isDefault = taxonomy.hasDefault && site.refs.defaultTerm(taxonomy.name) === before.id;
  return isDefault && !byId && before.slug !== after.slug ? [writeDefault(site, after)] : [];
}

/** Whether `site.yaml` names the term as the default by this slug. */
function isStoredDefault(site: Site, term: TermRecord, slug: string): boolean {
  if (!site.taxonomies.get(term.taxonomy)?.hasDefault) return false;
  const stored = site.settings.stored(`default_${term.taxonomy}`);
  return typeof stored === 'string' && slugify(stored) === slug && site.refs.defaultTerm(term.taxonomy) === term.id;
}

function writeDefault(site: Site, term: TermRecord): Write {
  const key = `default_${term.taxonomy}`;
  return { path: 'site.yaml', expect: site.settings.entry?.etag ?? null, data: { [key]: term.slug }, order: [key] };
}

function withKey(write: Write, key: string, value: unknown): Write {
  return { ...write, data: { ...write.data, [key]: value } };
}

/** Names ignore the case of ASCII letters. */
function lowerAscii(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
