/**
 * Ids: each file and each menu item has one, a whole number from 1 to `maxId`, and nothing else of its number space has the same.
 */
import { isId, maxId } from '../../model/ids.ts';
import { createSequences, type Highest, type Sequences } from '../sequences.ts';
import { type Finding, type Keys, say } from './finding.ts';
import type { Sheet } from './sheets.ts';

/** Something that has an id, or should have one. */
interface Holder {
  readonly sheet: Sheet;
  /** Leads to the id. */
  readonly keys: Keys;
  readonly id: unknown;
}

/** In the order in which they are served: what comes first keeps an id that several have. Menu items come last, loose ones after all. */
export function checkIds(sheets: readonly Sheet[]): Finding[] {
  const holders = new Map<string, string>();
  const findings: Finding[] = [];
  const files = sheets.flatMap((sheet): Holder[] => (sheet.of === '' && sheet.kind === 'menu' ? [] : [fileHolder(sheet)]));
  for (const holder of files) check(holder, holder.sheet.space);
  const menus = sheets.filter(({ kind }) => kind === 'menu').sort((a, b) => Number(a.of === '') - Number(b.of === ''));
  for (const sheet of menus) {
    const bare: Keys[] = [];
    for (const { keys, item } of itemsOf(sheet.entry.data.items)) {
      const id = { sheet, keys: [...keys, 'id'], id: item.id };
      if (item.id === undefined || item.id === null) bare.push(id.keys);
      else check(id, 'posts');
    }
    if (bare.length > 0) findings.push(unnumbered(sheet, ['items'], bare));
  }
  return findings;

  function check({ sheet, keys, id }: Holder, space: string): void {
    const { path } = sheet.entry;
    const isItem = keys.length > 1;
    if (id === undefined || id === null) findings.push(unnumbered(sheet, [], [keys]));
    else if (!isId(id)) {
      const remark = say('invalid-id', `${JSON.stringify(id)} is no id: a whole number from 1 to ${maxId} is`, hint);
      findings.push({ path, keys, ...remark, fix: { kind: 'ids', places: [keys] } });
    } else {
      const holder = holders.get(`${space}:${id}`);
      holders.set(`${space}:${id}`, holder ?? path);
      if (holder === undefined) return;
      const message = `id ${id} is already used by ${holder}, which is served; this ${isItem ? 'menu item' : 'file'} is not`;
      findings.push({ path, keys, ...say('duplicate-id', message, `${hint} of its own`), fix: { kind: 'ids', places: [keys] } });
    }
  }
}

/** From which new ids are taken: behind what files have and what was given before. */
export function sequencesOf(sheets: readonly Sheet[], before: Highest): Sequences {
  const taken = new Set<string>();
  const sequences = createSequences((space, id) => taken.has(`${space}:${id}`));
  sequences.raise(before);
  const see = (space: string, id: unknown): void => {
    if (!isId(id)) return;
    taken.add(`${space}:${id}`);
    sequences.see(space, id);
  };
  for (const { space, kind, entry } of sheets) {
    see(space, entry.data.id);
    if (kind === 'menu') for (const { item } of itemsOf(entry.data.items)) see('posts', item.id);
  }
  return sequences;
}

/** Every item of a menu that is a map, with the way to it; whatever the file holds. */
export function* itemsOf(
  raw: unknown,
  above: Keys = ['items'],
): Generator<{ readonly keys: Keys; readonly item: Readonly<Record<string, unknown>> }> {
  if (!Array.isArray(raw)) return;
  for (const [at, item] of raw.entries()) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) continue;
    const keys = [...above, at];
    yield { keys, item: item as Record<string, unknown> };
    yield* itemsOf((item as { items?: unknown }).items, [...keys, 'items']);
  }
}

const hint = 'cms validate --fix gives it an id';

function fileHolder(sheet: Sheet): Holder {
  return { sheet, keys: ['id'], id: sheet.entry.data.id };
}

function unnumbered({ entry: { path } }: Sheet, keys: Keys, places: readonly Keys[]): Finding {
  const message =
    keys.length === 0 ? 'has no id yet' : `${places.length} menu item${places.length > 1 ? 's have' : ' has'} no id yet`;
  const remark = say('missing-id', message, `${hint}, and so does the server when it first sees the file`);
  return { path, keys, ...remark, fix: { kind: 'ids', places } };
}
