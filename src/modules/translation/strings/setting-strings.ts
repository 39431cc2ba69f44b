/**
 * Texts of settings and of options pages that the configuration of translation names under `admin-texts`, each a string of the domain
 * `admin_texts_<setting>`, called by its path: `[banner][text]`.
 *
 * Source: reference on languages, 3.3.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { TextKey } from '../../languages/config/record.ts';
import { meansName } from '../../languages/config/index.ts';
import type { SourceString } from './record.ts';

/** Beginning of the domains; the name of the setting or page follows. */
export const settingDomain = 'admin_texts_';
const maxDepth = 20;

/** What a text within a setting is called. */
export const pathName = (path: readonly string[]): string => path.map((key) => `[${key}]`).join('');

export function* settingStrings(site: Site): Iterable<SourceString> {
  const keys = site.translationConfig.rules.adminTexts;
  if (keys.length === 0) return;
  for (const [name, value] of storedTexts(site))
    for (const path of keys) {
      const [first = '', ...inner] = path;
      if (meansName(first, name)) yield* textsIn(name, value, inner, [], 0);
    }
}

/** Settings of the file, and values of options pages by the name of the page. */
function* storedTexts(site: Site): Iterable<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(site.settings.entry?.data ?? {})) yield [name, value];
  for (const { slug, fields } of site.options?.all() ?? []) yield [slug, fields];
}

function* textsIn(name: string, value: unknown, keys: TextKey, path: readonly string[], depth: number): Iterable<SourceString> {
  if (depth > maxDepth) return;
  if (typeof value === 'string') {
    const called = path.length === 0 ? name : pathName(path);
    if (keys.length === 0)
      yield { domain: `${settingDomain}${name}`, name: called, value, type: value.includes('\n') ? 'AREA' : 'LINE' };
    return;
  }
  if (!isMap(value) && !Array.isArray(value)) return;
  const [first, ...rest] = keys;
  // A key without children means everything below it.
  for (const [key, one] of Object.entries(value))
    if (first === undefined || meansName(first, key)) yield* textsIn(name, one, rest, [...path, key], depth + 1);
}
