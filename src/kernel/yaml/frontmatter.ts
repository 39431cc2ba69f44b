/**
 * Front matter and body: where one ends and the other begins, and the values between the fences.
 *
 * The body begins after the closing fence line; one blank line directly after it is presentation and not part of the body, and
 * one final line end is the file's. With these rules every text can be a body: the writer puts the blank line where the body
 * itself would begin with one, and a line end after every body.
 * This is the only module that knows gray-matter, which runs code from `---js` fences unless its engines are replaced.
 */

import { createRequire } from 'node:module';
import { parseFlatYaml } from './fast.ts';
import { objectEnd } from './json.ts';
import { type LanguageName, languages, type Opening, openingAt } from './language.ts';
import { parseYaml, YamlFault, type YamlMap } from './parse.ts';
import { afterLine, endOfLine } from './ranges.ts';

/** Offsets into the text, in UTF-16 units. */
export interface Split {
  /** 1 when the text begins with a byte order mark, else 0. */
  readonly start: number;
  readonly language: LanguageName;
  /** The values between the fences, their last line end included; null when there is no front matter. */
  readonly yaml: { readonly start: number; readonly end: number } | null;
  /** After the closing fence's line; `start` when there is none. */
  readonly fence: number;
  /** After the blank line that may follow. */
  readonly body: number;
  /** Before the final line end. */
  readonly end: number;
  readonly eol: '\n' | '\r\n';
}

/** Loaded for the first front matter that is not plain: most folders have none, and a start would wait for it. */
const grayMatter = () => createRequire(import.meta.url)('gray-matter') as typeof import('gray-matter');

const openingFence = /^---[ \t]*(?:[A-Za-z][\w+-]*[ \t]*)?\r?\n?$/;
/** Front matter and YAML files above this size are not read: a parser's time is the server's. */
export const maxYamlLength = 1024 * 1024;

/**
 * Splits a text at its fences. Without an opening fence the whole text is body.
 * @param isJson  whether an object at the top is the text itself
 * @throws YamlFault when the fence is not closed
 */
export function splitText(text: string, isJson = false): Split {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const eol = eolOf(text);
  const opening = openingAt(text, start);
  if (opening !== null && !(isJson && opening.closing === null)) return splitOther(text, start, opening);
  const yamlStart = afterOpeningFence(text, start);
  const language = 'yaml';
  if (yamlStart === null) return { start, language, yaml: null, fence: start, body: start, end: bodyEnd(text, start), eol };
  const end = closingFence(text, start, yamlStart, '---');
  const fence = afterLine(text, end);
  const body = fence + blankLine(text, fence);
  return { start, language, yaml: { start: yamlStart, end }, fence, body, end: bodyEnd(text, body), eol };
}

/** Front matter in another language than YAML. */
function splitOther(text: string, start: number, { language, at, closing }: Opening): Split {
  const end = closing === null ? objectEnd(text, at, at + maxYamlLength + 1) : closingFence(text, start, at, closing);
  if (end === -1)
    throw unclosed(start, 'Close the object with `}`; if it is meant as text, put it below a line `---` and another.');
  const fence = closing === null && text.slice(end, endOfLine(text, end)).trim() !== '' ? end : afterLine(text, end);
  const body = fence + blankLine(text, fence);
  return { start, language, yaml: { start: at, end }, fence, body, end: bodyEnd(text, body), eol: eolOf(text) };
}

/** The line that ends front matter. @throws YamlFault when there is none, or something stands behind the fence */
function closingFence(text: string, start: number, from: number, fence: string): number {
  for (let line = from; line <= text.length; ) {
    if (text.startsWith(fence, line)) {
      if (/^[ \t]*$/.test(text.slice(line + 3, endOfLine(text, line)))) return line;
      throw new YamlFault(
        'front-matter-fence',
        line,
        `A line in the front matter begins with \`${fence}\`.`,
        `End the front matter with a line of exactly \`${fence}\`.`,
      );
    }
    const next = text.indexOf(`\n${fence}`, line - 1);
    if (next === -1) break;
    line = next + 1;
  }
  const rule = fence === '---' ? '; if the first line is meant as a rule across the page, write `***`' : '';
  throw unclosed(start, `End it with a line \`${fence}\`${rule}.`);
}

function unclosed(at: number, hint: string): YamlFault {
  return new YamlFault('front-matter-unclosed', at, 'The front matter is not closed.', hint);
}

