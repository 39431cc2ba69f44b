/**
 * Addresses that lead nowhere, or elsewhere than they did: those of the last commit that nothing answers now, and aliases that
 * another item has taken.
 */
import { aliasPath, isPathAlias, pathKey } from '../modules/content/permalinks/aliases.ts';
import { logicalPath } from '../kernel/model/logical-path.ts';
import type { FolderAddresses } from './addresses.ts';
import { type Finding, say } from './finding.ts';
import { aliasesOf, type ParsedFile } from './parsed-file.ts';

export interface FolderState {
  readonly parsedFiles: readonly ParsedFile[];
  readonly addresses: FolderAddresses;
}

/** @param then  of the last commit */
export function checkLostAddresses(now: FolderState, then: FolderState): Finding[] {
  const paths = new Map(
    now.parsedFiles.flatMap(({ kind, entry }) => (kind === 'post' ? [[entry.data.id, entry.path] as const] : [])),
  );
  return then.parsedFiles.flatMap(({ kind, entry }): Finding[] => {
    const address = kind === 'post' ? then.addresses.at(logicalPath(entry.path))?.address : null;
    if (!address || address === '/' || then.addresses.pageAt(address) !== entry.path) return [];
    const found = now.addresses.find(address, '');
    if (found.kind !== 'unknown' && found.kind !== 'hidden') return [];
    const path = entry.data.id === undefined ? undefined : paths.get(entry.data.id);
    const why = found.kind === 'hidden' ? `: ${found.path} ${found.why}` : '';
    const hint =
      path !== undefined && why === ''
        ? `write \`aliases: [${address}]\` into it`
        : 'redirect it in redirects.yaml, or answer with 410 there';
    const message = `${address} was ${(path ?? entry.path) === entry.path ? 'its' : 'an'} address at the last commit, and leads nowhere now${why}`;
    return [{ path: path ?? entry.path, keys: [], ...say('lost-address', message, hint) }];
  });
}

/** @param redirects  address → where `redirects.yaml` sends it; '' for what is gone */
export function checkTakenAliases({ parsedFiles, addresses }: FolderState, redirects: ReadonlyMap<string, string>): Finding[] {
  /** Address → the file whose alias it is. */
  const owners = new Map<string, string>();
  return parsedFiles.flatMap(({ kind, entry: { path }, draft }): Finding[] => {
    const aliases = kind === 'post' ? aliasesOf({ draft }) : [];
    return aliases.flatMap((alias, at): Finding[] => {
      const { address: own = null, segment = '' } = addresses.at(logicalPath(path)) ?? {};
      const address = isPathAlias(alias) ? segment + aliasPath(alias) : (own?.replace(/(?<![^/])[^/]+\/$/, `${alias}/`) ?? null);
      if (address === null) return [];
      const found = (message: string, hint: string): Finding[] => [
        { path, keys: ['aliases', at], ...say('taken-alias', message, hint) },
      ];
      const holder = addresses.pageAt(address);
      if (holder !== null)
        return holder === path
          ? []
          : found(`${alias} leads to ${holder}, which has that address now`, 'remove the alias, or give that file another slug');
      const key = pathKey(address);
      const to = redirects.get(key);
      if (to !== undefined && pathKey(addresses.own(to)?.path ?? to) !== pathKey(own ?? ''))
        return found(`${alias} is sent ${to === '' ? 'nowhere' : `to ${to}`} by redirects.yaml`, 'remove one of the two');
      const other = owners.get(key);
      if (other === undefined) owners.set(key, path);
      return other === undefined || other === path
        ? []
        : found(`${alias} is an alias of ${other} as well`, 'remove one of the two');
    });
  });
}
