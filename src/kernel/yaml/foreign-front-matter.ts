/**
 * Front matter that is not read, at the beginning of a text that would otherwise pass for a body: in any language below the first
 * line, and YAML whose fence does not stand alone. A file that begins so is refused as a whole. Read as a body it would be shown to
 * visitors, and an `id` written into it would put a second front matter above the first.
 */
import { openingAt } from './language.ts';
import { YamlFault } from './parse.ts';

/** A line of YAML that begins with a key. */
const key = /^(?:"[^"\n]{1,100}"|'[^'\n]{1,100}'|\w[\w .-]{0,100})[ \t]*:(?:[ \t]|\r?$)/;
/** What a text may begin with unseen: blank lines, byte order marks, spaces of no width. */
const unseen = /[\s\u200b\u2060]*/y;
/** Lines behind an opening fence in which the first key is looked for, past comments and blank lines. */
const maxLines = 20;

/** Whether an object at the top of a file is its text. */
export function isJsonText(path: string): boolean {
  return path.startsWith('styles/');
}

/**
 * Why a text without front matter of the right form is not a body; null when it is one.
 * @param start  after a byte order mark
 */
export function foreignFrontMatter(text: string, start: number, path: string): YamlFault | null {
  unseen.lastIndex = start;
  const at = start + (unseen.exec(text)?.[0].length ?? 0);
  const sign = text[at];
  if (sign !== '+' && sign !== ';' && sign !== '{' && sign !== '-') return null;
  // Four columns in, it is code.
  if (/(?:^|\n)(?: {4}|[ ]{0,3}\t)[ \t]*$/.test(text.slice(Math.max(start, at - 80), at))) return null;
  const line = lineAt(text, at);
  const opening = openingAt(text, at);
  if (opening !== null) return opening.closing === null && isJsonText(path) ? null : misplaced(at, true);
  return sign === '-' && isFence(text, at, line) ? misplaced(at, at > start) : null;
}

/** Whether dashes open front matter, and are no rule across the page: a key follows, and more dashes where that is unsure. */
function isFence(text: string, at: number, line: string): boolean {
  const dashes = /^-{3,}/.exec(line)?.[0];
  if (dashes === undefined) return false;
  const rest = line.slice(dashes.length).trim();
  const isKeyed = key.test(rest) || firstKeyBelow(text, at);
  if (!isKeyed) return false;
  const isPlain = dashes === '---' && (rest === '' || rest.startsWith('#') || key.test(rest));
  return isPlain || /^[ \t]{0,3}-{3,}[ \t]*\r?$/m.test(text.slice(at + line.length));
}

function firstKeyBelow(text: string, from: number): boolean {
  let at = text.indexOf('\n', from) + 1;
  for (let count = 0; at > 0 && count < maxLines; count++) {
    const line = lineAt(text, at).trimStart();
    if (line.trim() !== '' && !line.startsWith('#')) return key.test(line);
    at = text.indexOf('\n', at) + 1;
  }
  return false;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, Math.min(end === -1 ? text.length : end, at + 300)).replace(/\r$/, '');
}

function misplaced(at: number, isLate: boolean): YamlFault {
  const message = isLate
    ? 'The front matter does not begin on the first line.'
    : 'The line that opens the front matter is not exactly `---`.';
  const hint = isLate
    ? 'Remove what stands before `---`, `+++` or `{`.'
    : 'Write a line of exactly `---`, and the keys below it.';
  const more = ' If the line is meant as a rule across the page, write `***`.';
  return new YamlFault('front-matter-start', at, message, hint + more);
}
