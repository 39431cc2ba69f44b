/**
 * Ids: each file has one, a whole number above 0, and no other file of its number space has the same.
 */
import type { Write } from '../../store/types.ts';
import { doubtful, type Finding, wrong } from './finding.ts';
import type { Sheet } from './sheets.ts';

const hint = 'cms validate --fix gives it an id';

export function checkIds(sheets: readonly Sheet[]): Finding[] {
  const holders = new Map<string, string>();
  return sheets.flatMap(({ entry: { path, data }, space }): Finding[] => {
    const { id } = data;
    if (id === undefined || id === null) {
      return [
        {
          path,
          keys: [],
          ...doubtful('missing-id', 'has no id yet', `${hint}, and so does the server when it first sees the file`),
        },
      ];
    }
    const at = { path, keys: ['id'] };
    if (!isId(id)) return [{ ...at, ...wrong('invalid-id', `${JSON.stringify(id)} is no id: a whole number above 0 is`, hint) }];
    const holder = holders.get(`${space}:${id}`);
    if (holder !== undefined) {
      const message = `id ${id} is already used by ${holder}, which is served; this file is not`;
      return [{ ...at, ...wrong('duplicate-id', message, `${hint} of its own`) }];
    }
    holders.set(`${space}:${id}`, path);
    return [];
  });
}

/**
 * A new id for each file that checkIds names. The first file by path keeps an id that several have, as it does in service.
 * @param sequences  ids given before, by number space; they are not used again
 */
export function renumbered(sheets: readonly Sheet[], sequences: Readonly<Record<string, number>>): Write[] {
  const highest: Record<string, number> = { ...sequences };
  for (const { entry, space } of sheets) if (isId(entry.data.id)) highest[space] = Math.max(highest[space] ?? 0, entry.data.id);
  const byPath = new Map(sheets.map((sheet) => [sheet.entry.path, sheet]));
  return checkIds(sheets).map(({ path }) => {
    const { entry, space } = byPath.get(path) as Sheet;
    const id = (highest[space] ?? 0) + 1;
    highest[space] = id;
    return { path, expect: entry.etag, data: { id }, order: ['id'] };
  });
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
