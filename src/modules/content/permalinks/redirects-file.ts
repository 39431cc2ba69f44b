/** Redirects in `redirects.yaml`: a map of old to new URLs, or a list of `from`, `to`, `status`. */
import { pathKey, queryKey } from './aliases.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export const redirectsFile = 'redirects.yaml';
/** The key of the list; a list at the top level is read as if it were below it. */
export const redirectsKey = 'redirects';

export const redirectStatuses = [301, 302, 307, 308, 410] as const;
export type RedirectStatus = (typeof redirectStatuses)[number];

export interface Redirect {
  /** As written. */
  readonly from: string;
  /** Normalized path and query. */
  readonly key: string;
  /** A percent-encoded path of the site, or an absolute URL; '' for gone (410). */
  readonly to: string;
  readonly status: RedirectStatus;
  /** Its position in the file. */
  readonly keys: readonly (string | number)[];
}

interface RedirectFault {
  readonly keys: readonly (string | number)[];
  readonly kind: 'form' | 'duplicate' | 'loop';
  readonly message: string;
  readonly hint?: string;
}

export interface RedirectList {
  /** Valid redirects, in file order. */
  readonly redirects: readonly Redirect[];
  readonly faults: readonly RedirectFault[];
}

/** Reads the file. Invalid redirects are dropped and reported. */
export function readRedirects(data: Readonly<Record<string, unknown>>): RedirectList {
  const faults: RedirectFault[] = [];
  const byKey = new Map<string, Redirect>();
  for (const { from, value, keys } of rowsOf(data, faults)) {
    const redirect = readRow(from, value, keys, faults);
    if (redirect === null) continue;
    const known = byKey.get(redirect.key);
    if (known)
      faults.push({ keys, kind: 'duplicate', message: `${redirect.from} is redirected a second time; the first counts` });
    else byKey.set(redirect.key, redirect);
  }
  for (const redirect of loopsOf(byKey)) {
    byKey.delete(redirect.key);
    const message = `${redirect.from} leads back to itself`;
    faults.push({
      keys: redirect.keys,
      kind: 'loop',
      message,
      hint: 'it is not followed; let it lead to the page that is meant',
    });
  }
  return { redirects: [...byKey.values()], faults };
}

interface Row {
  readonly from: unknown;
  readonly value: unknown;
  readonly keys: readonly (string | number)[];
}

function rowsOf(data: Readonly<Record<string, unknown>>, faults: RedirectFault[]): Row[] {
  const list = data[redirectsKey];
  const rows = Array.isArray(list)
    ? list.flatMap((row: unknown, at): Row[] => {
        if (isMap(row)) {
          const pairs = Object.entries(row);
          const [only] = pairs;
          // `- /old/: /new/`
          if (pairs.length === 1 && only?.[0].includes('/'))
            return [{ from: only[0], value: only[1], keys: [redirectsKey, at, only[0]] }];
          return [{ from: row.from, value: row, keys: [redirectsKey, at] }];
        }
        faults.push(
          form([redirectsKey, at], 'an entry of the list is not a map', 'write `- from: /old/` and `to: /new/` below it'),
        );
        return [];
      })
    : [];
  for (const [from, value] of Object.entries(data))
    if (from !== redirectsKey || !Array.isArray(list)) rows.push({ from, value, keys: [from] });
  return rows;
}

function readRow(from: unknown, value: unknown, keys: Row['keys'], faults: RedirectFault[]): Redirect | null {
  const isLong = isMap(value);
  const fail = (message: string, hint: string, key?: string): null => {
    faults.push(form(isLong && key !== undefined && Object.hasOwn(value, key) ? [...keys, key] : keys, message, hint));
    return null;
  };
  if (typeof from !== 'string' || from === '') return fail('`from` is missing', 'write the path that redirects: `from: /old/`');
  const fault = fromFault(from);
  if (fault !== null)
    return fail(`${JSON.stringify(from)} cannot be redirected: ${fault}`, 'write a path of the site: /old/path/');
  const raw = isLong ? (value.status ?? 301) : value === 410 ? 410 : 301;
  const status = redirectStatuses.find((known) => known === Number(raw));
  if (status === undefined)
    return fail(`${JSON.stringify(raw)} is not a status of redirects`, `one of ${redirectStatuses.join(', ')}`, 'status');
  const target = isLong ? value.to : value === 410 ? undefined : value;
  const [path = '', query = ''] = splitQuery(from);
  const key = pathKey(path) + queryKey(query);
  if (status === 410) {
    if (target !== undefined && target !== null)
      return fail('an address that is gone (410) leads nowhere', 'take `to` out', 'to');
    return { from, key, to: '', status, keys };
  }
  if (typeof target !== 'string' || target === '') return fail('`to` is missing', 'write where it leads: `to: /new/`', 'to');
  const to = safeTarget(target);
  if (to === null) {
    const hint = 'write a path of the site (/new/path/) or an address with http:// or https://';
    return fail(`${JSON.stringify(target)} is not an address to redirect to`, hint, 'to');
  }
  return { from, key, to, status, keys };
}

function fromFault(from: string): string | null {
  if (!from.startsWith('/') || from.startsWith('//') || from.includes('\\')) return 'it is not a path';
  if (/[\x00-\x20\x7f#]/.test(from)) return 'it has a space, a line end or a # in it';
  if (from.includes('*')) return 'patterns are not read';
  return pathKey(from) === '' && !from.includes('?') ? 'it is the front page' : null;
}

/**
 * A safe redirect target: a path of this site, or an absolute web URL as written; otherwise null. Rejects scripts, other schemes, credentials, and
 * what browsers read as another host (`//evil`, `/\evil`).
 */
export function safeTarget(target: string): string | null {
  if (/[\x00-\x20\x7f\\]/.test(target)) return null;
  if (target.startsWith('/')) {
    if (target.startsWith('//')) return null;
    const url = new URL(target, 'http://localhost');
    // A path above the root (`/..//evil`) must not become another host.
    return url.host === 'localhost' && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : null;
  }
  if (!/^https?:\/\/[^/]/i.test(target) || !isUrl(target)) return null;
  const url = new URL(target);
  return url.username === '' && url.password === '' ? url.href : null;
}

/** Redirects that lead back to themselves. */
function loopsOf(byKey: ReadonlyMap<string, Redirect>): Redirect[] {
  const judged = new Map<Redirect, boolean>();
  for (const start of byKey.values()) {
    const way = new Set<Redirect>();
    let at: Redirect | undefined = start;
    for (; at && !judged.has(at) && !way.has(at); at = nextOf(at, byKey)) way.add(at);
    const first = at && way.has(at) ? at : undefined;
    let isLoop = false;
    for (const one of way) {
      isLoop ||= one === first;
      judged.set(one, isLoop);
    }
  }
  return [...judged].flatMap(([redirect, isLoop]) => (isLoop ? [redirect] : []));
}

/** The redirect that applies to another one's target. */
function nextOf({ to }: Redirect, byKey: ReadonlyMap<string, Redirect>): Redirect | undefined {
  if (!to.startsWith('/')) return undefined;
  const [path = '', query = ''] = splitQuery(to);
  return byKey.get(pathKey(path) + queryKey(query)) ?? byKey.get(pathKey(path));
}

function splitQuery(address: string): [string, string] {
  const [plain = ''] = address.split('#', 1);
  const mark = plain.indexOf('?');
  return mark === -1 ? [plain, ''] : [plain.slice(0, mark), plain.slice(mark + 1)];
}

function form(keys: Row['keys'], message: string, hint: string): RedirectFault {
  return { keys, kind: 'form', message, hint };
}
