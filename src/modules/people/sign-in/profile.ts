/** The profile page: sessions, authorized applications, and the login password. */
import { table } from '../../../kernel/model/maps.ts';
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { OpenSession } from '../sessions/record.ts';
import { addApplicationPassword } from '../accounts/index.ts';
import { updateUser } from '../users/index.ts';
import type { Account } from '../users/record.ts';
import type { CheckCredentials } from './credentials.ts';
import { deviceHeaders } from './device.ts';
import { expired, isMeant, proofFor } from './guard.ts';
import { nameOf, notePage, redirectPage } from './html.ts';
import { openIdAction, type OpenIdPages } from './openid.ts';
import type { AuthenticatorApp } from './authenticator.ts';
import type { OfferedPasskeys } from './passkey-form.ts';
import { faultOfPassword } from './new-password.ts';
import { profilePage, type ProfileNews } from './profile-page.ts';

interface Profile {
  page(url: string, visit: Visit, dialect: Dialect): Promise<Page>;
  form(url: string, dialect: Dialect): FormTaker;
}

const longestName = 200;

const news: Readonly<Record<string, string>> = table({
  welcome: 'Welcome. Your password is set, and you are signed in.',
  password: 'Your password was changed. You are signed out everywhere else.',
  session: 'The session was signed out.',
  others: 'You are signed out everywhere else.',
  revoked: 'The application password was revoked.',
  passkey: 'The passkey was added. You can sign in with it.',
  removed: 'The passkey was removed.',
  connected: 'You can now sign in there.',
  disconnected: 'You can no longer sign in there.',
});

interface Means {
  readonly check: CheckCredentials;
  /** Null if people sign in here alone. */
  readonly openId: OpenIdPages | null;
  readonly passkeys: OfferedPasskeys;
  readonly authenticator: AuthenticatorApp;
}

