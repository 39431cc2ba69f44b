/**
 * How a reader that is told to keep going gets over what it cannot read: it gives up the record that is open and begins anew at the
 * next one, for which it keeps the text since the record began.
 */
import type { SourceError } from '../../import/items.ts';
import { countLines, createParser, give, positionOf, type ReaderState } from './parser.ts';
import type { Sections } from './sections.ts';
import { maxRecord } from './tree.ts';

/** Characters that may be read twice in search of records in what looked like one. */
const maxReread = 4 * maxRecord;
const recordStart = /<(?:item|wp:author|wp:category|wp:tag|wp:term)[\s>]/;

/** Gives up the open record and looks for the next one. @returns text that is still to be fed, null: none was found */
export function giveUpRecord(state: ReaderState, sections: Sections, error: SourceError): string | null {
  const { tree, raw, rawFrom, recordFrom } = state;
  const { record } = tree;
  state.found.push({ kind: 'broken', name: record?.name ?? 'text between the records', error });
  const isCheap = recordFrom >= 0 && raw.length < maxRecord / 4 && state.reread + raw.length <= maxReread;
  const from = isCheap ? recordFrom - rawFrom + 1 : positionOf(state) - rawFrom;
  if (isCheap) state.reread += raw.length;
  const { line, column } = isCheap && record ? record : state.parser;
  state.parser = createParser(state);
  Object.assign(state.parser, { line, column });
  Object.assign(state, { given: 0, isParsing: false, section: '' });
  sections.reset();
  return seekRecord(state, Math.max(0, from));
}

/** Looks for the next record. @param from  place in `raw`; the line there is the parser's @returns as `giveUpRecord` */
export function seekRecord(state: ReaderState, from: number): string | null {
  const { parser } = state;
  const rest = state.raw.slice(from);
  const at = rest.search(recordStart);
  state.isSeeking = at < 0;
  const skipped = at < 0 ? Math.max(0, rest.length - 16) : at;
  const last = skipped === 0 ? -1 : rest.lastIndexOf('\n', skipped - 1);
  const line = parser.line + countLines(rest.slice(0, skipped));
  const column = last < 0 ? parser.column + skipped : skipped - last - 1;
  state.raw = rest.slice(skipped);
  Object.assign(parser, { line, column });
  if (state.isSeeking) return null;
  state.tree.restart();
  give(state, '<rss><channel>');
  Object.assign(state, { rawFrom: positionOf(state), recordFrom: -1, unseen: 0 });
  Object.assign(parser, { line, column });
  return state.raw;
}

/** Drops the text before the open record, which nobody will need again. */
export function dropRead(state: ReaderState): void {
  const { recordFrom, rawFrom } = state;
  const gone = (recordFrom >= 0 ? recordFrom : positionOf(state)) - rawFrom;
  if (gone > 0) state.raw = state.raw.slice(gone);
  state.rawFrom += Math.max(0, gone);
}
