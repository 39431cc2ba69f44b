/**
 * Links that stand in for the login password. With an invitation, for a week, and after a lost password, for a day, a person chooses one: they work
 * once, because they are signed over the current password. A link to sign in is spent in the account.
 */
import { table } from '../../../kernel/model/maps.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import { createSealedLinks } from '../../mail/sealed-links/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isSpent, spend } from '../accounts/index.ts';
import type { Account } from '../users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly invitations: Invitations;
  }
}

/** `action` of the page → how long the link works, in seconds. */
const lives = table({ invitation: 7 * 86_400, resetpass: 86_400, signin: 15 * 60 });
export type Purpose = keyof typeof lives;

interface Invitations {
  /** URL of the page for it, at the address `base`. */
  linkFor(account: Account, base: string, purpose?: Purpose): Promise<string>;
  /** The account of a token; null if invalid, expired or used. */
  read(token: string, purpose: Purpose): Promise<Account | null>;
  /** Uses a token of `read` up, for all processes. @returns the account; null if it was used before */
  spend(token: string, account: Account): Promise<Account | null>;
}

export const isPurpose = (action: string | undefined): action is Purpose => action !== undefined && Object.hasOwn(lives, action);

export function createInvitations(site: Site): Invitations {
  const { accounts, clock } = site;
  const links = createSealedLinks(site, 'invitations.key');
  // Links of earlier versions are invitations, and name no purpose. What signs in ends with the address that it was sent to.
  const stateOf = ({ passwordHash, registered, email }: Account, purpose: Purpose): readonly unknown[] => {
    const more = table({ invitation: [], resetpass: [purpose], signin: [purpose, email] });
    return [passwordHash, registered, ...more[purpose]];
  };
  return {
    async linkFor(account, base, purpose = 'invitation') {
      const token = await links.seal(account.id, stateOf(account, purpose), lives[purpose]);
      return `${base}/${neutral.login}?${new URLSearchParams({ action: purpose, token })}`;
    },
    read: (token, purpose) =>
      links.read(token, async (id) => {
        if (!accounts.isCurrent(id)) await accounts.reread(id);
        const is = accounts.get(id);
        return is && !isSpent(is, token) ? { is, state: stateOf(is, purpose) } : null;
      }),
    async spend(token, { id }) {
      let isFirst = false;
      const now = Math.floor(clock() / 1000);
      const after = await accounts.change(id, (known) => {
        // It lives no longer than this.
        const spent = spend(known, token, now + lives.signin, now);
        isFirst = spent !== null;
        return spent ?? known;
      });
      return isFirst && after ? after : null;
    },
  };
}
