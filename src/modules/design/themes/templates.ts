/** Templates and template parts: posts in `templates/` and `template-parts/`, identified by theme and slug. */
import type { PostRecord } from '../../content/posts/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { templateAreas, templateTypes, themeOf } from './themes.ts';
import { decoded } from '../../../kernel/model/slugs.ts';

export type TemplateType = 'cms_template' | 'cms_template_part';

const SERVED: readonly string[] = ['publish', 'draft', 'auto-draft'];

/** Active ones, newest first. */
export function templatesOf(site: Site, type: TemplateType): readonly PostRecord[] {
  return site.posts.query({
    where: [
      { kind: 'in', index: 'type', values: [type] },
      { kind: 'in', index: 'status', values: SERVED },
    ],
    sort: { by: 'date', direction: 'desc' },
    offset: 0,
  }).records;
}

/** `site//index`. */
export function templateId(site: Pick<Site, 'settings'>, slug: string): string {
  return `${themeOf(site).stylesheet}//${slug}`;
}

/** An id in a URL, where proxies may merge slashes: `site/index` is `site//index`. */
export function cleanTemplateId(id: string): string {
  const text = decoded(id);
  const at = text.lastIndexOf('/');
  return at < 1 || text[at - 1] === '/' ? text : `${text.slice(0, at)}/${text.slice(at)}`;
}

/** A template by id, including trashed ones. */
export function templateById(site: Site, type: TemplateType, id: string): PostRecord | undefined {
  const [theme, slug] = id.split('//');
  if (theme !== themeOf(site).stylesheet || !slug) return undefined;
  for (const known of site.posts.with('slug', slug)) {
    const post = site.posts.get(known);
    if (post?.type === type && post.slug === slug && [...SERVED, 'trash'].includes(post.status)) return post;
  }
  return undefined;
}

/** Whether a template is not of a standard kind. */
export function isCustom(slug: string): boolean {
  return !templateTypes.some(([name]) => name === slug);
}

/** The title of a template, else of its kind. */
export function titleOf({ title, slug }: Pick<PostRecord, 'title' | 'slug'>): string {
  return title || (templateTypes.find(([name]) => name === slug)?.[1] ?? slug);
}

/** The area of a part; an unknown one is general. */
export function areaOf(part: PostRecord): string {
  return templateAreas.find(({ area }) => area === part.meta.area)?.area ?? 'uncategorized';
}

/**
 * The fallback template for `slug`: the first non-empty one of its hierarchy.
 *
 * @param prefix  part of the slug that names the kind, if it is ambiguous (`taxonomy-genre` of `taxonomy-genre-jazz`)
 */
export function lookUp(site: Site, type: TemplateType, slug: string, custom: boolean, prefix: string): PostRecord | undefined {
  const known = templatesOf(site, type);
  for (const name of kinOf(site, slug, custom, prefix)) {
    const found = known.find((template) => template.slug === name && template.content.trim() !== '');
    if (found) return found;
  }
  return undefined;
}

/** Slugs from specific to general. Source: the reference's template hierarchy. */
export function kinOf(
  site: Pick<Site, 'types' | 'taxonomies'>,
  slug: string,
  custom: boolean,
  prefix: string,
): readonly string[] {
  if (slug === 'index') return ['index'];
  if (custom) return ['page', 'singular', 'index'];
  if (slug === 'front-page') return ['front-page', 'home', 'index'];
  const kin = [slug];
  if (prefix !== '') {
    const kind = prefix.split('-')[0] as string;
    if (prefix !== slug && prefix !== kind) kin.push(prefix);
    if (slug !== kind) kin.push(kind);
  } else kin.push(...aboveBySlug(site, slug));
  if (/^(?:author|taxonomy|category|tag)/.test(slug) || slug === 'date') kin.push('archive');
  if (slug === 'attachment') kin.push('single');
  if (/^(?:single|page|attachment)/.test(slug)) kin.push('singular');
  return [...new Set([...kin, 'index'])];
}

function aboveBySlug(site: Pick<Site, 'types' | 'taxonomies'>, slug: string): readonly string[] {
  const simple = /^(author|category|archive|tag|page)-./.exec(slug);
  if (simple) return [simple[1] as string];
  const [, kind, rest] = /^(taxonomy|single)-(.+)$/.exec(slug) ?? [];
  if (kind === undefined || rest === undefined) return [];
  const names = kind === 'single' ? site.types.keys() : site.taxonomies.keys();
  for (const name of names) {
    if (rest === name) return [kind];
    if (rest.startsWith(`${name}-`)) return [`${kind}-${name}`, kind];
  }
  return [];
}
