/**
 * Languages of planned items: what each is in, and what it translates.
 */
import { logicalPath } from '../../kernel/model/logical-path.ts';
import type { FileMarks } from '../../kernel/model/field.ts';
import type { Site } from '../../kernel/site/site.ts';
import { saidLanguage, type SaidLanguage } from './item-language.ts';
import type { SiteItem } from './items.ts';
import type { PlanDraft, PlannedItem } from './planned-item.ts';

/** What items say of languages, on a site that has some or may have some later. */
export interface PlannedLanguages {
  /** Code of the language whose items are the originals: the default one, or on a site without languages the one it is in. */
  readonly standard: string;
  /** Groups that have an item in that language, as `nameOfGroup` names them. */
  readonly whole: ReadonlySet<string>;
}

/** Gives planned items their languages, and the items that they translate. */
export function setLanguages({ sourceScan, inventory, posts, terms }: PlanDraft): PlannedLanguages {
  const { site } = sourceScan;
  const own = inventory.languages?.languages;
  const standard = own?.default ?? codeOf(String(inventory.site?.data.language ?? 'en_US'), site);
  const whole = new Set<string>();
  const of = { own, site, standard, whole };
  setOfKind(
    of,
    sourceScan.posts.map(({ key, said }) => [posts.get(key), said] as const),
    posts,
  );
  setOfKind(
    of,
    sourceScan.terms.map((item) => {
      const planned = terms.get(item.key);
      const said = saidLanguage(item);
      return [planned, item.standsIn ? { ...said, lang: planned?.existing?.lang ?? '' } : said] as const;
    }),
    terms,
  );
  return { standard, whole };
}

interface Kind {
  readonly own: Site['languages'] | undefined;
  readonly site: SiteItem | null;
  readonly standard: string;
  readonly whole: Set<string>;
}

function setOfKind(
  { own, site, standard, whole }: Kind,
  said: Iterable<readonly [PlannedItem | undefined, SaidLanguage]>,
  byKey: ReadonlyMap<string, PlannedItem>,
): void {
  for (const [planned, one] of said) {
    if (!planned) continue;
    if (one.lang !== '' || one.translationOf !== '') planned.said = one;
    if (own) planned.lang = one.lang === '' ? own.default : codeHere(own, one.lang, site);
    const original = byKey.get(one.translationOf);
    if (original && original !== planned && original.of === planned.of && !original.isGone) planned.original = original;
  }
  const groups = new Map<string, PlannedItem[]>();
  for (const planned of byKey.values()) {
    const name = nameOfGroup(planned);
    if (name !== '' && !planned.isGone) groups.set(name, [...(groups.get(name) ?? []), planned]);
  }
  for (const [name, members] of groups) {
    const inOrder = members.sort((a, b) => a.id - b.id);
    const isStandard = ({ lang, said: one }: PlannedItem): boolean => (lang || one?.lang) === standard;
    const original = inOrder.find(isStandard) ?? inOrder[0];
    if (inOrder.some(isStandard)) whole.add(name);
    for (const planned of inOrder) if (planned !== original) planned.original = original ?? null;
  }
}

/** What is one item in several languages; '' for what is in no group. */
export function nameOfGroup({ kind, of, said }: PlannedItem): string {
  return said === undefined || said.group === '' ? '' : `${kind} ${of} ${said.group}`;
}

/** The code that the site has for a language: the same, else that of the same locale. */
function codeHere(own: Site['languages'], code: string, site: SiteItem | null): string {
  const locale = site?.languages?.known.find((one) => one.code === code)?.locale;
  if (own.of(code) || !locale) return code;
  return own.codes.find((one) => own.of(one)?.locale === locale) ?? code;
}

/** The code of a locale, as the source has it. */
function codeOf(locale: string, site: SiteItem | null): string {
  const said = site?.languages?.known.find((one) => one.locale === locale)?.code;
  return said ?? (locale.split('_', 1)[0] as string);
}

/** The item whose translation another one is in the end; of a circle, any. */
export function groupOf(planned: PlannedItem): PlannedItem {
  const seen = new Set<PlannedItem>();
  let at = planned;
  while (at.original && !seen.has(at)) {
    seen.add(at);
    at = at.original;
  }
  return at;
}

/** The folder of what is below an item: `pages/about` for `pages/about.de.md` too. */
export function folderBelow(marks: FileMarks | undefined, place: string): string {
  return marks ? logicalPath(marks.plain(`${place}.html`)) : place;
}

/** What addresses of a planned site ask of its languages. */
export function plannedTranslations(
  posts: ReadonlyMap<number, PlannedItem>,
  terms: ReadonlyMap<number, PlannedItem>,
): Site['translations'] {
  const members = new Map<PlannedItem, Map<string, number>>();
  for (const planned of [...posts.values(), ...terms.values()]) {
    const group = groupOf(planned);
    const known = members.get(group) ?? new Map<string, number>();
    if (!known.has(planned.lang)) members.set(group, known.set(planned.lang, planned.id));
  }
  const idIn: Site['translations']['idIn'] = (table, id, code) => {
    const planned = (table === 'posts' ? posts : terms).get(id);
    if (!planned || planned.lang === code) return planned ? id : 0;
    return members.get(groupOf(planned))?.get(code) ?? 0;
  };
  return { idIn } as Site['translations'];
}
