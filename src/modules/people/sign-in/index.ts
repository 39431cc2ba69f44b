/**
 * Sign-in as a module: the authorize page, at the URL in the site index, the pages to sign in and out, the profile page, and what editors on this
 * host request before they use the API.
 */
import type { Module } from '../../../kernel/module.ts';
import { type Dialect, dialects } from '../../../kernel/rest/dialect.ts';
import type { FormTaker, Page, SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { ajaxAnswer, apiSettings } from './api-access.ts';
import { createPasskeys } from '../passkeys/index.ts';
import { readOpenId } from '../openid/index.ts';
import { createSecondFactors } from '../second-factor/index.ts';
import { createAuthenticator } from './authenticator.ts';
import { createAuthorize } from './authorize.ts';
import { createCredentialCheck } from './credentials.ts';
import { nameOf, notePage } from './html.ts';

export { htmlPage, nameOf, notePage } from './html.ts';
import { createInvitations } from './invitations.ts';
import { createLogin } from './login.ts';
import { createOpenIdPages, openIdPath, type OpenIdPages } from './openid.ts';
import { createPasskeyScript, type OfferedPasskeys, passkeyScript } from './passkey-form.ts';
import { createSecondStep } from './second-step.ts';
import { createProfile } from './profile.ts';

interface Place {
  page(url: string, visit: Visit): Promise<Page | null>;
  form?(url: string): FormTaker;
}

export const signIn: Module = {
  name: 'sign-in',
  setup(site, { log }) {
    const invitations = createInvitations(site);
    const openId = readOpenId(site.operator.openid, site.access.roles);
    const pages = openId && createOpenIdPages(site, openId, log);
    const places = placesOf(Object.assign(site, { invitations }), pages);
    const placeAt = (url: string): Place | undefined => places.get(url.split('?', 1)[0] as string);
    return {
      site: { invitations },
      page: async (url, visit) => placeAt(url)?.page(url, visit) ?? null,
      form: (url) => placeAt(url)?.form?.(url) ?? null,
    };
  },
};

function placesOf(site: Site, openId: OpenIdPages | null): ReadonlyMap<string, Place> {
  const check = createCredentialCheck(site);
  const factors = createSecondFactors(site);
  const secondStep = createSecondStep(site, factors);
  const authorize = createAuthorize(site, check, openId?.settings.isOnly !== true, secondStep);
  const script = createPasskeyScript(site);
  const passkeys = createPasskeys(site);
  const offered: OfferedPasskeys = () => (openId?.settings.isOnly !== true && script.isBuilt() ? passkeys : null);
  const authenticator = createAuthenticator(site, check, factors);
  const login = createLogin(site, { check, openId, passkeys: offered, secondStep });
  const profile = createProfile(site, { check, openId, passkeys: offered, authenticator });
  const places = (dialect: Dialect): readonly (readonly [string, Place])[] => [
    [`/${dialect.admin}/authorize-application.php`, inPrivate(site, spelled(authorize, dialect))],
    [`/${dialect.login}`, inPrivate(site, spelled(login, dialect))],
    [`/${dialect.admin}/profile.php`, inPrivate(site, spelled(profile, dialect))],
    [
      `/${dialect.admin}/admin-ajax.php`,
      {
        page: async (url, visit) => ajaxAnswer(actionIn(url.slice(url.indexOf('?') + 1)), await site.sessions.find(visit)),
        form: (url) => async (form) =>
          ajaxAnswer(form.fields.action ?? actionIn(url.slice(url.indexOf('?') + 1)), await site.sessions.find(form)),
      },
    ],
    [
      `/${dialect.admin}/api-settings.json`,
      { page: async (_, visit) => apiSettings(site, dialect, await site.sessions.find(visit)) },
    ],
  ];
  const scripts: readonly (readonly [string, Place])[] = [[passkeyScript, { page: async () => script.page() }]];
  const back: readonly (readonly [string, Place])[] = openId ? [[openIdPath, inPrivate(site, { page: openId.finish })]] : [];
  return new Map([...scripts, ...back, ...dialects.flatMap(places)]);
}

/** Pages with links in a dialect. */
function spelled({ page, form }: ReturnType<typeof createLogin>, dialect: Dialect): Required<Place> {
  return { page: (url, visit) => page(url, visit, dialect), form: (url) => form(url, dialect) };
}

function actionIn(query: string): string {
  return new URLSearchParams(query).get('action') ?? '';
}

/** If the operator requires HTTPS, passwords are not requested without it. */
function inPrivate(site: Site, { page, form }: Place): Place {
  const refused = ({ client }: Visit): Page | null =>
    site.operator.require_https && !client.isPrivate
      ? notePage(
          nameOf(site),
          'HTTPS required',
          'This site accepts passwords over HTTPS only. Open it with https:// instead.',
          403,
        )
      : null;
  return {
    page: async (url, visit) => refused(visit) ?? page(url, visit),
    ...(form && { form: (url: string) => async (sent: SentForm) => refused(sent) ?? form(url)(sent) }),
  };
}
