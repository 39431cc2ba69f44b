/** Sign-in pages as plain HTML that needs no scripts, accessible, on phone and desktop, light and dark. */
import { createHash, randomBytes } from 'node:crypto';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Page } from '../../../kernel/site/serving.ts';

const style =
  ':root{color-scheme:light dark;--ground:#fff;--text:#1c1c21;--line:#6d6d78;--act:#1a56b0;--on:#fff;--bad:#b3261e;' +
  'font:1.05rem/1.5 system-ui,sans-serif;background:var(--ground);color:var(--text)}' +
  '@media(prefers-color-scheme:dark){:root{--ground:#141418;--text:#ececf2;--line:#9b9ba8;--act:#8ab4f8;--on:#10131a;--bad:#ff8a80}}' +
  'body{max-width:30rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'h1{font-size:1.4rem;line-height:1.3}h2{font-size:1.15rem;margin-top:2.5rem}a{color:var(--act)}' +
  'label{display:block;font-weight:600;margin-top:1rem}' +
  'input,select{font:inherit;color:inherit;background:var(--ground);box-sizing:border-box;width:100%;min-height:2.8rem;padding:.5rem .6rem;' +
  'margin-top:.2rem;border:1px solid var(--line);border-radius:.4rem}' +
  'input[type=checkbox]{width:1.3rem;min-height:1.3rem;margin:0 .6rem 0 0;vertical-align:text-bottom}' +
  '.stay{font-weight:400;min-height:2.8rem;display:flex;align-items:center}' +
  'a.button{display:inline-block;text-decoration:none;box-sizing:border-box}' +
  'button,a.button{font:inherit;min-height:2.8rem;min-width:4rem;padding:.5rem 1.2rem;margin:1.5rem .8rem 0 0;cursor:pointer;' +
  'color:var(--text);background:var(--ground);border:1px solid var(--line);border-radius:.4rem}' +
  'button.main{color:var(--on);background:var(--act);border-color:var(--act)}' +
  ':focus-visible{outline:3px solid var(--act);outline-offset:2px}' +
  'ul{list-style:none;padding:0}li{border-top:1px solid var(--line);padding:.8rem 0}li button{margin-top:.5rem}' +
  '.picture{max-width:15rem}.picture svg{display:block;width:100%}' +
  '.aside{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}' +
  'code{font-size:1.1rem}[role=alert]{border-left:.3rem solid var(--bad);padding:.5rem .8rem}' +
  '[role=status]{border-left:.3rem solid var(--act);padding:.5rem .8rem}';
const styleHash = createHash('sha256').update(style).digest('base64');

export { siteName as nameOf } from '../../mail/index.ts';

export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of a script of this site that the page runs. */
  readonly script?: string | undefined;
  /** Other targets of its forms. */
  readonly targets?: readonly (URL | null)[];
}

/** @param site  its name. @param body  HTML */
export function htmlPage(site: string, title: string, body: string, { status = 200, headers, targets, script }: Told = {}): Page {
  const nonce = script === undefined ? '' : randomBytes(18).toString('base64');
  const run = script === undefined ? '' : `<script type="module" nonce="${nonce}" src="${script}"></script>`;
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – ${escapeHtml(site)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1>${body}</main>${run}</html>`;
  return { status, headers: { 'Content-Type': 'text/html; charset=UTF-8', ...guards(targets, nonce), ...headers }, body: html };
}

export function notePage(site: string, title: string, sentence: string, status: number): Page {
  return htmlPage(site, title, `<p>${escapeHtml(sentence)}</p>`, { status });
}

export function redirectPage(location: string, headers: Told['headers'] = {}): Page {
  return { status: 303, headers: { ...guards(), Location: location, ...headers }, body: null };
}

/** An error message for screen readers; '' for none. */
export function alertOf(sentence: string): string {
  return sentence === '' ? '' : `<p role="alert">${escapeHtml(sentence)}</p>`;
}

/** Headers: no framing or caching, no script but one with the nonce; forms submit only here, and redirect only to the application. */
function guards(targets: Told['targets'] = [], nonce = ''): Record<string, string> {
  const ways = targets.flatMap((url) => (url ? [url.origin === 'null' ? url.protocol : url.origin] : []));
  const forms = ["'self'", ...new Set(ways)].join(' ');
  return {
    'Content-Security-Policy': `default-src 'none'; ${nonce === '' ? '' : `script-src 'nonce-${nonce}'; `}style-src 'sha256-${styleHash}'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}
