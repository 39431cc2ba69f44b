/**
 * The trees of a static export: one for each language of a site, below the segment of its addresses; else one for all of it.
 */
import { termScope } from '../../../modules/languages/lists.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import { prefixOf } from '../../../kernel/rest/address-prefix.ts';
import type { AddressPrefix } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { TermRecord } from '../../../modules/content/terms/record.ts';
import { byId } from './by-id.ts';

export interface ExportTree {
  /** Before every address of the tree: `/de`; '' for none. */
  readonly prefix: string;
  /** `de-DE`; '' where the site has no languages. */
  readonly locale: string;
  /** What requests of the tree have before the root. */
  readonly address?: AddressPrefix;
  /** Clauses of its terms. */
  readonly terms: readonly Clause[];
}

/** The tree of the default language is the first. */
export function treesOf(site: Site): readonly ExportTree[] {
  const { languages } = site as Partial<Pick<Site, 'languages'>>;
  if (!languages) return [{ prefix: '', locale: '', terms: [] }];
  const codes = [languages.default, ...languages.codes.filter((code) => code !== languages.default)];
  return codes.map((code) => {
    const params = { lang_language: code };
    const prefix = prefixOf(site, '', params);
    return {
      prefix,
      locale: languages.of(code)?.locale.replaceAll('_', '-') ?? code,
      address: { prefix, kept: '', params: {}, defaults: params },
      terms: termScope({ site, params }),
    };
  });
}

/** Terms of a tree, in the order of their ids. */
export function termsIn(site: Site, { terms }: ExportTree): readonly TermRecord[] {
  if (terms.length === 0) return byId(site.terms.all());
  return byId(site.terms.query({ where: terms, sort: { by: 'id', direction: 'asc' }, offset: 0 }).records);
}
