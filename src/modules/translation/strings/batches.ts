/**
 * Batches of strings, which jobs translate as one: `lang/strings/batches/<id>.yaml` names the strings. The same strings are the same
 * batch, so that ordering them again is another attempt of the same translation.
 *
 * Source: reference on languages, 13.7.
 */
import { createHash } from 'node:crypto';
import { fail } from '../../../kernel/errors.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, Entry, FileChange } from '../../../kernel/store/types.ts';
import type { JobSubject, SubjectPlan, SubjectSource } from '../jobs/record.ts';
import type { DomainFiles } from './domain-files.ts';
import { writeTranslations } from './domain-files.ts';
import { nameKey, type StringTranslation, type UiString } from './record.ts';
import { sourceLanguage } from './settings.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly stringBatches: StringBatches;
  }
}

interface StringBatches {
  take(batch: Batch): void;
  /** Undefined: there is none of this id. */
  of(id: number): Entry | undefined;
}

const folder = 'lang/strings/batches/';
const place = /^lang\/strings\/batches\/(\d{1,10})\.yaml$/;

export function createStringBatches(): StringBatches {
  const files = new Map<number, Entry>();
  const idOf = (path: string): number => Number(place.exec(path)?.[1] ?? 0);
  return {
    take({ entries, removed }) {
      for (const path of removed) files.delete(idOf(path));
      for (const entry of entries) if (idOf(entry.path) > 0) files.set(idOf(entry.path), entry);
    },
    of: (id) => files.get(id),
  };
}

/** The batch of these strings. @returns its id @throws RestError rest_invalid_param for strings that are not there */
export async function makeStringBatch(site: Site, ids: readonly number[]): Promise<number> {
  const all = site.translationStrings.all();
  const strings = [...new Set(ids)]
    .sort((a, b) => a - b)
    .map((id) => {
      const found = all.get(id);
      if (!found)
        fail('rest_invalid_param', { params: { ids: `There is no string ${id}.` }, details: [] }, 'Invalid parameter(s): ids');
      return found;
    });
  const [{ lang } = { lang: '' }] = strings;
  if (strings.some((one) => one.lang !== lang))
    fail(
      'rest_invalid_param',
      { params: { ids: 'The strings are in several languages.' }, details: [] },
      'Invalid parameter(s): ids',
    );
  const names = strings.map(({ domain, name, context }) => ({ domain, name, ...(context === '' ? {} : { context }) }));
  const id = createHash('md5').update(JSON.stringify(names)).digest().readUInt32BE(0) & 0x7fffffff || 1;
  if (site.stringBatches.of(id) === undefined) {
    const write = { path: `${folder}${id}.yaml`, expect: null, data: { strings: names }, order: ['strings'] };
    await site.write(() => ({ changes: site.stringBatches.of(id) ? [] : [write], result: null, once: `strings:${id}` }));
  }
  return id;
}

/** What jobs ask of batches. */
export function stringSubject(site: Site, files: DomainFiles): JobSubject {
  const sourceOf = (id: number): SubjectSource | null => {
    if (site.stringBatches.of(id) === undefined) return null;
    const strings = stringsIn(site, id);
    return {
      item: id,
      element: 'st-batch_strings',
      title: strings[0] ? `${strings[0].value.slice(0, 60)}${strings.length > 1 ? ` (${strings.length})` : ''}` : `Strings ${id}`,
      lang: strings[0]?.lang ?? sourceLanguage(site),
      refusal: strings.length === 0 ? 'nothing_to_translate' : null,
      texts: () =>
        strings.map(({ id: own, value, type }) => ({
          id: `string-${own}`,
          format: type === 'VISUAL' ? 'html' : 'plain',
          text: value,
        })),
      hash: () => hashOf(strings.map(({ value }) => value)),
      href: '',
    };
  };
  return {
    type: 'st-batch_strings',
    find: ({ id, type }) => (type === 'string' ? sourceOf(id) : null),
    present: ({ item }) => sourceOf(item),
    apply: ({ item, target, translator }, texts, by) => plan(site, files, item, target, texts, translator || (by?.id ?? 0)),
    translated({ item, target }) {
      const found = stringsIn(site, item).flatMap((one): (readonly [string, string])[] => {
        const row = site.translationStrings.translations(one.domain, target).get(nameKey(one.name, one.context));
        return row?.values[0] && row.original === one.value ? [[`string-${one.id}`, row.values[0]]] : [];
      });
      if (found.length === 0) return null;
      return { id: item, status: 'publish', href: '', hash: hashOf(found.map(([, text]) => text)), texts: () => new Map(found) };
    },
    members: (_element, item) => [item],
  };
}

function hashOf(texts: readonly string[]): string {
  return createHash('md5').update(texts.join(';')).digest('hex');
}

/** The strings of a batch that there still are, in the language of the first. */
export function stringsIn(site: Site, id: number): readonly UiString[] {
  const rows = site.stringBatches.of(id)?.data.strings;
  const byName = new Map(
    [...site.translationStrings.all().values()].map((one) => [`${one.domain}\n${nameKey(one.name, one.context)}`, one]),
  );
  const found = (Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []).flatMap((row) => {
    const { domain, name, context = '' } = row ?? {};
    return byName.get(`${String(domain)}\n${nameKey(String(name), String(context))}`) ?? [];
  });
  return found.filter(({ lang }) => lang === found[0]?.lang);
}

function plan(
  site: Site,
  files: DomainFiles,
  item: number,
  code: string,
  texts: ReadonlyMap<string, string>,
  translator: number,
): SubjectPlan {
  const rows = new Map<string, StringTranslation[]>();
  for (const { id, domain, name, context, value } of stringsIn(site, item)) {
    const text = texts.get(`string-${id}`);
    if (text === undefined) continue;
    const row = { name, context, original: value, values: [text], isFuzzy: false, translator, date: site.now().gmt };
    rows.set(domain, [...(rows.get(domain) ?? []), row]);
  }
  const changes = [...rows].map(([domain, some]): FileChange => writeTranslations(files.of(domain, code), domain, code, some));
  return { changes, item };
}
