/** Authors: named by front matter, by the site, or by its data. */
import { mapOf } from '../../../kernel/model/maps.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import type { SourceItem, UserItem } from '../../import/items.ts';
import type { GeneratorPlan } from './site-generator.ts';
import { listOf, type KeyReader, rowOf, textOf } from './keys.ts';

/** Authors met so far, by key. */
export type AuthorKeys = Set<string>;

/** Key of a page's author, '' for none, with the authors that are met for the first time. */
export function authorsOf(
  reader: KeyReader,
  path: string,
  plan: GeneratorPlan,
  people: AuthorKeys,
): { readonly author: string; readonly items: readonly SourceItem[] } {
  const given = reader.take('author');
  const all = listOf(given?.value ?? plan.author);
  const users = all.flatMap((raw) => userOf(raw, path, plan) ?? []);
  // Only one author has a place; the list of several is kept.
  if (given && (users.length > 1 || users.length === 0)) reader.keep(given.key);
  const fresh = users.filter(({ key }) => !people.has(key));
  for (const { key } of fresh) people.add(key);
  return { author: users[0]?.key ?? '', items: fresh };
}

/** `anna`, `Anna Berg`, `Anna <anna@example.com>`, or a map of what is known. */
function userOf(raw: unknown, path: string, plan: GeneratorPlan): UserItem | null {
  const written = textOf(raw).replace(/(?<!\s)\s*<[^<>]*>$/, '');
  const own = written === '' ? undefined : plan.named?.('user', typeof raw === 'number' ? raw : written);
  if (own !== undefined) return { kind: 'user', key: own, login: '', slug: own, name: written, place: { source: path } };
  const known = written === '' ? mapOf(raw) : mapOf(rowOf(plan.authors ?? {}, written));
  const name = textOf(known.name) || textOf(known.display_name) || textOf(known.title) || written;
  const slug = slugify(textOf(known.slug) || (Object.keys(known).length > 0 && written !== '' ? written : name));
  if (slug === '') return null;
  const email = textOf(known.email);
  const about = textOf(known.bio) || textOf(known.description) || textOf(known.about);
  const url = [known.url, known.website, known.uri, known.web].map(textOf).find((text) => /^https?:\/\//.test(text));
  return {
    kind: 'user',
    key: slug,
    login: '',
    slug,
    name,
    place: { source: path },
    ...(/^[^\s@]+@[^\s@]+$/.test(email) ? { email } : {}),
    ...(about === '' ? {} : { description: about }),
    ...(url === undefined ? {} : { url }),
  };
}
