/**
 * Blocks whose markup is saved with the text and changed when it is shown, by nothing but what they say themselves.
 *
 * Source: behaviour of the reference (7.1).
 */
import { blockClass } from './wire-constants.ts';
import { at } from './attribute-path.ts';
import { word } from './block-styles.ts';
import type { Block } from './blocks.ts';
import { jsonDigest } from './json-digest.ts';
import type { BlockRenderer } from './live-block.ts';
import { paragraphs } from './paragraphs.ts';
import { socialLink } from './social-links.ts';
import { attributeOf, hasClass, openingTag, type Tag, tagsFrom, withAttribute, withAttributes, withClasses } from './tags.ts';
import { withoutParts } from './text.ts';

const withClassOn =
  (names: RegExp, added: string): BlockRenderer =>
  (live) =>
    withClassOf(live.content(), names, blockClass(added));

/** The class on the first tag of one of the names. */
function withClassOf(html: string, names: RegExp, added: string): string {
  const tag = openingTag(html, ({ name }) => names.test(name));
  return tag ? withClasses(html, tag, [added]) : html;
}

type Live = Parameters<BlockRenderer>[0];

export const savedBlocks: Readonly<Record<string, BlockRenderer>> = Object.assign(Object.create(null), {
  'core/heading': withClassOn(/^h[1-6]$/, 'heading'),
  'core/list': withClassOn(/^[uo]l$/, 'list'),
  'core/button': (live) => buttonWithText(live.content()),
  'core/image': (live) => picture(live.content(), live.attributes['data-id']),
  'core/gallery': gallery,
  'core/file': (live) => file(live.content(), live.attributes.displayPreview === true),
  'core/social-link': socialLink,
  'core/shortcode': (live) => paragraphs(live.content()),
  'core/accordion': accordion,
  'core/accordion-item': accordionItem,
  'core/tabs': tabs,
  'core/tab-list': tabList,
  'core/tab-panel': tabPanel,
} satisfies Record<string, BlockRenderer>);

/** What blocks get after all that styles give them. */
export const finishedBlocks: Readonly<Record<string, (html: string, live: Live) => string>> = Object.assign(Object.create(null), {
  // Told from other paragraphs by its class.
  'core/paragraph': (html: string) => withClassOf(html, /^p$/, blockClass('paragraph')),
  'core/accordion-item': (html: string, live: Live) =>
    live.attributes.openByDefault === true ? withClassOf(html, /./, 'is-open') : html,
  'core/image': (html: string, live: Live) => (isEnlarged(live.block) ? enlarged(html, live) : html),
});

/** A button that says nothing is not shown. */
function buttonWithText(html: string): string {
  const tags = [...tagsFrom(html)];
  const at = tags.findIndex(({ name, isClosing }) => !isClosing && (name === 'a' || name === 'button'));
  const tag = tags[at];
  if (!tag) return '';
  const next = tags[at + 1];
  const inside = withoutParts(html.slice(tag.end, next?.start ?? html.length), '<!--', '-->');
  return inside === '' && (!next || next.name === tag.name) ? '' : html;
}

/** A picture without an address is not shown. */
function picture(html: string, dataId: unknown): string {
  const tag = openingTag(html, ({ name }) => name === 'img');
  if (!tag || !attributeOf(html, tag, 'src')) return '';
  return typeof dataId === 'string' ? withAttribute(html, tag, 'data-id', dataId) : html;
}

function gallery(live: Live): string {
  const html = live.content();
  const tag = openingTag(html);
  const name = `${blockClass('gallery')}-${live.run.unique()}`;
  if (!tag) return html;
  if (!live.block.innerBlocks.some(isEnlarged)) return withClasses(html, tag, [name]);
  const context = JSON.stringify({ galleryId: pageId(live, 'gallery') });
  return withAttributes(html, tag, { 'data-wp-context': context, 'data-wp-interactive': 'core/gallery' }, [name]);
}

