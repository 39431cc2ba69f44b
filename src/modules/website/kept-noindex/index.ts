/** Imported noindex flags for sites without search metadata, as a module: items with one under `meta:` are not indexed. */
import type { Module } from '../../../kernel/module.ts';
import { valuesInMeta } from '../../seo/metadata/index.ts';
import type {} from '../sitemaps/record.ts';

export const keptNoindex: Module = {
  name: 'kept-noindex',
  setup(site) {
    const isKeptBack = ({ meta }: { readonly meta: unknown }): boolean => valuesInMeta(meta).noindex === true;
    site.discovery.push({ hidesPost: isKeptBack, hidesTerm: isKeptBack });
    return {};
  },
};
