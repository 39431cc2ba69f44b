/**
 * Checks login name and password. Takes the same time whether the account exists, counts as a wrong password like those of programs, and is limited
 * to a few at a time.
 */
import type { SentForm } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { accountKey, verifyPassword } from '../accounts/index.ts';
import type { Account } from '../users/record.ts';
import { isDeviceOf } from './device.ts';

/** Compared with if there is no account or no password, to take the same time. */
const nobody = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Concurrent comparisons: each takes 32 MB and some 80 ms. */
const mostChecks = 8;
const busySeconds = 5;

/** The account, or the reason for the user. */
type Checked = { readonly account: Account } | Refused;

interface Refused {
  readonly account: null;
  readonly sentence: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export type CheckCredentials = (form: SentForm) => Promise<Checked>;

export function createCredentialCheck(site: Site): CheckCredentials {
  let checks = 0;
  return async (form) => {
    if (checks >= mostChecks) return later(busySeconds);
    checks++;
    try {
      return await check(site, form);
    } finally {
      checks--;
    }
  };
}

async function check(site: Site, form: SentForm): Promise<Checked> {
  const { accounts, signIns } = site;
  const { password = '', login: sent = '' } = form.fields;
  const login = sent.trim();
  if (login === '' || password === '') return wrong;
  await accounts.refresh(login);
  const known = accounts.byLogin(login);
  const key = accountKey(known?.id ?? login);
  const isAtHome = known !== undefined && isDeviceOf(site, known, form);
  const attempt = signIns.begin(key, form.client.ip ?? '', isAtHome ? 'address' : 'everywhere');
  if (attempt.wait > 0) return later(attempt.wait);
  let isRight = false;
  try {
    if (known && !accounts.isCurrent(known.id)) await accounts.reread(known.id);
    const account = accounts.byLogin(login) ?? null;
    isRight = (await verifyPassword(password, account?.passwordHash || nobody)) && account !== null;
    return isRight && account ? { account } : wrong;
  } finally {
    attempt.end(isRight);
  }
}

const wrong: Refused = { account: null, sentence: 'The username or password is incorrect.', status: 403, headers: {} };

function later(seconds: number): Refused {
  const time = seconds < 60 ? 'a moment' : `${Math.ceil(seconds / 60)} minutes`;
  const headers = { 'Retry-After': String(seconds) };
  return { account: null, sentence: `Too many failed attempts. Try again in ${time}.`, status: 429, headers };
}
