/**
 * `redirects.yaml`: entries that cannot be followed, and those that lead on, nowhere, or are never asked.
 */
import { readRedirects, type Redirect, redirectsFile } from '../modules/content/permalinks/redirects-file.ts';
import { pathKey, queryKey } from '../modules/content/permalinks/aliases.ts';
import type { Content } from './declarations.ts';
import type { FolderAddresses } from './addresses.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean, type Remark } from '../kernel/model/remark.ts';

/** So far a chain is followed for the hint at its end. */
const maxSteps = 20;

export function checkRedirects({ entries }: Pick<Content, 'entries'>, addresses: FolderAddresses): Finding[] {
  const entry = entries.find(({ path }) => path === redirectsFile);
  if (!entry) return [];
  const { redirects, faults } = readRedirects(entry.data);
  const byKey = new Map(redirects.map((redirect) => [redirect.key, redirect]));
  const at = ({ keys }: Pick<Redirect, 'keys'>) => ({
    path: redirectsFile,
    keys: [...keys],
    ...(keys.length === 1 ? { onKey: true as const } : {}),
  });
  return [
    ...faults.map((fault) => ({
      path: redirectsFile,
      keys: [...fault.keys],
      ...say(`redirect-${fault.kind}`, fault.message, fault.hint),
    })),
    ...redirects.flatMap((redirect): Finding[] => {
      const next = (one: Redirect): Redirect | undefined => nextOf(one, byKey, addresses);
      const remark = shadowed(redirect, addresses) ?? chained(redirect, next) ?? lost(redirect, addresses);
      return remark ? [{ ...at(redirect), ...remark }] : [];
    }),
  ];
}

function shadowed({ from }: Redirect, addresses: FolderAddresses): Remark | null {
  const path = addresses.pageAt(from);
  if (path === null) return null;
  return say('redirect-shadowed', `${from} is the address of ${path}: the redirect is not followed`, 'remove it');
}

/** The redirect that answers where another leads to, also by a whole address of the site. */
function nextOf({ to }: Redirect, byKey: ReadonlyMap<string, Redirect>, addresses: FolderAddresses): Redirect | undefined {
  const own = to === '' ? null : addresses.own(to);
  if (own === null) return undefined;
  const key = pathKey(own.path);
  return byKey.get(key + queryKey(own.query)) ?? byKey.get(key);
}

function chained(redirect: Redirect, nextOf: (one: Redirect) => Redirect | undefined): Remark | null {
  const next = nextOf(redirect);
  if (next === undefined) return null;
  let last = next;
  const way = new Set([redirect]);
  for (let more: Redirect | undefined = next; more !== undefined && way.size < maxSteps; more = nextOf(more)) {
    if (more === redirect)
      return say('redirect-loop', `${redirect.from} leads back to itself by ${redirect.to}`, 'point it at the intended page');
    if (way.has(more)) break;
    way.add(more);
    last = more;
  }
  const hint = last.to === '' ? 'let it say status: 410 itself' : `write ${last.to}`;
  return say('redirect-chain', `${redirect.from} leads to ${redirect.to}, which is redirected as well`, hint);
}

function lost({ from, to }: Redirect, addresses: FolderAddresses): Remark | null {
  const own = to === '' ? null : addresses.own(to);
  if (own === null || own.path === '/') return null;
  const found = addresses.find(own.path, own.query);
  if (found.kind === 'unknown')
    return say('redirect-target', `${from} leads to ${to}, which does not exist`, didYouMean(found.near));
  if (found.kind === 'hidden') return say('redirect-target', `${from} leads to ${found.path}, which ${found.why}`);
  if (found.kind === 'there') return null;
  const hint = found.to === null ? undefined : `write ${found.to}`;
  return say('redirect-chain', `${from} leads to ${to}, a former address of ${found.path}`, hint);
}
