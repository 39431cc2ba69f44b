/** Forms on pages, sent as a browser sends them: what is hidden in the page, and the cookies that came with it. */
import type { Answered, TestSite } from './site.ts';

type Sent = Readonly<Record<string, string>>;

/** Name and value of what an answer sets; '' for nothing. */
export function cookieOf({ headers }: Pick<Answered, 'headers'>): string {
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

/** Hidden fields of a page. */
export function hiddenFields(html: string): Sent {
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name, value]) => [name as string, value as string]));
}

/** Asks for the page, fills its form in and sends it. @param headers  such as the cookie of a session */
export async function sendForm(
  site: TestSite,
  path: string,
  fields: Sent,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const shown = await site.ask('GET', path, { raw: true, headers });
  const cookie = [headers.cookie, cookieOf(shown)].filter(Boolean).join('; ');
  return site.ask('POST', path, {
    raw: true,
    body: String(new URLSearchParams({ ...hiddenFields(String(shown.body)), ...fields })),
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', ...(cookie === '' ? {} : { cookie }) },
  });
}

/** Signs a person in. @returns the cookie of their session, and the nonce for requests */
export async function signInAt(
  site: TestSite,
  login: string,
  password: string,
  fields: Sent = {},
): Promise<{ readonly cookie: string; readonly nonce: string; readonly answer: Answered }> {
  const answer = await sendForm(site, '/cms-login.php', { login, password, ...fields });
  const cookie = cookieOf(answer);
  const { body: nonce } = await site.ask('GET', '/cms-admin/admin-ajax.php?action=rest-nonce', {
    raw: true,
    headers: { cookie },
  });
  return { cookie, nonce, answer };
}
