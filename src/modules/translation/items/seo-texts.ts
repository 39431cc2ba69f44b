/**
 * What search engines are told of an item, in its translations: texts are translated, what says how a page is shown is copied when the
 * translation is made, and what was measured or named for the one page stays its own. A site may say otherwise of each by the name that
 * it has as a member of `meta`: `_seo_title: ignore`.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { valueTable } from '../../seo/metadata/index.ts';
import type { SeoValues, WithSeo } from '../../seo/metadata/record.ts';
import type { FieldMode } from '../../languages/config/record.ts';
import type { JobPart } from '../jobs/record.ts';
import { statedMode } from './modes.ts';

type Property = keyof SeoValues;
type Holder = WithSeo & { readonly taxonomy?: string };

const texts: readonly Property[] = [
  ...(['title', 'description', 'keyphrase', 'breadcrumb'] as const),
  ...(['socialTitle', 'socialDescription', 'cardTitle', 'cardDescription'] as const),
];
const once: readonly Property[] = [
  ...(['cornerstone', 'noindex', 'nofollow', 'noimageindex', 'noarchive', 'nosnippet'] as const),
  ...(['image', 'cardImage', 'pageType', 'articleType', 'primary'] as const),
];

function modeOf(site: Site, { taxonomy }: Holder, property: Property): FieldMode {
  const { meta } = valueTable[property];
  const stated = meta === undefined ? undefined : statedMode(site, taxonomy === undefined ? 'post' : 'term', meta);
  if (stated === 'translate' && !texts.includes(property)) return 'copy';
  return stated ?? (texts.includes(property) ? 'translate' : once.includes(property) ? 'copy-once' : 'ignore');
}

const idOf = (property: Property): string => `seo/${valueTable[property].key}`;

/** Texts among the values, empty ones too. */
export function seoTexts(site: Site, item: Holder): readonly Pick<JobPart, 'id' | 'format' | 'text'>[] {
  return texts.flatMap((property) => {
    const text = item.seo?.[property];
    const isUnit = typeof text === 'string' && modeOf(site, item, property) === 'translate';
    return isUnit ? [{ id: idOf(property), format: 'plain' as const, text }] : [];
  });
}

/** Values of a translation over those that it has; {}: the original has none. */
export function seoOf(
  site: Site,
  source: Holder,
  present: Holder | undefined,
  code: string,
  translated: ReadonlyMap<string, string>,
): { readonly seo?: WithSeo['seo'] } {
  const values = Object.entries(source.seo ?? {}).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (!Object.hasOwn(valueTable, name)) return [];
    const property = name as Property;
    const mode = modeOf(site, source, property);
    if (mode === 'ignore' || (mode === 'copy-once' && present)) return [];
    if (mode === 'translate') return [[property, translated.get(idOf(property)) ?? value]];
    return [[property, inLanguage(site, property, value, code)]];
  });
  return values.length === 0 ? {} : { seo: { ...present?.seo, ...Object.fromEntries(values) } };
}

/** Media and terms as those of the language; a term without a translation is left out. */
function inLanguage({ translations }: Site, property: Property, value: unknown, code: string): unknown {
  if (typeof value === 'number' && (property === 'image' || property === 'cardImage'))
    return translations.idIn('posts', value, code) || value;
  if (property !== 'primary') return value;
  const ids = Object.entries(value as SeoValues['primary']).map(([taxonomy, id]) => [
    taxonomy,
    translations.idIn('terms', id, code),
  ]);
  return Object.fromEntries(ids.filter(([, id]) => id !== 0));
}
