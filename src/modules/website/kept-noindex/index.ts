/**
 * A site without search metadata, as a module: what an import has kept of it under `meta:` counts in one respect. An item that was not for
 * search engines is not for them here.
 */
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
