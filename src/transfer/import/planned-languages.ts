/**
 * Languages of planned items: what each is in, and what it translates.
 */
import { logicalPath } from '../../kernel/model/logical-path.ts';
import type { FileMarks } from '../../kernel/model/field.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { SaidLanguage } from './item-language.ts';
import type { PlannedItem } from './planned-item.ts';
import type { ImportLanguages } from './site-languages.ts';

/** Gives planned items their languages, and the items that they translate. */
export function setLanguages(
  { languages }: ImportLanguages,
  said: Iterable<readonly [PlannedItem | undefined, SaidLanguage]>,
  byKey: ReadonlyMap<string, PlannedItem>,
): void {
  for (const [planned, { lang, translationOf }] of said) {
    if (!planned) continue;
    planned.lang = lang === '' ? languages.default : lang;
    const original = byKey.get(translationOf);
    if (original && original !== planned && original.of === planned.of && !original.isGone) planned.original = original;
  }
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
