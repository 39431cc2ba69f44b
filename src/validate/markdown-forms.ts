/**
 * Markdown that other programs read and this one shows as it stands, and footnotes of which one half is missing: readers see signs that are
 * not meant for them, or do not see a note that is. Each form is a row; code and markup are not looked at.
 */
import type { Remark } from '../kernel/model/remark.ts';
import { codeIn, within } from '../render/body-ranges.ts';
import type { Notes } from '../render/footnotes.ts';
import { markdownBlocks } from '../render/markdown.ts';
import { alertKinds } from '../render/markdown-rules.ts';
import { say } from './finding.ts';

interface Form {
  /** Within one line of a text, without the marks of quotes and lists. */
  readonly pattern: RegExp;
  /** What is said of what was found; null: it is not meant. */
  said(found: RegExpMatchArray, notes: Notes): Remark | null;
}

const kindsOfAlerts = `${alertKinds.map((kind) => kind.toUpperCase()).join(', ')} alone on the first line of a quote make an alert`;

function form(pattern: RegExp, what: string, hint: string): Form {
  return { pattern, said: ([found]) => say('markdown-form', `${shortened(found)} is ${what}, which is not read`, hint) };
}

const forms: readonly Form[] = [
  {
    pattern: /\[\^([^\]\n]{1,200})\](?!\()/g,
    said: ([found, label = ''], notes) => {
      if (/\s/.test(label)) return say('footnote', `the label of ${shortened(found)} has a space in it`, 'write it without');
      return notes.has(folded(label))
        ? null
        : say('footnote', `no note is called ${shortened(found)}`, `write \`${found}: …\` on a line`);
    },
  },
  form(/\^\[[^\]\n]{1,500}\]/g, 'a footnote within the line', 'write `[^name]` there, and `[^name]: …` on a line of its own'),
  {
    pattern: /^\[!\w[\w-]{0,40}\]/g,
    said: ([found]) => say('markdown-form', `${shortened(found)} makes no alert here`, kindsOfAlerts),
  },
  form(/^(?::{3,}[ \t]{0,9}\{?[\w.-]|[!?]{3}\+?[ \t]{1,9}[a-z"])[^\n]{0,200}/gi, 'a box of other programs', kindsOfAlerts),
  form(/\{:[^{}\n]{0,200}\}|(?<=[)\]])\{[.#]?[a-z][^{}\n]{0,200}\}/gi, 'a list of attributes', 'write the element as HTML'),
  form(
    /(?<=[^\s\\][ \t]{0,9})\{[.#][^{}\n]{1,200}\}$/g,
    'a list of attributes',
    '`{#id}` behind a heading is read, and classes behind it',
  ),
  form(/^\[\[?_?toc_?\]?\]$/gi, 'a table of contents', 'take it out'),
  form(/^\*\[[^\]\n]{1,100}\]:/g, 'an abbreviation', 'write `<abbr title="…">` where it is used'),
  form(/(?<![+\w])\+\+(?=[^\s+])[^+\n]{1,200}\+\+(?![+\w])/g, 'inserted text', 'write `<ins>…</ins>`'),
  form(/(?<![=\w])==(?=[^\s=])[^=\n]{1,200}==(?![=\w])/g, 'a highlight', 'write `<mark>…</mark>`'),
  form(
    /(?<![~\w\\])~(?=[^\s~])[^~\n]{0,200}[^\s~]~(?![~\w])/g,
    'text between single tildes',
    'two on each side strike text through',
  ),
  form(/(?<=\w)[~^](?=[^\s~^])[^\s~^]{1,40}[~^](?![~^])/g, 'text set lower or higher', 'write `<sub>…</sub>` or `<sup>…</sup>`'),
  form(/^%%|%%[^%\n]{1,500}%%/g, 'a remark of other programs', 'write `<!-- … -->`: readers see it'),
  form(/^\$\$/g, 'a formula', 'write MathML, or have the front end set it'),
  form(/(?<![\w:/.]):[a-z][a-z0-9_+-]{1,40}:(?![\w:/])/g, 'the name of an emoji', 'write the emoji itself'),
  form(/\{\{[<%][^\n]{0,200}|\{%[^\n]{0,200}/g, 'a tag of another generator', 'write what it shows as HTML, or a link'),
  form(/^:[ \t]{1,9}(?=\S)[^\n]{0,80}/g, 'a definition without a term', 'one line of text stands right above it'),
];

/** Whether a text may have any of them. */
const mayHave = /\[\^|\^\[|\[[![_t]|^[ >*+-]*(?::|[!?]{3}|\$\$|\*\[)|\{[:.#%{]|[)\]]\{|==|\+\+|~|%%|:[a-z]|\w\^/im;

type Found = Remark & { readonly at: number; readonly length: number };

/** What a Markdown text says that its readers do not see as it is meant. Cost: that of parsing it, where it may have something. */
export function markdownForms(body: string): Found[] {
  if (!mayHave.test(body)) return [];
  const lines = lineStarts(body);
  const { blocks, notes } = markdownBlocks(body);
  const found: Found[] = notes.size === 0 ? [] : unusedNotes(body, notes);
  for (const {
    kind,
    lines: [first],
    content,
  } of blocks) {
    if (kind === 'html') continue;
    const isCode = within(content.includes('`') ? codeIn(content) : []);
    let from = 0;
    content.split('\n').forEach((text, nth) => {
      const start = placeOf(body, lines, first + nth, text);
      for (const { at, length, ...remark } of spotsIn(text, notes))
        if (!isCode(from + at)) found.push({ at: start + at, length, ...remark });
      from += text.length + 1;
    });
  }
  return found.sort((one, other) => one.at - other.at);
}

/** In one line, in order. */
function spotsIn(text: string, notes: Notes): Found[] {
  const spots: Found[] = [];
  for (const { pattern, said } of forms) {
    for (const found of text.matchAll(pattern)) {
      const remark = text[found.index - 1] === '\\' ? null : said(found, notes);
      const end = found.index + found[0].length;
      if (remark && !spots.some(({ at, length }) => at < end && found.index < at + length))
        spots.push({ at: found.index, length: found[0].length, ...remark });
    }
  }
  return spots.sort((one, other) => one.at - other.at);
}

/** Notes that no reader gets to, and second ones of one label. */
function unusedNotes(body: string, notes: Notes): Found[] {
  const isCode = within(codeIn(body));
  const seen = new Set<string>();
  const found: Found[] = [];
  for (const { index, 0: whole, 1: before = '', 2: label = '' } of body.matchAll(
    /^([ >*+\d.)-]{0,99})\[\^([^\]\s]{1,200})\]:/gm,
  )) {
    const name = folded(label);
    if (!notes.has(name) || isCode(index)) continue;
    const place = { at: index + before.length, length: whole.length - before.length };
    if (seen.has(name))
      found.push({ ...place, ...say('footnote', `a note before this one has the label ${label} already`, 'give it another') });
    else if (notes.get(name)?.number === 0)
      found.push({
        ...place,
        ...say('footnote', `no text refers to the note ${label}, so it is not shown`, `write \`[^${label}]\` where it belongs`),
      });
    seen.add(name);
  }
  return found;
}

/** As the parser folds labels. */
function folded(label: string): string {
  return label.trim().toLowerCase().toUpperCase();
}

function shortened(text: string): string {
  const clean = text.trim();
  return JSON.stringify(clean.length > 40 ? `${clean.slice(0, 39)}…` : clean);
}

function lineStarts(body: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of body.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}

/** Where a line of a block stands: behind the marks of quotes and lists, and before what headings end with. */
function placeOf(body: string, lines: readonly number[], line: number, text: string): number {
  const start = lines[line] ?? 0;
  const at = body.indexOf(text, start);
  return at === -1 || at >= (lines[line + 1] ?? body.length + 1) ? start : at;
}
