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
import { parseYaml, YamlFault, type YamlMap } from './parse.ts';

/** Offsets into the text, in UTF-16 units. */
export interface Split {
  /** 1 when the text begins with a byte order mark, else 0. */
  readonly start: number;
  /** The YAML between the fences, its last line end included; null when there is no front matter. */
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
const closingFence = /^---[ \t]*(?:\r?\n|$)/;

/**
 * Splits a text at its fences. Without an opening fence the whole text is body.
 * @throws YamlFault when the fence is not closed
 */
export function splitText(text: string): Split {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const eol = eolOf(text);
  const yamlStart = afterOpeningFence(text, start);
  if (yamlStart === null) return { start, yaml: null, fence: start, body: start, end: bodyEnd(text, start), eol };
  for (let line = yamlStart; line <= text.length; ) {
    if (text.startsWith('---', line)) {
      const next = text.indexOf('\n', line);
      const end = next === -1 ? text.length : next + 1;
      const closing = closingFence.test(text.slice(line, end));
      if (!closing) {
        throw new YamlFault(
          'front-matter-fence',
          line,
          'A line in the front matter begins with `---`.',
          'End the front matter with a line of exactly `---`.',
        );
      }
      const body = end + blankLine(text, end);
      return { start, yaml: { start: yamlStart, end: line }, fence: end, body, end: bodyEnd(text, body), eol };
    }
    const next = text.indexOf('\n---', line - 1);
    if (next === -1) break;
    line = next + 1;
  }
  const hint = 'End it with a line `---`; if the first line is meant as a rule across the page, write `***`.';
  throw new YamlFault('front-matter-unclosed', start, 'The front matter is not closed.', hint);
}

/** True when a text without front matter would be read otherwise than as a body: it needs fences before it. */
export function needsFences(body: string): boolean {
  return body.charCodeAt(0) === 0xfeff || afterOpeningFence(body, 0) !== null;
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
  new YamlFault('front-matter-language', 0, 'Only YAML front matter is read.', 'Write `---` alone and YAML below it.');
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
