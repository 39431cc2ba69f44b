/** Blocks with one field of the current post. */
import { wireConstants } from '../../../render/wire-constants.ts';
import { at } from '../../../render/attribute-path.ts';
import { border, shadow } from '../../../render/block-styles.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { attributeOf, hasClass, openingTag, type Tag, tagsFrom, withAttribute, withAttributes } from '../../../render/tags.ts';
import { filterStyle } from '../../../render/styles.ts';
import { plainText, withoutTags } from '../../../render/text.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import {
  alignClass,
  escapeHtml,
  escapeOnce,
  grouped,
  headingTag,
  ofPost,
  part,
  type Renderers,
  rich,
  textClasses,
  wholeNumber,
  word,
  wrap,
} from './markup.ts';
import { type BlockSite, charactersOfWork, trimWords } from './view.ts';

export const postBlocks: Renderers = {
  'core/post-title': ofPost((live, site, post) => {
    const title = site.title(post);
    const { isLink, linkTarget, rel, level } = live.attributes;
    const attributes = `target="${escapeHtml(word(linkTarget))}" ${word(rel) && `rel="${escapeHtml(word(rel))}"`}`;
    const shown = isLink ? `<a href="${escapeHtml(site.link(post))}" ${attributes}>${title}</a>` : title;
    return title === '' ? '' : wrap(headingTag(level, 'h2'), live, shown, textClasses(live));
  }),
  'core/post-content': ofPost(content),
  'core/post-excerpt': ofPost(excerpt),
  'core/post-date': ofPost(date),
  'core/post-terms': ofPost(terms),
  'core/post-featured-image': ofPost(featuredImage),
  'core/post-time-to-read': ofPost(timeToRead),
  'core/read-more': ofPost((live, site, post) => {
    const title = site.title(post) || `untitled post ${post.id}`;
    const { content: text, linkTarget, justifyContent } = live.attributes;
    const classes = word(justifyContent) ? [`is-justified-${word(justifyContent)}`] : [];
    const link = `href="${escapeHtml(site.link(post))}" target="${escapeHtml(word(linkTarget))}"`;
    const inner = `${rich(text) || 'Read more'}<span class="screen-reader-text">: ${title}</span>`;
    return wrap('a', live, inner, classes).replace(/>/, () => ` ${link}>`);
  }),
  'core/footnotes': ofPost(footnotes),
  // Links to adjacent posts only exist on pages, not in API responses.
  'core/post-navigation-link': () => '',
};

/** Static blocks with the featured image. */
export const pictureBlocks: Renderers = { 'core/cover': cover, 'core/media-text': mediaText };

/** The text up to `<!--more-->`, with a link to the rest. */
function content(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const html = site.content(post);
  const more = [...html.matchAll(/<!--more(.*?)(-->|$)/gm)].find(([, , end]) => end !== '');
  const label = more?.[1]?.trim() || '(more&hellip;)';
  const title = withoutTags(site.title(post));
  const link = `<a href="${escapeHtml(`${site.link(post)}#more-${post.id}`)}" class="more-link"><span aria-label="Continue reading ${escapeOnce(title)}">${label}</span></a>`;
  const isCut = more !== undefined && live.context.postId !== undefined && isLooped(live);
  const before = isCut ? html.slice(0, more.index) : html;
  const shown = !isCut ? html : before.endsWith('<p>') ? `${before} ${link}</p>\n` : `${before} ${link}`;
  const tags = ['div', 'main', 'section', 'article'];
  const tag = tags.includes(live.attributes.tagName) ? (live.attributes.tagName as string) : 'div';
  return shown.trim() === '' ? '' : wrap(tag, live, shown, ['entry-content']);
}

/** Whether the post is in a list. */
function isLooped({ context }: LiveBlock): boolean {
  return context.query !== undefined;
}