/** True when a text without front matter would be read otherwise than as a body: it needs fences before it. */
export function needsFences(body: string, isJson = false): boolean {
  const opening = openingAt(body, 0);
  const isOpened = opening !== null && !(isJson && opening.closing === null);
  return body.charCodeAt(0) === 0xfeff || isOpened || afterOpeningFence(body, 0) !== null;
}

/** Length of an empty line at `offset`, 0 when the line is not empty. */
export function blankLine(text: string, offset: number): number {
  const first = text.charCodeAt(offset);
  if (first === 10) return 1;
  return first === 13 && text.charCodeAt(offset + 1) === 10 ? 2 : 0;
}

/**
 * Where the body that begins at `body` ends: before one final line end, if there is one. A `\r` before it is of the line end only
 * in a file whose lines end so, else it is text.
 * @param start, end  of the file, in a text that may hold others
 */
export function bodyEnd(text: string, body: number, start = 0, end = text.length): number {
  if (end === body || text.charCodeAt(end - 1) !== 10) return end;
  const isLong = end - body > 1 && text.charCodeAt(end - 2) === 13 && eolOf(text, start) === '\r\n';
  return isLong ? end - 2 : end - 1;
}

/** The line end a text uses: that of its first line. */
export function eolOf(text: string, start = 0): '\n' | '\r\n' {
  const first = text.indexOf('\n', start);
  return first > start && text.charCodeAt(first - 1) === 13 ? '\r\n' : '\n';
}

/**
 * The values of the front matter.
 * @throws YamlFault with offsets into the whole text
 */
export function readFrontMatter(text: string, split: Split): YamlMap {
  const { yaml } = split;
  if (yaml === null) return {};
  if (split.language !== 'yaml')
    return within(yaml.start, () => languages[split.language].parse(text.slice(yaml.start, yaml.end)));
  const language = text.slice(split.start + 3, yaml.start).trim();
  if (language === '') {
    const flat = parseFlatYaml(text.slice(yaml.start, yaml.end));
    if (flat !== undefined) return flat;
  }
  return readWithMatter(text, split.start, yaml);
}

/** Offset of the line after an opening fence at `start`; null when there is none. */
function afterOpeningFence(text: string, start: number): number | null {
  if (!text.startsWith('---', start)) return null;
  const next = text.indexOf('\n', start);
  const end = next === -1 ? text.length : next + 1;
  return end - start <= 80 && openingFence.test(text.slice(start, end)) ? end : null;
}

const otherLanguage = () =>
  new YamlFault(
    'front-matter-language',
    0,
    'Front matter in this language is not read.',
    'Write YAML between `---`, TOML between `+++`, or a JSON object.',
  );
const refused = {
  parse: (): never => {
    throw otherLanguage();
  },
};
const otherLanguages = ['js', 'javascript', 'json', 'coffee', 'coffeescript', 'cson', 'toml'];

/**
 * gray-matter judges the fence and its language and calls our engine. It gets the fence with a stand-in for the YAML: its
 * search for comments takes quadratic time on blank lines, and its own idea of offsets is not needed.
 */
function readWithMatter(text: string, start: number, yaml: { readonly start: number; readonly end: number }): YamlMap {
  let data: YamlMap = {};
  const engine = {
    parse: (): YamlMap => {
      data = parseYaml(text.slice(yaml.start, yaml.end));
      return data;
    },
  };
  const fence = text.slice(start, yaml.start).trimEnd();
  const others = [...otherLanguages, fence.slice(3).trim().toLowerCase()].map((name) => [name, refused]);
  const engines = { ...Object.fromEntries(others), yaml: engine, yml: engine };
  try {
    grayMatter()(`${fence}\nyaml\n---`, { language: 'yaml', delimiters: '---', engines } as object);
  } catch (error) {
    // gray-matter's own error: a language it knows no engine for.
    const fault = error instanceof YamlFault ? error : otherLanguage();
    const base = fault.rule === 'front-matter-language' ? start : yaml.start;
    throw new YamlFault(fault.rule, fault.offset + base, fault.message, fault.hint);
  }
  return data;
}

/** Faults of a part of a text, at their place in the whole of it. */
export function within<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof YamlFault ? new YamlFault(error.rule, error.offset + offset, error.message, error.hint) : error;
  }
}
