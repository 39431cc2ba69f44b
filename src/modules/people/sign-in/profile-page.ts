/** Markup of the profile page. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { printGmt } from '../../../kernel/model/dates.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import { scopeInWords } from '../accounts/index.ts';
import type { Account, ApplicationPassword, Passkey, Session } from '../users/record.ts';
import type { Asked } from '../passkeys/index.ts';
import { type AuthenticatorNews, authenticatorSection } from './authenticator.ts';
import { alertOf, htmlPage, type Told } from './html.ts';
import { passkeyForm, passkeyScript } from './passkey-form.ts';
import { newPasswordFields, passwordField } from './new-password.ts';

interface Shown {
  readonly site: string;
  readonly account: Account;
  /** Hash of the current session. */
  readonly here: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Scopes offered for a new application, besides all rights. */
  readonly scopes: readonly string[];
  /** Hidden field. */
  readonly proof: string;
  /** URL. */
  readonly signOut: string;
  /** For a new passkey; null where there are none. */
  readonly passkey: Asked | null;
  readonly takesPasswords: boolean;
  /** The OpenID provider, and the path that connects the account. */
  readonly provider: { readonly name: string; readonly isConnected: boolean; readonly path: string } | null;
  /** URL of the site for programs to write with; null for users who may not write. */
  readonly writesAt: string | null;
}

/** The result of the last action. */
export interface ProfileNews extends Told, Pick<AuthenticatorNews, 'offered' | 'recoveryCodes'> {
  readonly said?: string | undefined;
  readonly wrong?: string;
  /** Shown once. */
  readonly created?: { readonly name: string; readonly login: string; readonly password: string };
}

export function profilePage(shown: Shown, { said, wrong = '', created, offered, recoveryCodes, ...told }: ProfileNews): Page {
  const { site, account, proof, signOut, now, scopes, writesAt, takesPasswords, provider, passkey } = shown;
  const sessions = account.sessions.filter(({ expires }) => expires * 1000 > now);
  const body = [
    alertOf(wrong),
    said ? `<p role="status">${escapeHtml(said)}</p>` : '',
    created ? newPassword(created) : '',
    `<p>You are signed in as <strong>${escapeHtml(account.login)}</strong>. <a href="${signOut}">Sign out</a></p>`,
    writesAt === null ? '' : writing(writesAt, account.login),
    '<h2>Application passwords</h2><p>Each application acts as you, with its own password. Revoke those that you do not recognize or no longer use.</p>',
    listOf(
      account.applicationPasswords.map((one) => applicationItem(one, proof)),
      'You have no application passwords.',
    ),
    form(
      proof,
      'create',
      `<label for="name">New application password name</label><input id="name" name="name" maxlength="200" required>${purposes(scopes)}`,
      'Add application password',
    ),
    '<h2>Sessions</h2>',
    listOf(
      sessions.map((one) => sessionItem(one, shown)),
      '',
    ),
    sessions.length > 1 ? form(proof, 'others', '', 'Sign out everywhere else') : '',
    passkey || account.passkeys.length > 0 ? passkeySection(account.passkeys, passkey, proof) : '',
    provider ? identity(provider, proof) : '',
    takesPasswords
      ? '<h2>Login password</h2><p>You sign in here with it. Applications need an application password instead.</p>' +
        form(proof, 'password', passwordFields(account.login), 'Change password') +
        authenticatorSection(account, { ...(offered && { offered }), ...(recoveryCodes && { recoveryCodes }) }, proof)
      : '',
  ];
  return htmlPage(site, 'Profile', body.join(''), { ...told, script: passkey ? passkeyScript : undefined });
}

function passkeySection(passkeys: readonly Passkey[], asked: Asked | null, proof: string): string {
  const fields = `${proof}<label for="passkey">New passkey name</label><input id="passkey" name="passkey" maxlength="200" required>`;
  return (
    '<h2>Passkeys</h2><p>With a passkey you sign in by the lock of your phone or computer, or with a security key, without a password.</p>' +
    listOf(
      passkeys.map((one) => passkeyItem(one, proof)),
      'You have no passkeys.',
    ) +
    (asked ? passkeyForm({ kind: 'make', asked, fields, label: 'Add passkey' }) : '')
  );
}

