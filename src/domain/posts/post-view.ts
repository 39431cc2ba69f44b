/**
 * What the getters of posts ask: addresses and rendered text, for one request.
 */
import type { PostRecord, PostView } from '../../model/post.ts';
import type { RevisionRecord, RevisionView } from '../../model/revision.ts';
import type { Schema } from '../../model/schema.ts';
import { sortKey } from '../../model/sort-key.ts';
import type { Actor } from '../people/capabilities.ts';
import { createAgingCache } from '../../records/aging-cache.ts';
import { defaultGuid, linkOf, permalinkTemplate } from './permalinks.ts';
import { hasBlocks } from '../render/blocks.ts';
import { renderExcerpt } from '../render/excerpt.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { type RenderOptions, renderMarkup, renderTitle } from '../render/markup.ts';
import type { Site } from '../site.ts';
import { freeSlug } from './post-slugs.ts';

export interface PostViewOptions {
  readonly user: Actor | null;
  /** Dialect's spelling of a name. */
  word(name: string): string;
  /** Posts whose password counts as given: edit context, or the right password sent. */
  unlocked(post: PostRecord): boolean;
  /** Words of a generated excerpt. */
  readonly excerptWords?: number | undefined;
}

/** Rendered contents and excerpts; what they depend on beside their record is part of the form. */
const rendered = createAgingCache<string>(64 * 1024 * 1024, (html) => html.length * 2);

type Text = Pick<PostRecord, 'id' | 'title' | 'content' | 'excerpt' | 'kind'>;

export function createPostView(site: Site, options: PostViewOptions): PostView {
  const locked = (post: PostRecord): boolean => post.password !== '' && !options.unlocked(post);
  return {
    link: (post) =>
      site.url + linkOf(site, post, post.status === 'private' && site.access.can(options.user, 'read_post', post.id)),
    guid: (post) => absolute(site, post.guid === '' ? defaultGuid(site, post) : post.guid),
    title: (post) => titleOf(site, post),
    content: (post) => (locked(post) ? '' : contentOf(site, post, post)),
    excerpt: (post) => (locked(post) ? '' : excerptOf(site, post, post, options.excerptWords)),
    blockVersion: (post) => (hasBlocks(post.content) ? 1 : 0),
    permalinkTemplate: (post) => site.url + permalinkTemplate(site, post),
    generatedSlug: (post) => decoded(freeSlug(site, post)),
    terms: (post, taxonomy) => termsOf(site, post, taxonomy),
    classList: (post) => classList(site, post),
    meta: (post) => metaOf(site.meta[post.type] ?? {}, post.meta),
    word: options.word,
  };
}

export function createRevisionView(site: Site): RevisionView {
  const text = (revision: RevisionRecord): Text => ({
    ...revision,
    id: revision.parent,
    kind: revision.path.endsWith('.md') ? 'md' : 'html',
  });
  return {
    title: (revision) => titleOf(site, text(revision)),
    content: (revision) => contentOf(site, revision, text(revision)),
    // A revision shows the excerpt it has; none is generated from its text.
    excerpt: (revision) => (revision.excerpt === '' ? '' : excerptOf(site, revision, text(revision))),
    guid: (revision) => `${site.url}/?p=${revision.id}`,
    meta: (revision) => metaOf(site.meta[site.posts.get(revision.parent || revision.id)?.type ?? ''] ?? {}, revision.meta),
  };
}

/** Registered meta with its defaults; the reference prints an empty map as a list. */
export function metaOf(schemas: Readonly<Record<string, Schema>>, stored: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(schemas);
  return names.length === 0
    ? []
    : Object.fromEntries(names.map((name) => [name, stored[name] ?? schemas[name]?.default ?? null]));
}

/** An address of the site as the file has it (`/?p=7`), or one from elsewhere (imported). */
export function absolute(site: Pick<Site, 'url'>, address: string): string {
  return address.startsWith('/') ? site.url + address : address;
}

function optionsOf(site: Site, id: number): RenderOptions {
  return {
    smilies: site.settings.value('smilies') === true,
    typography: site.settings.value('typography') === true,
    home: site.url,
    postId: id,
  };
}

function cached(key: PostRecord | RevisionRecord, name: string, options: RenderOptions, make: () => string): string {
  const form = `${name}${options.smilies ? 's' : ''}${options.typography ? 't' : ''}${options.home}`;
  const known = rendered.get(form, key);
  if (known !== undefined) return known;
  const html = make();
  rendered.set(form, key, html);
  return html;
}

function titleOf(site: Site, { id, title }: Text): string {
  return renderTitle(title, optionsOf(site, id));
}

function contentOf(site: Site, key: PostRecord | RevisionRecord, text: Text): string {
  const options = optionsOf(site, text.id);
  return cached(key, 'content', options, () =>
    text.kind === 'md' ? renderMarkdown(text.content, options) : renderMarkup(text.content, options),
  );
}

function excerptOf(site: Site, key: PostRecord | RevisionRecord, text: Text, words = 55): string {
  const options = optionsOf(site, text.id);
  const { kind, excerpt, content: raw } = text;
  return cached(key, `excerpt${words}`, options, () =>
    renderExcerpt({
      excerpt,
      raw,
      words,
      options,
      kind: kind === 'md' ? 'md' : 'html',
      // The text is mostly shown together with its excerpt.
      ...(kind === 'md' ? { rendered: () => contentOf(site, key, text) } : {}),
    }),
  );
}

/** Term ids of a post, by the names of the terms. */
function termsOf(site: Site, post: PostRecord, taxonomy: string): readonly number[] {
  const ids = post.terms[taxonomy] ?? [];
  if (ids.length < 2) return ids;
  const name = (id: number): string => sortKey(site.terms.get(id)?.name ?? '');
  return [...ids].sort((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b));
}

/** A slug as people read it. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

function classList(site: Site, post: PostRecord): readonly string[] {
  const type = site.types.get(post.type);
  const classes = [`post-${post.id}`, post.type, `type-${post.type}`, `status-${post.status}`];
  if (type?.supports['post-formats']) classes.push(`format-${post.format}`);
  if (post.password !== '') classes.push('post-password-required');
  else if (site.posts.get(post.featuredMedia) && type?.supports.thumbnail) classes.push('has-post-thumbnail');
  classes.push('hentry');
  for (const taxonomy of site.taxonomies.values()) {
    const prefix = taxonomy.name === 'post_tag' ? 'tag' : taxonomy.name;
    for (const id of termsOf(site, post, taxonomy.name)) {
      const slug = (site.terms.get(id)?.slug ?? '').replace(/%[\da-f]{2}/g, '');
      if (taxonomy.public) classes.push(`${prefix}-${/^\d*$|^-*$/.test(slug) ? id : slug}`);
    }
  }
  if (type?.supports['post-formats'] && post.format !== 'standard') classes.push(`post_format-post-format-${post.format}`);
  return classes;
}
