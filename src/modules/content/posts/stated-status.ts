/**
 * What a file says of its item's status: `status` itself and the keys other generators use to hold an item back (`draft: true`).
 * Readers meet an item only when every one of these keys lets them: whatever cannot be read makes a draft, never a public item.
 *
 * A date to come schedules a published item, whatever its file says (`resolveSchedule`).
 */
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { parseFileDate } from '../../../kernel/model/dates.ts';
import { type Draft, type FileContext, type FileFacet, forms } from '../../../kernel/model/field.ts';
import { of } from '../../../kernel/model/schema.ts';
import { foldKey } from '../front-matter/names.ts';
import type { Status } from '../../types/record.ts';

/** The status keys of a file, where the status does not follow from the usual form of them alone. */
export interface StatedStatus {
  /** Keys of `statusKeys` as the file has them. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The status that they gave when the file was read. */
  readonly means: string;
  /** Keys in another case (`Draft`), by the name that they have here. */
  readonly spelled?: Readonly<Record<string, string>>;
}

export interface WithStatus {
  readonly status: string;
  readonly stated: StatedStatus | null;
}

/** `true` and `false` in the spellings of YAML 1.1 and of people; undefined for what is neither. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') return undefined;
  const word = String(value).trim().toLowerCase();
  if (['true', 'yes', 'on', '1', 'y', 'open'].includes(word)) return true;
  return ['false', 'no', 'off', '0', 'n', 'closed'].includes(word) ? false : undefined;
}

interface Restriction {
  readonly about: string;
  /** The status of an item whose value asks to hold it back or cannot be read; also what `false` of a flag does not ask for. */
  readonly status: string;
  /** Whether a value asks to hold the item back; undefined: it cannot be read, which does as well. */
  readonly applies: (value: unknown) => boolean | undefined;
}

const openVisibilities: readonly string[] = ['public', 'publish', 'published'];

/** Keys by which generators hold an item back. There are no unlisted items here: what must not be found is private. */
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

/** Every key that the status of an item depends on, beside its date. */
export const statusKeys: readonly string[] = ['status', ...Object.keys(restrictions)];

/** What a restriction asks for: a status, or null for nothing. */
export function askedBy(key: string, value: unknown): string | null {
  const restriction = restrictions[key];
  if (!restriction || value === undefined || value === null || value === '') return null;
  return restriction.applies(value) === false ? null : restriction.status;
}

/** The status that a text names, in any case, and as other programs call it; undefined when there is none. */
export function statusNamed(value: unknown, names: readonly string[]): string | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return names.find((name) => name === (word === 'published' ? 'publish' : word));
}

/** How far a status holds an item back: 0 readers meet it (at its date), 1 those who may read private items do, 2 its editors. */
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

/** Shared: hand-written files often say it. */
const saysPublish: StatedStatus = { keys: { status: 'publish' }, means: 'publish' };

/**
 * The status that the keys of a file give its item, its date left out: for whoever has no record to read it into.
 * @param fallback  of a file that says nothing
 */
export function statusStated(data: Readonly<Record<string, unknown>>, statuses: readonly Status[], fallback = 'publish'): string {
  const draft: Draft<WithStatus> = { status: fallback, stated: null };
  const said = withStatusKeys(data).data;
  const names = statuses.map(({ name }) => name).filter((name) => name !== 'inherit');
  statusFacet(names, fallback).read(said.status, draft, nowhere);
  for (const key of Object.keys(restrictions)) restrictionFacet(key, statuses).read(said[key], draft, nowhere);
  return draft.status;
}

/** Keys of the status ask nothing of a site. */
const nowhere = {} as FileContext;

/** A key of `restrictions`; the status is read before it. It stays in the file as long as it agrees with the status. */
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

/**
 * What the date makes of the status: published with a date to come is scheduled, scheduled with a date gone by is published.
 * Scheduled without a date stays hidden, since nobody has said when.
 *
 * @param hasDate  whether the file says its date
 * @param nowMs    milliseconds since the epoch
 */
