/**
 * Markdown as HTML: CommonMark with the extensions of GFM (tables, strike-through, task lists, addresses as links), footnotes and alerts as
 * on GitHub, ids of headings and definition lists as most generators have them; HTML passed through. The same typography as everywhere else.
 */

import { table } from '../kernel/model/maps.ts';
import MarkdownIt from 'markdown-it';
import definitionLists from 'markdown-it-deflist';
import { withoutActive } from './active.ts';
import { absoluteUploads } from './addresses.ts';
import { filterHtml } from './filter.ts';
import { type FootnoteEnv, footnotes, type Notes } from './footnotes.ts';
import { alerts, headingIds, taskLists } from './markdown-rules.ts';
import type { RenderOptions } from './markup.ts';
import { mediaShortcodes, showEmbeds, unwrapShortcodes } from './shortcodes.ts';
import { typography } from './typography.ts';

export type Parser = InstanceType<typeof MarkdownIt>;

let shared: Parser | undefined;

/**
 * A Markdown text as HTML; '' for an empty text. Headings get no ids but those that they state.
 *
 * @param options.typography  whether quotes, dashes and the like are set typographically
 * @param options.joinsLines  whether the lines of a paragraph become one, for readers that show each of them on a line
 * @param options.anchor      what tells the ids of its footnotes from those of other texts on the page; `postId` unless told
 */
export function renderMarkdown(body: string, options: MarkdownOptions): string {
  return finished(parser().render(body, envOf(options)), options);
}

/**
 * The first blocks of a Markdown text as HTML, the same as they are in the whole; null where what follows may change them or where there
 * is nothing more.
 *
 * @param signs  of the text, that are read at least
 */
export function renderBeginning(body: string, options: MarkdownOptions, signs: number): string | null {
  const end = body.indexOf('\n\n', signs);
  // What is filtered is looked at as a whole; labels of links may be defined at the end.
  if (end === -1 || options.filtered || body.includes(']:')) return null;
  const env = envOf(options);
  const tokens = parser().parse(body.slice(0, end), env);
  const last = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0);
  // An empty line ends a paragraph or a heading; other blocks may go on behind it.
  const isWhole = /^(?:paragraph|heading)_open$/.test(tokens[last]?.type ?? '');
  // A line above a definition is its term.
  definition.lastIndex = end;
  if (definition.test(body)) return null;
  return finished(parser().renderer.render(isWhole ? tokens : tokens.slice(0, last), parser().options, env), options);
}

/** Behind the end of a block. */
const definition = /\s*[:~][ \t]/y;

function envOf({ joinsLines, anchor, postId, language }: MarkdownOptions): FootnoteEnv {
  return { joinsLines, anchor: anchor ?? postId, language };
}

/** Of one kind for all. Its rules hold no state. */
export function parser(): Parser {
  shared ??= create();
  return shared;
}

function finished(rendered: string, options: MarkdownOptions): string {
  const html = unwrapShortcodes(options.filtered ? filtered(rendered) : rendered);
  return absoluteUploads(options.typography ? typography(html) : html, options.home ?? '');
}

interface MarkdownOptions extends Pick<RenderOptions, 'typography' | 'home' | 'filtered' | 'postId' | 'language'> {
  readonly joinsLines?: boolean;
  readonly anchor?: string;
}

/** A text of a Markdown document, or markup in it. */
export interface MarkdownBlock {
  readonly kind: 'paragraph' | 'heading' | 'cell' | 'html';
  /** From and up to which line. */
  readonly lines: readonly [number, number];
  /** Its lines without what they begin with in quotes and lists. */
  readonly content: string;
}