function excerpt(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { excerptLength, moreText, showMoreOnNewLine } = live.attributes;
  const words = wholeNumber(excerptLength, 55, 0, 1000);
  const text = trimWords(site.excerpt(post), words);
  const more = word(moreText)
    ? `<a class="${part('post-excerpt__more-link')}" href="${escapeHtml(site.link(post))}">${rich(moreText)}</a>`
    : '';
  const begin = `<p class="${part('post-excerpt__excerpt')}">${text}`;
  const inner =
    showMoreOnNewLine && more !== ''
      ? `${begin}</p><p class="${part('post-excerpt__more-text')}">${more}</p>`
      : `${begin} ${more}</p>`;
  return wrap('div', live, inner, textClasses(live));
}

/** Publication or modification date, or a given time. */
function date(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { attributes } = live;
  const isBound = at(attributes, 'metadata.bindings.datetime') !== undefined;
  const isModified = attributes.displayType === 'modified' || boundField(attributes) === 'modified';
  const given = attributes.datetime === undefined ? undefined : word(attributes.datetime);
  if (isModified && (given === '' || post.modified <= post.date)) return '';
  const machine = given ?? site.formatted('c', isModified ? post.modified : post.date);
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(machine.replace(' ', 'T'))?.[0];
  if (machine === '' && isBound) return '';
  const text = escapeHtml(local === undefined ? '' : site.formatted(word(attributes.format), local));
  const time = `<time datetime="${escapeHtml(machine)}">${text}</time>`;
  const shown = attributes.isLink ? `<a href="${escapeHtml(site.link(post))}">${time}</a>` : time;
  const classes = [...textClasses(live), ...(isModified ? [part('post-date__modified-date')] : [])];
  return wrap('div', live, shown, classes);
}

function boundField(attributes: LiveBlock['attributes']): unknown {
  const args = at(attributes, 'metadata.bindings.datetime.args');
  return at(args, 'field') ?? at(args, 'key');
}

function terms(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { term, separator, prefix, suffix } = live.attributes;
  const name = word(term);
  const found = linkedTerms(site, post, name);
  if (found.length === 0) return '';
  const links = found.map(({ link, label }) => `<a href="${escapeHtml(link)}" rel="tag">${label}</a>`);
  const between = `<span class="${part('post-terms__separator')}">${escapeOnce(word(separator) || ' ')}</span>`;
  const beside = (text: unknown, side: string): string =>
    word(text) ? `<span class="${part(`post-terms__${side}`)}">${rich(text)}</span>` : '';
  const inner = `${beside(prefix, 'prefix')}${links.join(between)}${beside(suffix, 'suffix')}`;
  return wrap('div', live, inner, [`taxonomy-${name}`, ...textClasses(live)]);
}

/** The post format as a term. */
function linkedTerms(
  site: BlockSite,
  post: PostRecord,
  name: string,
): readonly { readonly link: string; readonly label: string }[] {
  if (name === 'post_format') return post.format === 'standard' ? [] : [site.formatTerm(post.format)];
  const taxonomy = site.taxonomy(name);
  const found = taxonomy?.queryable ? site.termsOf(post, taxonomy.name) : [];
  return found.map((term) => ({ link: site.termLink(term), label: term.name }));
}

/** The featured image, with an overlay color. */
function featuredImage(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { attributes } = live;
  const style = pictureStyle(attributes);
  const image = site.picture(
    post.featuredMedia,
    word(attributes.sizeSlug) || 'post-thumbnail',
    style && ` style="${escapeHtml(style)}"`,
  );
  const { isLink, linkTarget, rel } = attributes;
  const overlay = overlayOf(attributes);
  if (image === '') {
    const first = attributes.useFirstImageFromPost === true ? firstImage(post, style) : '';
    return first === '' ? '' : wrap('figure', live, first + overlay);
  }
  const classes = ['wp-post-image', ...border(attributes).classes].join(' ');
  const named = image.replace(/ class="([^"]*)"/, (_, given: string) => ` class="${given} ${escapeHtml(classes)}"`);
  if (!isLink) return wrap('figure', live, named + overlay);
  // Links need a label.
  const told = named.replace(/ alt="[^"]*"/, () => ` alt="${escapeOnce(withoutTags(site.title(post)))}"`);
  const link = `<a href="${escapeHtml(site.link(post))}" target="${escapeHtml(word(linkTarget))}" ${word(rel) && `rel="${escapeHtml(word(rel))}"`}>`;
  return wrap('figure', live, `${link}${told}${overlay}</a>`);
}

