/**
 * Signing in and out in a browser: `?action=logout` asks for confirmation, `?action=invitation` sets a first password, `?action=lostpassword` sends a link with which
 * `?action=resetpass` sets another, `?action=link` one with which `?action=signin` signs in, and `redirect_to` is a page of this site.
 *
 * Source: the reference's page of that name, with its parameters.
 */
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import { parseQuery } from '../../../kernel/rest/params.ts';
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { CheckCredentials } from './credentials.ts';
import { deviceHeaders } from './device.ts';
import { signInPage, signOutPage, type Ways } from './form.ts';
import { expired, isMeant, ownPath, proofFor } from './guard.ts';
import { createInvitationPage } from './invitation-page.ts';
import { isPurpose } from './invitations.ts';
import { createLinkPage } from './link-page.ts';
import { createMailedLinkPage, type Mailed, mailedActions, sendsLinks } from './mailed-links.ts';
import { nameOf, notePage, redirectPage, type Told } from './html.ts';
import type { SecondStep } from './second-step.ts';
import type { OfferedPasskeys } from './passkey-form.ts';
import { openIdAction, type OpenIdPages } from './openid.ts';

interface Login {
  page(url: string, visit: Visit, dialect: Dialect): Promise<Page>;
  form(url: string, dialect: Dialect): FormTaker;
}

interface Means {
  readonly check: CheckCredentials;
  /** Null if people sign in here alone. */
  readonly openId: OpenIdPages | null;
  readonly passkeys: OfferedPasskeys;
  readonly secondStep: SecondStep;
}

