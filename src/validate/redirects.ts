/**
 * `redirects.yaml`: entries that cannot be followed, and those that lead on, nowhere, or are never asked.
 */
import { nextOf, readRedirects, type Redirect, redirectsFile } from '../modules/permalinks/redirects-file.ts';
import type { Content } from './declarations.ts';
import type { Addresses } from './addresses.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean, type Remark } from '../kernel/model/remark.ts';

/** So far a chain is followed for the hint at its end. */
const maxSteps = 20;

export function checkRedirects({ entries }: Pick<Content, 'entries'>, addresses: Addresses): Finding[] {
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
      const remark = shadowed(redirect, addresses) ?? chained(redirect, byKey) ?? lost(redirect, addresses);
      return remark ? [{ ...at(redirect), ...remark }] : [];
    }),
  ];
}

function shadowed({ from }: Redirect, addresses: Addresses): Remark | null {
  const path = addresses.pageAt(from);
  if (path === null) return null;
  return say('redirect-shadowed', `${from} is the address of ${path}: the redirect is not followed`, 'remove it');
}

function chained(redirect: Redirect, byKey: ReadonlyMap<string, Redirect>): Remark | null {
  const next = nextOf(redirect, byKey);
  if (next === undefined) return null;
  let last = next;
  for (let steps = 0, more = nextOf(last, byKey); more !== undefined && steps < maxSteps; more = nextOf(last, byKey), steps++)
    last = more;
  const hint = last.to === '' ? 'let it say status: 410 itself' : `write ${last.to}`;
  return say('redirect-chain', `${redirect.from} leads to ${redirect.to}, which is redirected as well`, hint);
}

function lost({ from, to }: Redirect, addresses: Addresses): Remark | null {
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
