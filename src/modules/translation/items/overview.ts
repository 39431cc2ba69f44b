/**
 * How far a site is translated: every original with each other language, and what stands between it and its translation.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { openStatuses } from '../jobs/index.ts';
import { type ItemToTranslate, isTerm, textsOf } from './texts.ts';

export const pairStates = ['missing', 'outdated', 'in-work', 'translated'] as const;
export type PairState = (typeof pairStates)[number];

export interface Pair {
  readonly item: number;
  /** Type or taxonomy. */
  readonly type: string;
  readonly path: string;
  readonly title: string;
  readonly target: string;
  /** `outdated`: there is a translation, and the original has changed since it was ordered. */
  readonly state: PairState;
  /** The open job; 0: none. */
  readonly job: number;
}

/**
 * Pairs of published and drafted originals with something to translate, in the order of their paths.
 * @param targets  codes; default: every language
 * Cost: the texts of every original.
 */
export function translationOverview(site: Site, targets: readonly string[] = site.languages.codes): readonly Pair[] {
  const items = [...site.posts.all(), ...site.terms.all()] as unknown as readonly ItemToTranslate[];
  return items
    .filter((item) => isTranslated(site, item) && textsOf(site, item).some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.id - b.id))
    .flatMap((item) => targets.filter((code) => code !== item.lang).map((target) => pairOf(site, item, target)));
}

/** An original of a kind that there are translations of. */
function isTranslated(site: Site, item: ItemToTranslate): boolean {
  if (!isTranslatable(site, item)) return false;
  if (!isTerm(item) && !['publish', 'draft', 'private', 'future', 'pending', 'inherit'].includes(item.status)) return false;
  return site.translations.original(item).id === item.id;
}

/** Of a kind that there are translations of. */
export function isTranslatable(site: Site, item: ItemToTranslate): boolean {
  const fields = isTerm(item) ? site.termFields.get(item.taxonomy) : site.postFields.get(item.type);
  const isKnown = isTerm(item)
    ? site.translations.isTranslated('terms', item.taxonomy)
    : site.translations.isTranslated('posts', item.type);
  return isKnown && Object.hasOwn(fields ?? {}, 'lang');
}

function pairOf(site: Site, item: ItemToTranslate, target: string): Pair {
  const type = isTerm(item) ? item.taxonomy : item.type;
  const status = site.translationJobs.statusOf(isTerm(item) ? `tax_${type}` : `post_${type}`, item.id, target);
  const isThere = site.translations.idIn(isTerm(item) ? 'terms' : 'posts', item.id, target) > 0;
  const isOpen = status !== undefined && openStatuses.includes(status.status);
  const state = isOpen ? 'in-work' : !isThere ? 'missing' : status?.needsUpdate ? 'outdated' : 'translated';
  return {
    item: item.id,
    type,
    path: item.path,
    title: isTerm(item) ? item.name : item.title,
    target,
    state,
    job: isOpen ? status.job : 0,
  };
}
