/**
 * The strings of a site: where they come from, and what they are in each language.
 */
import { createHash } from 'node:crypto';
import { fail } from '../../../kernel/errors.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { type DomainFiles, writeTranslations } from './domain-files.ts';
import type { NoteString } from './autoregister.ts';
import type { LanguageFiles } from './language-files.ts';
import {
  nameKey,
  type SourceString,
  stringStatus,
  type StringTranslation,
  type TranslationStrings,
  type UiString,
} from './record.ts';
import { sourceLanguage } from './settings.ts';

const none: ReadonlyMap<string, StringTranslation> = new Map();

export function createStrings(
  site: Pick<Site, 'write' | 'languages' | 'stringSettings'>,
  files: DomainFiles,
  languageFiles: Pick<LanguageFiles, 'lookUp' | 'domains'>,
  note: NoteString,
): TranslationStrings {
  const sources: (() => Iterable<SourceString>)[] = [];
  const registered = new Map<string, SourceString>();

  function* sourceStrings(): Iterable<SourceString> {
    yield* registered.values();
    for (const source of sources) yield* source();
    for (const { own } of files.all()) yield* own;
  }

  const strings: TranslationStrings = {
    addSource: (source) => void sources.push(source),
    registerString: (domain, name, value, context = '') =>
      void registered.set(`${domain}\n${nameKey(name, context)}`, { domain, name, value, context }),
    all() {
      const byKey = new Map<string, SourceString>();
      for (const one of sourceStrings()) {
        const key = `${one.domain}\n${nameKey(one.name, one.context)}`;
        if (one.value.trim() !== '' && !byKey.has(key)) byKey.set(key, one);
      }
      const found = new Map<number, UiString>();
      const source = sourceLanguage(site);
      for (const [key, one] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
        let id = idOf(key);
        while (found.has(id)) id = (id % 0x7fffffff) + 1;
        const { domain, name, value, context = '', plural = null, type = 'LINE', lang = source } = one;
        found.set(id, { id, domain, name, value, context, plural, type, lang });
      }
      return found;
    },
    domains() {
      const named = [...files.all()].map(({ domain }) => domain);
      return [...new Set([...[...sourceStrings()].map(({ domain }) => domain), ...named, ...languageFiles.domains()])].sort();
    },
    translate({ domain, name, value, context = '' }, code, by) {
      const own = files.of(domain, code)?.translations.get(nameKey(name, context));
      const [text = ''] = own?.values ?? [];
      if (own && !own.isFuzzy && own.original === value && text !== '') return text;
      const brought = languageFiles.lookUp(domain, code, value, context)?.[0] || null;
      if (brought === null && by !== undefined) note({ domain, name, value, context }, by);
      return brought;
    },
    statusOf({ domain, name, context, value }, code) {
      const own = files.of(domain, code)?.translations.get(nameKey(name, context));
      if (own === undefined || own.values.every((text) => text === '')) return stringStatus.none;
      if (own.original !== value) return stringStatus.needsUpdate;
      return own.isFuzzy ? stringStatus.inProgress : stringStatus.complete;
    },
    translations: (domain, code) => files.of(domain, code)?.translations ?? none,
    async save(domain, code, rows) {
      if (!site.languages.of(code)) fail('lang_unknown', { params: { lang: code } });
      await site.write(() => {
        const changes = rows.length === 0 ? [] : [writeTranslations(files.of(domain, code), domain, code, rows)];
        return { changes, result: null };
      });
    },
  };
  return strings;
}

/** From 1 to 2³¹ − 1. */
function idOf(key: string): number {
  return createHash('md5').update(key).digest().readUInt32BE(0) & 0x7fffffff || 1;
}
