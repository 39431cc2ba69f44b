/**
 * Status keys that cannot be read, that contradict each other, or that mean something else elsewhere. What the site makes of them
 * is in modules/content/posts/stated-status.ts.
 */
import { parseFileDate } from '../kernel/model/dates.ts';
import { expiryKeys, foldKey, releaseKeys } from '../modules/content/front-matter/names.ts';
import { withStatusKeys } from '../modules/content/posts/stated-status.ts';
import { pagelessRemarks, statusRemarks } from '../modules/content/posts/status-remarks.ts';
import type { Declarations } from './declarations.ts';
import { type Finding, say } from './finding.ts';
import type { Remark } from '../kernel/model/remark.ts';
import type { ParsedFile } from './parsed-file.ts';

type Data = Readonly<Record<string, unknown>>;

export function checkStatuses(
  parsedFiles: readonly ParsedFile[],
  { statuses, types }: Declarations,
  nowGmt: string,
  zone: string,
): Finding[] {
  const known = new Set(types.map(({ name }) => name));
  return parsedFiles.flatMap(({ kind, of, draft, entry: { path, data } }): Finding[] => {
    if ((kind !== 'post' && kind !== 'media') || !known.has(of)) return [];
    const isMedia = kind === 'media';
    const { data: keys, spelled = {} } = isMedia ? { data } : withStatusKeys(data);
    return [
      ...statusRemarks(keys, statuses, { isMedia }).map(({ key, ...remark }) => ({
        path,
        keys: [spelled[key] ?? key],
        ...remark,
      })),
      ...pagelessRemarks(spelled, String(draft.status)).map(({ key, ...remark }) => ({
        path,
        keys: [key],
        onKey: true as const,
        ...remark,
      })),
      ...(isMedia ? [] : dateRemarks(data, String(draft.dateGmt), nowGmt, zone)).map(({ key, ...remark }) => ({
        path,
        keys: [key],
        onKey: true as const,
        ...remark,
      })),
    ];
  });
}

/** Dates by which other generators publish an item, or take it away, beside the one that is read as its date. */
function dateRemarks(data: Data, dateGmt: string, nowGmt: string, zone: string): readonly (Remark & { readonly key: string })[] {
  const gmtOf = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? (parseFileDate(String(value), zone)?.gmt ?? '') : '';
  if (dateGmt > nowGmt) return [];
  return Object.keys(data).flatMap((key) => {
    const [name, gmt] = [foldKey(key), gmtOf(data[key])];
    if (gmt === '') return [];
    if (releaseKeys.includes(name) && gmt > nowGmt)
      return [{ key, ...say('other-date', `${key} does not schedule the item`, `write date: ${String(data[key])}`) }];
    return expiryKeys.includes(name) && gmt < nowGmt
      ? [{ key, ...say('other-date', `${key} does not unpublish the item`, 'write status: draft') }]
      : [];
  });
}