export function resolveSchedule(draft: Draft<WithStatus & { readonly dateGmt: string }>, hasDate: boolean, nowMs: number): void {
  const { status, stated } = draft;
  if (status !== 'publish' && (status !== 'future' || !hasDate)) return;
  const means = Date.parse(`${draft.dateGmt}Z`) > nowMs ? 'future' : 'publish';
  if (means === status) return;
  draft.status = means;
  const keys = stated?.keys ?? (status === 'publish' ? {} : { status });
  draft.stated = { ...stated, keys, means };
}

/** In a folder of drafts, what readers would meet is a draft, whatever its file says. */
export function asDraft(draft: Draft<WithStatus>, statuses: readonly Status[]): void {
  const { status, stated } = draft;
  if (reserve(statuses, status) > 0) return;
  draft.stated = { ...stated, keys: stated?.keys ?? (status === 'publish' ? {} : { status }), means: 'draft' };
  draft.status = 'draft';
}

/** Whether an item is published by now and its file still says that it is scheduled. */
export function saysFuture({ status, stated }: WithStatus): boolean {
  return status === 'publish' && stated !== null && statusNamed(stated.keys.status, ['future']) !== undefined;
}

/** Words of a `state` that hold an item back; others are of states of another kind. */
const draftStates: readonly string[] = ['draft', 'pending', 'review', 'trash', 'archived', 'unpublished'];

/** One of our keys with what it would say. */
type Meaning = readonly [name: string, value: unknown];

/**
 * Keys by which a generator makes no page of an item, or lists it nowhere, as they are compared (`foldKey`), with what a value of theirs means
 * in one of ours; undefined: nothing.
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

/** Hugo's `build`: a page that is not rendered has no address; one that is in no list is found by nobody. */
function buildMeaning(value: unknown): Meaning | undefined {
  const { render, list } = mapOf(value);
  const isNever = (said: unknown): boolean => said === false || ['never', 'false'].includes(wordOf(said));
  if (isNever(render) || wordOf(render) === 'link') return ['draft', true];
  return isNever(list) ? ['private', true] : undefined;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : '';
}

/** Whether a key is one of those by which generators make no page of an item. */
export function isPageless(key: string): boolean {
  return pageless.has(foldKey(key));
}

/** Names of others for the keys that hide an item, as they are compared (`foldKey`). A password hides what it protects. */
const hidingNames: ReadonlyMap<string, string> = new Map([
  ...[...statusKeys, 'password'].map((key): [string, string] => [key, key]),
  ['isdraft', 'draft'],
  ['publish', 'published'],
  ['poststatus', 'status'],
  ['postpassword', 'password'],
]);

/** Keys that may be another spelling: most are none, and every file is read. */
const mayBeSpelled = /[A-Z_\s-]|^(?:isdraft|publish|post(?:status|password)|state|permalink|headless|build)$/;

/** The usual name of a key that hides an item, where the file spells it in another way (`Draft`, `is_draft`). */
export function hidingKey(key: string): string | undefined {
  if (!mayBeSpelled.test(key)) return undefined;
  return hidingNames.get(foldKey(key));
}

/** What a key under another name says in one of ours; undefined: nothing, or it is one of ours. */
function meaningOf(key: string, value: unknown): Meaning | undefined {
  if (!mayBeSpelled.test(key)) return undefined;
  const folded = foldKey(key);
  const name = hidingNames.get(folded);
  return name === undefined ? pageless.get(folded)?.(value) : name === key ? undefined : [name, value];
}

/**
 * The front matter with the keys that hide an item under their own names: `Draft` is read as `draft`.
 * @returns also how the file spells them; undefined where it spells all of them as usual
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
    // Of two spellings, the one that hides counts.
    if (before !== undefined && (hides(name, before) || !hides(name, value))) continue;
    spelled ??= {};
    spelled[name] = key;
    said ??= {};
    said[name] = value;
  }
  return spelled ? { data: { ...data, ...said }, spelled } : { data };
}

/** Whether a value of one of our keys holds an item back, or says what the others must agree with. */
function hides(name: string, value: unknown): boolean {
  return name === 'status' || name === 'password'
    ? value !== undefined && value !== null && value !== ''
    : askedBy(name, value) !== null;
}

function negated(flag: boolean | undefined): boolean | undefined {
  return flag === undefined ? undefined : !flag;
}
