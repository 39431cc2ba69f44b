/**
 * A person lets an application in: who it is is decided by their login password, which the application never sees; it gets an application
 * password, which can be taken away again.
 *
 * The password is asked for each time, so there is no session that another page could use in the person's name. Wrong passwords are
 * counted as those of programs are. An account without a login password cannot let anything in.
 */
import { decodeEntities, plainText } from '../../render/text.ts';
import type { FormTaker, Page, SentForm } from '../../kernel/site/serving.ts';
import type { Site } from '../../kernel/site/site.ts';
import { accountKey, verifyPassword } from '../accounts/index.ts';
import { addApplicationPassword } from '../users/index.ts';
import type { Account } from '../users/record.ts';
import { type Application, readApplication, withParams } from './application.ts';
import { askingPage, grantedPage } from './form.ts';
import { notePage, redirectPage } from './html.ts';

/** What is compared with when there is no account, or none with a password: it takes as long. */
const nobody = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Passwords that are compared at once: each takes 32 MB and some 80 ms. */
const mostChecks = 8;
const busySeconds = 5;

interface Authorize {
  page(url: string): Page;
  form(url: string): FormTaker;
}

export function createAuthorize(site: Site): Authorize {
  let checks = 0;
  return {
    page(url) {
      const app = readApplication(url);
      return typeof app === 'string' ? unusable(site, app) : askingPage(nameOf(site), app);
    },
    form: (url) => async (form) => {
      const app = readApplication(url);
      if (typeof app === 'string') return unusable(site, app);
      // Browsers say so when another site sends the form.
      if (form.headers['sec-fetch-site'] === 'cross-site')
        return notePage(nameOf(site), 'Not sent from here', 'This form was sent by another site. Nothing was done.', 403);
      const { decision } = form.fields;
      if (decision === 'decline') return declined(site, app);
      if (decision !== 'approve') return askingPage(nameOf(site), app, '', '', { status: 400 });
      if (site.store.readOnly) return notePage(nameOf(site), 'Not now', 'This server takes no changes at present.', 503);
      if (checks >= mostChecks) return waiting(site, app, busySeconds, form);
      checks++;
      try {
        return await approve(site, app, form);
      } finally {
        checks--;
      }
    },
  };
}

function declined(site: Site, app: Application): Page {
  if (app.rejectUrl) return redirectPage(app.rejectUrl.href);
  return notePage(nameOf(site), 'Not let in', `${app.name} was not given a password. You can close this page.`, 200);
}

async function approve(site: Site, app: Application, form: SentForm): Promise<Page> {
  const { login = '', password: entered = '' } = form.fields;
  const found = await signIn(site, login.trim(), entered, form.client.ip ?? '');
  if (typeof found === 'number') return waiting(site, app, found, form);
  if (!found) return askingPage(nameOf(site), app, 'The user name or the password is wrong.', login, { status: 403 });
  const { password } = await addApplicationPassword(site, found.id, app.name, app.id);
  if (!app.successUrl) return grantedPage(nameOf(site), app, found.login, password);
  const credentials = { site_url: site.url, user_login: found.login, password: password.replaceAll(' ', '') };
  return redirectPage(withParams(app.successUrl, credentials).href);
}

function waiting(site: Site, app: Application, seconds: number, { fields }: SentForm): Page {
  const sentence = `There were too many tries. Try again in ${seconds < 60 ? 'a moment' : `${Math.ceil(seconds / 60)} minutes`}.`;
  return askingPage(nameOf(site), app, sentence, fields.login, { status: 429, headers: { 'Retry-After': String(seconds) } });
}

/** The account; null: there is none, or its password is another; a number: seconds to wait. */
async function signIn(
  { accounts, signIns }: Site,
  login: string,
  password: string,
  ip: string,
): Promise<Account | number | null> {
  if (login === '' || password === '') return null;
  await accounts.refresh(login);
  const known = accounts.byLogin(login);
  const key = accountKey(known?.id ?? login);
  const seconds = signIns.begin(key, ip);
  if (seconds > 0) return seconds;
  let isRight = false;
  try {
    if (known && !accounts.isCurrent(known.id)) await accounts.reread(known.id);
    const account = accounts.byLogin(login) ?? null;
    isRight = (await verifyPassword(password, account?.passwordHash || nobody)) && account !== null;
    return isRight ? account : null;
  } finally {
    signIns.end(key, ip, isRight);
  }
}

function unusable(site: Site, sentence: string): Page {
  return notePage(nameOf(site), 'This link does not work', sentence, 400);
}

function nameOf(site: Site): string {
  return decodeEntities(plainText(String(site.settings.value('name') || site.url)));
}
