/**
 * Front matter as the store reads it, but with YAML as leniently as generators take it; and data files in the same languages. Front
 * matter in JavaScript is never run.
 */
import { type BareHeader, bareHeader, headerLines } from '../../../kernel/yaml/bare-header.ts';
import { maxYamlLength, readFrontMatter, type Split, splitText } from '../../../kernel/yaml/frontmatter.ts';
import { languages } from '../../../kernel/yaml/language.ts';
import { positionAt } from '../../../kernel/store/problems.ts';
import { parseYaml, YamlFault, type YamlMap } from '../../../kernel/yaml/parse.ts';

export type Data = Readonly<Record<string, unknown>>;

export interface MarkdownPage {
  readonly data: Data;
  /** Without the final line end of the file. */
  readonly body: string;
  /** False: the file has none. */
  readonly hasFront: boolean;
}

/** Why a file cannot be read, and where: line and column from 1. */
export class Unreadable extends Error {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly hint: string | undefined;
  constructor(rule: string, message: string, line = 1, column = 1, hint?: string) {
    super(message);
    this.rule = rule;
    this.line = line;
    this.column = column;
    this.hint = hint;
  }
}

/**
 * A page in its parts.
 * @param text  with `\n` as line ends and without a byte order mark
 * @throws Unreadable
 */
export function readPage(text: string): MarkdownPage {
  const whole = withUsualEnd(text);
  return located(whole, () => {
    const split = splitText(whole);
    const header = split.yaml === null ? bareHeader(whole, split.start, true) : null;
    if (header !== null) return { data: readHeader(whole, header), body: whole.slice(header.body, split.end), hasFront: true };
    if (split.yaml && split.yaml.end - split.yaml.start > maxYamlLength) tooLarge();
    return { data: readYaml(whole, split), body: whole.slice(split.body, split.end), hasFront: split.yaml !== null };
  });
}

/** A header that no line opens. */
function readHeader(text: string, { form, start, end }: BareHeader): Data {
  if (end - start > maxYamlLength) tooLarge();
  const source = text.slice(start, end);
  if (form === 'lines') return headerLines(source);
  return form === 'json' ? languages.json.parse(`{${source}}`) : parseLenientYaml(source);
}

/** Some generators also take `...` for the end of front matter. */
function withUsualEnd(text: string): string {
  return text.startsWith('---') && !/\n---[ \t]*(?:\n|$)/.test(text) ? text.replace(/^\.\.\.[ \t]*$/m, '---') : text;
}

/** Front matter as generators read it: strictly, else leniently. @throws YamlFault */
function readYaml(text: string, split: Split): Data {
  try {
    return readFrontMatter(text, split);
  } catch (error) {
    if (
      !(error instanceof YamlFault) ||
      split.yaml === null ||
      split.language !== 'yaml' ||
      error.rule === 'front-matter-language'
    )
      throw error;
    try {
      return parseLenientYaml(text.slice(split.yaml.start, split.yaml.end));
    } catch (again) {
      throw again instanceof YamlFault ? error : again;
    }
  }
}

/** A data file by its extension: yaml, yml, toml, json. A list at the top becomes `{ list }`. @throws Unreadable */
export function readData(path: string, text: string): Data {
  if (text.length > maxYamlLength) tooLarge();
  if (path.endsWith('.toml')) return located(text, () => languages.toml.parse(text));
  if (path.endsWith('.json')) return located(text, () => languages.json.parse(text));
  // A list may stand under its key without being indented.
  const isList = /^(?:[^\S\n]*(?:#.*)?\n|---[ \t]*\n)*- /.test(text);
  const source = isList ? `list:\n${text.replace(/^---[ \t]*$/m, '')}` : text;
  return located(source, () => parseLenientYaml(source), isList ? 1 : 0);
}

/** Faults of the store's parsers with their place; `above` lines were put before the text. */
function located<T>(text: string, read: () => T, above = 0): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const { line, column } = positionAt(text, error.offset);
    throw new Unreadable(error.rule, error.message, Math.max(1, line - above), column, error.hint);
  }
}