/** As the reference writes it, with its markers. */
function pictureStyle(attributes: LiveBlock['attributes']): string {
  const { aspectRatio, width, height, scale } = attributes;
  const one = (property: string, value: unknown): string =>
    word(value) === '' ? '' : `${filterStyle(`${property}:${word(value)}`)};`;
  return [
    border(attributes, undefined, ['color', 'style', 'width']).css,
    word(aspectRatio) ? `${one('aspect-ratio', aspectRatio)}width:100%;` : '',
    word(width) && !word(height) ? 'height:auto;' : '',
    one('height', height),
    one('width', width),
    one('object-fit', scale),
    shadow(attributes).css,
  ].join('');
}

function overlayOf({ dimRatio, overlayColor, customOverlayColor, gradient, customGradient }: LiveBlock['attributes']): string {
  const dim = wholeNumber(dimRatio, 0, 0, 100);
  if (dim === 0) return '';
  const [named, slope] = [word(overlayColor), word(gradient)];
  const classes = [
    part('post-featured-image__overlay'),
    'has-background-dim',
    `has-background-dim-${dim}`,
    named && `has-${named}-background-color`,
    slope || word(customGradient) ? 'has-background-gradient' : '',
    slope && `has-${slope}-gradient-background`,
  ].filter((name) => name !== '');
  const own = [
    word(customGradient) && `background-image: ${word(customGradient)};`,
    word(customOverlayColor) && `background-color: ${word(customOverlayColor)};`,
  ];
  return `<span class="${escapeHtml(classes.join(' '))}" style="${escapeHtml(filterStyle(own.join('')))}" aria-hidden="true"></span>`;
}

/** The first image in the text of a post without a featured image. */
function firstImage({ content: text }: PostRecord, style: string): string {
  const tag = openingTag(text, ({ name }) => name === 'img');
  const src = tag ? attributeOf(text, tag, 'src') : undefined;
  if (!tag || !src) return '';
  const bare = '<img>';
  const own = openingTag(bare) as Tag;
  const name = attributeOf(text, tag, 'class');
  return withAttributes(bare, own, {
    alt: attributeOf(text, tag, 'alt') ?? '',
    ...(name === undefined ? {} : { class: name }),
    src,
    ...(style === '' ? {} : { style }),
  });
}

/** The featured image: its id and element. */
function pictureAround(live: LiveBlock, site: BlockSite, size: string): { readonly id: number; readonly image: string } {
  const id = (live.attributes.useFeaturedImage === true && site.post(live.context.postId)?.featuredMedia) || 0;
  return { id, image: site.picture(id, size) };
}

