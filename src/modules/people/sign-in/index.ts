/**
 * Sign-in as a module: the authorize page, at the URL in the site index, the pages to sign in and out, the profile page, and what editors on this
 * host request before they use the API.
 */
import type { Module } from '../../../kernel/module.ts';
import { type Dialect, dialects } from '../../../kernel/rest/dialect.ts';
import type { FormTaker, Page, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { ajaxAnswer, apiSettings } from './api-access.ts';
import { createAuthorize } from './authorize.ts';
import { createCredentialCheck } from './credentials.ts';
import { nameOf, notePage } from './html.ts';
import { createInvitations } from './invitations.ts';
import { createLogin } from './login.ts';
import { createProfile } from './profile.ts';

interface Place {
  page(url: string, visit: Visit): Promise<Page>;
  form?(url: string): FormTaker;
}

export const signIn: Module = {
  name: 'sign-in',
  setup(site) {
    const invitations = createInvitations(site);
    const places = placesOf(Object.assign(site, { invitations }));
    const placeAt = (url: string): Place | undefined => places.get(url.split('?', 1)[0] as string);
    return {
      site: { invitations },
      page: async (url, visit) => placeAt(url)?.page(url, visit) ?? null,
      form: (url) => placeAt(url)?.form?.(url) ?? null,
    };
  },
};

function placesOf(site: Site): ReadonlyMap<string, Place> {
  const check = createCredentialCheck(site);
  const authorize = createAuthorize(site, check);
  const login = createLogin(site, check);
  const profile = createProfile(site, check);
  const places = (dialect: Dialect): readonly (readonly [string, Place])[] => [
    [`/${dialect.admin}/authorize-application.php`, inPrivate(site, authorize)],
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
  return new Map(dialects.flatMap(places));
}

/** Pages with links in a dialect. */
function spelled({ page, form }: ReturnType<typeof createLogin>, dialect: Dialect): Required<Place> {
  return { page: (url, visit) => page(url, visit, dialect), form: (url) => form(url, dialect) };
}

function actionIn(query: string): string {
  return new URLSearchParams(query).get('action') ?? '';
}

/** If the operator requires HTTPS, passwords are not requested without it. */
function inPrivate(site: Site, { page, form }: Required<Place>): Place {
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
    form: (url) => async (sent) => refused(sent) ?? form(url)(sent),
  };
}
