/**
 * The pages that send a link to the address of an account: to choose a new password, or to sign in. What they say, and when, does not depend on
 * whether there is an account.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { lettersOf } from '../../mail/index.ts';
import { createSignInLimit } from '../accounts/index.ts';
import type { Account } from '../users/record.ts';
import { expired, isMeant, ownPath, proofFor } from './guard.ts';
import { alertOf, htmlPage, nameOf, notePage, type Told } from './html.ts';
import type { Purpose } from './invitations.ts';

export type Mailed = Exclude<Purpose, 'invitation'>;

/** Of each link the `action` of its page, and what that says. */
const kinds = table({
  resetpass: {
    action: 'lostpassword',
    title: 'Lost your password?',
    offer: 'You will get a link with which you can choose a new password.',
    life: 'It works once, for a day.',
    unavailable: 'This site sends no links by email. Ask an administrator for a link with which you can choose a new password.',
    event: 'password.lost',
  },
  signin: {
    action: 'link',
    title: 'Sign in by email',
    offer: 'You will get a link that signs you in.',
    life: 'It works once, for 15 minutes.',
    unavailable: 'This site sends no links that sign you in.',
    event: 'sign-in.link',
  },
} as const satisfies Record<Mailed, object>);

export const mailedActions = table({ resetpass: kinds.resetpass.action, signin: kinds.signin.action });

/** Whoever may change content must not get a link that was sent to somebody else. */
export function sendsLinks(
  { mail, letterUrl, operator }: Pick<Site, 'mail' | 'letterUrl' | 'operator'>,
  purpose: Mailed,
): boolean {
  return mail.isSetUp && letterUrl !== null && (purpose === 'resetpass' || operator.sign_in_links);
}

interface MailedLinkPage {
  page(visit: Visit): Page;
  /** @param target  where the person wants to go then */
  form(target: string | undefined): FormTaker;
}

/** Requests for one name, or from one IP address for as many names, in five minutes. */
const attempts = 5;
/** Between two letters to one account. */
const pauseMs = 2 * 60_000;

export function createMailedLinkPage(site: Site, purpose: Mailed): MailedLinkPage {
  const { title, offer, life, unavailable, event } = kinds[purpose];
  const limit = createSignInLimit({ attempts, clock: site.clock });
  /** Account → when the last letter was sent. */
  const sent = new Map<number, number>();

  function show(visit: Visit | SentForm, wrong = '', told: Told = {}): Page {
    const { field, headers } = proofFor(site, visit, null);
    const body =
      `${alertOf(wrong)}<p>Enter your username or email address. ${offer}</p>` +
      `<form method="post">${field}<label for="login">Username or email address</label>` +
      '<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required>' +
      '<button class="main">Send the link</button></form>';
    return htmlPage(nameOf(site), title, body, { ...told, headers: { ...headers, ...told.headers } });
  }

  const none = (): Page => notePage(nameOf(site), title, unavailable, 404);

  return {
    page: (visit) => (sendsLinks(site, purpose) ? show(visit) : none()),
    form: (target) => async (form) => {
      if (!sendsLinks(site, purpose)) return none();
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
      void site.store.faults.background('mail', () => send(name, target, form.client.ip));
      return notePage(
        nameOf(site),
        'Check your email',
        `If there is an account with this name or address, a link is on its way to its email address. ${life}`,
        200,
      );
    },
  };

  async function send(name: string, target: string | undefined, ip: SentForm['client']['ip']): Promise<void> {
    await site.accounts.refresh(name);
    const account = site.accounts.byLogin(name);
    if (!account || account.email === '' || !isDue(account)) return;
    if (site.letterUrl === null) return;
    const way = ownPath(target ?? '', site.url);
    const bare = await site.invitations.linkFor(account, site.letterUrl, purpose);
    const link = way === null ? bare : `${bare}&${new URLSearchParams({ redirect_to: way })}`;
    const letters = lettersOf(site);
    const said = (purpose === 'signin' ? letters.signIn : letters.reset)({ login: account.login, link });
    site.mail.send({ kind: purpose === 'signin' ? 'sign-in' : 'password', to: account.email, ...said });
    site.audit.note({ event, on: account.login, ip });
  }

  function isDue({ id }: Account): boolean {
    const now = site.clock();
    if (now - (sent.get(id) ?? Number.NEGATIVE_INFINITY) < pauseMs) return false;
    sent.set(id, now);
    return true;
  }
}
