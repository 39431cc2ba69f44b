/**
 * The address that a text is asked for at: it says which page of a loop is shown, and what leads to another page repeats it.
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
  /** A parameter that is one text; '' where it is not. */
  text(name: string): string;
  /** The address with a parameter of another value; null: without it. */
  with(name: string, value: number | null): string;
  /** What stands behind the address for a page of several, all else as it is. @param page  the first has no number */
  ofPage(name: string, page: number): string;
}

/** Parameters of who asks, which no text repeats. */
const unrepeated = new Set([...personalParams, '_cms_nonce', '_wpnonce']);
const mostCharacters = 4096;

/**
 * @param home  address of the site
 * @param target  path and query below the site, as somebody sent them; undefined: nobody asked, and links hold wherever the text is shown
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
      // Behind a page that is not the first, an address that says nothing would lead to itself; the reference says this then.
      const mark = present === undefined || pageNumber(present) === 1 ? {} : { cst: '' };
      return behind({ ...(page > 1 ? { [name]: page } : {}), ...mark, ...others });
    },
  };
}

/** A page as an address says it: a whole number, from 1 on. */
export function pageNumber(value: unknown): number {
  const number = Number.parseInt(word(value), 10);
  return number > 1 && number < 1_000_000 ? number : 1;
}

function baseOf(home: string): string {
  return isUrl(home) ? withoutTrailing(new URL(home).pathname, '/') : '';
}
