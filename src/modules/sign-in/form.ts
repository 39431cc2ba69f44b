/**
 * The page on which a person lets an application in: plain HTML that needs no script, on a phone, a desktop, or read aloud.
 */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../kernel/model/escape.ts';
import type { Page } from '../../kernel/site/serving.ts';
import type { Application } from './application.ts';

const style =
  ':root{color-scheme:light dark;font:1.05rem/1.5 system-ui,sans-serif}body{max-width:26rem;margin:2rem auto;padding:0 1rem}' +
  'h1{font-size:1.4rem}label{display:block;font-weight:600;margin-top:1rem}' +
  'input{font:inherit;box-sizing:border-box;width:100%;padding:.6rem;border:1px solid;border-radius:.4rem}' +
  'button{font:inherit;padding:.7rem 1.2rem;margin:1.5rem .8rem 0 0;border:1px solid;border-radius:.4rem;cursor:pointer}' +
  'button[value=approve]{background:#1a56b0;border-color:#1a56b0;color:#fff}code{word-break:break-all;font-size:1.1rem}' +
  '[role=alert]{border-left:.3rem solid #c22;padding:.5rem .8rem}';
const styleHash = createHash('sha256').update(style).digest('base64');

/** What is said beside the page itself. */
interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param site  its name. @param wrong  what was wrong with what was sent. @param login  as it was sent */
export function askingPage(site: string, app: Application, wrong = '', login = '', told: Told = {}): Page {
  const target = app.successUrl
    ? `<p>You will then be sent to <strong>${escapeHtml(app.successUrl.host || app.successUrl.protocol)}</strong>.</p>`
    : '<p>You will then see a password to enter into the application.</p>';
  const body =
    `${wrong === '' ? '' : `<p role="alert">${escapeHtml(wrong)}</p>`}` +
    `<p><strong>${escapeHtml(app.name)}</strong> asks to work with ${escapeHtml(site)} in your name. ` +
    'It gets a password of its own, which you can take away again, and does not learn yours.</p>' +
    `${target}<form method="post"><label for="login">User name or e-mail address</label>` +
    `<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${escapeHtml(login)}">` +
    '<label for="password">Password</label>' +
    '<input id="password" name="password" type="password" autocomplete="current-password" required>' +
    '<button name="decision" value="approve">Yes, let it in</button>' +
    '<button name="decision" value="decline" formnovalidate>No</button></form>';
  return page(site, `Let ${app.name} in?`, body, [app.successUrl, app.rejectUrl], told);
}

/** The new password, for want of an address to send it to. */
export function grantedPage(site: string, app: Application, login: string, password: string): Page {
  return page(
    site,
    'The application may come in',
    `<p>Enter this into <strong>${escapeHtml(app.name)}</strong>. It is shown this once.</p>` +
      `<p>User name: <code>${escapeHtml(login)}</code></p><p>Password: <code>${escapeHtml(password)}</code></p>`,
  );
}

export function notePage(site: string, title: string, sentence: string, status: number): Page {
  return page(site, title, `<p>${escapeHtml(sentence)}</p>`, [], { status });
}

export function redirect(url: URL): Page {
  return { status: 303, headers: { ...guards([]), Location: url.href }, body: null };
}

function page(site: string, title: string, body: string, targets: readonly (URL | null)[] = [], told: Told = {}): Page {
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – ${escapeHtml(site)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1>${body}</main></html>`;
  const headers = { 'Content-Type': 'text/html; charset=UTF-8', ...guards(targets), ...told.headers };
  return { status: told.status ?? 200, headers, body: html };
}

/** Nobody frames it, keeps it, or runs anything on it; its forms go here, and from here only to where the application said. */
function guards(targets: readonly (URL | null)[]): Record<string, string> {
  const ways = targets.flatMap((url) => (url ? [url.origin === 'null' ? url.protocol : url.origin] : []));
  const forms = ["'self'", ...new Set(ways)].join(' ');
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}