export function createLogin(site: Site, { check, openId, passkeys, secondStep }: Means): Login {
  const { sessions } = site;
  const takesPasswords = openId?.settings.isOnly !== true;
  const linked = {
    invitation: createInvitationPage(site, 'invitation', openId, secondStep),
    resetpass: createInvitationPage(site, 'resetpass', openId, secondStep),
    signin: createLinkPage(site, secondStep, takesPasswords),
  };
  const mailed = new Map<string | undefined, ReturnType<typeof createMailedLinkPage>>(
    takesPasswords ? entriesOf(mailedActions).map(([purpose, action]) => [action, createMailedLinkPage(site, purpose)]) : [],
  );
  return {
    async page(url, visit, dialect) {
      const { action, redirect_to: target, loggedout, token = '' } = queryOf(url);
      if (isPurpose(action)) return linked[action].page(token, visit);
      const asked = mailed.get(action);
      if (asked) return asked.page(visit);
      if (action === openIdAction && openId) return openId.start(url, visit, dialect);
      const open = await sessions.find(visit);
      if (action === 'logout' && open) {
        const { field } = proofFor(site, visit, open);
        const away = (await openId?.leave(open, visit)) ?? null;
        const also = away && openId ? openId.settings.name : null;
        return signOutPage(nameOf(site), { proof: field, signedIn: open.account.login, also }, { targets: [away] });
      }
      if (open) return redirectPage(placeOf(target, dialect), deviceHeaders(site, open.account, visit));
      return asking(visit, { said: loggedout === 'true' ? 'You are now signed out.' : '', target, dialect });
    },
    form: (url, dialect) => async (sent) => {
      const form = named(sent);
      const { action, redirect_to: target = form.fields.redirect_to, token = '' } = queryOf(url);
      if (isPurpose(action)) return linked[action].form(token, dialect, placeOf(target, dialect))(form);
      const asked = mailed.get(action);
      if (asked) return asked.form(target)(form);
      const open = await sessions.find(form);
      const isShown = isMeant(site, form, open) || (action === undefined && isOfText(sent));
      if (action === 'logout' && !isShown) return redirectPage(`/${dialect.login}?action=logout`);
      // A form in a text on another site has no proof, and the user did nothing wrong.
      if (!isShown && action === undefined && sent.fields.log !== undefined)
        return asking(form, { target, login: form.fields.login, dialect }, { status: 200 });
      // The user may have signed in elsewhere since the form was shown.
      if (!isShown && !isMeant(site, form, null)) return asking(form, { wrong: expired, target, dialect }, { status: 403 });
      if (site.store.readOnly)
        return notePage(nameOf(site), 'Site is read-only', 'This site is read-only at the moment. Try again later.', 503);
      if (action === 'logout') {
        if (open) {
          await sessions.end(open.account.id, { hash: open.session.hash });
          site.audit.note({ event: 'sign-out', by: open.account.id, ip: form.client.ip });
        }
        const away = (open && (await openId?.leave(open, form))) ?? null;
        return redirectPage(away?.href ?? `/${dialect.login}?loggedout=true`, { 'Set-Cookie': sessions.forget(form.client) });
      }
      if (form.fields.do === 'passkey') return withPasskey(form, target, dialect);
      if (!takesPasswords) return asking(form, { wrong: 'This site accepts no passwords.', target, dialect }, { status: 403 });
      if (form.fields.do === 'code') {
        const page = await secondStep.finish(form, { path: placeOf(target, dialect), dialect });
        return page ?? asking(form, { wrong: expired, target, dialect }, { status: 403 });
      }
      const checked = await check(form);
      if (!checked.account) return asking(form, { wrong: checked.sentence, target, login: form.fields.login, dialect }, checked);
      return secondStep.begin(checked.account, form, {
        path: placeOf(target, dialect),
        dialect,
        isLong: form.fields.stay === 'yes',
      });
    },
  };

  async function withPasskey(form: SentForm, target: string | undefined, dialect: Dialect): Promise<Page> {
    const { credential = '', seal = '' } = form.fields;
    const account = (await passkeys()?.signIn({ credential, seal }, form)) ?? null;
    if (!account) {
      site.audit.note({ event: 'sign-in.refused', ip: form.client.ip, why: 'passkey' });
      return asking(
        form,
        { wrong: 'This passkey is not registered on this site, or the page was open too long.', target, dialect },
        { status: 403 },
      );
    }
    const cookie = await sessions.begin(account, form);
    site.audit.note({ event: 'sign-in', by: account.id, ip: form.client.ip, with: 'passkey' });
    return redirectPage(placeOf(target, dialect), { 'Set-Cookie': cookie });
  }

  interface Asked {
    readonly wrong?: string;
    readonly said?: string;
    readonly target: string | undefined;
    readonly login?: string | undefined;
    readonly dialect: Dialect;
  }

  function asking(visit: Visit | SentForm, { wrong = '', said = '', target, login = '', dialect }: Asked, told: Told = {}): Page {
    const proof = proofFor(site, visit, null);
    const headers = { ...proof.headers, ...told.headers };
    const shown = {
      wrong,
      proof: proof.field,
      login,
      said,
      target: ownPath(target ?? '', site.url),
      ways: waysIn(visit, target, dialect),
    };
    return signInPage(nameOf(site), shown, { status: told.status ?? 200, headers });
  }

  function waysIn(visit: Visit, target: string | undefined, { login }: Dialect): Ways {
    const pathOf = (purpose: Mailed): string | null => {
      const query = new URLSearchParams({ action: mailedActions[purpose], ...(target ? { redirect_to: target } : {}) });
      return sendsLinks(site, purpose) ? `/${login}?${query}` : null;
    };
    const provider = openId && { name: openId.settings.name, path: `/${login}?action=${openIdAction}` };
    return {
      password: takesPasswords,
      lost: pathOf('resetpass'),
      link: pathOf('signin'),
      passkey: passkeys()?.use(visit) ?? null,
      provider,
    };
  }

  function placeOf(target: string | undefined, { admin }: Dialect): string {
    return ownPath(target ?? '', site.url) ?? `/${admin}/profile.php`;
  }
}

/** The fields of the form in texts, under the names of this page. */
function named(form: SentForm): SentForm {
  const { log, pwd, rememberme } = form.fields;
  if (log === undefined || form.fields.login !== undefined) return form;
  const fields = { ...form.fields, login: log, password: pwd ?? '', stay: rememberme === undefined ? '' : 'yes' };
  return { ...form, fields };
}

/** Whether a form is in a text on a page of this site, according to the browser: it has no token. */
function isOfText({ fields, headers }: SentForm): boolean {
  return fields.log !== undefined && headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'document';
}

const entriesOf = (of: typeof mailedActions) => Object.entries(of) as [Mailed, string][];

/** String parameters. */
function queryOf(url: string): Readonly<Record<string, string | undefined>> {
  const mark = url.indexOf('?');
  const query = Object.entries(parseQuery(mark < 0 ? '' : url.slice(mark + 1)));
  return Object.fromEntries(query.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
