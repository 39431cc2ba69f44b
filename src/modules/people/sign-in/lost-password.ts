/**
 * The page of a lost password: sends a link to the address of the account. What it says, and when, does not depend on whether there is an account.
 */
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { lettersOf } from '../../mail/index.ts';
import { createSignInLimit } from '../accounts/index.ts';
import type { Account } from '../users/record.ts';
import { expired, isMeant, proofFor } from './guard.ts';
import { alertOf, htmlPage, nameOf, notePage, type Told } from './html.ts';

export const lostAction = 'lostpassword';

/** Whoever may change content must not get a link that was sent to somebody else. */
export const sendsLinks = ({ mail, letterUrl }: Pick<Site, 'mail' | 'letterUrl'>): boolean => mail.isSetUp && letterUrl !== null;

interface LostPassword {
  page(visit: Visit): Page;
  readonly form: FormTaker;
}

/** Requests for one name, or from one IP address for as many names, in five minutes. */
const attempts = 5;
/** Between two letters to one account. */
const pauseMs = 2 * 60_000;

export function createLostPassword(site: Site): LostPassword {
  const limit = createSignInLimit({ attempts, clock: site.clock });
  /** Account → when the last letter was sent. */
  const sent = new Map<number, number>();

  function show(visit: Visit | SentForm, wrong = '', told: Told = {}): Page {
    const { field, headers } = proofFor(site, visit, null);
    const body =
      `${alertOf(wrong)}<p>Enter your username or email address. You will get a link with which you can choose a new password.</p>` +
      `<form method="post">${field}<label for="login">Username or email address</label>` +
      '<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required>' +
      '<button class="main">Send the link</button></form>';
    return htmlPage(nameOf(site), 'Lost your password?', body, { ...told, headers: { ...headers, ...told.headers } });
  }

  const unavailable = (): Page =>
    notePage(
      nameOf(site),
      'Lost your password?',
      'This site sends no links by email. Ask an administrator for a link with which you can choose a new password.',
      404,
    );

  return {
    page: (visit) => (sendsLinks(site) ? show(visit) : unavailable()),
    form: async (form) => {
      if (!sendsLinks(site)) return unavailable();
      if (!isMeant(site, form, null)) return show(form, expired, { status: 403 });
      const name = (form.fields.login ?? '').trim();
      if (name === '') return show(form, 'Enter your username or email address.', { status: 400 });
      const attempt = limit.begin(name.toLowerCase(), form.client.ip ?? '', 'everywhere');
      if (attempt.wait > 0) {
        const headers = { 'Retry-After': String(attempt.wait) };
        return show(form, 'Too many requests. Try again later.', { status: 429, headers });
      }
      attempt.end(false);
      // Not awaited: with an account, there is more to do.
      void site.store.faults.background('mail', () => send(name, form.client.ip));
      return notePage(
        nameOf(site),
        'Check your email',
        'If there is an account with this name or address, a link is on its way to its email address. It works once, for a day.',
        200,
      );
    },
  };

  async function send(name: string, ip: SentForm['client']['ip']): Promise<void> {
    await site.accounts.refresh(name);
    const account = site.accounts.byLogin(name);
    if (!account || account.email === '' || !isDue(account)) return;
    if (site.letterUrl === null) return;
    const link = await site.invitations.linkFor(account, site.letterUrl, 'resetpass');
    const said = lettersOf(site).reset({ login: account.login, link });
    site.mail.send({ kind: 'password', to: account.email, ...said });
    site.audit.note({ event: 'password.lost', on: account.login, ip });
  }

  function isDue({ id }: Account): boolean {
    const now = site.clock();
    if (now - (sent.get(id) ?? Number.NEGATIVE_INFINITY) < pauseMs) return false;
    sent.set(id, now);
    return true;
  }
}
