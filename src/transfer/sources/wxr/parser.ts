/**
 * The XML parser of an export and its place in the text. saxes parses the markup and expands nothing; a DTD is refused. CDATA
 * sections bypass it (`sections.ts`), so that lines and positions are counted here, too.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { namedEntities } from '../../../render/text.ts';
import { type ImportRemark, SourceError } from '../../import/items.ts';
import { type Element, maxDepth, maxRecord, notExport, type WxrTree } from './tree.ts';

export type WxrNode =
  | { readonly kind: 'record'; readonly element: Element; readonly remarks: readonly ImportRemark[] }
  /** A record that could not be read; only when told to keep going. */
  | { readonly kind: 'broken'; readonly name: string; readonly error: SourceError }
  /** Something about the file as a whole. */
  | { readonly kind: 'remark'; readonly name: string; readonly remark: ImportRemark };

/** A reader in the middle of a file. */
export interface ReaderState {
  /** For messages. */
  readonly source: string;
  readonly keepGoing: boolean;
  readonly tree: WxrTree;
  /** Replaced when it has met something it cannot continue behind. */
  parser: SaxesParser<typeof plainXml>;
  found: WxrNode[];
  /** The first character that is not blank has been read. */
  hasBegun: boolean;
  /** Text that was read before it was clear where the document begins. */
  before: string;
  /** Name of the last entity. */
  entity: string;
  /** Characters fed since the last event of the parser: its unfinished piece. */
  unseen: number;
  /** What has been read of a CDATA section. */
  section: string;
  /** Characters that this parser was given, and those of all text that bypassed it. */
  given: number;
  bypassed: number;
  isParsing: boolean;
  /** To keep going: the text since the open record began, its place in all text, and the place of the record (-1: none is open). */
  raw: string;
  rawFrom: number;
  recordFrom: number;
  /** To keep going: the text is searched for the next record. */
  isSeeking: boolean;
  /** Characters that were read twice. */
  reread: number;
}

/** The parser has met something it cannot continue behind. */
export class Broken extends Error {}

const maxAttributes = 1000;
const plainXml = { xmlns: false, position: false } as const;
const xmlEntities: ReadonlyMap<string, string> = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

export function createParser(state: ReaderState): ReaderState['parser'] {
  const { tree, keepGoing } = state;
  const parser = new SaxesParser(plainXml);
  // Names that XML does not define are seen only here; those of HTML are characters when the reader is to keep going.
  parser.ENTITIES = new Proxy(parser.ENTITIES, {
    get(_known, name) {
      state.entity = String(name);
      return xmlEntities.get(state.entity) ?? (keepGoing ? namedEntities.get(state.entity) : undefined);
    },
  });
  parser.on('doctype', (text) => {
    throw /^\s*html\b/i.test(text)
      ? notExport('html', (message, hint) => faultAt(state, message, hint))
      : faultAt(state, 'a DOCTYPE is not accepted', 'exports have none; remove it if you trust the file');
  });
  const seen = (): void => {
    state.unseen = 0;
  };
  parser.on('opentagstart', () => {
    seen();
    if (tree.depth >= maxDepth)
      throw faultAt(state, `elements are nested more than ${maxDepth} deep`, 'no export nests them that deep');
  });
  let attributes = 0;
  parser.on('attribute', () => {
    if (++attributes > maxAttributes)
      throw faultAt(state, `an element has more than ${maxAttributes} attributes`, 'no export has that many');
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    enter(state, tag);
  });
  parser.on('closetag', () => leave(state));
  parser.on('text', (text) => addText(state, text));
  parser.on('cdata', () => endSection(state));
  parser.on('comment', seen);
  parser.on('processinginstruction', seen);
  parser.on('error', ({ message }) => {
    if (!keepGoing || !isBearable(message)) throw new Broken(message);
    const entity = /^undefined entity/.test(message) ? ` (&${state.entity.slice(0, 40)};)` : '';
    tree.report('xml', `is not well-formed: ${message.replace(/\.$/, '')}${entity}`);
  });
  return parser;
}

/** Feeds markup to the parser. */
export function give(state: ReaderState, text: string): void {
  state.unseen += text.length;
  state.isParsing = true;
  state.parser.write(text);
  state.isParsing = false;
  state.given += text.length;
  if (state.unseen > maxRecord) throw state.tree.tooLarge();
}

/** Feeds an `&` that does not begin an entity. */
export function giveAmpersand(state: ReaderState): void {
  const { tree, keepGoing } = state;
  if (!keepGoing)
    throw faultAt(
      state,
      `an & that does not begin an entity${tree.within()}`,
      'write it as &amp;; --keep-going reads it that way',
    );
  tree.report('xml', 'is not well-formed: an & that does not begin an entity');
  give(state, '&amp;');
  state.bypassed -= 4;
}

/** Feeds a character in place of references to its halves. */
export function giveCharacter(state: ReaderState, char: string, written: string): void {
  if (char === '\ufffd') state.tree.report('xml', 'is not well-formed: a reference to half of a character');
  give(state, char);
  state.bypassed += written.length - char.length;
}

/** Takes part of a CDATA section. */
export function takeSection(state: ReaderState, text: string): void {
  state.bypassed += text.length;
  state.tree.grow(text.length);
  state.section += text;
}

/** The parser is at the end of a CDATA section. */
function endSection(state: ReaderState): void {
  const { tree, parser, section } = state;
  const text = section.includes('\r') ? section.replace(/\r\n?/g, '\n') : section;
  tree.grow(-section.length);
  state.section = '';
  addText(state, text);
  const last = text.lastIndexOf('\n');
  parser.column = last < 0 ? parser.column + text.length : text.length - last - 1;
  if (last >= 0) parser.line += countLines(text);
}

function addText(state: ReaderState, text: string): void {
  state.unseen = 0;
  state.tree.add(text);
}

function enter(state: ReaderState, { name, attributes }: SaxesTagPlain): void {
  const { parser, tree } = state;
  const length = tagLength(name, attributes);
  tree.enter(name, attributes, { line: parser.line, column: Math.max(1, parser.column - length + 1) });
  // saxes has read to the end of the tag; where it began is only roughly known, and never too early.
  if (state.keepGoing && tree.depth === 3) state.recordFrom = Math.max(state.rawFrom, positionOf(state) - length);
}

function leave(state: ReaderState): void {
  state.unseen = 0;
  const record = state.tree.leave();
  if (!record) return;
  state.found.push({ kind: 'record', ...record });
  state.recordFrom = -1;
}

/** Place in all text. Between two writes the parser's own count is useless: it counts the last one twice. */
export function positionOf({ isParsing, parser, given, bypassed }: ReaderState): number {
  return (isParsing ? parser.position : given) + bypassed;
}

/** An error at the present place. */
export function faultAt({ source, parser }: ReaderState, message: string, hint?: string, cause?: unknown): SourceError {
  const place = { source, line: parser.line, column: parser.column + 1 };
  return new SourceError(message, place, { ...(hint ? { hint } : {}), cause });
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Whether the parser stays in step behind an error. An `&` without `;` swallows markup up to the next one. */
function isBearable(message: string): boolean {
  return /^(?:undefined entity|malformed character entity|empty entity name|disallowed character\.|the string "\]\]>")/.test(
    message,
  );
}

function tagLength(name: string, attributes: Readonly<Record<string, string>>): number {
  return Object.entries(attributes).reduce((sum, [key, value]) => sum + key.length + value.length + 4, name.length + 2);
}
