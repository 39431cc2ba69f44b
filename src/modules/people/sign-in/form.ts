/** The forms to sign in, sign out and authorize applications. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import { scopeInWords } from '../accounts/index.ts';
import type { Application } from './application.ts';
import type { Asked } from '../passkeys/index.ts';
import { alertOf, htmlPage, type Told } from './html.ts';
import { passkeyForm, passkeyScript } from './passkey-form.ts';

interface Shown {
  /** Error message for the submitted form. */
  readonly wrong?: string;
  /** Hidden field with the form token. */
  readonly proof: string;
  /** As submitted. */
  readonly login?: string;
  /** Login name of the signed-in user. */
  readonly signedIn?: string;
  /** The URL that receives the password, and the URL in the site's settings. */
  readonly address?: { readonly used: string; readonly stated: string };
}

interface Asking extends Shown {
  /** Path of the page with all ways to sign in. */
  readonly signIn: string;
  /** Whether people may sign in right here. */
  readonly takesPasswords: boolean;
}

/** @param site  its name */
export function askingPage(
  site: string,
  app: Application,
  { wrong = '', proof, login, signedIn, address, signIn, takesPasswords }: Asking,
  told: Told,
): Page {
  const target = app.successUrl
    ? `<p>You will be sent to <strong>${escapeHtml(app.successUrl.host || app.successUrl.protocol)}</strong>.</p>`
    : '<p>You will get a password to enter into the application.</p>';
  const link = (text: string): string => `<p><a href="${escapeHtml(signIn)}">${text}</a></p>`;
  const here = takesPasswords ? signInFields(login) : link('Sign in first');
  const who = signedIn === undefined ? here : `<p>You are signed in as <strong>${escapeHtml(signedIn)}</strong>.</p>`;
  const canAuthorize = signedIn !== undefined || takesPasswords;
  const body =
    `${alertOf(wrong)}<p><strong>${escapeHtml(app.name)}</strong> wants to access ${escapeHtml(site)} as you. ` +
    `It ${scopeInWords(app.scope)}. It gets its own password, which you can revoke at any time, and never sees yours.</p>` +
    `${target}${address && address.used !== address.stated ? otherAddress(address) : ''}` +
    `<form method="post">${proof}${who}` +
    `${canAuthorize ? '<button class="main" name="decision" value="approve">Authorize</button>' : ''}` +
    '<button name="decision" value="decline" formnovalidate>Cancel</button></form>' +
    `${signedIn === undefined && takesPasswords ? link('Other ways to sign in') : ''}`;
  return htmlPage(site, `Authorize ${app.name}?`, body, { ...told, targets: [app.successUrl, app.rejectUrl] });
}

/** `site.yaml` is content: its URL is shown, but does not decide where the password goes. */
function otherAddress({ used, stated }: NonNullable<Shown['address']>): string {
  return (
    `<p>The application will send its password to <strong>${escapeHtml(used)}</strong>, where you are now. ` +
    `According to its settings, the address of the site is <strong>${escapeHtml(stated)}</strong>. ` +
    'If that is right, cancel and start again there.</p>'
  );
}

interface SignIn extends Shown {
  /** A notice, such as after sign-out. */
  readonly said: string;
  /** Where to continue. */
  readonly target: string | null;
  readonly ways: Ways;
}

/** How people sign in. */
export interface Ways {
  /** With a password of this site. */
  readonly password: boolean;
  /** The page of a lost password; null where no email is sent. */
  readonly lost: string | null;
  /** The page that sends a link to sign in; null where there are none. */
  readonly link: string | null;
  /** With a passkey; null where there are none. */
  readonly passkey: Asked | null;
  /** The OpenID provider and the path that leads there. */
  readonly provider: { readonly name: string; readonly path: string } | null;
}

export function signInPage(site: string, { wrong = '', proof, login, said, target, ways }: SignIn, told: Told): Page {
  const goOn = target === null ? '' : `<input type="hidden" name="redirect_to" value="${escapeHtml(target)}">`;
  const form =
    `<form method="post">${proof}${signInFields(login, ways.passkey ? 'username webauthn' : 'username')}${goOn}` +
    '<label class="stay"><input type="checkbox" name="stay" value="yes">Remember me for two weeks</label>' +
    '<button class="main">Sign in</button></form>' +
    linkTo(ways.link, 'Sign in by email') +
    linkTo(ways.lost, 'Lost your password?');
  const passkey = ways.passkey
    ? passkeyForm({ kind: 'use', asked: ways.passkey, fields: proof + goOn, label: 'Sign in with a passkey' })
    : '';
  const body =
    `${alertOf(wrong)}${said === '' ? '' : `<p role="status">${escapeHtml(said)}</p>`}` +
    `${ways.password ? form : ''}${passkey}${ways.provider ? providerLink(ways.provider, target) : ''}`;
  return htmlPage(site, `Sign in to ${site}`, body, { ...told, script: ways.passkey ? passkeyScript : undefined });
}

const linkTo = (path: string | null, text: string): string =>
  path === null ? '' : `<p><a href="${escapeHtml(path)}">${text}</a></p>`;

function providerLink({ name, path }: NonNullable<Ways['provider']>, target: string | null): string {
  const query = target === null ? '' : `&${new URLSearchParams({ redirect_to: target })}`;
  return `<p><a class="button" href="${escapeHtml(path + query)}">Sign in with ${escapeHtml(name)}</a></p>`;
}

/** @param also  the provider that is left, too */
export function signOutPage(
  site: string,
  { proof, signedIn = '', also }: Shown & { readonly also: string | null },
  told: Told,
): Page {
  const body =
    `<p>You are signed in as <strong>${escapeHtml(signedIn)}</strong>.</p>` +
    `${also === null ? '' : `<p>You will also be asked to sign out of ${escapeHtml(also)}.</p>`}` +
    `<form method="post">${proof}<button class="main">Sign out</button></form>`;
  return htmlPage(site, `Sign out of ${site}?`, body, told);
}

/** The fields for login and password. @param login  as submitted. @param filled  with what browsers may fill in the login */
function signInFields(login = '', filled = 'username'): string {
  return (
    '<label for="login">Username or email address</label>' +
    `<input id="login" name="login" autocomplete="${filled}" autocapitalize="none" spellcheck="false" required value="${escapeHtml(login)}">` +
    '<label for="password">Password</label>' +
    '<input id="password" name="password" type="password" autocomplete="current-password" required>'
  );
}

/** The new password, if there is no URL to send it to. */
export function grantedPage(site: string, app: Application, login: string, password: string): Page {
  return htmlPage(
    site,
    'Application authorized',
    `<p>Enter this into <strong>${escapeHtml(app.name)}</strong>. It is shown only once.</p>` +
      `<p>Username: <code>${escapeHtml(login)}</code></p><p>Password: <code>${escapeHtml(password)}</code></p>`,
  );
}
