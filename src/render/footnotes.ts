/**
 * Footnotes of Markdown, as on GitHub: `[^label]` in a text, `[^label]: note` on a line of its own. The notes that are referred to stand at
 * the end, numbered as readers meet them; of several with one label the first counts.
 *
 * The plugin finds the definitions. The rest is here: with the plugin's own rules the cost grows with the square of the text, and a text
 * shown beside others needs ids that no other has.
 */
import { table } from '../kernel/model/maps.ts';
import plugin from 'markdown-it-footnote';
import type { Env, MarkdownIt, RendererRule, StateCore, StateInline, Token } from 'markdown-it';

/** What a text says of one label. */
interface Note {
  readonly tokens: Token[];
  /** Its number; 0 while nothing that is shown refers to it. */
  number: number;
  /** How often it is referred to. */
  references: number;
}

/** By label, as the parser folds labels. */
export type Notes = ReadonlyMap<string, Readonly<Note>>;

/** What one run of the parser knows. */
export interface FootnoteEnv extends Env {
  /** What ids begin with behind `fn-`, so that texts on one page have their own. */
  readonly anchor?: string | number | undefined;
  /** Of the text. */
  readonly language?: string | undefined;
  notes?: Map<string, Note>;
}

/** How many of the references to one note it leads back to. */
const maxBacklinks = 100;

/** How the notes of a rendered text begin, which go to its end. */
const sectionStart = '<section class="footnotes" role="doc-endnotes">';
const mark = /<sup class="footnote-ref"><a href="#[^"<>]{1,99}" id="[^"<>]{1,99}" role="doc-noteref">\d{1,9}<\/a><\/sup>/g;

/** A rendered text without marks and notes. */
export function withoutNotes(html: string): string {
  if (!html.includes('<sup class="footnote-ref">')) return html;
  const end = html.lastIndexOf(sectionStart);
  return (end === -1 ? html : html.slice(0, end)).replace(mark, '');
}

/** A rendered text with the ids of one that is alone on its page. */
export function withoutAnchor(html: string): string {
  const at = html.indexOf(sectionStart);
  const [, anchor] = at === -1 ? [] : (/<li id="fn-([\w-]{1,99})-1">/.exec(html.slice(at, at + 400)) ?? []);
  if (anchor === undefined) return html;
  return ['="#fn-', '="fn-', '="#fnref-', '="fnref-'].reduce((text, start) => text.replaceAll(`${start}${anchor}-`, start), html);
}

/** Adds footnotes to a parser. */
export function footnotes(md: MarkdownIt): void {
  md.use(plugin);
  // `^[text]` is none on GitHub.
  md.inline.ruler.disable('footnote_inline');
  md.inline.ruler.at('footnote_ref', reference);
  md.core.ruler.at('footnote_tail', moveNotes);
  md.core.ruler.after('block', 'footnote_labels', collectNotes);
  Object.assign(md.renderer.rules, shown);
}

const shown = table<Record<string, RendererRule>>({
  footnote_ref: (tokens, at, _options, env) => {
    const { note, nth } = referenceOf(tokens[at]);
    const id = idOf('fnref', note, env, nth);
    return `<sup class="footnote-ref"><a href="#${idOf('fn', note, env)}" id="${id}" role="doc-noteref">${note.number}</a></sup>`;
  },
  footnote_block_open: () => `${sectionStart}\n<ol>\n`,
  footnote_open: (tokens, at, _options, env) => `<li id="${idOf('fn', referenceOf(tokens[at]).note, env)}">\n`,
  footnote_anchor: (tokens, at, _options, env) => {
    const { note, nth } = referenceOf(tokens[at]);
    return ` <a href="#${idOf('fnref', note, env, nth)}" class="footnote-backref" role="doc-backlink">\u21a9\ufe0e</a>`;
  },
  footnote_close: () => '</li>\n',
  footnote_block_close: () => '</ol>\n</section>\n',
});

interface Reference {
  readonly note: Note;
  /** The how manieth it is to its note, from 1. */
  readonly nth: number;
}

function referenceOf(token: Token | undefined): Reference {
  return token?.meta as unknown as Reference;
}

function idOf(prefix: 'fn' | 'fnref', note: Note, env: Env | undefined, nth = 1): string {
  const { anchor } = (env ?? {}) as FootnoteEnv;
  return `${prefix}${anchor === undefined ? '' : `-${anchor}`}-${note.number}${nth === 1 ? '' : `-${nth}`}`;
}

/** Labels are known before anything refers to them. */
function collectNotes(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'footnote_reference_open') continue;
    const env = state.env as FootnoteEnv;
    env.notes ??= new Map();
    const label = state.md.utils.normalizeReference((token.meta as { readonly label: string }).label);
    const note: Note = { tokens: [], number: 0, references: 0 };
    token.meta = { note };
    if (!env.notes.has(label)) env.notes.set(label, note);
  }
}

const label = /\[\^([^\s\]]{1,200})\]/y;

function reference(state: StateInline, isSilent: boolean): boolean {
  const { notes } = state.env as FootnoteEnv;
  if (notes === undefined || !state.src.startsWith('[^', state.pos) || state.linkLevel > 0) return false;
  label.lastIndex = state.pos;
  const [found, name = ''] = label.exec(state.src) ?? [];
  if (found === undefined || state.pos + found.length > state.posMax) return false;
  const note = notes.get(state.md.utils.normalizeReference(name));
  if (note === undefined) return false;
  if (!isSilent) state.push('footnote_ref', '', 0).meta = { note };
  state.pos += found.length;
  return true;
}

/** Takes the notes out of the text, and puts those that it refers to behind it. */
function moveNotes(state: StateCore): void {
  if ((state.env as FootnoteEnv).notes === undefined || state.inlineMode) return;
  const text: Token[] = [];
  const open: Token[][] = [];
  for (const token of state.tokens) {
    if (token.type === 'footnote_reference_open') open.push(referenceOf(token).note.tokens);
    else if (token.type === 'footnote_reference_close') open.pop();
    else (open.at(-1) ?? text).push(token);
  }
  const notes: Note[] = [];
  number(text, notes);
  // Notes may refer to others.
  for (const note of notes) number(note.tokens, notes);
  const push = (type: string, meta: Partial<Reference> | null): void => {
    const token = new state.Token(type, '', 0);
    token.meta = meta as Token['meta'];
    text.push(token);
  };
  if (notes.length > 0) push('footnote_block_open', null);
  for (const note of notes) {
    push('footnote_open', { note });
    for (const token of note.tokens) text.push(token);
    const end = text.at(-1)?.type === 'paragraph_close' && !text.at(-1)?.hidden ? text.pop() : undefined;
    for (let nth = 1; nth <= Math.min(note.references, maxBacklinks); nth++) push('footnote_anchor', { note, nth });
    if (end) text.push(end);
    push('footnote_close', null);
  }
  if (notes.length > 0) push('footnote_block_close', null);
  state.tokens = text;
}

/** Numbers what tokens refer to, and notes what is met for the first time. */
function number(tokens: readonly Token[], notes: Note[]): void {
  for (const { children } of tokens) {
    for (const child of children ?? []) {
      if (child.type !== 'footnote_ref') continue;
      const { note } = referenceOf(child);
      if (note.number === 0) note.number = notes.push(note);
      child.meta = { note, nth: ++note.references };
    }
  }
}
