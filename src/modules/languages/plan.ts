/**
 * Languages in writes: the language of a new item, its group, shared fields, and terms in its language.
 *
 * Errors   those of `membership.ts`; lang_term_untranslated
 * Source   reference on languages, 13.2, 13.3; corrections from recordings
 */
import { fail } from '../../kernel/errors.ts';
import type { PreparedWrite } from '../../kernel/module.ts';
import type { Call } from '../../kernel/rest/types.ts';
import type { PlanningSite, Site } from '../../kernel/site/site.ts';
import type { FileChange } from '../../kernel/store/types.ts';
import { planUpdate } from '../content/posts/index.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { type Membership, membershipOf, type WriteTarget } from './membership.ts';
import type { Translated } from './record.ts';
import { sharedMembers } from './settings.ts';

type Terms = Readonly<Record<string, readonly number[]>>;
type Item = PostRecord & Translated;

export function prepareItem(write: PreparedWrite, call: Call, before: unknown, site: PlanningSite): PreparedWrite {
  const present = before as Item | undefined;
  const target = targetOf(call, present);
  const membership = membershipOf(call, target, present);
  const source = membership.source as Item | undefined;
  const input = { ...write.input, ...(source ? inherited(call, source, membership.code, write.input) : {}) };
  const terms = termsIn(call.site, membership.code, target.of, input.terms as Terms | undefined, present);
  const parents = present ? syncedParents(site, present, input) : [];
  return placed({ ...write, input: { ...input, ...(terms ? { terms } : {}) } }, membership, parents);
}

export function prepareTerm(write: PreparedWrite, call: Call, before: unknown): PreparedWrite {
  const present = before as Translated | undefined;
  return placed(write, membershipOf(call, targetOf(call, present), present));
}

function placed(
  write: PreparedWrite,
  { code, reference, once = write.once, changes }: Membership,
  more: readonly FileChange[] = [],
): PreparedWrite {
  return {
    input: { ...write.input, lang: code, ...(reference === undefined ? {} : { translationOf: reference }) },
    ...(once === undefined ? {} : { once }),
    changes: [...(write.changes ?? []), ...changes, ...more],
  };
}

/** The type or taxonomy that a request writes. */
function targetOf({ site, request }: Call, before: Translated | undefined): WriteTarget {
  if (before)
    return before.taxonomy === undefined ? { table: 'posts', of: before.type ?? '' } : { table: 'terms', of: before.taxonomy };
  const isAt = ({ restNamespace, restBase }: { readonly restNamespace: string; readonly restBase: string }): boolean =>
    `${request.route}/`.startsWith(`/${restNamespace}/${restBase}/`);
  const type = [...site.types.values()].find(isAt);
  if (type) return { table: 'posts', of: type.name };
  return { table: 'terms', of: [...site.taxonomies.values()].find(isAt)?.name ?? '' };
}

/**
 * The write of a translation without a request.
 * @param input  as for the type's plan
 * @throws RestError lang_translation_exists
 */
export function prepareTranslation(
  { site, user }: Pick<Call, 'site' | 'user'>,
  source: Translated,
  code: string,
  input: PreparedWrite['input'],
): PreparedWrite {
  const { taxonomy, type = '' } = source;
  const target: WriteTarget = taxonomy === undefined ? { table: 'posts', of: type } : { table: 'terms', of: taxonomy };
  const membership = membershipOf({ site, params: { lang: code, translation_of: source.id } }, target, undefined);
  if (taxonomy !== undefined) return placed({ input }, membership);
  const all = inherited({ site, user }, source as Item, code, input);
  return placed({ input: { ...all, terms: termsIn(site, code, type, all.terms as Terms, undefined) } }, membership);
}

/** Values of the original that the writer does not set. */
function inherited(
  { site, user }: Pick<Call, 'site' | 'user'>,
  source: Item,
  code: string,
  input: PreparedWrite['input'],
): Record<string, unknown> {
  const { sync, newTranslationStatus } = site.languages.settings;
  const found: Record<string, unknown> = {};
  if (source.type === 'attachment') return found;
  for (const { property } of sharedMembers(site.languages.settings)) if (property) found[property] = source[property];
  if (sync.has('featured_media') && source.featuredMedia > 0)
    found.featuredMedia = site.translations.idIn('posts', source.featuredMedia, code) || source.featuredMedia;
  if (sync.has('parent') && source.parent > 0) found.parent = site.translations.idIn('posts', source.parent, code);
  if (sync.has('date') && !source.floating) found.date = { local: source.date, gmt: source.dateGmt };
  const mayPublish = site.access.can(user, site.types.get(source.type)?.capabilities.publish_posts ?? '');
  if (newTranslationStatus === 'same' && mayPublish && source.status !== 'trash') found.status = source.status;
  found.terms = Object.fromEntries(
    Object.entries(source.terms).map(([taxonomy, ids]) => [
      taxonomy,
      ids.map((id) => site.translations.idIn('terms', id, code)).filter((id) => id > 0),
    ]),
  );
  const said = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return { ...found, ...said, terms: { ...(found.terms as Terms), ...(input.terms as Terms | undefined) } };
}

/** Terms in the item's language; a post without a category gets the default one of its language. */
function termsIn(site: Site, code: string, type: string, sent: Terms | undefined, before: Item | undefined): Terms | undefined {
  const mapped = Object.fromEntries(
    Object.entries(sent ?? {}).map(([taxonomy, ids]) => [taxonomy, ids.map((id) => termIn(site, id, code))]),
  );
  if (type !== 'post') return sent && mapped;
  // A client may remove the last category of an existing post.
  const isWithout = before === undefined && (mapped.category ?? []).length === 0;
  const fallback = isWithout ? (site.refs.defaultTermIn?.('category', code) ?? 0) : 0;
  return fallback > 0 ? { ...mapped, category: [fallback] } : sent && mapped;
}

/** @throws RestError lang_term_untranslated */
function termIn(site: Site, id: number, code: string): number {
  const term = site.records.table<Translated>('terms').get(id);
  if (term === undefined || term.lang === code) return id;
  return site.translations.idIn('terms', id, code) || fail('lang_term_untranslated', { term_id: id, lang: code });
}

/** Translations of a moved page go below the translations of its new parent. */
function syncedParents(site: PlanningSite, before: Item, input: Partial<PostRecord>): readonly FileChange[] {
  const { parent } = input;
  const isMoved = parent !== undefined && parent !== before.parent && site.types.get(before.type)?.hierarchical;
  if (!isMoved || !site.languages.settings.sync.has('parent')) return [];
  const others = (site.translations.members(before) as readonly Item[]).filter(({ id }) => id !== before.id);
  return others.flatMap((other) => {
    const own = parent === 0 ? 0 : site.translations.idIn('posts', parent, other.lang);
    const hasOwn = parent === 0 || own > 0;
    return hasOwn && own !== other.parent ? planUpdate(site, null, other, { parent: own }, 'nothing').changes : [];
  });
}
