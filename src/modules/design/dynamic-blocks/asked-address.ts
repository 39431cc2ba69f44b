/**
 * The requested URL of a text: it selects the page of a query loop, and links to other pages repeat it.
 *
 * Source: behaviour of the reference (7.1).
 */
import { isUrl } from '../../../kernel/model/addresses.ts';
import { table } from '../../../kernel/model/maps.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { personalParams } from '../../../kernel/rest/item-writer.ts';
import { parseQuery, printQuery } from '../../../kernel/rest/params.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import { word } from '../../../render/block-styles.ts';

export interface AskedAddress {
  /** A string parameter; '' otherwise. */
  text(name: string): string;
  /** The URL with a parameter changed; null: removed. */
  with(name: string, value: number | null): string;
  /** The suffix for a page of several. @param page  the first has no number */
  ofPage(name: string, page: number): string;
}

/** Personal parameters, which are not repeated. */
const unrepeated = new Set([...personalParams, '_cms_nonce', '_wpnonce']);
const mostCharacters = 4096;

/**
 * @param home  URL of the site
 * @param target  path and query below the site, as requested; undefined: independent of a request
 */
export function askedAddress(home: string, target: string | undefined): AskedAddress {
  const known = target?.startsWith('/') && target.length <= mostCharacters ? target : '';
  const mark = known.indexOf('?');
  const path = mark < 0 ? known : known.slice(0, mark);
  let query: Params | undefined;
  const asked = (): Params => {
    query ??= table(
      Object.fromEntries(
        Object.entries(mark < 0 ? {} : parseQuery(known.slice(mark + 1))).filter(([name]) => !unrepeated.has(name)),
      ),
    );
    return query;
  };
  const base = path === '' ? '' : `${baseOf(home)}/${path.replace(/^[/\\]+/, '')}`;
  const behind = (params: Params): string => {
    const printed = printQuery(params);
    return printed === '' ? '' : `?${printed}`;
  };
  return {
    text: (name) => word(asked()[name]),
    with: (name, value) => base + behind({ ...asked(), [name]: value }),
    ofPage(name, page) {
      const { [name]: present, ...others } = asked();
      // An empty link on a later page would point to itself; the reference uses this.
      const mark = present === undefined || pageNumber(present) === 1 ? {} : { cst: '' };
      return behind({ ...(page > 1 ? { [name]: page } : {}), ...mark, ...others });
    },
  };
}

/** A page number: an integer from 1. */
export function pageNumber(value: unknown): number {
  const number = Number.parseInt(word(value), 10);
  return number > 1 && number < 1_000_000 ? number : 1;
}

function baseOf(home: string): string {
  return isUrl(home) ? withoutTrailing(new URL(home).pathname, '/') : '';
}
