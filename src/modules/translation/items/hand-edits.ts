/**
 * What edits by hand make of the records of translations: an original that changes while the site is open leaves to its translations
 * what it was, and a translation that is edited alone is of its original as that is now. What changes together belongs together.
 */
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, FileChange } from '../../../kernel/store/types.ts';
import { itemAt } from '../../languages/index.ts';
import { renameOriginal, type TranslatedOriginal, writeDirect } from '../jobs/index.ts';
import type { StatusRecord } from '../jobs/record.ts';
import { type Direct, naming, originalOf, recordOf, unknownOf } from './direct.ts';
import { hashOf, type ItemToTranslate, isTerm, textsOf } from './texts.ts';

/** As an item is before memory follows. */
interface Former {
  readonly item: ItemToTranslate;
  /** Records that call it by its name. */
  readonly names: readonly StatusRecord[];
  /** Translations without a record, and what those are of. */
  readonly unknown: readonly ItemToTranslate[];
  readonly original: TranslatedOriginal | null;
}

/** @returns what is to be written once memory follows */
export function followHands(cx: Direct, { entries, removed }: Batch): () => readonly FileChange[] {
  const { site } = cx;
  const paths = new Set([...entries.map(({ path }) => path), ...removed]);
  const present = [...paths].flatMap((path) => itemOf(site, path) ?? []);
  const formers = present.map((item): Former => {
    const unknown = originalOf(site, item) === item ? unknownOf(site, item) : [];
    return { item, names: naming(site, item), unknown, original: unknown.length > 0 ? cx.original(item) : null };
  });
  const hashes = new Map(present.flatMap((item) => (behind(site, item) ? [[item.id, hashOf(textsOf(site, item))]] : [])));
  return () => [
    ...formers.flatMap((former) => afterOriginal(cx, former, paths)),
    ...entries.flatMap(({ path }) => {
      const item = itemOf(site, path);
      const record = item && behind(site, item);
      if (!record || hashes.get(item.id) === hashOf(textsOf(site, item))) return [];
      const source = originalOf(site, item);
      return paths.has(source.path) || paths.has(record.path) ? [] : writeDirect(site, cx.original(source), item.lang, record);
    }),
  ];
}

function itemOf(site: Site, path: string): ItemToTranslate | undefined {
  return itemAt(site, path) as ItemToTranslate | undefined;
}

/** The record of a translation without a job that its original has left behind. */
function behind(site: Site, item: ItemToTranslate): StatusRecord | undefined {
  const record = originalOf(site, item) === item ? undefined : recordOf(site, item, item.lang);
  return record?.job === 0 && record.needsUpdate ? record : undefined;
}

/** @param paths  files that have changed at once */
function afterOriginal(cx: Direct, { item, names, unknown, original }: Former, paths: ReadonlySet<string>): FileChange[] {
  const { site } = cx;
  const now = site.records.table<ItemToTranslate>(isTerm(item) ? 'terms' : 'posts').get(item.id);
  if (!now || (original === null && names.length === 0)) return [];
  const { named, hash } = cx.original(now);
  const renamed = names.flatMap(({ id }) => {
    const record = site.records.table<StatusRecord>('translationStatuses').get(id);
    return record && record.named !== named ? [renameOriginal(site, record, named)] : [];
  });
  if (original === null || hash === original.hash) return renamed;
  const left = new Set(unknownOf(site, now).map(({ id }) => id));
  const alone = unknown.filter(({ id, path }) => left.has(id) && !paths.has(path));
  const made = alone.flatMap(({ lang }) => writeDirect(site, { ...original, named }, lang, recordOf(site, now, lang)));
  return [...renamed, ...made];
}
