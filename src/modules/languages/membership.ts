/**
 * The group of a written item: joining, merging, leaving; and the resulting references.
 *
 * Errors   lang_unknown, lang_translation_invalid, lang_translation_exists
 */
import { fail } from '../../kernel/errors.ts';
import type { Call } from '../../kernel/rest/types.ts';
import { contextOf } from '../../kernel/site/record-file.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { FileChange } from '../../kernel/store/types.ts';
import { impliedReference, printReference, referenceTo } from './file-names.ts';
import { targetsOf } from './groups.ts';
import { languageOf, type Translated, type TranslatedTable } from './record.ts';

/** What is written: a type or a taxonomy. */
export interface WriteTarget {
  readonly table: TranslatedTable;
  readonly of: string;
}

export interface Membership {
  /** Language code of the written item. */
  readonly code: string;
  /** The new reference; undefined: unchanged. */
  readonly reference?: string | number;
  /** The original of a new item. */
  readonly source?: Translated;
  readonly once?: string;
  /** References of other members. */
  readonly changes: readonly FileChange[];
}

/** @param before  absent for a new item @throws RestError */
export function membershipOf(
  call: Pick<Call, 'site' | 'params'>,
  target: WriteTarget,
  before: Translated | undefined,
): Membership {
  const { site, params } = call;
  const isTranslated = site.translations.isTranslated(target.table, target.of);
  const usual = isTranslated ? languageOf(call) : site.languages.default;
  const code = (params.lang as string | undefined) ?? before?.lang ?? usual;
  if (params.lang !== undefined && !site.languages.of(code)) fail('lang_unknown', { params: { lang: code } });
  if (!isTranslated) return alone(call, code);
  const source = sourceOf(call, target, before, code);
  const asked = askedMembers(call, target, before);
  const isLeaving = before !== undefined && params.translation_of === 0;
  const isMoved = source !== undefined || asked !== undefined || isLeaving;
  const present = before ? site.translations.members(before).filter(({ id }) => id !== before.id) : [];
  if (!isMoved && code === before?.lang) return { code, changes: [] };
  if (!isMoved && present.length === 0) return before ? { code, changes: [] } : { code, reference: '', changes: [] };
  const stays = source || isLeaving ? [] : present.filter(({ lang }) => !asked?.leaving.has(lang));
  const joined = [...(source ? site.translations.members(source) : []), ...(asked?.joining ?? [])];
  const others = unique([...stays, ...joined]).filter(({ id }) => id !== before?.id);
  refuseTaken(others, code);
  const left = present.filter(({ id }) => !others.some((other) => other.id === id));
  const original = chooseOriginal(site, others, source, before);
  const parts = source || isLeaving ? [left] : left.map((one) => [one]);
  return {
    code,
    reference: original === undefined || original.id === before?.id ? '' : referenceIn(site, target.table, original),
    ...(source && !before ? { source } : {}),
    once: `translations of ${target.table} ${(original ?? before)?.id}`,
    changes: [
      ...(original ? pointTo(site, target.table, original, others) : []),
      ...parts.flatMap((part) => regrouped(site, target.table, part)),
    ],
  };
}

/** Of an untranslated kind. @throws RestError lang_translation_invalid */
function alone({ params }: Pick<Call, 'params'>, code: string): Membership {
  for (const name of ['translation_of', 'trid'] as const)
    if (params[name]) refuseMember(name, 'what is of this kind has no translations');
  if (Object.values((params.translations ?? {}) as object).some((id) => id !== 0))
    refuseMember('translations', 'what is of this kind has no translations');
  return { code, changes: [] };
}

/** References of a group that loses the member the others refer to. */
export function regrouped(site: Site, table: TranslatedTable, members: readonly Translated[]): FileChange[] {
  const heir = heirOf(site, members);
  return heir === undefined ? [] : pointTo(site, table, heir, members);
}

/** The new original. */
export function heirOf(site: Site, members: readonly Translated[]): Translated | undefined {
  return members.find(({ lang }) => lang === site.languages.default) ?? [...members].sort((a, b) => a.id - b.id)[0];
}