/** The blocks of a Markdown text that hold text, in order, the labels that it defines, and its footnotes. */
export function markdownBlocks(body: string): {
  readonly blocks: readonly MarkdownBlock[];
  readonly labels: ReadonlySet<string>;
  readonly notes: Notes;
} {
  const env: FootnoteEnv = {};
  const blocks: MarkdownBlock[] = [];
  let row: [number, number] = [0, 0];
  let kind: MarkdownBlock['kind'] = 'paragraph';
  for (const { type, map, content } of parser().parse(body, env)) {
    if (type === 'tr_open' && map) row = map;
    if (type === 'paragraph_open' || type === 'dt_open') kind = 'paragraph';
    else if (type === 'heading_open') kind = 'heading';
    else if (type === 'th_open' || type === 'td_open') kind = 'cell';
    else if (type === 'html_block' && map) blocks.push({ kind: 'html', lines: map, content });
    else if (type === 'inline' && content !== '') {
      const [from, to] = kind === 'cell' ? row : (map ?? row);
      // The parser lets a term end where it begins.
      blocks.push({ kind, lines: [from, Math.max(to, from + 1)], content });
    }
  }
  // Notes come last; they may stand anywhere.
  blocks.sort((one, other) => one.lines[0] - other.lines[0]);
  return { blocks, labels: new Set(Object.keys(env.references ?? {})), notes: env.notes ?? new Map() };
}

/** What authors without `unfiltered_html` may write; the boxes of task lists are not theirs and stay. */
function filtered(html: string): string {
  const pieces = html.split(/(<input type="checkbox"(?: checked="")? disabled="" \/>)/);
  return withoutActive(pieces.map((piece, at) => (at % 2 === 1 ? piece : filterHtml(piece, 'post'))).join(''));
}

/** Not a link: `[gallery](…)`, `[gallery][…]`. */
const shortcode = new RegExp(
  `\\[(?:(${mediaShortcodes.join('|')})(?:\\s[^[\\]\\n]*)?\\](?![(:]|\\[(?!/))|(embed)(?:\\s[^[\\]\\n]*)?\\][^[\\]\\n]*\\[/embed\\])`,
  'y',
);
const shortcodeAsText = new RegExp(`\\[(?=(?:${mediaShortcodes.join('|')})(?![\\w-]))`, 'g');

/** What stands as code, or behind a backslash, shows nothing. */
function asText(html: string): string {
  return html.includes('[') ? html.replace(shortcodeAsText, '&#91;') : html;
}

const inText: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;' });

function create(): Parser {
  const md = new MarkdownIt({ html: true, linkify: true, typographer: false });
  // Only what looks like an address on purpose: `http://…`, `www.…`, `name@example.org`. `readme.md` is a file.
  md.linkify.set({ fuzzyLink: false });
  md.linkify.add('www.', {
    validate: (text, at) =>
      /^[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s<]*[^\s<?!.,:*_~'")\]])?\/?/.exec(text.slice(at, at + 2000))?.[0].length ?? 0,
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
  // Quotes in text stay quotes, for the typography that follows; in attributes they are encoded as ever.
  md.renderer.rules.text = (tokens, at) =>
    asText((tokens[at]?.content ?? '').replace(/[&<>]/g, (char) => inText[char] ?? '&gt;'));
  md.renderer.rules.softbreak = (_tokens, _at, _options, env) => (env?.joinsLines ? ' ' : '\n');
  for (const name of ['code_inline', 'code_block', 'fence'] as const) {
    const print = md.renderer.rules[name] as NonNullable<(typeof md.renderer.rules)[string]>;
    md.renderer.rules[name] = (...of) => asText(print(...of));
  }
  md.inline.ruler.before('link', 'shortcode', (state, isSilent) => {
    shortcode.lastIndex = state.pos;
    const [found, media, embed] = shortcode.exec(state.src) ?? [];
    const name = media ?? embed;
    if (found === undefined || name === undefined || state.pos + found.length > state.posMax) return false;
    // `[gallery]: /address` somewhere makes a link of it.
    const { references = {} } = state.env as { readonly references?: object };
    if (Object.hasOwn(references, state.md.utils.normalizeReference(found.slice(1, -1)))) return false;
    if (!isSilent) state.push('html_inline', '', 0).content = name === 'embed' ? showEmbeds(found) : found;
    state.pos += found.length;
    return true;
  });
  md.use(footnotes).use(definitionLists).use(headingIds).use(alerts).use(taskLists);
  return md;
}