function tooLarge(): never {
  throw new Unreadable('too-large', `The front matter is larger than ${maxYamlLength / 1024 / 1024} MB.`);
}

/*
 * YAML that site generators read and the specification does not allow. Their parsers agree on what it means, so it is brought
 * into the form that ours reads:
 *
 * - lines of a quoted text or of a list in brackets that are not indented (`title: "one` and `two"` below it), or by tabs;
 * - a comment directly behind a quote.
 *
 * What they differ in (duplicate keys, tabs as indentation) is an error as ever.
 */

/**
 * The values of a text, strictly where that is possible.
 * @throws YamlFault of the strict reading, with its offset into the text
 */
function parseLenientYaml(text: string): YamlMap {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const indented = indentContinuations(text);
    if (indented === null || indented === text) throw error;
    try {
      return parseYaml(indented);
    } catch (again) {
      throw again instanceof YamlFault ? error : again;
    }
  }
}

/** Where a value may begin in a line: behind its indentation, dashes, its key, an anchor and a tag. */
const beforeValue =
  /^([ \t]*)(?:(?:-[ \t]+)*)(?:(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#[\]{},&*!|>%@`-][^\n#]*?|-[^\s#][^\n#]*?):(?=[ \t]|$)[ \t]*)?(?:[&!]\S*[ \t]+)*/;
const blockScalar = /^[|>][-+\d]*[ \t]*(?:#.*)?$/;

/** The text with all lines of quoted texts and brackets indented deeper than the line they begin in; null: they have no end. */
function indentContinuations(text: string): string | null {
  const lines = text.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const lead = line.length > maxLine ? null : beforeValue.exec(line);
    const start = lead?.[0].length ?? line.length;
    if (blockScalar.test(line.slice(start))) {
      const depth = indentOf(line);
      out.push(line);
      while (at + 1 < lines.length && ((lines[at + 1] as string).trim() === '' || indentOf(lines[at + 1] as string) > depth))
        out.push(lines[++at] as string);
      continue;
    }
    if (!/["'[{]/.test(line[start] ?? '')) {
      out.push(line);
      continue;
    }
    const indent = ' '.repeat(indentOf(line) + 4);
    const flow = createFlow();
    let rest = flow.read(line, start);
    out.push(rest.line);
    while (!rest.isDone) {
      if (++at === lines.length) return null;
      const next = (lines[at] as string).replace(/^[ \t]+/, '');
      rest = flow.read(next, 0);
      out.push(next === '' ? '' : indent + rest.line);
    }
  }
  return out.join('\n');
}

/** Longer ones are taken as they are. */
const maxLine = 100_000;

/** Follows a value in quotes or brackets over its lines. */
function createFlow(): { read(line: string, from: number): { readonly line: string; readonly isDone: boolean } } {
  const open: string[] = [];
  let quote = '';
  let canBegin = true;
  return {
    read(line, from) {
      for (let at = from; at < line.length; at++) {
        const char = line[at] as string;
        if (quote !== '') {
          if (quote === '"' && char === '\\') at++;
          else if (quote === "'" && char === "'" && line[at + 1] === "'") at++;
          else if (char === quote) quote = '';
          if (quote !== '' || open.length > 0) continue;
          return { line: separated(line, at + 1), isDone: true };
        }
        if (char === '#' && (at === 0 || /[ \t]/.test(line[at - 1] as string))) break;
        if ((char === '"' || char === "'") && canBegin) quote = char;
        else if (char === '[' || char === '{') open.push(char);
        else if (char === ']' || char === '}') {
          open.pop();
          if (open.length === 0) return { line: separated(line, at + 1), isDone: true };
        }
        canBegin = /[[{,:\s]/.test(char) && (canBegin || !/\s/.test(char));
      }
      canBegin ||= quote === '' && open.length > 0 && /[[{,:]\s*$/.test(line);
      return { line, isDone: false };
    },
  };
}

/** A comment stands apart. */
function separated(line: string, end: number): string {
  return line[end] === '#' ? `${line.slice(0, end)} ${line.slice(end)}` : line;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
