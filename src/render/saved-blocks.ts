/**
 * Blocks whose markup is saved with the text and changed when it is shown, by nothing but what they say themselves.
 *
 * Source: behaviour of the reference (7.1).
 */
import { blockClass } from '../kernel/model/wire-constants.ts';
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
} satisfies Record<string, BlockRenderer>);

/** What blocks get after all that styles give them. */
export const finishedBlocks: Readonly<Record<string, (html: string, live: Parameters<BlockRenderer>[0]) => string>> =
  Object.assign(Object.create(null), {
    // Told from other paragraphs by its class.
    'core/paragraph': (html: string) => withClassOf(html, /^p$/, blockClass('paragraph')),
    'core/accordion-item': (html: string, live: Parameters<BlockRenderer>[0]) =>
      live.attributes.openByDefault === true ? withClassOf(html, /./, 'is-open') : html,
  });

/** A button that says nothing is not shown. */
function buttonWithText(html: string): string {
  const tags = [...tagsFrom(html)];
  const at = tags.findIndex(({ name, isClosing }) => !isClosing && (name === 'a' || name === 'button'));
  const tag = tags[at];
  if (!tag) return html;
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

function gallery(live: Parameters<BlockRenderer>[0]): string {
  const html = live.content();
  const tag = openingTag(html);
  const name = `${blockClass('gallery')}-${live.run.unique()}`;
  return tag ? withClasses(html, tag, [name]) : html;
}

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

function accordion(live: Parameters<BlockRenderer>[0]): string {
  const html = live.content();
  const tag = openingTag(html, (one) => hasClass(html, one, blockClass('accordion')));
  if (!tag) return html;
  const context = `{ "autoclose": ${live.attributes.autoclose === true}, "accordionItems": [] }`;
  return withAttributes(html, tag, { 'data-wp-context': context, 'data-wp-interactive': 'core/accordion' });
}

/** An item has a number, by which its heading and its panel know each other. */
function accordionItem(live: Parameters<BlockRenderer>[0]): string {
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
