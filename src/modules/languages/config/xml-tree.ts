/**
 * Parses XML into a tree with lines; or returns errors, with the codes that clients know. A DOCTYPE is refused, so nothing is ever expanded.
 *
 * Source: reference on languages, 3.1; codes and their order as recorded.
 */
import { SaxesParser } from 'saxes';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its direct text. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** Level 3: not well-formed; 2: wrong format. */
export interface XmlFault {
  readonly level: 2 | 3;
  readonly code: number;
  readonly column: number;
  readonly message: string;
  readonly file: '';
  readonly line: number;
}

type XmlDocument = { readonly root: XmlElement } | { readonly faults: readonly XmlFault[] };

/** Maximum nesting. */
const maxDepth = 100;

const codes = { start: 4, end: 5, mismatch: 76, unclosed: 77, doctype: 61, depth: 1, noDocument: 1872 } as const;

/** Parser message → code; otherwise `malformed`. */
const parserCodes: readonly (readonly [said: RegExp, code: number])[] = [
  [/^duplicate attribute/, 42],
  [/entity/, 26],
  [/^disallowed character\.$/, 9],
  [/^(?:unquoted attribute value|value must be quoted)/, 39],
  [/^attribute without value/, 41],
  [/whitespace between attributes/, 65],
  [/comment/, 80],
  [/"]]>"/, 62],
  [/only one root|outside of root/, codes.end],
  [/must contain a root/, codes.start],
];
const malformed = 68;

export function parseXml(text: string): XmlDocument {
  const nesting = nestingFaults(text);
  if (nesting.length > 0) return { faults: [...nesting, noDocument] };
  const parsed = build(text);
  return 'root' in parsed ? parsed : { faults: [parsed.fault, noDocument] };
}

export function faultAt(level: 2 | 3, code: number, message: string, line: number, column = 0): XmlFault {
  return { level, code, column, message, file: '', line };
}

const noDocument = faultAt(2, codes.noDocument, 'The document has no document element.', -1);

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
  readonly line: number;
}

function build(text: string): { readonly root: XmlElement } | { readonly fault: XmlFault } {
  const parser = new SaxesParser();
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  let fault: XmlFault | null = null;
  const refuse = (code: number, message: string): void => {
    fault ??= faultAt(3, code, message, parser.line, parser.column);
  };
  const addText = (more: string): void => {
    const inner = open.at(-1);
    if (inner) inner.text += more;
  };
  parser.on('error', ({ message }) => {
    const said = message.replace(/^(?:\d+:\d+: )?/, '');
    refuse(parserCodes.find(([pattern]) => pattern.test(said))?.[1] ?? malformed, sentence(said));
  });
  parser.on('doctype', () => refuse(codes.doctype, 'A document type is not allowed.'));
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= maxDepth) refuse(codes.depth, `Elements are nested more than ${maxDepth} deep.`);
    open.push({ name, attributes: new Map(Object.entries(attributes)), children: [], text: '', line: parser.line });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const done = open.pop();
    if (done === undefined) return;
    const outer = open.at(-1);
    if (outer) outer.children.push(done);
    else root = done;
  });
  // In chunks, to stop at the first error.
  const step = 65_536;
  for (let at = 0; at < text.length && fault === null; at += step) parser.write(text.slice(at, at + step));
  if (fault === null) parser.close();
  return fault === null && root !== null ? { root } : { fault: fault ?? faultAt(3, codes.start, 'There is no start tag.', 1, 1) };
}

function sentence(said: string): string {
  return `${said.charAt(0).toUpperCase()}${withoutTrailing(said.slice(1), '.')}.`;
}

/** Mismatched tags, unclosed elements, text in place of the root. Cost: linear. */
function nestingFaults(text: string): readonly XmlFault[] {
  const faults: XmlFault[] = [];
  const open: { readonly name: string; readonly at: number }[] = [];
  const position = positions(text);
  const refuse = (at: number, code: number, message: string): void => {
    const { line, column } = position(at);
    faults.push(faultAt(3, code, message, line, column));
  };
  if (!/^\uFEFF?\s*</.test(text)) return [faultAt(3, codes.start, "Start tag expected, '<' not found.", 1, 1)];
  let at = text.indexOf('<');
  while (at >= 0) {
    const end = endOfMarkup(text, at);
    if (end < 0) break;
    const tag = /^<(\/?)([^\s<>/!?][^\s<>/]*)/.exec(text.slice(at, Math.min(end, at + 1000)));
    if (tag?.[1] === '/') {
      const last = open.pop();
      if (last === undefined) {
        refuse(end, codes.end, 'Extra content at the end of the document.');
        return faults;
      }
      if (last.name !== tag[2])
        refuse(
          end,
          codes.mismatch,
          `Opening and ending tag mismatch: ${last.name} line ${position(last.at).line} and ${tag[2]}.`,
        );
    } else if (tag && text[end - 2] !== '/') open.push({ name: tag[2] as string, at });
    at = text.indexOf('<', end);
  }
  const inner = open.at(-1);
  if (inner !== undefined)
    refuse(text.length, codes.unclosed, `Premature end of data in tag ${inner.name} line ${position(inner.at).line}.`);
  return faults;
}

/** The position after a tag, comment, section or instruction; -1 if it does not end. */
function endOfMarkup(text: string, at: number): number {
  const after = (mark: string, from: number): number => {
    const found = text.indexOf(mark, from);
    return found < 0 ? -1 : found + mark.length;
  };
  if (text.startsWith('<!--', at)) return after('-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) return after(']]>', at + 9);
  if (text.startsWith('<?', at)) return after('?>', at + 2);
  for (let place = at + 1, quote = ''; place < text.length; place++) {
    const sign = text[place] as string;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return place + 1;
  }
  return -1;
}

/** Line and column of increasing offsets. */
function positions(text: string): (at: number) => { readonly line: number; readonly column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] as number) + 1 };
  };
}
