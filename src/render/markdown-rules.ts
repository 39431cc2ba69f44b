/**
 * What Markdown is read as beside CommonMark and tables: boxes of tasks, `{#id}` behind headings, and quotes that begin with `[!NOTE]`.
 */
import { table } from '../kernel/model/maps.ts';
import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** Boxes of task lists: `- [x] done`. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', (state) => {
    state.tokens.forEach((token, at) => {
      const item = state.tokens[at - 2];
      const text = token.children?.[0];
      const box =
        token.type === 'inline' && item?.type === 'list_item_open' && text?.type === 'text'
          ? /^\[([ xX])\](?=\s)/.exec(text.content)
          : null;
      if (!box || !text || !token.children) return;
      text.content = text.content.slice(3);
      const input = new state.Token('html_inline', '', 0);
      input.content = `<input type="checkbox"${box[1] === ' ' ? '' : ' checked=""'} disabled="" />`;
      token.children.unshift(input);
    });
  });
}

/** Ids of headings: `## Parts {#parts}`, classes behind them: `{#parts .wide}`. */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.after('block', 'heading_ids', (state) => {
    state.tokens.forEach((token, at) => {
      const heading = state.tokens[at - 1];
      if (token.type !== 'inline' || heading?.type !== 'heading_open') return;
      const { text, id, classes } = headingParts(token.content);
      if (id === '') return;
      token.content = text;
      heading.attrSet('id', id);
      if (classes !== '') heading.attrSet('class', classes);
    });
  });
}

const attributes = /^\{[ \t]{0,9}#([\p{L}\p{N}_][\p{L}\p{M}\p{N}_:.-]{0,199})((?:[ \t]{1,9}\.[\w-]{1,99}){0,9})[ \t]{0,9}\}$/u;

/** A heading, its id and its classes apart; '' for what it does not say. */
export function headingParts(content: string): { readonly text: string; readonly id: string; readonly classes: string } {
  const start = content.endsWith('}') ? content.lastIndexOf('{') : -1;
  const [found, id = '', names = ''] = (start > 0 && content[start - 1] !== '\\' && attributes.exec(content.slice(start))) || [];
  const text = found === undefined ? '' : content.slice(0, start).trimEnd();
  if (text === '') return { text: content, id: '', classes: '' };
  return {
    text,
    id,
    classes: names
      .trim()
      .replace(/[ \t]+/g, ' ')
      .replaceAll('.', ''),
  };
}

/** Kinds of alerts, and what stands above each. */
const kinds: Readonly<Record<string, string>> = table({
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
});
export const alertKinds: readonly string[] = Object.keys(kinds);
const firstLine = new RegExp(`^\\[!(${alertKinds.join('|')})\\][ \\t]*(?:\\n|$)`, 'i');

/** What stands above an alert, as HTML. */
export function alertTitle(kind: string): string {
  return `<p class="markdown-alert-title">${kinds[kind]}</p>`;
}

const title = new RegExp(`<p class="markdown-alert-title">(?:${Object.values(kinds).join('|')})</p>\\n`, 'g');

/** A rendered text without what stands above alerts. */
export function withoutAlertTitles(html: string): string {
  return html.includes('<p class="markdown-alert-title">') ? html.replace(title, '') : html;
}

/** Alerts as on GitHub: a quote whose first line is `[!NOTE]`, or another of five kinds. */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.after('block', 'alerts', (state) => {
    if (state.tokens.some((_, at) => alertAt(state.tokens, at) !== null)) state.tokens = withAlerts(state);
  });
}

function withAlerts(state: StateCore): Token[] {
  const tokens: Token[] = [];
  const quotes: boolean[] = [];
  for (let at = 0; at < state.tokens.length; at++) {
    const token = state.tokens[at] as Token;
    tokens.push(token);
    if (token.type === 'blockquote_close' && quotes.pop()) token.tag = 'div';
    if (token.type !== 'blockquote_open') continue;
    const kind = alertAt(state.tokens, at);
    quotes.push(kind !== null);
    if (kind === null) continue;
    token.tag = 'div';
    token.attrSet('class', `markdown-alert markdown-alert-${kind}`);
    const heading = new state.Token('html_block', '', 0);
    heading.content = `${alertTitle(kind)}\n`;
    tokens.push(heading);
    const text = state.tokens[at + 2] as Token;
    text.content = text.content.replace(firstLine, '');
    if (text.map) text.map = [text.map[0] + 1, text.map[1]];
    // A first line alone was a paragraph.
    if (text.content === '') at += 3;
  }
  return tokens;
}

/** The kind of the alert that opens there; null: none does. One without a text is a quote. */
function alertAt(tokens: readonly Token[], at: number): string | null {
  if (tokens[at]?.type !== 'blockquote_open' || tokens[at + 1]?.type !== 'paragraph_open') return null;
  const content = tokens[at + 2]?.content ?? '';
  const [found, kind = ''] = firstLine.exec(content) ?? [];
  if (found === undefined || (found.length === content.length && tokens[at + 4]?.type === 'blockquote_close')) return null;
  return kind.toLowerCase();
}
