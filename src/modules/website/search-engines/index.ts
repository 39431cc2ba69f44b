/** What search engines are told by sitemaps, feeds and pages: languages and noindex. With search metadata, and without. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { Module } from '../../../kernel/module.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { languageOf, type Translated } from '../../languages/record.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { SeoTarget } from '../../seo/metadata/record.ts';
import { homeTarget } from '../../seo/head/index.ts';
import { valuesInMeta } from '../../seo/metadata/index.ts';
import type { DiscoverySource, ShownPage } from '../sitemaps/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export const searchEngines: Module = {
  name: 'search-engines',
  setup(site) {
    site.discovery.push(languageSource(site), searchSource(site));
    return {};
  },
};

/** Of a site without search metadata: imported noindex flags. Items with one under `meta:` are not indexed. */
export const keptNoindex: Module = {
  name: 'kept-noindex',
  setup(site) {
    const isKeptBack = ({ meta }: { readonly meta: unknown }): boolean => valuesInMeta(meta).noindex === true;
    site.discovery.push({ hidesPost: isKeptBack, hidesTerm: isKeptBack });
    return {};
  },
};

function languageSource(site: Site): DiscoverySource {
  return {
    translations: (item) =>
      [...site.translations.group(item as unknown as Translated).values()].map((member) => ({
        hreflang: member.lang,
        item: member as unknown as PostRecord | TermRecord,
      })),
    languages() {
      const { codes, default: standard } = site.languages;
      return [standard, ...codes.filter((code) => code !== standard)].map((code) => ({
        hreflang: code,
        locale: site.languages.of(code)?.locale.replaceAll('_', '-') ?? code,
        params: { lang_language: code },
      }));
    },
    scope: (params) => [{ kind: 'in', index: 'lang', values: [languageOf({ site, params })] }],
  };
}

function searchSource(site: Site): DiscoverySource {
  const hides = (target: SeoTarget): boolean => site.seo.robotsOf(target).noindex || isElsewhere(site, target);
  return {
    hidesSite: () => site.seo.options().hidden,
    hidesPost: (post) => hides({ kind: 'post', post }),
    hidesTerm: (term) => hides({ kind: 'term', term }),
    hidesAuthor: (user) => site.seo.options().authorDisabled || hides({ kind: 'user', user }),
    hidesArchive: ({ name }) => site.seo.robotsOf({ kind: 'archive', type: name }).noindex,
    async head(page) {
      const target = targetOf(site, page);
      await site.heads.prepare(target);
      return site.heads.of(target).html;
    },
  };
}

function targetOf(site: Site, page: ShownPage): SeoTarget {
  if (page === 'missing') return { kind: 'missing' };
  if ('post' in page) return { kind: 'post', post: page.post };
  if ('term' in page) return { kind: 'term', term: page.term };
  const language = languageOf({ site, params: 'home' in page ? page.home : page.params });
  if ('home' in page) return homeTarget(site, language);
  if ('author' in page) return { kind: 'user', user: page.author, language };
  if ('date' in page) return { kind: 'date', date: page.date, language };
  if ('search' in page) return { kind: 'search', phrase: page.search, language };
  return { kind: 'archive', type: page.archive.name, language };
}

/** Whether a page has another canonical URL in a sitemap or on another site. */
function isElsewhere(site: Site, target: SeoTarget): boolean {
  const record = target.kind === 'post' ? target.post : target.kind === 'term' ? target.term : null;
  const canonical = record ? site.seo.valuesOf(record).canonical : '';
  const home = `${homeOf(site)}/`;
  if (canonical === '' || !isUrl(canonical, home)) return false;
  return withoutSlash(new URL(canonical, home).href) !== withoutSlash(new URL(site.heads.addressOf(target), home).href);
}

function withoutSlash(address: string): string {
  return withoutTrailing(address, '/');
}
