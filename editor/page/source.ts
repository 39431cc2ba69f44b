/**
 * The source of a text: CodeMirror, in a shadow of its own, where its styles are no inline styles of the page.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, type Language, syntaxHighlighting } from '@codemirror/language';
import { Annotation, Compartment, EditorState, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { fileOf, type TextPlace, wordsIn } from './places.ts';

export interface SourceOptions {
  readonly text: string;
  readonly label: string;
  readonly isMarkdown: boolean;
  changed(): void;
}

export interface Source {
  text(): string;
  /** Takes another text in place of this one: caret and focus stay. */
  replace(text: string): void;
  goTo(place: TextPlace): void;
  destroy(): void;
}

const style = EditorView.theme({
  '&': { border: '1px solid var(--line)', borderRadius: '0.4rem', background: 'var(--ground)', color: 'var(--text)' },
  '&.cm-focused': { outline: '3px solid var(--act)', outlineOffset: '2px' },
  '.cm-scroller': { font: '0.95rem / 1.5 ui-monospace, monospace', minHeight: '20rem' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.6rem' },
  '.cm-line': { unicodeBidi: 'plaintext' },
  '.cm-cursor': { borderInlineStartColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--mark)',
  },
});
const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url, tags.tagName], color: 'var(--act)' },
  { tag: [tags.comment, tags.processingInstruction, tags.attributeName], color: 'var(--soft)' },
]);

/** Of a transaction that brings what is stored already. */
const isReplaced = Annotation.define<boolean>();

export function createSource(place: HTMLElement, { text, label, isMarkdown, changed }: SourceOptions): Source {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const language = new Compartment();
  // Ends of lines stay as they are: where they differ, they are signs of the text.
  const lineEnd = /\r\n/.test(text) && !/(?:^|[^\r])\n/.test(text) ? '\r\n' : '\n';
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.lineSeparator.of(lineEnd),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        syntaxHighlighting(colours),
        style,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (docChanged && !transactions.some((one) => one.annotation(isReplaced))) changed();
        }),
        language.of(isMarkdown ? markdownLanguage : []),
      ],
    }),
  });
  const speak = (known: Language): void => view.dispatch({ effects: language.reconfigure(known) });
  // Larger, and not for Markdown.
  if (!isMarkdown) void import('./html.ts').then(({ htmlLanguage }) => speak(htmlLanguage));
  return {
    text: () => view.state.sliceDoc(),
    replace(fresh) {
      const insert = view.state.toText(fresh);
      const { doc } = view.state;
      const [old, next] = [doc.toString(), insert.toString()];
      let from = 0;
      while (from < old.length && old[from] === next[from]) from++;
      let end = 0;
      while (end < Math.min(old.length, next.length) - from && old.at(-1 - end) === next.at(-1 - end)) end++;
      view.dispatch({
        changes: { from, to: old.length - end, insert: insert.slice(from, next.length - end) },
        annotations: [isReplaced.of(true), Transaction.addToHistory.of(false)],
      });
    },
    goTo(wanted) {
      const at = positionOf(view.state.sliceDoc(), wanted);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** Where the first words of a place are, or its picture. */
function positionOf(text: string, { words = '', picture }: TextPlace): number {
  const wanted = picture === undefined ? wordsIn(words).slice(0, 6) : [fileOf(picture)];
  if (wanted.length === 0 || wanted[0] === '') return 0;
  const literal = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return Math.max(0, text.search(new RegExp(literal.join('(?:<[^>]*>|[^\\p{L}\\p{N}])+'), 'iu')));
}