export function writeReference(
  site: Site,
  { path, etag }: Pick<Translated, 'path' | 'etag'>,
  reference: string | number,
): FileChange {
  const { marks, folderAt } = contextOf(site, path).refs;
  const value =
    reference === impliedReference(path, marks)
      ? undefined
      : reference === '' && !isMarked(path)
        ? undefined
        : printReference(reference, path, folderAt);
  return { path, expect: etag, data: { translation_of: value }, order: ['id', 'translation_of'] };

  function isMarked(one: string): boolean {
    return impliedReference(one, marks) !== '';
  }
}

/** A reference by name, or by id if the name is ambiguous. */
export function referenceIn(site: Site, table: TranslatedTable, item: Translated): string | number {
  const name = referenceTo(item.path, item.slug);
  const named = [...targetsOf(site.records.table(table), { ...item, translationOf: name })];
  return named.length === 1 && named[0] === item.id ? name : item.id;
}

function pointTo(site: Site, table: TranslatedTable, original: Translated, members: readonly Translated[]): FileChange[] {
  const items = site.records.table<Translated>(table);
  const reference = referenceIn(site, table, original);
  return members.flatMap((one) => {
    const targets = one.translationOf === '' ? [] : [...targetsOf(items, one)];
    if (one.id === original.id) return targets.length === 0 ? [] : [writeReference(site, one, '')];
    return targets.includes(original.id) ? [] : [writeReference(site, one, reference)];
  });
}

/** The item in `translation_of`, or in `trid` with `source_lang`. */
function sourceOf(
  { site, params }: Pick<Call, 'site' | 'params'>,
  target: WriteTarget,
  before: Translated | undefined,
  code: string,
): Translated | undefined {
  const items = site.records.table<Translated>(target.table);
  const named = (params.translation_of as number | undefined) || (before ? undefined : (params.trid as number | undefined));
  if (named === undefined || named === null) return undefined;
  const found = items.get(named);
  const isByGroup = !params.translation_of && typeof params.source_lang === 'string';
  const source = isByGroup && found ? site.translations.group(found).get(params.source_lang) : found;
  if (!isKin(source, target) || source.id === before?.id)
    return refuseMember('translation_of', `there is no item ${named} of this kind to be translated`);
  if (source.lang === code) return refuseMember('translation_of', `item ${source.id} is in this language itself`);
  return source;
}

interface AskedMembers {
  readonly joining: readonly Translated[];
  /** Codes. */
  readonly leaving: ReadonlySet<string>;
}

/** The requested members. */
function askedMembers(
  { site, params }: Pick<Call, 'site' | 'params'>,
  target: WriteTarget,
  before: Translated | undefined,
): AskedMembers | undefined {
  const asked = params.translations as Readonly<Record<string, number>> | undefined;
  if (asked === undefined || asked === null) return undefined;
  const items = site.records.table<Translated>(target.table);
  const joining: Translated[] = [];
  const leaving = new Set<string>();
  for (const [code, id] of Object.entries(asked)) {
    if (!site.languages.of(code)) refuseMember('translations', `${JSON.stringify(code)} is not a language of the site`);
    if (id === 0) leaving.add(code);
    else if (id !== before?.id) {
      const item = items.get(id);
      if (!isKin(item, target) || item.lang !== code)
        return refuseMember('translations', `item ${id} is not of this kind in the language "${code}"`);
      joining.push(...site.translations.members(item));
    }
  }
  return { joining, leaving };
}

function isKin(item: Translated | undefined, { table, of }: WriteTarget): item is Translated {
  return item !== undefined && (table === 'terms' ? item.taxonomy : item.type) === of;
}

function refuseMember(param: string, message: string): never {
  return fail('lang_translation_invalid', { params: { [param]: message } }, `Invalid ${param}: ${message}.`);
}

/** @throws RestError lang_translation_exists */
function refuseTaken(others: readonly Translated[], code: string): void {
  const holders = new Map<string, number>();
  for (const { lang, id } of others) {
    const taken = lang === code ? id : holders.get(lang);
    if (taken !== undefined) fail('lang_translation_exists', { existing_id: taken, lang });
    holders.set(lang, id);
  }
}

function chooseOriginal(
  site: Site,
  others: readonly Translated[],
  source: Translated | undefined,
  before: Translated | undefined,
): Translated | undefined {
  if (others.length === 0) return undefined;
  const wanted = source ?? before ?? (others[0] as Translated);
  const original = site.translations.original(wanted);
  if (original.id === before?.id) return source ? others[0] : before;
  return others.find(({ id }) => id === original.id) ?? others[0];
}

function unique(items: readonly Translated[]): readonly Translated[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
