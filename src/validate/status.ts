/**
 * Status keys that cannot be read, that contradict each other, or that mean something else elsewhere. What the site makes of them
 * is in model/stated-status.ts.
 */
import { parseFileDate } from '../kernel/model/dates.ts';
import {
  askedBy,
  expiryKeys,
  flagOf,
  foldKey,
  releaseKeys,
  reserve,
  restrictions,
  statusNamed,
  withStatusKeys,
} from '../modules/posts/stated-status.ts';
import type { Status } from '../modules/types/statuses.ts';
import { nearest } from '../kernel/model/spelling.ts';
import type { Declarations } from './validate.ts';
import { didYouMean, type Finding, type Remark, say } from './finding.ts';
import type { ParsedFile } from './parsed-file.ts';

type Data = Readonly<Record<string, unknown>>;

export function checkStatuses(
  parsedFiles: readonly ParsedFile[],
  { statuses, types }: Declarations,
  nowGmt: string,
  zone: string,
): Finding[] {
  const known = new Set(types.map(({ name }) => name));
  return parsedFiles.flatMap(({ kind, of, entry: { path, data } }): Finding[] => {
    if ((kind !== 'post' && kind !== 'media') || !known.has(of)) return [];
    const isMedia = kind === 'media';
    const { data: keys, spelled = {} } = isMedia ? { data } : withStatusKeys(data);
    return [
      ...statusRemarks(keys, statuses, { isMedia }).map(({ key, ...remark }) => ({
        path,
        keys: [spelled[key] ?? key],
        ...remark,
      })),
      ...(isMedia ? [] : dateRemarks(data, nowGmt, zone)).map(({ key, ...remark }) => ({
        path,
        keys: [key],
        onKey: true as const,
        ...remark,
      })),
    ];
  });
}

/** What is wrong with the status keys of an item, each with its key. */
export function statusRemarks(
  data: Data,
  statuses: readonly Status[],
  { isMedia = false }: { readonly isMedia?: boolean } = {},
): readonly (Remark & { readonly key: string })[] {
  const remarks: (Remark & { key: string })[] = [];
  const names = statuses.map(({ name }) => name).filter((name) => isMedia || name !== 'inherit');
  const named = data.status === undefined ? undefined : statusNamed(data.status, names);
  const note = (key: string, message: string, hint?: string): void =>
    void remarks.push({ key, ...say(`field:${key}`, message, hint) });
  if (data.status !== undefined && named !== data.status) {
    const becomes = named === undefined ? 'the item is a draft until it is corrected' : `it is read as ${named}`;
    const hint = named ? `write ${named}` : didYouMean(nearest(String(data.status), names), `one of ${names.join(', ')}`);
    note('status', `${show(data.status)} is not a valid status: ${becomes}`, hint);
  }
  if (named === 'future' && (data.date === undefined || data.date === null))
    remarks.push({
      key: 'status',
      ...say('undated-schedule', 'scheduled without a date: nobody sees the item until it has one'),
    });
  for (const [key, { status, applies }] of Object.entries(restrictions)) {
    const value = data[key];
    if (value === undefined || value === null || value === '') continue;
    const asked = askedBy(key, value);
    const is = status === 'draft' ? 'a draft' : 'private';
    if (applies(value) === undefined) note(key, `${key} must be true or false, not ${show(value)}: the item is ${is}`);
    else if (named !== undefined && asked !== null && reserve(statuses, named) < reserve(statuses, asked))
      note(key, `${key}: ${String(value)} contradicts status: ${named}: the item is ${is}`, 'take one of the two out');
    else if (
      named !== undefined &&
      asked === null &&
      flagOf(value) !== undefined &&
      reserve(statuses, named) === reserve(statuses, status)
    )
      note(key, `${key}: ${String(value)} contradicts status: ${named}: the item is ${named}`, 'take one of the two out');
    else if (key === 'published' && asked === null && askedBy('draft', data.draft) !== null && flagOf(value) === true)
      note(
        key,
        `published: ${String(value)} contradicts draft: ${String(data.draft)}: the item is a draft`,
        'take one of the two out',
      );
    else if (asked !== null && (key === 'hidden' || key === 'unlisted'))
      remarks.push({ key, ...say('unlisted', `${key} makes the item private: there are no unlisted items here`) });
  }
  return remarks;
}

/** Dates by which other generators publish an item, or take it away: here only `date` does. */
function dateRemarks(data: Data, nowGmt: string, zone: string): readonly (Remark & { readonly key: string })[] {
  const gmtOf = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? (parseFileDate(String(value), zone)?.gmt ?? '') : '';
  if (gmtOf(data.date) > nowGmt) return [];
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

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
