/**
 * What the catalogue does not tell of routes that take texts: texts in forms of their own, names of items, and routes that store none.
 * Read by `stored-scripts.test.ts`.
 */

/** What is written in a round. */
export interface Round {
  readonly text: string;
  readonly address: string;
}

export const fields = `
fields:
  - key: group_lead
    location: [${['post', 'page', 'attachment']
      .map((type) => `[{ param: type, value: ${type} }]`)
      .concat(['category', 'post_tag'].map((name) => `[{ param: taxonomy, value: ${name} }]`))
      .concat('[{ param: user_role, value: all }]', '[{ param: comment, value: all }]')
      .join(', ')}]
    fields: [{ key: field_lead, name: lead, type: text, public: true }, { key: field_page, name: page, type: url, public: true }]
  - key: group_options
    location: [[{ param: options_page, value: options }]]
    fields: [{ key: field_claim, name: claim, type: textarea, public: true }]
`;

type Body = (round: Round, serial: number) => Readonly<Record<string, unknown>>;

const instance: Body = ({ text }) => ({ instance: { raw: { title: text, text, content: text } } });
const item = (base: string): readonly [string, Body][] => [
  [`/fields/v3/${base}/(?P<id>`, ({ text, address }) => ({ fields: { lead: text, page: address } })],
];

/** Bodies of routes whose texts no schema describes, by the beginning of the route; the first that fits. */
const bodies: readonly (readonly [route: string, body: Body])[] = [
  [
    '/cms/v2/font-families/(?P<font_family_id>[\\d]+)/font-faces',
    ({ text, address }, serial) => ({
      font_face_settings: JSON.stringify({
        ...{ fontFamily: text, fontWeight: String(serial), src: [`https://a.example/${serial}.woff2`] },
        ...{ fontStretch: text, unicodeRange: text, preview: address },
      }),
    }),
  ],
  [
    '/cms/v2/font-families/(?P<id>',
    ({ text, address }) => ({ font_family_settings: JSON.stringify({ name: text, fontFamily: text, preview: address }) }),
  ],
  [
    '/cms/v2/font-families',
    ({ text, address }, serial) => ({
      font_family_settings: JSON.stringify({ name: text, slug: `eve-${serial}`, fontFamily: text, preview: address }),
    }),
  ],
  ['/cms/v2/widgets/(?P<id>', instance],
  ['/cms/v2/widgets', (round, serial) => ({ id_base: widgetTypes[serial % 3], sidebar: 'staff', ...instance(round, serial) })],
  ['/cms/v2/widget-types/(?P<id>', instance],
  [
    '/cms/v2/global-styles/',
    ({ text }) => ({
      title: text,
      // CSS with markup in it is refused.
      styles: { css: text.replaceAll('<', ''), color: { text, background: text }, typography: { fontFamily: text } },
      settings: { color: { palette: { custom: [{ name: text, slug: 'eve', color: text }] } } },
    }),
  ],
  ['/folders/v1/new-folder', ({ text }) => ({ title: text, parent: 0 })],
  ['/folders/v1/update-folder-color', ({ text }) => ({ folderId: 1, color: text })],
  ['/folders/v1/update-folder', ({ text }) => ({ id: 1, title: text, parent: 0 })],
  ['/folders/v1/assign-folder', () => ({ folderId: 1, ids: [10] })],
  ['/lang/v1/custom-xml-config', ({ text }) => ({ content: `<lang-config><!-- ${text.replaceAll('--', '')} --></lang-config>` })],
  ['/lang/st/v1/settings', ({ text }) => ({ group: 'eve', key: 'eve', data: text })],
  ['/seo/v1/configuration/site_representation', ({ text }) => ({ company_or_person: 'company', company_name: text })],
  ['/seo/v1/alerts/dismiss', () => ({ key: 'webinar-promo-notification' })],
  ...['posts', 'pages', 'media', 'categories', 'tags', 'users', 'comments'].flatMap(item),
  ['/fields/v3/options/', ({ text }) => ({ fields: { claim: text } })],
];
const widgetTypes = ['text', 'block', 'search'];

/** The body that a route takes in place of what its schema would tell. */
export function bodyOf(route: string, round: Round, serial: number): Record<string, unknown> | undefined {
  const body = bodies.find(([beginning]) => route.startsWith(beginning))?.[1](round, serial);
  return body && { ...body };
}

/** What a group of a route stands for, where that is no name or id of an item. */
export function meant(route: string, group: string): string | undefined {
  if (group === 'field') return route.includes('/options/') ? 'claim' : 'lead';
  return group === 'introduction_id' ? 'ai-generate-titles-and-descriptions-upsell' : undefined;
}

/** Names that items have beside ids: what stands for the groups of a route. */
export const names: readonly (string | number)[] = [
  ...['top', 'staff', 'sidebar-1', 'post', 'category', 'text', 'block', 'search', 'options'],
  ...['text-1', 'text-2', 'block-1', 'block-2', 'search-1', 'search-2'],
];

/** Routes that change things and that nothing is written by here, each with the reason. */
export const unwritten: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^\/batch/, 'of requests that are met one by one'],
  [/\/plugins|^\/installer|\/install/, 'programs, which come over no interface'],
  [/^\/cms\/v2\/media\/[^/]+\/(?:sideload|finalize)$/, 'a picture without texts, and names of files that were brought'],
  [/^\/media-tools\/v1\/(?:upload|crop)$/, 'a picture without texts'],
  [
    /^\/seo\/v1\/(?:keyword-tool|rank-tracker)\/(?:authenticate|country_code)$|keyphrases\/track$/,
    'two letters, and words for a service that there is not',
  ],
  [/^\/seo\/v1\/import\//, 'names of programs alone'],
  [
    /^\/lang\/tm\/v1\/(?:jobs\/assign|tp\/batches\/sync|ate\/jobs|ate\/jobs\/(?:store|sync|retry)|ams\/engines)$/,
    'numbers of jobs that there are not, and a service that there is not',
  ],
  [/^\/folders\/v1\/(?:update-folder-ord|delete-folder|fld-no-thanks)$/, 'ids of folders, and names of programs'],
  [/^\/folders\/public\//, 'the same folders, by a key of their own'],
  [
    /application-passwords/,
    'shown to their owner alone; plain texts, see `modules/people/sign-in/profile.test.ts`: shows applications and browsers, escaped, and no secret',
  ],
];
