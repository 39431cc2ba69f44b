/**
 * YAML that site generators read and the specification does not allow. Their parsers agree on what it means, so it is brought
 * into the form that ours reads:
 *
 * - lines of a quoted text or of a list in brackets that are not indented (`title: "one` and `two"` below it), or by tabs;
 * - a comment directly behind a quote.
 *
 * What they differ in (a key that stands twice, tabs as indentation) is refused as ever.
 */
import { parseYaml, YamlFault, type YamlMap } from '../../../kernel/yaml/parse.ts';

/**
 * The values of a text, strictly where that is possible.
 * @throws YamlFault of the strict reading, with its offset into the text
 */
export function parseLenientYaml(text: string): YamlMap {
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
