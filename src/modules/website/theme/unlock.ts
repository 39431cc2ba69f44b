/**
 * Posts behind a password: a form that works without a script, and a cookie that says the password was given.
 *
 * The cookie is made of the password under a key of the site, so that it opens every post that has it, as on the reference, and none once
 * the password is another one. Nobody can make one without having given the password, nor learn the password from one.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FormTaker, Page, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { tryPassword } from '../../content/post-passwords/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { pathBase } from './record.ts';

const cookie = 'cms-postpass';
/** Of the form. */
const passwordField = 'post_password';
/** Ten days, as in the reference. */
const lifetimeSeconds = 864_000;

/** Whether the cookie opens a post. */
export function unlockedBy(site: Site, { headers }: Visit): (post: PostRecord) => boolean {
  const given = new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]{43})(?:;|$)`).exec(String(headers.cookie ?? ''))?.[1];
  if (given === undefined) return () => false;
  const sent = Buffer.from(given);
  return ({ password }) => password !== '' && timingSafeEqual(Buffer.from(sealOf(site, password)), sent);
}

/**
 * Accepts the password of a post.
 * @param wrong  the page for a wrong one
 */
export function takePassword(site: Site, post: PostRecord, url: string, wrong: () => Promise<Page>): FormTaker {
  return async ({ fields, client }) => {
    const given = fields[passwordField] ?? '';
    const seconds = tryPassword(site, client.ip ?? '', post, given);
    if (seconds > 0) {
      const { body, headers } = await wrong();
      return { status: 429, headers: { ...headers, 'Retry-After': String(seconds) }, body };
    }
    // Constant time.
    const isRight = timingSafeEqual(Buffer.from(sealOf(site, given)), Buffer.from(sealOf(site, post.password)));
    if (!isRight) return wrong();
    const base = pathBase(site);
    const attributes = `Path=${base}/; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${client.isHttps ? '; Secure' : ''}`;
    return {
      status: 303,
      headers: {
        // Two slashes would be another host.
        Location: base + url.replace(/^[/\\]+/, '/'),
        'Set-Cookie': `${cookie}=${sealOf(site, given)}; ${attributes}`,
        'Cache-Control': 'no-store',
      },
      body: null,
    };
  };
}

function sealOf({ previews }: Site, password: string): string {
  return previews.seal(`password of posts: ${password}`);
}
