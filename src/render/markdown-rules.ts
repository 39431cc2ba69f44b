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

export const alertKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;
const firstLine = new RegExp(`^\\[!(${alertKinds.join('|')})\\][ \\t]*(?:\\n|$)`, 'i');

/** What stands above each kind of alert, by language. */
const titles: Readonly<Record<string, readonly string[]>> = table({
  de: ['Hinweis', 'Tipp', 'Wichtig', 'Warnung', 'Vorsicht'],
  en: ['Note', 'Tip', 'Important', 'Warning', 'Caution'],
  es: ['Nota', 'Consejo', 'Importante', 'Advertencia', 'Precaución'],
  fr: ['Remarque', 'Astuce', 'Important', 'Avertissement', 'Attention'],
  it: ['Nota', 'Suggerimento', 'Importante', 'Avviso', 'Attenzione'],
  nl: ['Opmerking', 'Tip', 'Belangrijk', 'Waarschuwing', 'Let op'],
  pl: ['Uwaga', 'Wskazówka', 'Ważne', 'Ostrzeżenie', 'Przestroga'],
  pt: ['Nota', 'Dica', 'Importante', 'Aviso', 'Cuidado'],
});

/** @param language  a locale, or its beginning; of one that is not known titles are English */
function alertTitle(kind: string, language = 'en'): string {
  const own = titles[language.split(/[-_]/, 1)[0] as string] ?? (titles.en as readonly string[]);
  return `<p class="markdown-alert-title">${own[alertKinds.indexOf(kind as (typeof alertKinds)[number])]}</p>`;
}

/** Whether it is what stands above an alert of that kind, in any language. */
export function isAlertTitle(html: string, kind: string): boolean {
  return Object.keys(titles).some((language) => html === alertTitle(kind, language));
}

const title = new RegExp(
  `<p class="markdown-alert-title">(?:${[...new Set(Object.values(titles).flat())].join('|')})</p>\\n?`,
  'g',
);

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
    heading.content = `${alertTitle(kind, (state.env as { readonly language?: string } | undefined)?.language)}\n`;
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