export function createProfile(site: Site, { check, openId, passkeys, authenticator }: Means): Profile {
  const writable = [...site.types.values()].filter(({ showInRest, showUi, viewable }) => showInRest && showUi && viewable);
  const scopes = ['read', 'build', 'drafts', ...writable.map(({ name }) => `type:${name}`)];
  return {
    async page(url, visit, dialect) {
      const open = await site.sessions.find(visit);
      if (!open) return redirectPage(`/${dialect.login}?${new URLSearchParams({ redirect_to: url })}`);
      const done = new URL(url, 'http://localhost').searchParams.get('done') ?? '';
      return show(visit, open, dialect, { said: Object.hasOwn(news, done) ? news[done] : '' });
    },
    form: (url, dialect) => async (form) => {
      const open = await site.sessions.find(form);
      const own = url.split('?', 1)[0] as string;
      if (!open) return redirectPage(`/${dialect.login}?${new URLSearchParams({ redirect_to: own })}`);
      if (!isMeant(site, form, open)) return show(form, open, dialect, { wrong: expired, status: 403 });
      if (site.store.readOnly)
        return notePage(nameOf(site), 'Site is read-only', 'This site is read-only at the moment. Try again later.', 503);
      const done = await act(form, open);
      if (!('wrong' in done)) {
        const { do: what = '', which } = form.fields;
        site.audit.note({
          event: `profile.${what}`,
          by: open.account.id,
          ip: form.client.ip,
          ...(what === 'revoke' || what === 'remove' ? { on: which } : {}),
        });
      }
      if (!('what' in done)) return show(form, open, dialect, done);
      return redirectPage(`${own}?done=${done.what}`, done.cookie === undefined ? {} : { 'Set-Cookie': done.cookie });
    },
  };

  interface Done {
    readonly what: keyof typeof news;
    readonly cookie?: string;
  }

  async function act(form: SentForm, { account, session }: OpenSession): Promise<Done | ProfileNews> {
    const { fields } = form;
    switch (fields.do) {
      case 'password':
        return changePassword(form, account);
      case 'end':
        await site.sessions.end(account.id, { hash: fields.which ?? '' });
        return { what: 'session' };
      case 'others':
        await site.sessions.end(account.id, { allBut: session.hash });
        return { what: 'others' };
      case 'revoke':
        await site.accounts.change(account.id, (known) => ({
          ...known,
          applicationPasswords: known.applicationPasswords.filter(({ uuid }) => uuid !== fields.which),
        }));
        return { what: 'revoked' };
      case 'passkey':
        return addPasskey(form, account);
      case 'remove':
        await site.accounts.change(account.id, (known) => ({
          ...known,
          passkeys: known.passkeys.filter(({ id }) => id !== fields.which),
        }));
        return { what: 'removed' };
      case 'disconnect':
        await site.accounts.change(account.id, (known) => ({
          ...known,
          identities: known.identities.filter(({ issuer }) => issuer !== openId?.settings.issuer),
        }));
        return { what: 'disconnected' };
      case 'create':
        return createPassword(fields, account);
      default:
        return (await authenticator.act(form, account)) ?? { wrong: 'No action was selected.', status: 400 };
    }
  }

  async function changePassword(form: SentForm, account: Account): Promise<Done | ProfileNews> {
    if (openId?.settings.isOnly) return { wrong: 'This site accepts no passwords.', status: 400 };
    const fault = faultOfPassword(form.fields);
    if (fault !== null) return { wrong: fault, status: 400 };
    const checked = await check({ ...form, fields: { ...form.fields, login: account.login } });
    if (!checked.account) {
      const { status, headers } = checked;
      return { wrong: status === 429 ? checked.sentence : 'The current password is incorrect.', status, headers };
    }
    await updateUser(site, account.id, { password: form.fields.next as string });
    const after = site.accounts.get(account.id);
    // Sessions of the former password are over; this browser gets a new one.
    return after ? { what: 'password', cookie: await site.sessions.begin(after, form) } : { what: 'password' };
  }

  async function addPasskey(form: SentForm, account: Account): Promise<Done | ProfileNews> {
    const { passkey: entered = '', credential = '', seal = '' } = form.fields;
    const name = entered.trim();
    if (name === '' || name.length > longestName) return { wrong: 'Enter a name for the passkey.', status: 400 };
    if (await passkeys()?.add(account, name, { credential, seal }, form)) return { what: 'passkey' };
    return { wrong: 'The passkey was not added. Please try again.', status: 400 };
  }

  async function createPassword(
    { name: entered = '', scope = '' }: SentForm['fields'],
    { id, login }: Account,
  ): Promise<ProfileNews> {
    const name = entered.trim();
    if (name === '' || name.length > longestName) return { wrong: 'Enter a name for the application.', status: 400 };
    if (scope !== '' && !scopes.includes(scope)) return { wrong: 'Choose what the application can access.', status: 400 };
    const { password } = await addApplicationPassword(site, id, name, '', scope);
    return { created: { name, login, password } };
  }

  /** URL for programs; null for users who may not write. */
  function writesAt(account: Account): string | null {
    return writable.some(({ capabilities }) => site.access.can(account, capabilities.edit_posts)) ? `${site.url}/` : null;
  }

  function show(visit: Visit, open: OpenSession, { login }: Dialect, told: ProfileNews): Page {
    const account = site.accounts.get(open.account.id) ?? open.account;
    const { field } = proofFor(site, visit, open);
    const own = {
      account,
      scopes,
      here: open.session.hash,
      proof: field,
      signOut: `/${login}?action=logout`,
      passkey: passkeys()?.make(account, visit) ?? null,
      takesPasswords: openId?.settings.isOnly !== true,
      provider: openId && {
        name: openId.settings.name,
        isConnected: account.identities.some(({ issuer }) => issuer === openId.settings.issuer),
        path: `/${login}?${new URLSearchParams({ action: openIdAction, connect: open.nonce('form') })}`,
      },
      writesAt: writesAt(account),
    };
    const page = profilePage({ site: nameOf(site), now: site.clock(), ...own }, told);
    return { ...page, headers: { ...deviceHeaders(site, account, visit), ...page.headers } };
  }
}
