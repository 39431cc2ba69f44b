/**
 * What a head is made of, for each kind of page.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { homeOf } from '../../content/permalinks/record.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import type { SeoOptions, SeoTarget, SeoValues } from '../metadata/record.ts';
import { addressOf, homeIn, isNamedPage } from './addresses.ts';
import type { Pictured } from './pictures.ts';
import type { PageKind, ReadRecords, SeoPage, Watch } from './record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export function createPage(site: Site, target: SeoTarget, watch: Watch): SeoPage {
  const options = watch(optionsOf);
  watch(settingsOf);
  watch(siteAddress);
  const url = watch(addressOf);
  const kind = kindOf(site, target);
  const values = valuesOf(site, target);
  const code = languageOf(target);
  const settled = site.languages.of(code ?? site.languages.default)?.locale;
  return {
    site,
    options,
    target,
    kind,
    watch,
    ...(target.kind === 'post' ? { post: target.post } : {}),
    ...(values ? { values } : {}),
    isLocked: isLocked(target),
    locale: settled ?? String(site.settings.value('language') || 'en_US'),
    home: homeIn(site, code),
    url,
    canonical: canonicalOf(site, values?.canonical ?? '') || url,
    siteName: String(site.settings.value('name') ?? ''),
    tagline: String(site.settings.value('description') ?? ''),
    filled: new Map(),
    terms: new Map(),
    counted: {},
  };
}

const optionsOf = (site: Site): SeoOptions => site.seo.options();
/** Everything else of `site.yaml` that a head may show. */
const settingsOf = (site: Site): unknown => site.settings.entry;
const siteAddress = (site: Site): string => site.url;

/** As much of a page as tells its pictures, without its addresses. */
export function picturesOf(site: Site, target: SeoTarget): Pictured {
  const values = valuesOf(site, target);
  const watch: Watch = Object.assign(<T>(read: (site: Site, target: SeoTarget) => T): T => read(site, target), {
    record: <R>(table: ReadRecords<R>, id: number): R | undefined => table.get(id),
    volatile: () => {},
  });
  return {
    site,
    options: site.seo.options(),
    target,
    watch,
    ...(target.kind === 'post' ? { post: target.post } : {}),
    ...(values ? { values } : {}),
    isLocked: isLocked(target),
  };
}

function isLocked(target: SeoTarget): boolean {
  return target.kind === 'post' && isProtected(target.post);
}

function kindOf(site: Site, target: SeoTarget): PageKind {
  if (target.kind !== 'post') return target.kind;
  if (isNamedPage(site, 'front_page', target.post)) return 'front';
  return isNamedPage(site, 'posts_page', target.post) ? 'posts page' : 'post';
}

function valuesOf(site: Site, target: SeoTarget): SeoValues | undefined {
  if (target.kind === 'post') return site.seo.valuesOf(target.post);
  return target.kind === 'term' ? site.seo.valuesOf(target.term) : undefined;
}

function languageOf(target: SeoTarget): string | undefined {
  const record = target.kind === 'post' ? target.post : target.kind === 'term' ? target.term : null;
  if (record) return (record as PostRecord & { readonly lang?: string }).lang || undefined;
  return (target as { readonly language?: string }).language;
}

/** An address as a person writes it: whole, or a path of the site; '' for what is none. */
function canonicalOf(site: Site, address: string): string {
  if (/^\/(?!\/)/.test(address)) return homeOf(site) + address;
  return /^https?:\/\//i.test(address) && isUrl(address) ? address : '';
}
