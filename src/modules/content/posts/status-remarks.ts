/** Findings about status keys, for the log and `cms validate`. */
import { nearest } from '../../../kernel/model/spelling.ts';
import { didYouMean, type Remark, rule, type Rules, sayer, valueRules } from '../../../kernel/model/remark.ts';
import { foldKey } from '../front-matter/names.ts';
import { askedBy, flagOf, isPageless, reserve, restrictions, statusNamed } from './stated-status.ts';

export const statusRules = {
  'undated-schedule': rule(
    'warning',
    'Scheduled without a date: nobody sees the item until it has one.',
    'Add a `date` to the file.',
  ),
  unlisted: rule(
    'warning',
    'An item is private because a key of another generator hides it.',
    'Remove the key if everyone may read the item, otherwise write `status: private`.',
  ),
  'no-page': rule(
    'warning',
    'An item is a draft because a key of its generator gives it no page.',
    'Write `status: draft`, or remove the key if everyone may read the item.',
  ),
} as const satisfies Rules;

const say = sayer({ ...valueRules, ...statusRules });

/** Findings about other generators' keys that hide an item. @param spelled  from `withStatusKeys` */
export function pagelessRemarks(
  spelled: Readonly<Record<string, string>>,
  status: string,
): readonly (Remark & { readonly key: string })[] {
  return Object.values(spelled).flatMap((key) => {
    if (!isPageless(key) || foldKey(key) === 'state') return [];
    const becomes = status === 'private' ? 'private' : 'a draft';
    return [{ key, ...say('no-page', `${key} gives the item no page: it is ${becomes}`) }];
  });
}

/** Findings about status keys, each with its key. */
export function statusRemarks(
  data: Readonly<Record<string, unknown>>,
  statuses: Parameters<typeof reserve>[0],
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

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
