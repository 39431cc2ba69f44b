/** What letters say, in the language of the site. */
import { table } from '../../kernel/model/maps.ts';
import type { Site } from '../../kernel/site/site.ts';
import { decodeEntities, plainText } from '../../render/text.ts';

interface LinkSent {
  readonly login: string;
  readonly link: string;
}
interface CommentSent {
  readonly title: string;
  readonly name: string;
  readonly email: string;
  readonly text: string;
  readonly link: string;
}
/** With the page to approve it or not, if there can be a link to it. */
interface CommentWaiting extends CommentSent {
  readonly decide: string | null;
}
type Said = { readonly subject: string; readonly text: string };

interface Letters {
  readonly invitation: (of: LinkSent) => Said;
  readonly reset: (of: LinkSent) => Said;
  readonly signIn: (of: LinkSent) => Said;
  readonly waiting: (of: CommentWaiting) => Said;
  readonly approved: (of: CommentSent) => Said;
  readonly test: () => Said;
}

const linkTo = (what: string, url: string | null): string => (url === null ? '' : `${what}:\n${url}\n\n`);

const en = (site: string): Letters => ({
  invitation: ({ login, link }) => ({
    subject: `Your account at ${site}`,
    text: `You have an account at ${site}. Your username is ${login}.\n\nTo choose a password, open this link. It works once, for a week:\n${link}\n`,
  }),
  reset: ({ login, link }) => ({
    subject: `Your password at ${site}`,
    text: `Someone requested a new password for ${login} at ${site}.\n\nTo choose one, open this link. It works once, for a day:\n${link}\n\nIf this was not you, ignore this message.\n`,
  }),
  signIn: ({ login, link }) => ({
    subject: `Sign in to ${site}`,
    text: `Someone requested a link to sign in to ${site} as ${login}.\n\nTo sign in, open this link. It works once, for 15 minutes:\n${link}\n\nIf this was not you, ignore this message, and do not share the link.\n`,
  }),
  waiting: ({ title, name, email, text, link, decide }) => ({
    subject: `A comment on ${title} awaits approval`,
    text: `A comment on "${title}" at ${site} awaits approval.\n\nFrom: ${name} <${email}>\n\n${text}\n\n${linkTo('Approve or reject it', decide)}The page: ${link}\n`,
  }),
  approved: ({ title, name, email, text, link }) => ({
    subject: `A comment on ${title}`,
    text: `There is a new comment on "${title}" at ${site}.\n\nFrom: ${name} <${email}>\n\n${text}\n\n${link}\n`,
  }),
  test: () => ({ subject: `Test from ${site}`, text: `${site} can send email.\n` }),
});

const de = (site: string): Letters => ({
  invitation: ({ login, link }) => ({
    subject: `Ihr Konto bei ${site}`,
    text: `Sie haben ein Konto bei ${site}. Ihr Benutzername ist ${login}.\n\nHier wählen Sie ein Passwort; der Link gilt einmal, eine Woche lang:\n${link}\n`,
  }),
  reset: ({ login, link }) => ({
    subject: `Ihr Passwort bei ${site}`,
    text: `Jemand hat für ${login} bei ${site} ein neues Passwort angefordert.\n\nWenn Sie das waren, wählen Sie es hier; der Link gilt einmal, einen Tag lang:\n${link}\n\nWenn nicht, ist nichts zu tun: Es bleibt alles, wie es ist.\n`,
  }),
  signIn: ({ login, link }) => ({
    subject: `Anmelden bei ${site}`,
    text: `Jemand hat einen Link angefordert, der ${login} bei ${site} anmeldet.\n\nWenn Sie das waren, melden Sie sich hier an; der Link gilt einmal, eine Viertelstunde lang:\n${link}\n\nWenn nicht, ist nichts zu tun. Geben Sie den Link niemandem.\n`,
  }),
  waiting: ({ title, name, email, text, link, decide }) => ({
    subject: `Ein Kommentar zu ${title} wartet`,
    text: `Ein Kommentar zu „${title}“ bei ${site} wartet auf Freigabe.\n\nVon: ${name} <${email}>\n\n${text}\n\n${linkTo('Freigeben oder ablehnen', decide)}Die Seite: ${link}\n`,
  }),
  approved: ({ title, name, email, text, link }) => ({
    subject: `Ein Kommentar zu ${title}`,
    text: `Zu „${title}“ bei ${site} gibt es einen neuen Kommentar.\n\nVon: ${name} <${email}>\n\n${text}\n\n${link}\n`,
  }),
  test: () => ({ subject: `Ein Test von ${site}`, text: `Wenn Sie das lesen, kann ${site} E-Mails versenden.\n` }),
});

const languages: Readonly<Record<string, (site: string) => Letters>> = table({ en, de });

/** The name of the site as plain text. */
export function siteName(site: Pick<Site, 'settings' | 'url'>): string {
  return decodeEntities(plainText(String(site.settings.value('name') || site.url)));
}

/** In the language of the site; in English without a translation. */
export function lettersOf(site: Pick<Site, 'settings' | 'url'>): Letters {
  const [language = ''] = String(site.settings.value('language')).toLowerCase().split(/[-_]/, 1);
  return lettersIn(language, siteName(site));
}

/** @param site  its name */
export function lettersIn(language: string, site: string): Letters {
  return (languages[language] ?? en)(site);
}