/** A name that nothing else of a page has: pages show several texts. */
function pageId({ context, run }: Live, kind: string): string {
  return jsonDigest([kind, context.postId ?? 0, run.unique(kind)]);
}

/** Whether a picture is shown large when it is clicked. */
function isEnlarged({ name, attrs }: Block): boolean {
  const isLinked = attrs?.linkDestination !== undefined && attrs.linkDestination !== 'none';
  return name === 'core/image' && !isLinked && at(attrs, 'lightbox.enabled') === true;
}

/** A picture with what a script enlarges it by. */
function enlarged(html: string, live: Live): string {
  const figure = openingTag(html, ({ name }) => name === 'figure');
  const image = figure && openingTag(html, ({ name }) => name === 'img', figure.end);
  if (!image) return html;
  const key = pageId(live, 'image');
  const withTrigger = html.slice(0, image.end) + enlargeTrigger + html.slice(image.end);
  const active = withAttributes(withTrigger, image, {
    'data-wp-class--hide': 'state.isContentHidden',
    'data-wp-class--show': 'state.isContentVisible',
    'data-wp-init': 'callbacks.setButtonStyles',
    'data-wp-on--click': 'actions.showLightbox',
    'data-wp-on--load': 'callbacks.setButtonStyles',
    'data-wp-on--pointerdown': 'actions.preloadImage',
    'data-wp-on--pointerenter': 'actions.preloadImageWithDelay',
    'data-wp-on--pointerleave': 'actions.cancelPreload',
    'data-wp-on-window--resize': 'callbacks.setButtonStyles',
  });
  const attributes = {
    'data-wp-context': JSON.stringify({ imageId: key }),
    'data-wp-interactive': 'core/image',
    'data-wp-key': key,
  };
  return withAttributes(active, figure, attributes, ['wp-lightbox-container']);
}

const enlargeTrigger = `<button
\t\t\tclass="lightbox-trigger"
\t\t\ttype="button"
\t\t\taria-haspopup="dialog"
\t\t\tdata-wp-bind--aria-label="state.thisImage.triggerButtonAriaLabel"
\t\t\tdata-wp-init="callbacks.initTriggerButton"
\t\t\tdata-wp-on--click="actions.showLightbox"
\t\t\tdata-wp-style--right="state.thisImage.buttonRight"
\t\t\tdata-wp-style--top="state.thisImage.buttonTop"
\t\t>
\t\t\t<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" fill="none" viewBox="0 0 12 12">
\t\t\t\t<path fill="#fff" d="M7 1h4v4L9.5 3.5 7 6 6 5l2.5-2.5zM1 7l1.5 1.5L5 6l1 1-2.5 2.5L5 11H1z" />
\t\t\t</svg>
\t\t</button>`;

/** What shows a file in the page says what it shows. */
function file(html: string, isPreviewed: boolean): string {
  // From the beginning of a line, so that each is looked through once.
  const named = html.replace(
    /(?<![^\n])((?:(?!<object)[^\n])*<object[^\n]+)aria-label="([^"\n]+)?"/i,
    (_, before: string, name = '') => {
      return `${before}aria-label="${name === '' || name === 'PDF embed' ? 'PDF embed' : `Embed of ${name}.`}"`;
    },
  );
  const first = isPreviewed ? openingTag(named) : null;
  if (!first) return named;
  const interactive = withAttribute(named, first, 'data-wp-interactive', 'core/file');
  const object = openingTag(interactive, ({ name }) => name === 'object');
  if (!object) return interactive;
  return withAttributes(interactive, object, { 'data-wp-bind--hidden': '!state.hasPdfPreview', hidden: true });
}

function accordion(live: Live): string {
  const html = live.content();
  const tag = openingTag(html, (one) => hasClass(html, one, blockClass('accordion')));
  if (!tag) return html;
  const context = `{ "autoclose": ${live.attributes.autoclose === true}, "accordionItems": [] }`;
  return withAttributes(html, tag, { 'data-wp-context': context, 'data-wp-interactive': 'core/accordion' });
}

