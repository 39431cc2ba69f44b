/**
 * Ids: each file and each menu item has one, a whole number from 1 to `maxId`, and nothing else of its number space has the same.
 */
import { isId, maxId } from '../kernel/model/ids.ts';
import type { Contest } from '../kernel/site/claims.ts';
import { rankClaimants } from '../kernel/site/identity.ts';
import { createSequences, type Sequences } from '../kernel/site/sequences.ts';
import type { Highest } from '../kernel/store/taken-ids.ts';
import { type Finding, say } from './finding.ts';
import type { Keys } from '../kernel/model/remark.ts';
import type { ParsedFile } from './parsed-file.ts';

/** Something that has an id, or should have one. */
interface Holder {
  readonly parsedFile: ParsedFile;
  /** Leads to the id. */
  readonly keys: Keys;
  readonly id: unknown;
}

/** Ids that several files have, by their number spaces. */
export function contestsOf(parsedFiles: readonly ParsedFile[]): readonly Contest[] {
  const found = new Map<string, { readonly space: string; readonly id: number; readonly paths: string[] }>();
  for (const { of, kind, space, entry } of parsedFiles) {
    const { id } = entry.data;
    if (!isId(id) || (of === '' && kind === 'menu')) continue;
    const key = `${space}:${id}`;
    const other = found.get(key);
    if (other) other.paths.push(entry.path);
    else found.set(key, { space, id, paths: [entry.path] });
  }
  return [...found.values()].filter(({ paths }) => paths.length > 1);
}

/**
 * Menu items come last, loose ones after all.
 * @param contests  ids that several files have, the one that keeps it first
 */
export function checkIds(parsedFiles: readonly ParsedFile[], contests: readonly Contest[]): Finding[] {
  const holders = new Map(contests.map(({ space, id, paths }) => [`${space}:${id}`, paths[0] as string]));
  const findings: Finding[] = [];
  const files = parsedFiles.flatMap((parsedFile): Holder[] =>
    parsedFile.of === '' && parsedFile.kind === 'menu' ? [] : [fileHolder(parsedFile)],
  );
  for (const holder of files) check(holder, holder.parsedFile.space);
  const menus = inOrder(
    parsedFiles.filter(({ kind }) => kind === 'menu'),
    contests,
  );
  for (const parsedFile of menus) {
    const bare: Keys[] = [];
    for (const { keys, item } of itemsOf(parsedFile.entry.data.items)) {
      const id = { parsedFile, keys: [...keys, 'id'], id: item.id };
      if (item.id === undefined || item.id === null) bare.push(id.keys);
      else check(id, 'posts');
    }
    if (bare.length > 0) findings.push(unnumbered(parsedFile, ['items'], bare));
  }
  return findings;

  function check({ parsedFile, keys, id }: Holder, space: string): void {
    const { path } = parsedFile.entry;
    const isItem = keys.length > 1;
    if (id === undefined || id === null) findings.push(unnumbered(parsedFile, [], [keys]));
    else if (!isId(id)) {
      const remark = say('invalid-id', `${JSON.stringify(id)} is not a valid id: ids are whole numbers from 1 to ${maxId}`, hint);
      findings.push({ path, keys, ...remark, fix: { kind: 'ids', places: [keys] } });
    } else {
      const holder = holders.get(`${space}:${id}`);
      holders.set(`${space}:${id}`, holder ?? path);
      if (holder === undefined || (holder === path && !isItem)) return;
      const message = `id ${id} is already used by ${holder}; this ${isItem ? 'menu item' : 'file'} gets one of its own`;
      findings.push({ path, keys, ...say('duplicate-id', message, `${hint} of its own`), fix: { kind: 'ids', places: [keys] } });
    }
  }
}

/** Menus that are copies come after what they are copies of, loose items after all. */
function inOrder(menus: readonly ParsedFile[], contests: readonly Contest[]): readonly ParsedFile[] {
  const later = new Set(contests.flatMap(({ paths }) => paths.slice(1)));
  const ranked = rankClaimants(menus.map(({ entry: { path } }) => ({ path })));
  const places = new Map(ranked.map(({ path }, at) => [path, at]));
  const placeOf = ({ of, entry: { path } }: ParsedFile): number =>
    (places.get(path) ?? 0) + (later.has(path) ? menus.length : 0) + (of === '' ? 2 * menus.length : 0);
  return [...menus].sort((a, b) => placeOf(a) - placeOf(b));
}

/** From which new ids are taken: behind what files have and what was given before. */
export function sequencesOf(parsedFiles: readonly ParsedFile[], before: Highest): Sequences {
  const taken = new Set<string>();
  const sequences = createSequences((space, id) => taken.has(`${space}:${id}`));
  sequences.raise(before);
  const see = (space: string, id: unknown): void => {
    if (!isId(id)) return;
    taken.add(`${space}:${id}`);
    sequences.see(space, id);
  };
  for (const { space, kind, entry } of parsedFiles) {
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

function fileHolder(parsedFile: ParsedFile): Holder {
  return { parsedFile, keys: ['id'], id: parsedFile.entry.data.id };
}

function unnumbered({ entry: { path } }: ParsedFile, keys: Keys, places: readonly Keys[]): Finding {
  const message =
    keys.length === 0 ? 'has no id yet' : `${places.length} menu item${places.length > 1 ? 's have' : ' has'} no id yet`;
  const remark = say('missing-id', message, `${hint}, and so does the server when it first sees the file`);
  return { path, keys, ...remark, fix: { kind: 'ids', places } };
}
