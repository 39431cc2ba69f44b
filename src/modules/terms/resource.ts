/**
 * What the routes of a taxonomy share: how its terms are found, shown and written.
 */
import type { Extended } from '../../kernel/extended.ts';
import type { Item } from '../../kernel/rest/item.ts';
import type { Call, Rule } from '../../kernel/rest/types.ts';
import type { TermInput } from './plan.ts';
import type { TermFields, TermRecord } from './record.ts';
import type { Taxonomy } from '../types/record.ts';

export interface TermWriter {
  create(call: Call, input: TermInput): Promise<number>;
  update(call: Call, id: number, input: TermInput): Promise<unknown>;
  remove(call: Call, id: number): Promise<unknown>;
}

export interface TermResource {
  readonly taxonomy: Taxonomy;
  readonly fields: TermFields;
  readonly extension: Extended;
  /** Route of the collection. */
  readonly base: string;
  item(term: TermRecord, call: Call): Item;
  /** The term an id of the path names, of this taxonomy. @throws RestError rest_term_invalid */
  find(call: Call, id: unknown): TermRecord;
  readonly allow: Rule;
  readonly write: TermWriter;
}