/** An item has a number, by which its heading and its panel know each other. */
function accordionItem(live: Live): string {
  const html = live.content();
  if (html === '') return '';
  const id = `accordion-item-${live.run.unique()}`;
  const isOpen = live.attributes.openByDefault === true;
  const byClass = (name: string, from: number): Tag | null =>
    openingTag(html, (one) => hasClass(html, one, blockClass(name)), from);
  const item = byClass('accordion-item', 0);
  const toggle = item && byClass('accordion-heading__toggle', item.end);
  const panel = toggle && byClass('accordion-panel', toggle.end);
  const shown = panel ? connected(html, { item, toggle, panel }, id, isOpen) : html;
  return isOpen ? shown : withLowPriority(shown);
}

function connected(html: string, tags: Readonly<Record<'item' | 'toggle' | 'panel', Tag>>, id: string, isOpen: boolean): string {
  const panel = {
    'aria-labelledby': id,
    'data-wp-bind--hidden': 'state.isHidden',
    'data-wp-on--beforematch': 'actions.handleBeforeMatch',
    id: `${id}-panel`,
  };
  const toggle = {
    'aria-controls': `${id}-panel`,
    'data-wp-bind--aria-expanded': 'state.isOpen',
    'data-wp-on--click': 'actions.toggle',
    id,
  };
  const item = {
    'data-wp-class--is-open': 'state.isOpen',
    'data-wp-context': `{ "id": "${id}", "openByDefault": ${isOpen} }`,
    'data-wp-init': 'callbacks.initAccordionItems',
    'data-wp-on-window--hashchange': 'callbacks.hashChange',
  };
  // From the last to the first, so that places stay true.
  let out = withAttributes(html, tags.panel, panel);
  out = withAttribute(withAttributes(out, tags.toggle, toggle), tags.toggle, 'aria-expanded', String(isOpen));
  return withAttributes(out, tags.item, item);
}

/** Pictures that are not in view at first are fetched last. */
function withLowPriority(html: string): string {
  return [...tagsFrom(html)]
    .filter(({ name, isClosing }) => name === 'img' && !isClosing)
    .reduceRight((out, tag) => withAttribute(out, tag, 'fetchpriority', 'low'), html);
}

/** What panels within tabs know of them. */
interface TabsContext {
  readonly id: string;
  /** How many panels have been shown. */
  panels: number;
}

const tabsContext = 'core/tabs';

function tabs(live: Live): string {
  const own: TabsContext = { id: `tabs_${live.run.unique('tabs')}`, panels: 0 };
  const html = live.content({ [tabsContext]: own });
  const tag = openingTag(html, (one) => hasClass(html, one, blockClass('tabs')));
  if (!tag) return html;
  const first = Number.isInteger(live.attributes.activeTabIndex) ? live.attributes.activeTabIndex : 0;
  return withAttributes(html, tag, {
    'data-wp-context': JSON.stringify({ tabsId: own.id, activeTabIndex: first }),
    'data-wp-init': 'callbacks.onTabsInit',
    'data-wp-interactive': 'core/tabs',
    'data-wp-on--keydown': 'actions.handleTabKeyDown',
  });
}

function tabList(live: Live): string {
  const html = live.content();
  const tag = openingTag(html);
  return tag ? withAttribute(html, tag, 'aria-label', word(live.attributes.ariaLabel) || 'Tabbed content') : html;
}

/** A panel has a number within its tabs, by which the button that shows it knows it. */
function tabPanel(live: Live): string {
  const html = live.content();
  const around = live.context[tabsContext] as TabsContext | undefined;
  const tag = openingTag(html, (one) => hasClass(html, one, blockClass('tab-panel')));
  if (!tag || !around) return html;
  const id = attributeOf(html, tag, 'id') || `${around.id}-tab-${around.panels}`;
  around.panels += 1;
  const named = withAttributes(html, tag, {
    'aria-labelledby': `tab__${id}`,
    'data-wp-bind--hidden': '!state.isActiveTab',
    id,
  });
  return withAttribute(named, tag, 'hidden', true);
}
