/**
 * The status in a file: `status` and the keys with which other generators hide an item (`draft: true`). An item is public only if all of them allow
 * it; an unreadable value makes a draft.
 *
 * A future date schedules a published item (`resolveSchedule`).
 */
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { parseFileDate, printGmt } from '../../../kernel/model/dates.ts';
import { type Draft, type FileContext, type FileFacet, forms } from '../../../kernel/model/field.ts';
import { of } from '../../../kernel/model/schema.ts';
import { foldKey } from '../front-matter/names.ts';
import type { Status } from '../../types/record.ts';

/** The status keys of a file, if the status alone does not imply them. */
export interface StatedStatus {
  /** Keys of `statusKeys` as in the file. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The status they meant when the file was read. */
  readonly means: string;
  /** Keys in another case (`Draft`), by their usual name. */
  readonly spelled?: Readonly<Record<string, string>>;
}

interface WithStatus {
  readonly status: string;
  readonly stated: StatedStatus | null;
}

/** A boolean in the spellings of YAML 1.1; undefined if it is neither. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') return undefined;
  const word = String(value).trim().toLowerCase();
  if (['true', 'yes', 'on', '1', 'y', 'open'].includes(word)) return true;
  return ['false', 'no', 'off', '0', 'n', 'closed'].includes(word) ? false : undefined;
}

interface Restriction {
  readonly about: string;
  /** The status for a value that hides the item or is unreadable. */
  readonly status: string;
  /** Whether a value hides the item; undefined if unreadable, which hides it too. */
  readonly applies: (value: unknown) => boolean | undefined;
}

const openVisibilities: readonly string[] = ['public', 'publish', 'published'];

/** Keys that hide an item. There are no unlisted items: such items are private. */
export const restrictions: Readonly<Record<string, Restriction>> = table({
  draft: { about: '`true`: a draft, whatever `status` says.', status: 'draft', applies: flagOf },
  published: {
    about: '`false`: a draft, whatever `status` says. A date changes nothing.',
    status: 'draft',
    applies: (value) => (parseFileDate(String(value), 'UTC') ? false : negated(flagOf(value))),
  },
  private: { about: '`true`: private, unless `status` holds it back further.', status: 'private', applies: flagOf },
  hidden: { about: '`true`: as `private: true`.', status: 'private', applies: flagOf },
  unlisted: { about: '`true`: as `private: true`.', status: 'private', applies: flagOf },
  visibility: {
    about: 'All but `public`: as `private: true`.',
    status: 'private',
    applies: (value) => !openVisibilities.includes(String(value).trim().toLowerCase()),
  },
});

/** Every key that affects the status, except the date. */
const statusKeys: readonly string[] = ['status', ...Object.keys(restrictions)];

/** The status required by a restriction; null for none. */
export function askedBy(key: string, value: unknown): string | null {
  const restriction = restrictions[key];
  if (!restriction || value === undefined || value === null || value === '') return null;
  return restriction.applies(value) === false ? null : restriction.status;
}

/** The status for a text, in any case, including other programs' names; undefined if unknown. */
export function statusNamed(value: unknown, names: readonly string[]): string | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return names.find((name) => name === (word === 'published' ? 'publish' : word));
}

/** How restricted a status is: 0 public (at its date), 1 for readers of private items, 2 for editors. */
export function reserve(statuses: readonly Status[], name: string): number {
  if (name === 'future' || name === 'inherit') return 0;
  const status = statuses.find((one) => one.name === name);
  return status?.public ? 0 : status?.private ? 1 : 2;
}

/** The `status` key. @param fallback  status of a file without it, which is not written */
export function statusFacet<R extends WithStatus>(names: readonly string[], fallback: string): FileFacet<R> {
  return {
    key: 'status',
    form: { type: 'string', enum: names },
    read(raw, draft: Draft<WithStatus>) {
      const status = raw === undefined ? fallback : (statusNamed(raw, names) ?? 'draft');
      draft.status = status;
      if (raw === undefined || (raw === status && status !== fallback)) draft.stated = null;
      else draft.stated = raw === 'publish' ? saysPublish : { keys: { status: raw }, means: status };
    },
    print({ status, stated }) {
      if (stated?.means === status) return stated.keys.status;
      if (status !== fallback) return status;
      return stated?.keys.status === fallback ? fallback : undefined;
    },
  };
}

