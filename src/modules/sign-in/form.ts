/**
 * The page on which a person lets an application in.
 */
import { escapeHtml } from '../../kernel/model/escape.ts';
import type { Page } from '../../kernel/site/serving.ts';
import type { Application } from './application.ts';
import { alertOf, htmlPage, type Told } from './html.ts';

/** @param site  its name. @param wrong  what was wrong with what was sent. @param login  as it was sent */
export function askingPage(site: string, app: Application, wrong = '', login = '', told: Told = {}): Page {
  const target = app.successUrl
    ? `<p>You will then be sent to <strong>${escapeHtml(app.successUrl.host || app.successUrl.protocol)}</strong>.</p>`
    : '<p>You will then see a password to enter into the application.</p>';
  const body =
    `${alertOf(wrong)}<p><strong>${escapeHtml(app.name)}</strong> asks to work with ${escapeHtml(site)} in your name. ` +
    'It gets a password of its own, which you can take away again, and does not learn yours.</p>' +
    `${target}<form method="post">${signInFields(login)}` +
    '<button class="main" name="decision" value="approve">Yes, let it in</button>' +
    '<button name="decision" value="decline" formnovalidate>No</button></form>';
  return htmlPage(site, `Let ${app.name} in?`, body, { ...told, targets: [app.successUrl, app.rejectUrl] });
}

/** What a person says who they are by. @param login  as it was sent */
export function signInFields(login: string): string {
  return (
    '<label for="login">User name or e-mail address</label>' +
    `<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${escapeHtml(login)}">` +
    '<label for="password">Password</label>' +
    '<input id="password" name="password" type="password" autocomplete="current-password" required>'
  );
}

/** The new password, for want of an address to send it to. */
export function grantedPage(site: string, app: Application, login: string, password: string): Page {
  return htmlPage(
    site,
    'The application may come in',
    `<p>Enter this into <strong>${escapeHtml(app.name)}</strong>. It is shown this once.</p>` +
      `<p>User name: <code>${escapeHtml(login)}</code></p><p>Password: <code>${escapeHtml(password)}</code></p>`,
  );
}
