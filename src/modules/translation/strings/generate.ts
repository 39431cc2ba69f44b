/**
 * Files that programs load, `lang/generated/<domain>-<locale>.mo`: what people translated and the files of the language have otherwise.
 * Scripts get JSON with everything (`strings/json_domains` names their domains). What has nothing to say has no file.
 *
 * Source: reference on languages, 9.2.
 */
import type { Site } from '../../../kernel/site/site.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { type GettextMessage, printJson, printMessages } from './gettext.ts';
import { messageKey } from './language-files.ts';
import { fileName } from './record.ts';
import { scriptDomains, sourceLanguage } from './settings.ts';

const folder = 'lang/generated/';
const perPage = 20;
const maxMs = 5000;

/** A file to be there, or gone. */
interface Wanted {
  readonly path: string;
  /** Null: nothing to say. */
  readonly bytes: Buffer | null;
}

export interface Generator {
  /** Writes the files of the next pairs of domain and locale. @returns pages that are left; 0 when all is written */
  run(): Promise<number>;
}

/** What people translated and finished; a text whose original has changed is none of it. */
function finished(site: Pick<Site, 'translationStrings'>, domain: string, code: string): readonly GettextMessage[] {
  const originals = new Map(
    [...site.translationStrings.all().values()].map((one) => [`${one.domain}\n${one.context}\n${one.value}`, one]),
  );
  return [...site.translationStrings.translations(domain, code).values()].flatMap((row): readonly GettextMessage[] => {
    if (row.isFuzzy || row.values.every((value) => value === '')) return [];
    const { original, context, values } = row;
    const plural = originals.get(`${domain}\n${context}\n${original}`)?.plural ?? '';
    return [{ context, original, plural, values, isFuzzy: false }];
  });
}

export function createGenerator(site: Site): Generator {
  /** Pairs that are done in this round. */
  let position = 0;
  return {
    async run() {
      const pairs = pairsOf(site);
      if (position >= pairs.length) position = 0;
      const end = performance.now() + maxMs;
      const wanted: Wanted[] = [];
      const last = Math.min(pairs.length, position + perPage);
      let at = position;
      for (; at < last && (at === position || performance.now() < end); at++) wanted.push(...filesOf(site, pairs[at] as Pair));
      await write(site, wanted);
      position = at >= pairs.length ? 0 : at;
      return position === 0 ? 0 : Math.ceil((pairs.length - position) / perPage);
    },
  };
}

interface Pair {
  readonly domain: string;
  readonly code: string;
  readonly locale: string;
}

/** Every domain with each language that not all of its originals are in. */
function pairsOf(site: Site): readonly Pair[] {
  const { translationStrings, languages } = site;
  const sources = new Map<string, Set<string>>();
  for (const { domain, lang } of translationStrings.all().values())
    sources.set(domain, (sources.get(domain) ?? new Set()).add(lang));
  return translationStrings.domains().flatMap((domain) => {
    const inUse = sources.get(domain) ?? new Set([sourceLanguage(site)]);
    const codes = languages.codes.filter((code) => inUse.size > 1 || !inUse.has(code));
    return codes.map((code) => ({ domain, code, locale: languages.of(code)?.locale ?? code }));
  });
}

function filesOf(site: Site, { domain, code, locale }: Pair): readonly Wanted[] {
  const brought = site.languageFiles.messages(domain, code);
  const own = finished(site, domain, code);
  const changed = own.filter(
    ({ original, context, values }) => brought.get(messageKey(original, context))?.values.join('\0') !== values.join('\0'),
  );
  const path = `${folder}${fileName(domain)}-${locale}`;
  const isForScripts = scriptDomains(site).includes(domain);
  const all = new Map([...brought, ...own.map((one) => [messageKey(one.original, one.context), one] as const)]);
  return [
    { path: `${path}.mo`, bytes: changed.length === 0 ? null : printMessages('mo', locale, changed) },
    { path: `${path}.json`, bytes: !isForScripts || all.size === 0 ? null : printJson(domain, locale, [...all.values()]) },
  ];
}

async function write(site: Site, wanted: readonly Wanted[]): Promise<void> {
  const changes: FileChange[] = [];
  for (const { path, bytes } of wanted) {
    const present = await site.store.readBytes(path);
    if (bytes === null) {
      if (present !== null) changes.push({ remove: path });
    } else if (present === null || !bytes.equals(present)) changes.push({ path, bytes });
  }
  if (changes.length > 0) await site.write(() => ({ changes, result: null }));
}
