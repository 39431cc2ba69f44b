/** The pages of an invitation and of a lost password: the user chooses a login password and is signed in. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { updateUser } from '../users/index.ts';
import type { Account } from '../users/record.ts';
import type { Purpose } from './invitations.ts';
import { expired, isMeant, proofFor } from './guard.ts';
import { alertOf, htmlPage, nameOf, notePage } from './html.ts';
import type { OpenIdPages } from './openid.ts';
import type { SecondStep } from './second-step.ts';
import { faultOfPassword, newPasswordFields } from './new-password.ts';

interface InvitationPage {
  page(token: string, visit: Visit): Promise<Page>;
  form(token: string, dialect: Dialect): FormTaker;
}

/** @param purpose  `action` of the page */
export function createInvitationPage(
  site: Site,
  purpose: Purpose,
  openId: OpenIdPages | null,
  secondStep: SecondStep,
): InvitationPage {
  const isInvitation = purpose === 'invitation';
  const { invitations } = site;
  const over = (): Page =>
    notePage(
      nameOf(site),
      isInvitation ? 'This invitation has expired' : 'This link has expired',
      `It was already used, or is more than a ${isInvitation ? 'week' : 'day'} old. Ask for a new one.`,
      410,
    );

  function show(visit: Visit | SentForm, { login }: Account, wrong = '', status = 200): Page {
    const { field, headers } = proofFor(site, visit, null);
    const body =
      `${alertOf(wrong)}<p>${isInvitation ? 'You have an account here. ' : ''}Your username is <strong>${escapeHtml(login)}</strong>. Choose a password.</p>` +
      `<form method="post">${field}${newPasswordFields(login)}<button class="main">Set password and sign in</button></form>`;
    return htmlPage(nameOf(site), isInvitation ? `Welcome to ${nameOf(site)}` : 'Choose a new password', body, {
      status,
      headers,
    });
  }

  /** Where nobody has a password. */
  const elsewhere = (): Page | null =>
    openId?.settings.isOnly
      ? notePage(
          nameOf(site),
          `Welcome to ${nameOf(site)}`,
          `You have an account here. Sign in with ${openId.settings.name}.`,
          200,
        )
      : null;

  return {
    async page(token, visit) {
      const account = await invitations.read(token, purpose);
      return account ? (elsewhere() ?? show(visit, account)) : over();
    },
    form: (token, dialect) => async (form) => {
      const other = elsewhere();
      if (other) return other;
      const account = await invitations.read(token, purpose);
      if (!account) return over();
      if (!isMeant(site, form, null)) return show(form, account, expired, 403);
      if (site.store.readOnly)
        return notePage(nameOf(site), 'Site is read-only', 'This site is read-only at the moment. Try again later.', 503);
      const fault = faultOfPassword(form.fields);
      if (fault !== null) return show(form, account, fault, 400);
      await updateUser(site, account.id, { password: form.fields.next as string });
      site.audit.note({ event: isInvitation ? 'invitation' : 'password.reset', by: account.id, ip: form.client.ip });
      const after = site.accounts.get(account.id) ?? account;
      return secondStep.begin(after, form, {
        path: `/${dialect.admin}/profile.php${isInvitation ? '?done=welcome' : ''}`,
        dialect,
      });
    },
  };
}
