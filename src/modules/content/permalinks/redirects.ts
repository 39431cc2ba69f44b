/** The redirects in use: the last readable state of `redirects.yaml`, and its errors. */
import { pathKey, queryKey } from './aliases.ts';
import { readRedirects, type Redirect, type RedirectList, redirectsFile } from './redirects-file.ts';
import type { Batch, Problem } from '../../../kernel/store/types.ts';
import type { Keys } from '../../../kernel/model/remark.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly redirects: Redirects;
  }
}

export interface Redirects {
  /** @param query  without its `?` */
  find(path: string, query: string): Redirect | undefined;
  all(): readonly Redirect[];
  /** Reads the file if it is in the batch. @returns whether it was */
  take(batch: Batch): boolean;
  problems(): readonly (Problem & { readonly keys: Keys })[];
}

export function createRedirects(): Redirects {
  let list: RedirectList = { redirects: [], faults: [] };
  let byKey: ReadonlyMap<string, Redirect> = new Map();
  return {
    find(path, query) {
      if (byKey.size === 0) return undefined;
      const key = pathKey(path);
      return (query === '' ? undefined : byKey.get(key + queryKey(query))) ?? byKey.get(key);
    },
    all: () => list.redirects,
    take({ entries, removed }) {
      const entry = entries.find(({ path }) => path === redirectsFile);
      if (!entry && !removed.includes(redirectsFile)) return false;
      list = readRedirects(entry?.data ?? {});
      byKey = new Map(list.redirects.map((redirect) => [redirect.key, redirect]));
      return true;
    },
    problems: () =>
      list.faults.map(({ keys, kind, message, hint }) => ({
        path: redirectsFile,
        line: 1,
        column: 1,
        severity: 'error',
        rule: `redirect-${kind}`,
        message,
        ...(hint === undefined ? {} : { hint }),
        keys,
      })),
  };
}