const valueIn = (image: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(image)?.[1] ?? '';

/** The focal point: `50% 50%`; '' if not set. */
function focus({ focalPoint }: LiveBlock['attributes']): string {
  const percent = (side: string): string => `${Math.round((Number(at(focalPoint, side)) || 0) * 100)}%`;
  return focalPoint === undefined ? '' : `${percent('x')} ${percent('y')}`;
}

function cover(live: LiveBlock, site: BlockSite): string {
  const { attributes } = live;
  const html = live.content();
  if (attributes.backgroundType !== 'image') return html;
  const { id, image } = pictureAround(live, site, word(attributes.sizeSlug) || 'post-thumbnail');
  const inner = openingTag(html, (tag) => tag.name === 'div' && hasClass(html, tag, part('cover__inner-container')));
  if (image === '' || !inner) return html;
  const isFixed = attributes.hasParallax === true || attributes.isRepeated === true;
  const point = focus(attributes);
  const placed = point && ` data-object-position="${point}" style="object-position:${point};"`;
  const named = `class="${part('cover__image-background')} wp-post-image" alt="${valueIn(image, 'alt')}" data-object-fit="cover"${placed}`;
  const shown = isFixed ? backdrop(live, id, image) : image.replace(/class="[^"]*" alt="[^"]*"/, () => named);
  return html.slice(0, inner.start) + shown + html.slice(inner.start);
}

/** A fixed or repeated image is a background. */
function backdrop({ attributes }: LiveBlock, id: number, image: string): string {
  const alt = valueIn(image, 'alt');
  const classes = [
    part('cover__image-background'),
    `${wireConstants.imageClass}${id}`,
    ...(attributes.hasParallax === true ? ['has-parallax'] : []),
    ...(attributes.isRepeated === true ? ['is-repeated'] : []),
  ];
  // By name.
  const [label, role] = alt === '' ? ['', ''] : [` aria-label="${alt}"`, ' role="img"'];
  const style = `background-position:${focus(attributes) || '50% 50%'};background-image:url(${valueIn(image, 'src')});`;
  return `<div${label} class="${classes.join(' ')}"${role} style="${style}"></div>`;
}

function mediaText(live: LiveBlock, site: BlockSite): string {
  const { attributes } = live;
  const html = live.content();
  const size = word(attributes.mediaSizeSlug) || 'full';
  const { id, image } = pictureAround(live, site, size);
  const isFigure = (tag: Tag): boolean =>
    tag.name === 'figure' && !tag.isClosing && hasClass(html, tag, part('media-text__media'));
  const figures = [...tagsFrom(html)].filter(isFigure);
  const figure = attributes.mediaPosition === 'right' ? figures.at(-1) : figures[0];
  if (image === '' || !figure) return html;
  const isFilled = attributes.imageFill === true;
  const style = isFilled ? ` style="object-position:${focus(attributes) || '50% 50%'};"` : '';
  const classes = `${wireConstants.imageClass}${id} size-${escapeHtml(size)}`;
  const shown = `<img alt="${valueIn(image, 'alt')}" src="${valueIn(image, 'src')}"${style} class="${classes}">`;
  // As the reference writes it, with a temporary marker.
  const marked = html.slice(figure.start, figure.end).replace(/^<figure/i, '$& ');
  const out = html.slice(0, figure.start) + marked + shown + html.slice(figure.end);
  const box = isFilled ? openingTag(out, (tag) => hasClass(out, tag, part('media-text'))) : null;
  if (!box) return out;
  const names = (attributeOf(out, box, 'class') ?? '').split(/\s+/).filter((name) => name !== 'is-image-fill');
  return withAttribute(out, box, 'class', [...new Set([...names, 'is-image-fill-element'])].join(' '));
}

const wordCounts = new WeakMap<PostRecord, number>();

function wordsOf(post: PostRecord): number {
  const known = wordCounts.get(post) ?? (plainText(post.content).match(/\S+/g) ?? []).length;
  wordCounts.set(post, known);
  return known;
}

function timeToRead(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { displayMode, displayAsRange, averageReadingSpeed } = live.attributes;
  const classes = alignClass(live);
  const words = !isProtected(post) && site.spend(post.content.length / charactersOfWork) ? wordsOf(post) : 0;
  if (displayMode === 'words') return wrap('div', live, `${grouped(words)} ${words === 1 ? 'word' : 'words'}`, classes);
  const speed = Math.max(1, Number(averageReadingSpeed) || 189);
  const minutes = (factor: number): number => Math.max(1, Math.round((words / speed) * factor));
  const [least, most] = [minutes(0.8), Math.max(minutes(1.2), minutes(0.8) + 1)];
  const single = minutes(1);
  const text = displayAsRange ? `${least}–${most} minutes` : `${single} ${single === 1 ? 'minute' : 'minutes'}`;
  return wrap('div', live, text, classes);
}

/** Footnotes as a list. */
function footnotes(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const kept = isProtected(post) ? '' : word(post.meta.footnotes);
  const notes = site.spend(kept.length / charactersOfWork) ? listOf(kept) : [];
  if (notes.length === 0) return '';
  const items = notes.map(({ id, content: text }, index) => {
    const name = escapeHtml(word(id));
    return `<li id="${name}">${rich(text)} <a href="#${name}-link" aria-label="Jump to footnote reference ${index + 1}">↩︎</a></li>`;
  });
  return wrap('ol', live, items.join(''));
}

function listOf(json: string): readonly { readonly id?: unknown; readonly content?: unknown }[] {
  try {
    const list: unknown = json === '' ? [] : JSON.parse(json);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}
