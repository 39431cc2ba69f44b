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
  type ReaderState,
  takeSection,
  type WxrNode,
} from './parser.ts';
import { dropRead, giveUpRecord, seekRecord } from './recovery.ts';
import { createSections, type Sections } from './sections.ts';
import { createTree } from './tree.ts';

interface ReaderOptions extends Pick<ReaderState, 'source' | 'keepGoing'> {
  /** Elements whose text is not needed. */
  readonly without: ReadonlySet<string>;
}

export interface Reader {
  /** What was completed by this piece of text. @throws SourceError */
  write(text: string): readonly WxrNode[];
  /** What the end completes. @throws SourceError when the file ends too early */
  end(): readonly WxrNode[];
  /** An error at the present place. */
  fault(message: string, hint?: string, cause?: unknown): SourceError;
}

export function createReader({ source, keepGoing, without }: ReaderOptions): Reader {
  const fault: Reader['fault'] = (message, hint, cause) => faultAt(state, message, hint, cause);
  const state = { ...beginning, source, keepGoing, tree: createTree({ without, fault }), found: [] } as unknown as ReaderState;
  state.parser = createParser(state);
  const sections = createSections({
    markup: (text) => give(state, text),
    cdata: (text) => takeSection(state, text),
    ampersand: () => giveAmpersand(state),
  });
  return {
    write(text) {
      let rest: string | null = state.hasBegun ? text : begin(state, text);
      if (keepGoing) {
        state.raw += rest;
        if (state.isSeeking) rest = seekRecord(state, 0);
      }
      feedAll(state, sections, rest);
      if (keepGoing && !state.isSeeking) dropRead(state);
      return takeFound(state);
    },
    end() {
      for (let rest: string | null = ''; rest !== null; ) {
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

/** Some exports have blank lines before the declaration, which must be the first thing in a document. */
function begin(state: ReaderState, text: string): string {
  const blank = /^[\ufeff\s]*/.exec(text)?.[0] ?? '';
  state.parser.line += countLines(blank);
  state.hasBegun = blank.length < text.length;
  return text.slice(blank.length);
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
