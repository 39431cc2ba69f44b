/** Blocks that embed other blocks: synced patterns, patterns and template parts. */
import { showBlocks } from '../../../render/block-tree.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeHtml, type Renderers, word, wrap } from './markup.ts';
import type { BlockSite } from './view.ts';

export const patternBlocks: Renderers = {
  'core/block': syncedPattern,
  'core/pattern': (live, site) => {
    const slug = word(live.attributes.slug);
    const blocks = site.pattern(slug);
    return blocks === undefined ? '' : shownOnce(live, site, `pattern:${slug}`, blocks);
  },
  'core/template-part': templatePart,
  'core/widget-group': (live) => {
    const title = word(live.attributes.title);
    const heading = title === '' ? '' : `<h2 class="widget-title">${escapeHtml(title)}</h2>`;
    return `${heading}<div class="wp-widget-group__inner-blocks">${live.inner().join('')}</div>`;
  },
};

/** Allowed elements of a template part. */
const sections = ['div', 'header', 'main', 'section', 'article', 'aside', 'footer'];

/** The blocks of another text; '' within itself. */
function shownOnce(live: LiveBlock, site: BlockSite, key: string, blocks: string): string {
  return site.within(key, () => (site.spend(1) ? showBlocks(blocks, live.run, live.context) : ''));
}

const keyOf = ({ type, id }: PostRecord): string => `${type}:${id}`;

/** A part of another theme, or an unknown one, is empty. */
function templatePart(live: LiveBlock, site: BlockSite): string {
  const { slug, theme, tagName } = live.attributes;
  const found = site.templatePart(word(slug), theme);
  if (!found) return '';
  const usual = found.area === 'header' || found.area === 'footer' ? found.area : 'div';
  const tag = sections.includes(word(tagName)) ? word(tagName) : usual;
  return wrap(tag, live, shownOnce(live, site, keyOf(found.part), found.part.content));
}

function named(site: BlockSite, id: unknown, type: string): PostRecord | undefined {
  const post = site.shared(id);
  return post?.type === type && post.status === 'publish' && !site.isLocked(post) ? post : undefined;
}

function syncedPattern(live: LiveBlock, site: BlockSite): string {
  const post = named(site, live.attributes.ref, 'cms_block');
  if (!post) return '';
  const overrides = live.attributes.content;
  const more = typeof overrides === 'object' && overrides !== null ? { 'pattern/overrides': overrides } : {};
  return shownOnce({ ...live, context: { ...live.context, ...more } }, site, keyOf(post), post.content);
}