/** Shared, because many files have it. */
const saysPublish: StatedStatus = { keys: { status: 'publish' }, means: 'publish' };

/**
 * The status from the keys of a file, ignoring the date, for code without a record.
 * @param fallback  of a file without any
 */
export function statusStated(data: Readonly<Record<string, unknown>>, statuses: readonly Status[], fallback = 'publish'): string {
  const draft: Draft<WithStatus> = { status: fallback, stated: null };
  const said = withStatusKeys(data).data;
  const names = statuses.map(({ name }) => name).filter((name) => name !== 'inherit');
  statusFacet(names, fallback).read(said.status, draft, nowhere);
  for (const key of Object.keys(restrictions)) restrictionFacet(key, statuses).read(said[key], draft, nowhere);
  return draft.status;
}

const nowhere = {} as FileContext;

/** A key of `restrictions`, read after the status. It stays in the file as long as it agrees with the status. */
export function restrictionFacet<R extends WithStatus>(key: string, statuses: readonly Status[]): FileFacet<R> {
  return {
    key,
    form: of(forms.text.type, restrictions[key]?.about ?? ''),
    read(raw, draft: Draft<WithStatus>) {
      if (raw === undefined) return;
      const asked = askedBy(key, raw);
      const before = reserve(statuses, draft.status);
      const keys =
        draft.stated?.keys ?? (draft.status === 'publish' || draft.status === 'inherit' ? {} : { status: draft.status });
      if (asked !== null && reserve(statuses, asked) > before) draft.status = asked;
      draft.stated = { keys: { ...keys, [key]: raw }, means: draft.status };
    },
    print({ status, stated }) {
      const raw = stated?.keys[key];
      if (raw === undefined || stated?.means === status) return raw;
      const asked = askedBy(key, raw);
      return asked === null ? (reserve(statuses, status) === 0 ? raw : undefined) : asked === status ? raw : undefined;
    },
  };
}

/** What a published or scheduled item is by its date. */
export function statusAt(dateGmt: string, nowGmt: string): 'future' | 'publish' {
  return dateGmt > nowGmt ? 'future' : 'publish';
}

/**
 * Applies the date to the status: published with a future date is scheduled, scheduled with a past date is published. Scheduled without a date stays
 * hidden.
 *
 * @param hasDate  whether the file has a date
 * @param nowMs    milliseconds since the epoch
 */
export function resolveSchedule(draft: Draft<WithStatus & { readonly dateGmt: string }>, hasDate: boolean, nowMs: number): void {
  const { status, stated } = draft;
  if (status !== 'publish' && (status !== 'future' || !hasDate)) return;
  const means = statusAt(draft.dateGmt, printGmt(nowMs));
  if (means === status) return;
  draft.status = means;
  const keys = stated?.keys ?? (status === 'publish' ? {} : { status });
  draft.stated = { ...stated, keys, means };
}

/** Makes public items in a drafts folder drafts, whatever the file says. */
export function asDraft(draft: Draft<WithStatus>, statuses: readonly Status[]): void {
  const { status, stated } = draft;
  if (reserve(statuses, status) > 0) return;
  draft.stated = { ...stated, keys: stated?.keys ?? (status === 'publish' ? {} : { status }), means: 'draft' };
  draft.status = 'draft';
}

/** Whether an item is published but its file still says `future`. */
export function saysFuture({ status, stated }: WithStatus): boolean {
  return status === 'publish' && stated !== null && statusNamed(stated.keys.status, ['future']) !== undefined;
}

/** Values of `state` that hide an item; others have another meaning. */
const draftStates: readonly string[] = ['draft', 'pending', 'review', 'trash', 'archived', 'unpublished'];

type Meaning = readonly [name: string, value: unknown];

