/**
 * Links with which a person chooses the login password: an invitation, for a week, or after a lost one, for a day. They work once, because they are
 * signed over the current password.
 */
import { table } from '../../../kernel/model/maps.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import { createSealedLinks } from '../../../kernel/site/sealed-links.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Account } from '../users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly invitations: Invitations;
  }
}

/** `action` of the page → how long the link works, in seconds. */
const lives = table({ invitation: 7 * 86_400, resetpass: 86_400 });
export type Purpose = keyof typeof lives;

interface Invitations {
  /** URL of the page to choose a password, at the address `base`. */
  linkFor(account: Account, base: string, purpose?: Purpose): Promise<string>;
  /** The account of a token; null if invalid, expired or used. */
  read(token: string, purpose: Purpose): Promise<Account | null>;
}

export const isPurpose = (action: string | undefined): action is Purpose => action !== undefined && Object.hasOwn(lives, action);

export function createInvitations(site: Site): Invitations {
  const { accounts } = site;
  const links = createSealedLinks(site, 'invitations.key');
  // Links of earlier versions are invitations, and name no purpose.
  const stateOf = ({ passwordHash, registered }: Account, purpose: Purpose): readonly unknown[] =>
    purpose === 'invitation' ? [passwordHash, registered] : [passwordHash, registered, purpose];
  return {
    async linkFor(account, base, purpose = 'invitation') {
      const token = await links.seal(account.id, stateOf(account, purpose), lives[purpose]);
      return `${base}/${neutral.login}?${new URLSearchParams({ action: purpose, token })}`;
    },
    read: (token, purpose) =>
      links.read(token, async (id) => {
        if (!accounts.isCurrent(id)) await accounts.reread(id);
        const is = accounts.get(id);
        return is ? { is, state: stateOf(is, purpose) } : null;
      }),
  };
}
