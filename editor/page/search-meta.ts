/** What search engines and networks are told of an item, as members of its meta. */
import type { Item } from './records.ts';

/** Each as an item has it that says nothing. */
export const searchMeta = {
  _seo_title: '',
  _seo_metadesc: '',
  _seo_canonical: '',
  '_seo_meta-robots-noindex': '',
  '_seo_opengraph-title': '',
  '_seo_opengraph-description': '',
  '_seo_opengraph-image': '',
  '_seo_opengraph-image-id': '',
} as const;

export type SearchName = keyof typeof searchMeta;

/** With its members as answers have them, which leave out what is not said. */
export function withSearchMeta(item: Item): Item {
  return item.meta !== null && typeof item.meta === 'object' ? { ...item, meta: { ...searchMeta, ...item.meta } } : item;
}