/**
 * Keys (`foldKey`) with which a generator makes no page of an item, or lists it nowhere, with the meaning of their values in ours; undefined: none.
 */
const pageless: ReadonlyMap<string, (value: unknown) => Meaning | undefined> = new Map([
  ['state', stateMeaning],
  ['permalink', (value: unknown) => (value === false || wordOf(value) === 'false' ? (['draft', true] as const) : undefined)],
  ['headless', (value: unknown) => (flagOf(value) === true ? (['draft', true] as const) : undefined)],
  ['build', buildMeaning],
]);

function stateMeaning(value: unknown): Meaning | undefined {
  const word = wordOf(value);
  if (draftStates.includes(word)) return ['draft', true];
  return word === 'private' || word === 'hidden' ? ['private', true] : undefined;
}

/** Hugo's `build`: an unrendered page has no URL; an unlisted one is private. */
function buildMeaning(value: unknown): Meaning | undefined {
  const { render, list } = mapOf(value);
  const isNever = (said: unknown): boolean => said === false || ['never', 'false'].includes(wordOf(said));
  if (isNever(render) || wordOf(render) === 'link') return ['draft', true];
  return isNever(list) ? ['private', true] : undefined;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : '';
}

export function isPageless(key: string): boolean {
  return pageless.has(foldKey(key));
}

/** Other names (`foldKey`) for keys that hide an item. A password hides what it protects. */
const hidingNames: ReadonlyMap<string, string> = new Map([
  ...[...statusKeys, 'password'].map((key): [string, string] => [key, key]),
  ['isdraft', 'draft'],
  ['unpublished', 'draft'],
  ['publish', 'published'],
  ['ispublished', 'published'],
  ['ispublic', 'published'],
  ['isprivate', 'private'],
  ['ishidden', 'hidden'],
  ['isunlisted', 'unlisted'],
  ['poststatus', 'status'],
  ['postpassword', 'password'],
]);

/** Fast check: most keys are not another spelling, and every file is read. */
const mayBeSpelled =
  /[A-Z_\s-]|^(?:is(?:draft|published|public|private|hidden|unlisted)|unpublished|publish|post(?:status|password)|state|permalink|headless|build)$/;

/** The usual name of a key that hides an item, for another spelling (`Draft`, `is_draft`). */
export function hidingKey(key: string): string | undefined {
  if (!mayBeSpelled.test(key)) return undefined;
  return hidingNames.get(foldKey(key));
}

/** The meaning of a key under another name; undefined for none, and for our own keys. */
function meaningOf(key: string, value: unknown): Meaning | undefined {
  if (!mayBeSpelled.test(key)) return undefined;
  const folded = foldKey(key);
  const name = hidingNames.get(folded);
  return name === undefined ? pageless.get(folded)?.(value) : name === key ? undefined : [name, value];
}

/**
 * Front matter with status keys under their usual names: `Draft` becomes `draft`.
 * @returns also the spellings; undefined if all are usual
 */
export function withStatusKeys(data: Readonly<Record<string, unknown>>): {
  readonly data: Readonly<Record<string, unknown>>;
  readonly spelled?: Readonly<Record<string, string>>;
} {
  let spelled: Record<string, string> | undefined;
  let said: Record<string, unknown> | undefined;
  for (const key in data) {
    const [name, value] = meaningOf(key, data[key]) ?? [];
    if (name === undefined) continue;
    const before = said && Object.hasOwn(said, name) ? said[name] : data[name];
    // Of two spellings, the restrictive one wins.
    if (before !== undefined && (hides(name, before) || !hides(name, value))) continue;
    spelled ??= {};
    spelled[name] = key;
    said ??= {};
    said[name] = value;
  }
  return spelled ? { data: { ...data, ...said }, spelled } : { data };
}

/** Whether a value hides the item, or is one that others must agree with. */
function hides(name: string, value: unknown): boolean {
  return name === 'status' || name === 'password'
    ? value !== undefined && value !== null && value !== ''
    : askedBy(name, value) !== null;
}

function negated(flag: boolean | undefined): boolean | undefined {
  return flag === undefined ? undefined : !flag;
}
