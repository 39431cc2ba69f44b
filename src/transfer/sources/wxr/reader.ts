/**
 * The records of an export: every child of its channel as a small tree, in the order of the file.
 *
 * One record is in memory at a time, bounded in size and depth. Where the text is broken the reader throws, or, when told to keep
 * going, gives up the record (`recovery.ts`).
 */
import { SourceError } from '../../import/items.ts';
import {
  Broken,
  countLines,
  createParser,
  faultAt,
  give,
  giveAmpersand,
  giveCharacter,
  type ReaderState,
  takeSection,
  type WxrNode,
} from './parser.ts';
import { dropRead, giveUpRecord, seekRecord } from './recovery.ts';
import { createSections, type Sections } from './sections.ts';
import { createTree } from './tree.ts';

interface ReaderOptions extends Pick<ReaderState, 'source' | 'keepGoing'> {
  /** Elements of whose text the beginning is enough. */
  readonly without: ReadonlySet<string>;
}

export interface WxrReader {
  /** What was completed by this piece of text. @throws SourceError */
  write(text: string): readonly WxrNode[];
  /** What the end completes. @throws SourceError when the file ends too early */
  end(): readonly WxrNode[];
  /** An error at the present place. */
  fault(message: string, hint?: string, cause?: unknown): SourceError;
}

export function createReader({ source, keepGoing, without }: ReaderOptions): WxrReader {
  const fault: WxrReader['fault'] = (message, hint, cause) => faultAt(state, message, hint, cause);
  const state = { ...beginning, source, keepGoing, tree: createTree({ without, fault }), found: [] } as unknown as ReaderState;
  state.parser = createParser(state);
  const sections = createSections(
    {
      markup: (text) => give(state, text),
      cdata: (text) => takeSection(state, text),
      ampersand: () => giveAmpersand(state),
      character: (char, written) => giveCharacter(state, char, written),
      inside: () => state.tree.inside?.name ?? '',
      strayEnd: () => state.tree.report('xml', `is not well-formed: "]]>" within the text${state.tree.within()}`),
    },
    { keepGoing },
  );
  return {
    write(text) {
      let rest: string | null = state.hasBegun ? text : begin(state, text, false);
      if (keepGoing) {
        state.raw += rest;
        if (state.isSeeking) rest = seekRecord(state, 0);
      }
      feedAll(state, sections, rest);
      if (keepGoing && !state.isSeeking) dropRead(state);
      return takeFound(state);
    },
    end() {
      const last = state.hasBegun ? '' : begin(state, '', true);
      if (keepGoing) state.raw += last;
      for (let rest: string | null = last; rest !== null; ) {
        feedAll(state, sections, rest);
        const { tree, isSeeking } = state;
        if (tree.isDone || isSeeking) break;
        const error = cutOff(state);
        if (!tree.isExport || !keepGoing) throw error;
        if (!tree.record) state.found.push({ kind: 'broken', name: 'end of the file', error });
        rest = tree.record ? giveUpRecord(state, sections, error) : null;
      }
      return takeFound(state);
    },
    fault,
  };
}

const beginning = {
  hasBegun: false,
  before: '',
  entity: '',
  unseen: 0,
  section: '',
  given: 0,
  bypassed: 0,
  isParsing: false,
  raw: '',
  rawFrom: 0,
  recordFrom: -1,
  isSeeking: false,
  reread: 0,
} satisfies Partial<ReaderState>;

function takeFound(state: ReaderState): readonly WxrNode[] {
  const { found } = state;
  state.found = [];
  return found;
}

/** Characters in which the document has to begin. */
const maxBefore = 64 * 1024;

/**
 * Some exports have blank lines before the declaration, which must be the first thing in a document; others what the program that made
 * them had to say: a warning, a remark of a cache.
 * @param isLast  nothing comes behind the text
 * @returns the text from where the document begins; '' while that is not known
 */
function begin(state: ReaderState, text: string, isLast: boolean): string {
  const all = state.before + text;
  const blank = /^[\ufeff\s]*/.exec(all)?.[0].length ?? 0;
  const start = all.length - blank > 5 || isLast ? startOf(all, blank) : -1;
  if (start < 0 && !isLast && all.length < blank + maxBefore) {
    state.before = all;
    return '';
  }
  const from = start < 0 ? blank : start;
  state.before = '';
  state.hasBegun = blank < all.length;
  if (from > blank && !state.keepGoing)
    throw faultAt(state, 'there is text before the XML declaration', 'remove it; --keep-going skips it');
  state.parser.line += countLines(all.slice(0, from));
  if (from > blank) {
    const message = `${from} characters before the XML declaration were skipped; a program that made the file put them there`;
    state.found.push({ kind: 'remark', name: 'skipped-text', remark: { severity: 'note', rule: 'skipped-text', message } });
  }
  return all.slice(from);
}

/** Where a document begins; -1: not in this text. @param blank  blanks at the beginning, which do not count */
function startOf(all: string, blank: number): number {
  const text = all.slice(0, blank + maxBefore);
  if (/^<(?:\?xml|rss)[\s>]/.test(text.slice(blank, blank + 6))) return blank;
  const root = /<rss[\s>]/.exec(text)?.index ?? -1;
  if (root < 0) return -1;
  const declaration = text.lastIndexOf('<?xml ', root);
  if (declaration >= 0) return declaration;
  // Comments and instructions may stand there.
  return /^\s*(?:<!--|<\?)/.test(text) && !/(?:-->|\?>)\s*[^\s<]/.test(text.slice(0, root)) ? blank : root;
}

function feedAll(state: ReaderState, sections: Sections, text: string | null): void {
  let rest = text;
  while (rest !== null && rest !== '') rest = feed(state, sections, rest);
}

/** @returns text that is still to be fed, null: none */
function feed(state: ReaderState, sections: Sections, text: string): string | null {
  try {
    sections.feed(text);
    return null;
  } catch (error) {
    const failure = error instanceof Broken ? complaintOf(state, error.message) : error;
    if (!(failure instanceof SourceError) || !state.keepGoing || !state.tree.isExport) throw failure;
    return giveUpRecord(state, sections, failure);
  }
}

/** The file ends before its root does. */
function cutOff(state: ReaderState): SourceError {
  const { inside, record } = state.tree;
  if (!inside) return faultAt(state, 'the file ends before any content', 'export it again');
  const begun = record && record !== inside ? ` of the <${record.name}> that began in line ${record.line}` : '';
  return faultAt(
    state,
    `the file ends inside <${inside.name}>${begun}`,
    'it was cut off: download it again; --keep-going imports what is complete',
  );
}

/** What the parser complains about, in the words of the import. */
function complaintOf(state: ReaderState, message: string): SourceError {
  const { tree, hasBegun, entity } = state;
  if (!hasBegun || (tree.depth === 0 && !tree.isDone && /outside of root|must contain a root/.test(message)))
    return faultAt(state, 'not an XML file', 'a WXR file begins with <?xml');
  if (/entity/.test(message)) {
    const what = `the entity &${entity.slice(0, 40)}; ${entity.startsWith('#') ? 'is not a valid character' : 'is not declared'}`;
    return faultAt(state, `${what}${tree.within()}`, '--keep-going decodes the entities of HTML');
  }
  const about = `not well-formed${tree.within()}: ${message.replace(/\.$/, '')}`;
  return faultAt(state, about, '--keep-going skips what cannot be read');
}
