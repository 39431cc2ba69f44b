/**
 * What follows the right password: a session, or for people with a second factor first a page that asks for a code. In between, who has given the
 * password is in a sealed field for five minutes, which a new password makes worthless; nothing is stored.
 */
import { timingSafeEqual } from 'node:crypto';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { Page, SentForm } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { SecondFactors } from '../second-factor/index.ts';
import type { Account } from '../users/record.ts';
import { proofFor } from './guard.ts';
import { alertOf, htmlPage, nameOf, redirectPage, type Told } from './html.ts';

export interface SecondStep {
  /** For somebody whose password was right. @param path  of this site, to go to then */
  begin(account: Account, form: SentForm, goOn: GoOn): Promise<Page>;
  /** The form with the code; null: it is too late. */
  finish(form: SentForm, goOn: Omit<GoOn, 'isLong' | 'way'>): Promise<Page | null>;
}

interface GoOn {
  readonly path: string;
  readonly dialect: Dialect;
  readonly isLong?: boolean;
  /** What stood in for the password, for the audit log. */
  readonly way?: string;
}

const lifeSeconds = 5 * 60;

export function createSecondStep(site: Site, factors: SecondFactors): SecondStep {
  const { accounts, clock, previews, sessions } = site;

  return {
    begin: async (account, form, { path, dialect, isLong = false, way }) =>
      account.secondFactor
        ? asking({ form, ticket: ticketFor(account, isLong), path, dialect })
        : signedIn(account, form, path, isLong, way),
    async finish(form, { path, dialect }) {
      const { ticket = '', code = '' } = form.fields;
      const held = await holderOf(ticket);
      if (!held) return null;
      const checked = await factors.check(held.account.id, code, form.client.ip);
      if (checked.kind === 'later') {
        const told = { status: 429, headers: { 'Retry-After': String(checked.seconds) } };
        return asking({ form, ticket, path, dialect, wrong: 'Too many incorrect codes. Try again in a few minutes.' }, told);
      }
      if (checked.kind === 'wrong') {
        site.audit.note({ event: 'sign-in.refused', ip: form.client.ip, on: held.account.id, why: 'code' });
        return asking({ form, ticket, path, dialect, wrong: 'The code is incorrect or was already used.' }, { status: 403 });
      }
      return signedIn(held.account, form, path, held.isLong, checked.kind === 'app' ? 'code' : 'recovery code');
    },
  };

  async function signedIn(account: Account, form: SentForm, path: string, isLong: boolean, factor?: string): Promise<Page> {
    const cookie = await sessions.begin(account, form, { isLong });
    site.audit.note({ event: 'sign-in', by: account.id, ip: form.client.ip, ...(factor ? { with: factor } : {}) });
    return redirectPage(path, { 'Set-Cookie': cookie });
  }

  function ticketFor(account: Account, isLong: boolean): string {
    const text = `${account.id}.${Math.floor(clock() / 1000) + lifeSeconds}.${isLong ? 'long' : 'short'}`;
    return `${text}.${sealOf(text, account)}`;
  }

  async function holderOf(ticket: string): Promise<{ readonly account: Account; readonly isLong: boolean } | null> {
    const [, text = '', id, expires, length, given = ''] =
      /^((\d{1,10})\.(\d{1,12})\.(long|short))\.([\w-]{43})$/.exec(ticket) ?? [];
    if (Number(expires) * 1000 > clock() !== true) return null;
    if (!accounts.isCurrent(Number(id))) await accounts.reread(Number(id));
    const account = accounts.get(Number(id));
    if (!account || !timingSafeEqual(Buffer.from(given), Buffer.from(sealOf(text, account)))) return null;
    return { account, isLong: length === 'long' };
  }

  function sealOf(text: string, { passwordHash }: Account): string {
    return previews.seal(`second step: ${text} ${passwordHash}`);
  }

  interface Asked {
    readonly form: SentForm;
    readonly ticket: string;
    readonly path: string;
    readonly dialect: Dialect;
    readonly wrong?: string;
  }

  function asking({ form, ticket, path, dialect, wrong = '' }: Asked, told: Told = {}): Page {
    const proof = proofFor(site, form, null);
    const hidden = { do: 'code', ticket, redirect_to: path };
    const fields = Object.entries(hidden).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
    );
    const body =
      `${alertOf(wrong)}<p>Enter the code that your authenticator app shows, or a recovery code.</p>` +
      `<form method="post" action="/${dialect.login}">${proof.field}${fields.join('')}<label for="code">Code</label>` +
      '<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required autofocus>' +
      '<button class="main">Sign in</button></form>';
    return htmlPage(nameOf(site), 'Two-step sign-in', body, { ...told, headers: { ...proof.headers, ...told.headers } });
  }
}
