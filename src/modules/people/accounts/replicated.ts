/** Replication of accounts: the writer counts wrong passwords and records uses. */
import type { Replicated } from '../../../kernel/site/replicated.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { SignInLock, Reach } from './sign-in-limit.ts';

type Report =
  | { readonly kind: 'use'; readonly use: readonly [id: number, uuid: string, at: number, ip: string | null] }
  | { readonly kind: 'failure'; readonly account: string; readonly address: string; readonly reach: Reach };

export function replicatedSignIns(site: Pick<Site, 'accounts' | 'signIns'>): Replicated {
  return {
    name: 'sign-ins',
    publish: (send) => site.signIns.onLock(send),
    snapshot: () => site.signIns.locks(),
    follow: (lock) => site.signIns.lock(lock as SignInLock),
    report(say: (report: Report) => void) {
      site.signIns.onFailure((account, address, reach) => say({ kind: 'failure', account, address, reach }));
      site.accounts.noteUse = (...use) => say({ kind: 'use', use });
    },
    hear(said) {
      const report = said as Report;
      if (report.kind === 'use') site.accounts.noteUse(...report.use);
      else site.signIns.failed(report.account, report.address, report.reach);
    },
    documents: {
      prefix: 'accounts/',
      announced: true,
      reread(key) {
        const account = /^accounts\/(\d+)\.json$/.exec(key)?.[1];
        return account === undefined ? undefined : site.accounts.reread(Number(account));
      },
    },
  };
}
