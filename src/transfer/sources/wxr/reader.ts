/**
 * The records of an export: every child of its channel as a small tree, in the order of the file.
 *
 * One record is in memory at a time, bounded in size and depth. saxes parses the markup and expands nothing; a DTD is refused.
 * Where the text is broken the reader throws, or, told to keep going, gives up the record and begins anew at the next one.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { namedEntities } from '../../../render/text.ts';
import { type Remark, SourceError } from '../../import/items.ts';
import { createSections } from './sections.ts';
import { createTree, type Element, maxDepth, maxRecord, notExport } from './tree.ts';

export type WxrNode =
  | { readonly kind: 'record'; readonly element: Element; readonly remarks: readonly Remark[] }
  /** A record that could not be read; only when told to keep going. */
  | { readonly kind: 'broken'; readonly name: string; readonly error: SourceError };

interface ReaderOptions {
  /** For messages. */
  readonly source: string;
  readonly keepGoing: boolean;
  /** Elements whose text nobody will read now. */
  readonly without: ReadonlySet<string>;
}

export interface Reader {
  /** What was completed by this piece of text. @throws SourceError */
  write(text: string): readonly WxrNode[];
  /** What the end completes. @throws SourceError when the file ends too early */
  end(): readonly WxrNode[];
  /** The error, at the present place. */
  fault(message: string, hint?: string, cause?: unknown): SourceError;
}

const maxAttributes = 1000;
/** Characters that may be read twice in search of records in what looked like one. */
const maxReread = 4 * maxRecord;

/** The parser has met something it cannot go on behind. */
class Broken extends Error {}

const recordStart = /<(?:item|wp:author|wp:category|wp:tag|wp:term)[\s>]/;

