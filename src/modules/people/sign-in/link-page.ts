/** The page of a link that signs in. It asks first: programs that look at letters open links, and do not press buttons. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Account } from '../users/record.ts';
import { expired, isMeant, proofFor } from './guard.ts';
import { alertOf, htmlPage, nameOf, notePage } from './html.ts';
import { sendsLinks } from './mailed-links.ts';
import type { SecondStep } from './second-step.ts';

interface LinkPage {
  page(token: string, visit: Visit): Promise<Page>;
  /** @param path  of this site, to go to then */
  form(token: string, dialect: Dialect, path: string): FormTaker;
}

/** @param takesPasswords  whether people sign in at this site */
export function createLinkPage(site: Site, secondStep: SecondStep, takesPasswords: boolean): LinkPage {
  const { invitations } = site;
  const find = async (token: string): Promise<Account | null> =>
    takesPasswords && sendsLinks(site, 'signin') ? invitations.read(token, 'signin') : null;
  const over = (): Page =>
    notePage(
      nameOf(site),
      'This link has expired',
      'It was already used, or is more than 15 minutes old. Ask for a new one.',
      410,
    );

  function show(visit: Visit | SentForm, { login }: Account, wrong = '', status = 200): Page {
    const { field, headers } = proofFor(site, visit, null);
    const body =
      `${alertOf(wrong)}<p>Your username is <strong>${escapeHtml(login)}</strong>.</p>` +
      `<form method="post">${field}<button class="main">Sign in</button></form>`;
    return htmlPage(nameOf(site), `Sign in to ${nameOf(site)}`, body, { status, headers });
  }

  return {
    async page(token, visit) {
      const account = await find(token);
      return account ? show(visit, account) : over();
    },
    form: (token, dialect, path) => async (form) => {
      const account = await find(token);
      if (!account) return over();
      if (!isMeant(site, form, null)) return show(form, account, expired, 403);
      if (site.store.readOnly)
        return notePage(nameOf(site), 'Site is read-only', 'This site is read-only at the moment. Try again later.', 503);
      const spent = await invitations.spend(token, account);
      return spent ? secondStep.begin(spent, form, { path, dialect, way: 'link' }) : over();
    },
  };
}
