/** Wrong passwords count on all workers, whichever got them. */
import type { Replicated } from '../../../kernel/site/replicated.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Reach, SignInLock } from './sign-in-limit.ts';

type Told =
  | { readonly kind: 'lock'; readonly lock: SignInLock }
  | { readonly kind: 'failure'; readonly account: string; readonly address: string; readonly reach: Reach; readonly at: number };

/** What a worker that starts is told of later does not count. */
const oldMs = 60_000;

export function replicatedSignIns(site: Pick<Site, 'accounts' | 'signIns' | 'clock'>): Replicated {
  const ofLock = (lock: SignInLock): Told => ({ kind: 'lock', lock });
  return {
    name: 'sign-ins',
    publish(send: (told: Told) => void) {
      site.signIns.onLock((lock) => send(ofLock(lock)));
      site.signIns.onFailure((account, address, reach) => send({ kind: 'failure', account, address, reach, at: site.clock() }));
    },
    snapshot: () => site.signIns.locks().map(ofLock),
    follow(change) {
      const told = change as Told;
      if (told.kind === 'lock') site.signIns.lock(told.lock);
      else if (told.at > site.clock() - oldMs) site.signIns.failed(told.account, told.address, told.reach);
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