export function createReader({ source, keepGoing, without }: ReaderOptions): Reader {
  let found: WxrNode[] = [];
  let reread = 0;
  /** Characters fed since the last event of the parser: what it holds of an unfinished piece. */
  let unseen = 0;
  /** What of a CDATA section has been read, and how much of all text went past the parser. */
  let section = '';
  let past = 0;
  let given = 0;
  let isParsing = false;
  /** Text since the record that is open began (only to keep going), and where that is in all text. */
  let raw = '';
  let rawFrom = 0;
  let recordFrom = -1;
  let isSeeking = false;
  let entity = '';
  let hasBegun = false;
  const tree = createTree({ without, fault });
  let parser = createParser();
  const sections = createSections({ markup: give, cdata: take, ampersand: giveAmpersand });

  return {
    write(text) {
      let rest: string | null = hasBegun ? text : begin(text);
      if (keepGoing) {
        raw += rest;
        rest = isSeeking ? seek(0) : rest;
      }
      while (rest !== null && rest !== '') rest = feed(rest);
      if (keepGoing && !isSeeking) {
        const gone = (recordFrom >= 0 ? recordFrom : position()) - rawFrom;
        if (gone > 0) raw = raw.slice(gone);
        rawFrom += Math.max(0, gone);
      }
      return taken();
    },
    end() {
      for (let rest: string | null = ''; rest !== null; ) {
        while (rest !== null && rest !== '') rest = feed(rest);
        if (tree.isDone || isSeeking) break;
        const { inside, record, isExport } = tree;
        const error = inside
          ? fault(
              `the file ends inside <${inside.name}>${record && record !== inside ? ` of the <${record.name}> that began in line ${record.line}` : ''}`,
              'it was cut off: download it again; --keep-going imports what is complete',
            )
          : fault('the file ends before any content', 'export it again');
        if (!isExport || !keepGoing) throw error;
        if (!record) found.push({ kind: 'broken', name: 'end of the file', error });
        rest = record ? giveUp(error) : null;
      }
      return taken();
    },
    fault,
  };

  function taken(): readonly WxrNode[] {
    const all = found;
    found = [];
    return all;
  }

  /** Some exports have blank lines before the declaration, which must be the first thing in a document. */
  function begin(text: string): string {
    const blank = /^[\ufeff\s]*/.exec(text)?.[0] ?? '';
    parser.line += lines(blank);
    hasBegun = blank.length < text.length;
    rawFrom = 0;
    return text.slice(blank.length);
  }

  /** @returns text that is still to be fed, null: none */
  function feed(text: string): string | null {
    try {
      sections.feed(text);
      return null;
    } catch (error) {
      const failure = error instanceof Broken ? complaint(error.message) : error;
      if (!(failure instanceof SourceError) || !keepGoing || !tree.isExport) throw failure;
      return giveUp(failure);
    }
  }

  function give(text: string): void {
    unseen += text.length;
    isParsing = true;
    parser.write(text);
    isParsing = false;
    given += text.length;
    if (unseen > maxRecord) throw tree.tooLarge();
  }

  function giveAmpersand(): void {
    if (!keepGoing)
      throw fault(`an & that does not begin an entity${tree.within()}`, 'write it as &amp;; --keep-going reads it that way');
    tree.report('xml', 'is not well-formed: an & that does not begin an entity');
    give('&amp;');
    past -= 4;
  }

  function take(text: string): void {
    past += text.length;
    tree.grow(text.length);
    section += text;
  }

  /** The parser is at the end of a CDATA section. */
  function endSection(): void {
    const text = section.includes('\r') ? section.replace(/\r\n?/g, '\n') : section;
    tree.grow(-section.length);
    section = '';
    add(text);
    const last = text.lastIndexOf('\n');
    parser.column = last < 0 ? parser.column + text.length : text.length - last - 1;
    if (last >= 0) parser.line += lines(text);
  }

  /** Place in all text. Between two writes the parser's own count is of no use: it has the last one in it twice. */
  function position(): number {
    return (isParsing ? parser.position : given) + past;
  }

  /** Leaves the record that is open and looks for the next one. @returns text that is still to be fed, null: none was found */
  function giveUp(error: SourceError): string | null {
    const { record } = tree;
    found.push({ kind: 'broken', name: record?.name ?? 'text between the records', error });
    const isCheap = recordFrom >= 0 && raw.length < maxRecord / 4 && reread + raw.length <= maxReread;
    const from = isCheap ? recordFrom - rawFrom + 1 : position() - rawFrom;
    if (isCheap) reread += raw.length;
    const { line, column } = isCheap && record ? record : parser;
    parser = createParser();
    [parser.line, parser.column] = [line, column];
    [given, isParsing] = [0, false];
    section = '';
    sections.reset();
    return seek(Math.max(0, from));
  }

  /** @param from  place in `raw`; the line there is the parser's */
  function seek(from: number): string | null {
    const rest = raw.slice(from);
    const at = rest.search(recordStart);
    isSeeking = at < 0;
    const skipped = isSeeking ? Math.max(0, rest.length - 16) : at;
    const line = parser.line + lines(rest.slice(0, skipped));
    const last = skipped === 0 ? -1 : rest.lastIndexOf('\n', skipped - 1);
    const column = last < 0 ? parser.column + skipped : skipped - last - 1;
    raw = rest.slice(skipped);
    [parser.line, parser.column] = [line, column];
    if (isSeeking) return null;
    tree.restart();
    give('<rss><channel>');
    rawFrom = position();
    recordFrom = -1;
    unseen = 0;
    [parser.line, parser.column] = [line, column];
    return raw;
  }

  function createParser(): SaxesParser<typeof plainXml> {
    const made = new SaxesParser(plainXml);
    // Names that XML does not have are seen here alone; HTML's are characters when the reader is to keep going.
    made.ENTITIES = new Proxy(made.ENTITIES, {
      get(_known, name) {
        entity = String(name);
        return xmlEntities.get(entity) ?? (keepGoing ? namedEntities.get(entity) : undefined);
      },
    });
    made.on('doctype', (text) => {
      throw /^\s*html\b/i.test(text)
        ? notExport('html', fault)
        : fault('a DOCTYPE is not accepted', 'exports have none; remove it if you trust the file');
    });
    made.on('opentagstart', () => {
      unseen = 0;
      if (tree.depth >= maxDepth) throw fault(`elements are nested more than ${maxDepth} deep`, 'no export nests them that deep');
    });
    let attributes = 0;
    made.on('attribute', () => {
      if (++attributes > maxAttributes)
        throw fault(`an element has more than ${maxAttributes} attributes`, 'no export has that many');
    });
    made.on('opentag', (tag) => {
      attributes = 0;
      enter(tag);
    });
    made.on('closetag', () => leave());
    made.on('text', add);
    made.on('cdata', endSection);
    made.on('comment', () => {
      unseen = 0;
    });
    made.on('processinginstruction', () => {
      unseen = 0;
    });
    made.on('error', ({ message }) => {
      if (!keepGoing || !isBearable(message)) throw new Broken(message);
      tree.report(
        'xml',
        `is not well-formed: ${message.replace(/\.$/, '')}${/entity/.test(message) ? ` (&${entity.slice(0, 40)};)` : ''}`,
      );
    });
    return made;
  }

  function enter({ name, attributes }: SaxesTagPlain): void {
    const length = tagLength(name, attributes);
    tree.enter(name, attributes, { line: parser.line, column: Math.max(1, parser.column - length + 1) });
    // saxes has read to the end of the tag; where it began is only roughly known, and never too early.
    if (keepGoing && tree.depth === 3) recordFrom = Math.max(rawFrom, position() - length);
  }

  function add(text: string): void {
    unseen = 0;
    tree.add(text);
  }

  function leave(): void {
    unseen = 0;
    const record = tree.leave();
    if (!record) return;
    found.push({ kind: 'record', ...record });
    recordFrom = -1;
  }

  function fault(message: string, hint?: string, cause?: unknown): SourceError {
    return new SourceError(
      message,
      { source, line: parser.line, column: parser.column + 1 },
      { ...(hint ? { hint } : {}), cause },
    );
  }

  function complaint(message: string): SourceError {
    if (!hasBegun || (tree.depth === 0 && !tree.isDone && /outside of root|must contain a root/.test(message)))
      return fault('not an XML file', 'a WXR file begins with <?xml');
    if (/entity/.test(message)) {
      const what = `the entity &${entity.slice(0, 40)}; ${entity.startsWith('#') ? 'is not a valid character' : 'is not declared'}`;
      return fault(`${what}${tree.within()}`, '--keep-going decodes the entities of HTML');
    }
    return fault(`not well-formed${tree.within()}: ${message.replace(/\.$/, '')}`, '--keep-going skips what cannot be read');
  }
}

const plainXml = { xmlns: false, position: false } as const;
const xmlEntities: ReadonlyMap<string, string> = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Whether the parser stays in step behind an error. An `&` without `;` swallows markup up to the next one. */
function isBearable(message: string): boolean {
  return /^(?:undefined entity|malformed character entity|empty entity name|disallowed character\.|the string "\]\]>")/.test(
    message,
  );
}

function tagLength(name: string, attributes: Readonly<Record<string, string>>): number {
  return Object.entries(attributes).reduce((sum, [key, value]) => sum + key.length + value.length + 4, name.length + 2);
}

function lines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
