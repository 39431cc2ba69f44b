/**
 * Languages added after the first start: media and the default category get an item in each, once. Known languages are in the cache; without it, the
 * current ones count as the first.
 */
import type { Job } from '../../kernel/module.ts';
import { uniqueSlug } from '../../kernel/model/slugs.ts';
import { chunksOf } from '../../kernel/scheduler.ts';
import { writeRecord } from '../../kernel/site/record-file.ts';
import type { PlanningSite, Site } from '../../kernel/site/site.ts';
import type { FileChange } from '../../kernel/store/types.ts';
import { decodeEntities } from '../../render/text.ts';
import { impliedReference, marked } from './file-names.ts';
import type { Translated } from './record.ts';

const document = 'languages.json';
/** Media per write. */
const atOnce = 50;

export const addedLanguages: Job = {
  name: 'added languages',
  start(site) {
    let isOver = false;
    let seen: readonly string[] | undefined;
    let underWay = Promise.resolve();
    const look = (): void => {
      const { codes } = site.languages;
      if (isOver || site.store.readOnly || seen === codes) return;
      seen = codes;
      underWay = underWay.then(() => site.store.faults.background('languages', () => fill(site, () => isOver)));
    };
    site.onChange(look);
    look();
    return async () => {
      isOver = true;
      await underWay;
    };
  },
};

/** Creates items in new languages. */
async function fill(site: Site, isOver: () => boolean): Promise<void> {
  const { cache } = site.store;
  const bytes = await cache.get(document);
  const known: unknown = bytes === null ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));
  const present = site.languages.codes;
  const added = Array.isArray(known) ? present.filter((code) => !known.includes(code)) : [];
  for (const code of added) {
    await site.write((site) => ({ changes: defaultCategory(site, code), result: null }));
    for (const ids of chunksOf([...site.posts.with('type', 'attachment')], atOnce)) {
      if (isOver()) return;
      await site.write((site) => ({ changes: media(site, ids, code), result: null }));
    }
  }
  if (JSON.stringify(known) !== JSON.stringify(present)) await cache.set(document, Buffer.from(JSON.stringify(present)));
}

function defaultCategory(site: PlanningSite, code: string): readonly FileChange[] {
  const term = site.terms.get(site.refs.defaultTerm('category'));
  if (!term || site.translations.idIn('terms', term.id, code) > 0) return [];
  const slug = uniqueSlug(`${term.slug}-${code}`, (one) => site.terms.with('slug', `category:${one}`).size > 0);
  const path = `terms/category/${slug}.yaml`;
  if (site.store.knows(path)) return [];
  const data = { id: site.nextId('terms'), name: decodeEntities(term.name), lang: code, translation_of: term.slug };
  return [{ path, expect: null, data, order: Object.keys(data) }];
}

/** Copies the texts of the original to missing languages. */
function media(site: PlanningSite, ids: readonly number[], code: string): readonly FileChange[] {
  const fields = site.postFields.get('attachment') ?? {};
  const taken = new Set<string>();
  return ids.flatMap((id): readonly FileChange[] => {
    const item = site.posts.get(id) as unknown as (Translated & { readonly crop?: unknown }) | undefined;
    if (!item || item.crop || site.translations.original(item).id !== id || site.translations.idIn('posts', id, code) > 0)
      return [];
    const path = marked(site.refs.marks?.plain(item.path) ?? item.path, code);
    if (site.store.knows(path)) return [];
    const slug = uniqueSlug(item.slug, (one) => taken.has(one) || site.posts.with('slug', one).size > 0);
    taken.add(slug);
    // By name, if the original has no language code: branches assign the same ids.
    const translationOf = site.refs.marks?.of(item.path) ? item.id : impliedReference(path, site.refs.marks);
    const after = { ...item, id: site.nextId('posts'), path, etag: '', slug, lang: code, translationOf };
    return [writeRecord(site, fields, after as never)];
  });
}
