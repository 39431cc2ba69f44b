/**
 * The text of a Markdown document without rendering it, for those who count its words.
 */
import { type Parser, parser } from './markdown.ts';

/** Blocks that go on behind an empty line or hold no text, labels of links, and hyphens whose meaning depends on what stands above. */
const unusual = /```|~~~|\]:|\||\d[.)] +-|^[ >]*--?[ ]*$|^[ >*+\d.)-]*(?: {4}|\t|<|[:~][ \t])/m;
/** Signs that may begin or end something that is not text. Those of emphasis are left: they stand between words anyway. */
const special = /[[\\`<>&%]|\{#/;
/** Links, and lines whose markers could be taken for words. A text without them is not copied. */
const wordlike = /\]\(|^[ >*+]*[-\d]/m;
/**
 * Markers, which stand before the text of a line, below headings and between parts; and links as most are, of the text of which alone
 * something is seen. Both in one pattern: each pass would copy the text.
 */
const unseen =
  /^(?:[ >]+(?:(?:[-*+]|\d{1,9}[.)]) +)*|(?:(?:[-*+]|\d{1,9}[.)]) +)+)(?:-[- ]*$)?|^-[- ]*$|(?<![!\\\]])\[([^[\]\\`<>&%\n]+)\]\((?:https?:\/)?[/#][^\s()<>\\`&%]*\)/gm;
const taskBox = /^\[[ xX]\](?=\s)/;

/**
 * The text without code blocks, as markup for those who take out tags, inline code and entities. It is as it is written: type makes no
 * other quotes or dashes of it, and markers of blocks that no one takes for words may be left in it.
 * Cost: a twentieth of rendering the text; a third where blocks are unusual.
 */
export function markdownText(body: string): string {
  const text = body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body;
  if (unusual.test(text)) return parsedText(text);
  // Most texts have nothing special: all of one is looked at before its parts are.
  return (
    plainText(text) ??
    text
      .split(/\n *\n/)
      .map((part) => plainText(part) ?? parsedText(part))
      .join('\n')
  );
}

/** Null for one that has special signs beside its links. */
function plainText(text: string): string | null {
  const plain = wordlike.test(text) ? text.replace(unseen, ' $1 ') : text;
  return special.test(plain) ? null : plain;
}

/** What only the whole parser reads: footnotes, alerts, ids of headings. */
const whole = /\[[\^!]|\{#/;

/** The same of any text: its blocks are parsed, and of these the lines with special signs. */
function parsedText(text: string): string {
  const md = parser();
  const env: Parameters<Parser['parse']>[1] = {};
  if (whole.test(text)) {
    return md
      .parse(text, env)
      .map(({ type, content, map, children }) => {
        if (type === 'html_block') return map ? content : '';
        const shown = children?.filter((child) => child.type !== 'footnote_ref') ?? [];
        return type === 'inline' ? md.renderer.renderInline(shown, md.options, env) : '';
      })
      .join('\n');
  }
  const tokens: ReturnType<Parser['parse']> = [];
  md.block.parse(text, md, env, tokens);
  const parts = tokens.map(({ type, content }, at) => {
    if (type === 'html_block') return content;
    if (type !== 'inline') return '';
    if (!special.test(content)) return content;
    const isItem = tokens[at - 2]?.type === 'list_item_open';
    return md.renderInline(isItem ? content.replace(taskBox, '') : content, env);
  });
  return parts.join('\n');
}
