/**
 * Markdown as the editor reads it: what the server reads (`docs/writing.md`), where constructs that mean more than text to the server or to
 * site generators stay whole: references, footnotes, markup, shortcodes, template tags, attributes.
 */
import MarkdownIt, { type ParserInline, type StateCore } from 'markdown-it';
import definitionLists from 'markdown-it-deflist';
import footnotes from 'markdown-it-footnote';

type Parser = InstanceType<typeof MarkdownIt>;
type InlineRule = Parameters<ParserInline['ruler']['push']>[1];

/** In the order in which they are tried. Each pattern begins where the text stands. */
const kept: readonly RegExp[] = [
  // Footnotes, alerts.
  /\[\^[^\]\s]{1,200}\]/y,
  /\[![A-Za-z]{1,20}\]/y,
  // Shortcodes of WordPress; of Hugo, Liquid and other templates.
  /\[\[?\/?[a-z][\w-]{0,60}(?:[ =][^\]\n]{0,2000})?\/?\]\]?(?![(:[])/y,
  /\{\{[^\n]{0,2000}?\}\}/y,
  /\{%[^\n]{0,2000}?%\}/y,
  // Attributes of a heading or block.
  /\{[ \t]?[:#.][^}\n]{0,500}\}/y,
];
const box = /\[[ xX]\](?=\s)/y;

let shared: Parser | undefined;

export function parser(): Parser {
  shared ??= create();
  return shared;
}

function create(): Parser {
  const md = new MarkdownIt({ html: true, linkify: false });
  md.use(footnotes).use(definitionLists);
  // Notes stay where they are written.
  md.core.ruler.disable('footnote_tail');
  md.inline.ruler.disable(['footnote_inline', 'footnote_ref']);
  md.inline.ruler.before('backticks', 'kept', (state, isSilent) => {
    const first = state.src.charCodeAt(state.pos);
    if (first !== 0x5b && first !== 0x7b) return false;
    for (const pattern of kept) {
      pattern.lastIndex = state.pos;
      const found = pattern.exec(state.src)?.[0];
      if (found === undefined || state.pos + found.length > state.posMax) continue;
      // What looks like a shortcode may be the text of a link.
      if (found.startsWith('[') && isInlineLink(state)) return false;
      return keep(state, isSilent, found);
    }
    return false;
  });
  for (const name of ['link', 'image']) {
    const rules = md.inline.ruler as unknown as { __rules__: readonly { name: string; fn: InlineRule }[] };
    const rule = rules.__rules__.find((one) => one.name === name)?.fn as InlineRule;
    md.inline.ruler.at(name, (state, isSilent) => {
      const start = state.pos;
      if (!rule(state, true)) return false;
      const source = state.src.slice(start, state.pos);
      if (source.endsWith(')')) {
        state.pos = start;
        return rule(state, isSilent);
      }
      state.pos = start;
      return keep(state, isSilent, source);
    });
  }
  md.core.ruler.after('inline', 'boxes', boxes);
  md.renderer.rules.raw = (tokens, at) => `\0${tokens[at]?.content}\0`;
  md.renderer.rules.html_inline = md.renderer.rules.raw;
  return md;
}

type StateInline = Parameters<InlineRule>[0];

function isInlineLink(state: StateInline): boolean {
  const end = state.md.helpers.parseLinkLabel(state, state.pos, false);
  return end >= 0 && state.src[end + 1] === '(';
}

function keep(state: StateInline, isSilent: boolean, source: string): boolean {
  if (!isSilent) state.push('raw', '', 0).content = source;
  state.pos += source.length;
  return true;
}

/** Boxes of task lists. */
function boxes(state: StateCore): void {
  state.tokens.forEach((token, at) => {
    const first = token.children?.[0];
    if (token.type !== 'inline' || first?.type !== 'text' || state.tokens[at - 2]?.type !== 'list_item_open') return;
    box.lastIndex = 0;
    const found = box.exec(first.content)?.[0];
    if (found === undefined) return;
    const raw = new state.Token('raw', '', 0);
    raw.content = found;
    first.content = first.content.slice(found.length);
    token.children?.unshift(raw);
  });
}
