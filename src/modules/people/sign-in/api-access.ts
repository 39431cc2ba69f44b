/**
 * What editors' scripts on this host request before they use the API as the signed-in user: a nonce.
 *
 *     /cms-admin/admin-ajax.php?action=rest-nonce   the nonce as text; `0` for visitors, as in the reference
 *     /cms-admin/api-settings.json                  the members of the reference's `wpApiSettings`
 *
 * Other origins can read neither: CORS does not allow it, and they cannot send the cookie.
 */
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { OpenSession } from '../sessions/record.ts';

const own = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** @param action  only `rest-nonce` has a response */
export function ajaxAnswer(action: string, open: OpenSession | null): Page {
  const headers = { ...own, 'Content-Type': 'text/html; charset=UTF-8' };
  if (action !== 'rest-nonce' || !open) return { status: 400, headers, body: '0' };
  return { status: 200, headers, body: open.nonce('rest') };
}

export function apiSettings(site: Site, { root, spellRoute }: Dialect, open: OpenSession | null): Page {
  const headers = { ...own, 'Content-Type': 'application/json; charset=UTF-8' };
  const said = open
    ? { root: `${site.url}${root}/`, nonce: open.nonce('rest'), versionString: `${spellRoute('/cms/v2').slice(1)}/` }
    : { code: 'rest_not_logged_in', message: 'You are not currently logged in.', data: { status: 401 } };
  return { status: open ? 200 : 401, headers, body: JSON.stringify(said) };
}
