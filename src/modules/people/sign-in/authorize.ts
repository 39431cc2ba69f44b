/**
 * Authorizing an application: the user is known by session or login password, which the application never sees; it gets an application password,
 * which can be revoked. An account without a login password cannot authorize anything.
 */
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import { type FormTaker, originOf, type Page, type Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { OpenSession } from '../sessions/record.ts';
import { addApplicationPassword } from '../accounts/index.ts';
import type { Account } from '../users/record.ts';
import { type Application, readApplication, withParams } from './application.ts';
import type { CheckCredentials } from './credentials.ts';
import { askingPage, grantedPage } from './form.ts';
import { expired, isMeant, proofFor } from './guard.ts';
import type { SecondStep } from './second-step.ts';
import { nameOf, notePage, redirectPage, type Told } from './html.ts';

interface Authorize {
  page(url: string, visit: Visit, dialect: Dialect): Promise<Page>;
  form(url: string, dialect: Dialect): FormTaker;
}

/** @param takesPasswords  false where people sign in elsewhere alone */
export function createAuthorize(site: Site, check: CheckCredentials, takesPasswords: boolean, secondStep: SecondStep): Authorize {
  return {
    async page(url, visit, { login }) {
      const app = readApplication(url);
      if (typeof app === 'string') return unusable(site, app);
      return asking({ app, visit, open: await site.sessions.find(visit), signIn: signInPath(login, url) });
    },
    form: (url, dialect) => async (form) => {
      const app = readApplication(url);
      if (typeof app === 'string') return unusable(site, app);
      const open = await site.sessions.find(form);
      const asked: Asked = { app, visit: form, open, signIn: signInPath(dialect.login, url) };
      if (!isMeant(site, form, open)) return asking({ ...asked, wrong: expired }, { status: 403 });
      const { decision, login = '' } = form.fields;
      if (decision === 'decline') return declined(site, app);
      if (decision !== 'approve') return asking(asked, { status: 400 });
      if (site.store.readOnly)
        return notePage(nameOf(site), 'Site is read-only', 'This site is read-only at the moment. Try again later.', 503);
      if (!open && !takesPasswords) return redirectPage(asked.signIn);
      const checked = open ?? (await check(form));
      if (checked.account && !open && checked.account.secondFactor)
        return secondStep.begin(checked.account, form, { path: url, dialect });
      if (checked.account) return approved(site, app, checked.account, form);
      const { sentence, ...told } = checked;
      return asking({ ...asked, login, wrong: sentence }, told);
    },
  };

  interface Asked {
    readonly app: Application;
    readonly visit: Visit;
    readonly open: OpenSession | null;
    /** Where people sign in otherwise, and come back. */
    readonly signIn: string;
    /** The login name, if one was sent. */
    readonly login?: string;
    readonly wrong?: string;
  }

  function asking({ app, visit, open, signIn, login = '', wrong = '' }: Asked, told: Told = {}): Page {
    const proof = proofFor(site, visit, open);
    const headers = { ...proof.headers, ...told.headers };
    const who = open ? { signedIn: open.account.login } : { login };
    const used = site.credentialUrl(originOf(visit.headers, visit.client));
    const address = { used, stated: site.url };
    const shown = { ...who, wrong, proof: proof.field, address, signIn, takesPasswords };
    return askingPage(nameOf(site), app, shown, { ...told, headers });
  }
}

/** @param login  path of the page to sign in. @param url  of the authorize page */
function signInPath(login: string, url: string): string {
  return `/${login}?${new URLSearchParams({ redirect_to: url })}`;
}

function declined(site: Site, app: Application): Page {
  if (app.rejectUrl) return redirectPage(app.rejectUrl.href);
  return notePage(nameOf(site), 'Application not authorized', `${app.name} did not get access. You can close this page.`, 200);
}

async function approved(site: Site, app: Application, { id, login }: Account, { client, headers }: Visit): Promise<Page> {
  const { password } = await addApplicationPassword(site, id, app.name, app.id, app.scope);
  site.audit.note({ event: 'application-password', by: id, ip: client.ip, name: app.name, scope: app.scope });
  if (!app.successUrl) return grantedPage(nameOf(site), app, login, password);
  const credentials = {
    site_url: site.credentialUrl(originOf(headers, client)),
    user_login: login,
    password: password.replaceAll(' ', ''),
  };
  return redirectPage(withParams(app.successUrl, credentials).href);
}

function unusable(site: Site, sentence: string): Page {
  return notePage(nameOf(site), 'This link does not work', sentence, 400);
}
