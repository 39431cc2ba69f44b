/** The authenticator app on the profile page: set up with a code, taken away with one. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { SentForm } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Offered, SecondFactors } from '../second-factor/index.ts';
import type { Account } from '../users/record.ts';
import type { CheckCredentials } from './credentials.ts';
import { nameOf } from './html.ts';
import { passwordField, usernameField } from './new-password.ts';

/** The result of an action: what the page then shows. */
export interface AuthenticatorNews {
  readonly said?: string;
  readonly wrong?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** To be scanned. */
  readonly offered?: Offered;
  /** Shown once. */
  readonly recoveryCodes?: readonly string[];
}

export interface AuthenticatorApp {
  /** Does what the form says; null if it says something else. */
  act(form: SentForm, account: Account): Promise<AuthenticatorNews | null>;
}

const wrongCode = { wrong: 'The code is incorrect or was already used.', status: 403 };

export function createAuthenticator(site: Site, check: CheckCredentials, factors: SecondFactors): AuthenticatorApp {
  return {
    async act(form, account) {
      const { do: what, seal = '', code = '' } = form.fields;
      if (what === 'app.offer') {
        const checked = await check({ ...form, fields: { ...form.fields, login: account.login } });
        if (checked.account) return { offered: await factors.offer(account, nameOf(site)) };
        const { status, headers, sentence } = checked;
        return { wrong: status === 429 ? sentence : 'The current password is incorrect.', status, headers };
      }
      if (what === 'app.enable') {
        if (account.secondFactor) return { wrong: 'You have an authenticator app already.', status: 400 };
        const codes = await factors.enable(account, seal, code);
        return codes
          ? { recoveryCodes: codes, said: 'You now need a code to sign in with your password.' }
          : { ...wrongCode, wrong: 'The code is incorrect, or the page was open too long. Please start again.' };
      }
      if (what !== 'app.disable' && what !== 'app.codes') return null;
      const checked = await factors.check(account.id, code, form.client.ip);
      if (checked.kind === 'later')
        return {
          wrong: 'Too many incorrect codes. Try again in a few minutes.',
          status: 429,
          headers: { 'Retry-After': String(checked.seconds) },
        };
      if (checked.kind === 'wrong') return wrongCode;
      if (what === 'app.codes') return { recoveryCodes: await factors.renew(account.id) };
      await factors.disable(account.id);
      return { said: 'You no longer need a code to sign in.' };
    },
  };
}

/** The section of the page. @param proof  hidden field */
export function authenticatorSection(
  { login, secondFactor, passwordHash }: Account,
  { offered, recoveryCodes }: AuthenticatorNews,
  proof: string,
): string {
  const codes = recoveryCodes ? recoveryList(recoveryCodes) : '';
  const title = '<h2>Authenticator app</h2>';
  if (secondFactor) {
    const left = secondFactor.recovery.length;
    return (
      `${title}${codes}<p>You need a code from your app to sign in with your password. You have ${left} recovery ${left === 1 ? 'code' : 'codes'}.</p>` +
      `<form method="post">${proof}${codeField}<button name="do" value="app.codes">New recovery codes</button>` +
      '<button name="do" value="app.disable">Remove authenticator app</button></form>'
    );
  }
  if (passwordHash === '') return '';
  if (offered) return title + offer(offered, proof);
  return (
    `${title}<p>With an authenticator app, your password is not enough to sign in.</p>` +
    `<form method="post">${proof}${usernameField(login)}${passwordField('app-password', 'Current password', 'current-password', 'password')}` +
    '<button name="do" value="app.offer">Set up authenticator app</button></form>'
  );
}

const codeField =
  '<label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required>';

function offer({ secret, uri, picture, seal }: Offered, proof: string): string {
  return (
    '<p>Scan this with your app, then enter the code that it shows.</p>' +
    `<div class="picture" role="img" aria-label="QR code with the key below">${picture}</div>` +
    `<p>Or <a href="${escapeHtml(uri)}">open the app</a>, or enter this key: <code>${escapeHtml(secret.replace(/.{4}(?=.)/g, '$& '))}</code></p>` +
    `<form method="post">${proof}<input type="hidden" name="seal" value="${escapeHtml(seal)}">${codeField}` +
    '<button name="do" value="app.enable">Turn on</button></form>'
  );
}

function recoveryList(codes: readonly string[]): string {
  return (
    '<div role="status"><p>Keep these recovery codes in a safe place. Each signs you in once without the app. They are shown only once.</p>' +
    `<ul>${codes.map((code) => `<li><code>${escapeHtml(code)}</code></li>`).join('')}</ul></div>`
  );
}