function passkeyItem({ id, name, host, created, lastUsed, lastIp }: Passkey, proof: string): string {
  const used = lastUsed === null ? 'never used' : `last used ${time(lastUsed)}${from(lastIp)}`;
  const about = `made ${time(created)} for ${escapeHtml(host)}, ${used}`;
  return item(name, about, form(proof, 'remove', which(id), `Remove<span class="aside"> ${escapeHtml(name)}</span>`));
}

function identity({ name, isConnected, path }: NonNullable<Shown['provider']>, proof: string): string {
  const shown = escapeHtml(name);
  return isConnected
    ? `<h2>${shown}</h2><p>You can sign in with ${shown}.</p>${form(proof, 'disconnect', '', `Disconnect ${shown}`)}`
    : `<h2>${shown}</h2><p>Sign in with your account at ${shown}.</p><p><a class="button" href="${escapeHtml(path)}">Connect ${shown}</a></p>`;
}

/** Instructions for new users. */
function writing(address: string, login: string): string {
  return (
    '<h2>How to write</h2><p>Use an app or editor for WordPress. Most ask for the site address, let you sign in here, and then get an application password of ' +
    'their own. If one asks for a password instead, add an application password below.</p>' +
    `<p>Site address: <code>${escapeHtml(address)}</code></p><p>Username: <code>${escapeHtml(login)}</code></p>` +
    '<p>If you have the files of the site, write posts in any text editor: a file in <code>posts/</code> is a post.</p>'
  );
}

/** The first is the most common. */
function purposes(scopes: readonly string[]): string {
  const options = ['', ...scopes].map((one) => `<option value="${escapeHtml(one)}">It ${escapeHtml(scopeInWords(one))}</option>`);
  return `<label for="scope">Access</label><select id="scope" name="scope">${options.join('')}</select>`;
}

function newPassword({ name, login, password }: NonNullable<ProfileNews['created']>): string {
  return (
    `<div role="status"><p>Enter this into <strong>${escapeHtml(name)}</strong>. It is shown only once.</p>` +
    `<p>Username: <code>${escapeHtml(login)}</code></p><p>Password: <code>${escapeHtml(password)}</code></p></div>`
  );
}

function applicationItem({ uuid, name, created, lastUsed, lastIp, scope }: ApplicationPassword, proof: string): string {
  const used = lastUsed === null ? 'never used' : `last used ${time(lastUsed)}${from(lastIp)}`;
  return item(
    name,
    `made ${time(created)}, ${used}${scope ? `; ${scopeInWords(scope)}` : ''}`,
    form(proof, 'revoke', which(uuid), `Revoke<span class="aside"> ${escapeHtml(name)}</span>`),
  );
}

function sessionItem({ hash, agent, created, lastUsed, lastIp }: Session, { here, proof }: Shown): string {
  const name = agent === '' ? 'Unknown browser' : agent;
  const about = `signed in ${time(created)}, last used ${time(lastUsed)}${from(lastIp)}`;
  return item(name, about, hash === here ? '<p><strong>This browser</strong></p>' : form(proof, 'end', which(hash), 'Sign out'));
}

function passwordFields(login: string): string {
  return passwordField('password', 'Current password', 'current-password') + newPasswordFields(login);
}

function form(proof: string, what: string, fields: string, label: string): string {
  return `<form method="post">${proof}${fields}<button name="do" value="${what}">${label}</button></form>`;
}

function which(id: string): string {
  return `<input type="hidden" name="which" value="${escapeHtml(id)}">`;
}

function item(name: string, about: string, more: string): string {
  return `<li><strong>${escapeHtml(name)}</strong><br>${about}${more}</li>`;
}

function listOf(items: readonly string[], none: string): string {
  return items.length === 0 ? `<p>${none}</p>` : `<ul>${items.join('')}</ul>`;
}

/** @param seconds  since the epoch */
function time(seconds: number): string {
  const gmt = printGmt(seconds * 1000);
  return `<time datetime="${gmt}Z">${gmt.slice(0, 16).replace('T', ' ')} GMT</time>`;
}

function from(address: string | null): string {
  return address === null ? '' : ` from ${escapeHtml(address)}`;
}
