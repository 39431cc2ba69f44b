/**
 * Between a record and its file: what the fields may ask meanwhile, and the change of the file that a change of the record is.
 */
import { type FileContext, fileKeys, type Fields, type Placed, printFields } from '../model/field.ts';
import type { Write } from '../store/types.ts';
import type { Site } from './site.ts';

interface Filed {
  readonly path: string;
  readonly etag: string;
}

export function contextOf(
  site: Pick<Site, 'zone' | 'refs'> & Partial<Pick<Site, 'clock'>>,
  path: string,
  mtimeMs = 0,
): FileContext {
  return { path, mtimeMs, nowMs: site.clock?.(), zone: site.zone, refs: site.refs };
}

/**
 * The front matter of a file change that turns the file of `before` (none: a new file) into that of `after`, whose `path` is
 * where it goes.
 * @param order  of the keys, where it is not that of the fields
 */
export function writeRecord<R extends Filed>(
  site: Pick<Site, 'zone' | 'refs'>,
  fields: Fields<R, never>,
  after: R,
  before?: R,
  order = fileKeys(fields),
): Write {
  const placed = (record: R): Placed<R> => ({ record, cx: contextOf(site, record.path) });
  return {
    path: after.path,
    ...(before && before.path !== after.path ? { from: before.path } : {}),
    expect: before ? before.etag : null,
    data: printFields(fields, placed(after), before && placed(before)),
    order,
  };
}

/** Of a record whose text is the body of its file. */
export function bodyOf(after: { readonly content: string }, before?: { readonly content: string }): Pick<Write, 'body'> {
  return before?.content === after.content ? {} : { body: after.content };
}
