/**
 * Every route and method of the extended deployment for every role, and for the administrator's application passwords for one purpose: what
 * each gets, as `role-rows.ts` says it, and that a refusal leaves every file as it was. A route without a row fails here, and so does a row
 * without a route.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireConstants } from '../../src/render/wire-constants.ts';
import { type Known, contentOf } from '../support/content-files.ts';
import { addApplicationPassword } from '../../src/modules/people/accounts/application-passwords.ts';
import { neutral, original } from '../../src/kernel/rest/dialect.ts';
import { upload } from '../support/media.ts';
import { type Answered, signUp, startSite, type TestSite } from '../support/site.ts';
import { roleRows, roles } from './role-rows.ts';

const texts = (name: string): string => `[{ key: field_${name}, name: ${name}, type: text, public: true }]`;
const places = [
  ...['type, value: post', 'type, value: page', 'type, value: attachment', 'taxonomy, value: category'],
  ...['taxonomy, value: post_tag', 'user_role, value: all', 'comment, value: all'],
];
const files = {
  'site.yaml': `name: Quay
timezone: UTC
deployment: extended
menu_locations: { primary: Primary }
seo: { new_types: [page], new_taxonomies: [category] }
fields:
  - key: group_lead
    location: [${places.map((place) => `[{ param: ${place} }]`).join(', ')}]
    fields: ${texts('lead')}
  - key: group_options
    location: [[{ param: options_page, value: options }]]
    fields: ${texts('claim')}
`,
  'sidebars/staff.yaml': 'name: Staff\n',
  'styles/site.html': '---\nid: 90\ntitle: Styles\n---\n{"isGlobalStylesUserThemeJSON": true}\n',
  'imports/media-folders/happyfiles.yaml': 'source: happyfiles\nfolders: []\nmembers: {}\n',
};

let site: TestSite;
const known = new Map<string, Known>();
const who = new Map<string, string | undefined>([
  ['visitor', undefined],
  ['administrator', 'admin'],
]);
let count = 0;

async function send(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await site.ask(method, path, { as: 'admin', ...(body === undefined ? {} : { body }) });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const core = '/cms/v2';
const made = async (path: string, body: unknown, key = 'id'): Promise<string> =>
  String((await send('POST', `${core}/${path}`, body))[key]);

/** An item of each kind, made for whoever asks for it. */
const makers: Readonly<Record<string, () => Promise<string>>> = {
  post: () => made('posts', { title: 'P', status: 'publish' }),
  page: () => made('pages', { title: 'P', status: 'publish' }),
  media: async () => String((await upload(site, `p${++count}.jpg`)).id),
  'media src': async () => (await send('GET', `${core}/media/${await fixture('media')}`)).source_url,
  block: () => made('blocks', { title: 'B', content: 'x', status: 'publish' }),
  navigation: () => made('navigation', { title: 'N', content: 'x', status: 'publish' }),
  templates: () => made('templates', { slug: `t${++count}`, content: 'x' }),
  'template-parts': () => made('template-parts', { slug: `t${++count}`, content: 'x' }),
  category: () => made('categories', { name: `C${++count}` }),
  tag: () => made('tags', { name: `T${++count}` }),
  pattern: () => made('cms_pattern_category', { name: `P${++count}` }),
  // The last that claims a location has it.
  menu: () => made('menus', { name: `M${++count}`, ...(fixtures.has('menu') ? {} : { locations: ['primary'] }) }),
  item: async () =>
    made('menu-items', { title: 'A', url: 'https://a.example', status: 'publish', menus: Number(await fixture('menu')) }),
  comment: async () => made('comments', { post: Number(await fixture('post')), content: `Said ${++count}` }),
  user: () => made('users', { username: `u${++count}`, email: `u${count}@example.org`, password: 'Sturdy-pass-91' }),
  password: () => made('users/1/application-passwords', { name: `W${++count}` }, 'uuid'),
  family: () => made('font-families', { font_family_settings: `{"name":"F","slug":"f${++count}","fontFamily":"F"}` }),
  face: async () =>
    made(`font-families/${await fixture('family')}/font-faces`, {
      font_face_settings: `{"fontFamily":"F","fontWeight":"${++count}","src":"https://a.example/${count}.woff2"}`,
    }),
  styles: async () => '90',
  theme: async () => 'site',
  sidebar: async () => 'staff',
  widget: () => made('widgets', { id_base: 'text', sidebar: 'staff', instance: { raw: { text: 'x' } } }),
  folder: async () => String((await send('POST', '/folders/v1/new-folder', { title: `D${++count}`, parent: 0 })).id),
  url: async () => site.url,
};
const bases: Readonly<Record<string, string>> = {
  ...{ '': 'post', page: 'page', block: 'block', navigation: 'navigation', styles: 'styles', item: 'item' },
  ...{ templates: 'templates', 'template-parts': 'template-parts' },
};
const routeOf: Readonly<Record<string, string>> = {
  ...{ post: 'posts', page: 'pages', block: 'blocks', styles: 'global-styles', item: 'menu-items' },
};

/** The newest revision of an item that has changed a moment ago; its autosave. */
async function version(kind: 'revision' | 'autosave', of: string): Promise<string> {
  const name = bases[of] as string;
  const path = `${routeOf[name] ?? name}/${await fixture(name)}`;
  // What templates are called is no number.
  const key = name.startsWith('template') ? wireConstants.templatePost : 'id';
  if (kind === 'autosave') return made(`${path}/autosaves`, { title: `Saved ${++count}` }, key);
  const body = name === 'styles' ? { styles: { color: { text: `#${100 + ++count}` } } } : { content: `Changed ${++count}` };
  await send('POST', `${core}/${path}`, body);
  await send('POST', `${core}/${path}`, name === 'styles' ? { styles: {} } : { content: `Again ${count}` });
  const [newest] = await send('GET', `${core}/${path}/revisions`);
  return String(newest[key]);
}

function make(name: string): Promise<string> {
  const [, of = '', kind] = /^(?:(.*) )?(revision|autosave)$/.exec(name) ?? [];
  if (kind) return version(kind as 'revision' | 'autosave', of);
  const maker = makers[name];
  if (!maker) throw new Error(`nothing makes a ${name}`);
  return maker();
}

const fixtures = new Map<string, string>();
async function fixture(name: string): Promise<string> {
  const known = fixtures.get(name) ?? (await make(name));
  fixtures.set(name, known);
  return known;
}

/** A text with what its names stand for; in bodies, what is a number alone is one. Who is refused needs nothing new. */
async function filled(text: string, role: string, isRefused: boolean): Promise<string> {
  let done = text;
  for (const [whole, name = ''] of text.matchAll(/\{([a-z][a-z -]*)\}/g)) {
    const [, isNew, kind = ''] = /^(new )?(.*)$/.exec(name) ?? [];
    const value = kind === 'n' ? String(++count) : kind === 'role' ? role : await (isNew && !isRefused ? make : fixture)(kind);
    done = done.replaceAll(`"${whole}"`, /^\d+$/.test(value) ? value : `"${value}"`).replaceAll(whole, value);
  }
  return done;
}

beforeAll(async () => {
  site = await startSite({ files });
  for (const role of roles) if (!who.has(role)) who.set(role, (await signUp(site, role, role)).as);
  for (const scope of Object.keys(scopes))
    who.set(scope, `admin:${(await addApplicationPassword(site.site, 1, scope, '', scope)).password}`);
});
afterAll(() => site.close());

it.each(roleRows.map(([does, gets, body]) => ({ does, gets, body })))('$does: $gets', async ({ does, gets, body }) => {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(does) ?? [];
  const wanted = gets.split(' ');
  const isRefused = (at: number): boolean => wanted[at] === '401' || wanted[at] === '403';
  const found: number[] = [];
  const codes: unknown[] = [];
  const requests: (() => Promise<void>)[] = [];
  for (const [at, role] of roles.entries()) {
    const as = who.get(role);
    const target = await filled(path, role, isRefused(at));
    const sent = body === undefined ? {} : { body: JSON.parse(await filled(JSON.stringify(body), role, isRefused(at))) };
    requests.push(async () => {
      const answer = await site.ask(method, target, { ...sent, ...(as ? { as } : {}) });
      found[at] = answer.status;
      codes[at] = answer.body?.code;
    });
  }
  const refused = requests.filter((_, at) => isRefused(at));
  if (refused.length > 0) {
    const before = contentOf(site.dir, known);
    for (const request of refused) await request();
    expect(contentOf(site.dir, known), 'refusals write nothing').toEqual(before);
  }
  for (const [at, request] of requests.entries()) if (!isRefused(at)) await request();
  expect(found.join(' '), JSON.stringify(codes)).toBe(gets);
});

/** Reading that does something: it imports, keeps a choice, makes what is missing, or speaks to others in the name of the site. */
const acting = new RegExp(
  [
    '^/folders/v1/(?:set-folder-counter|import/)|^/cms-block-editor/v1/navigation-fallback',
    '^/lang/(?:ate/v1/ate/proxy|tm/v1/(?:ams/(?:synchronize/|status|console)|ate/jobs/[0-9]+/fix))',
    '^/seo/v1/(?:keyword-tool|rank-tracker)/',
  ].join('|'),
);
/** What pages are made of, and the indexes. */
const ofPages = [
  '/|/[a-z-]+(?:/[a-z]+)?/(?:v1|v3|1\\.0|v2|v2/custom)|/oembed/1\\.0/.*|/media-tools/v1/get/.*|/menus/v1/.*|/fields/v3/.*|/folders/public/v1/.*',
  '/seo/v1/get_head|/cms/v2/(?!settings|plugins|block-directory|pattern-directory|.*application-passwords).*',
].join('|');
const reads = (method: string, path: string): boolean => method === 'GET' && !acting.test(path);

/** Whether a password of the administrator for one purpose is for a request. @param path  without its query */
const scopes: Readonly<Record<string, (method: string, path: string, query: string) => boolean>> = {
  read: reads,
  build: (method, path, query) =>
    reads(method, path) &&
    new RegExp(`^(?:${ofPages})$`).test(path) &&
    !(/^\/cms\/v2\/(?:users|comments)/.test(path) && query.includes('context=edit')),
  'type:page': (method, path) => reads(method, path) || /^\/(?:cms\/v2\/pages(?:\/.*)?|batch\/v1)$/.test(path),
  'type:attachment': (method, path) => reads(method, path) || /^\/(?:cms\/v2\/media(?:\/.*)?|batch\/v1)$/.test(path),
};

/** The same request on other ways: in the original spelling, by the parameter, as a POST that says otherwise, within a batch. */
function ways(
  method: string,
  target: string,
  body: unknown,
): readonly (readonly [way: string, ask: (scope: string) => Promise<Answered>])[] {
  const [path = '', query = ''] = target.split('?');
  const sent = { ...(body === undefined ? {} : { body }) };
  const spelled = `${original.spellRoute(path)}?${query}`;
  const overridden = query === '' ? `?_method=${method}` : `?${query}&_method=${method}`;
  return [
    ['as it is', asked(method, target, sent)],
    ['in the original spelling', asked(method, spelled, { ...sent, root: original.root })],
    [
      'by the parameter',
      asked(method, `/?${new URLSearchParams({ rest_route: path })}&${query}`, { ...sent, raw: true, root: neutral.root }),
    ],
    ...(method === 'GET'
      ? []
      : ([
          ['as a POST', asked('POST', path + overridden, sent)],
          ['by a header', asked('POST', target, { ...sent, headers: { 'x-http-method-override': method } })],
        ] as const)),
  ];

  function asked(...[verb, at, options]: Parameters<TestSite['ask']>): (scope: string) => Promise<Answered> {
    return (scope) => site.ask(verb, at, { ...options, as: who.get(scope) as string });
  }
}

it.each(roleRows.map(([does, , body]) => ({ does, body })))(
  '$does: a password with one scope is refused or works like an unrestricted one',
  async ({ does, body }) => {
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(does) ?? [];
    const [plain = '', query = ''] = path.split('?');
    const target = await filled(path, 'administrator', true);
    const sent = body === undefined ? undefined : JSON.parse(await filled(JSON.stringify(body), 'administrator', true));
    const state = async () => ({ content: contentOf(site.dir, known), private: await privateFiles() });
    const before = await state();
    for (const [scope, isFor] of Object.entries(scopes)) {
      if (isFor(method, plain, query) && method !== 'GET') continue;
      for (const [way, ask] of ways(method, target, sent)) {
        // Routes are told apart by the one, methods by the other.
        if (way !== 'as it is' && scope !== (/POST|header/.test(way) ? 'read' : 'build')) continue;
        const { status, body: said } = await ask(scope);
        const isRefused = status === 403 && said?.code === 'rest_insufficient_scope';
        expect([scope, way, isRefused], JSON.stringify(said)?.slice(0, 300)).toEqual([scope, way, !isFor(method, plain, query)]);
      }
    }
    expect(await state()).toEqual(before);
  },
);

/** Documents that are not content; of accounts without the last use of a password. */
async function privateFiles(): Promise<Record<string, string>> {
  const keys = await site.site.store.private.keys();
  const texts = keys.map(async (key) => {
    const bytes = await site.site.store.private.get(key);
    return [
      key,
      Buffer.from(bytes ?? [])
        .toString()
        .replace(/"last(?:Used|Ip)": .*/g, ''),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

it('every route and method has exactly one row', async () => {
  const { routes } = await send('GET', '/');
  const served = Object.entries(routes as Record<string, { readonly methods: readonly string[] }>).flatMap(
    ([path, { methods }]) =>
      methods.map((method) => ({ method, path, pattern: new RegExp(`^${path.replaceAll('(?P<', '(?<')}/?$`) })),
  );
  const rows = roleRows.map(([does]) => {
    const [, method = '', path = ''] = /^(\S+) ([^?]*)/.exec(does) ?? [];
    const sample = path.replace(/\{(\w[\w -]*)\}/g, (_, name: string) =>
      /password$/.test(name)
        ? '0a1b2c3d-0a1b-4c3d-8a1b-0a1b2c3d4e5f'
        : /^(?:new )?template(?:s|-parts)$/.test(name)
          ? 'site//x'
          : '7',
    );
    return { method, sample, does };
  });
  const hasRow = ({ method, pattern }: (typeof served)[number]): boolean =>
    rows.some((row) => row.method === method && pattern.test(row.sample));
  const hasRoute = ({ method, sample }: (typeof rows)[number]): boolean =>
    served.some((one) => one.method === method && one.pattern.test(sample));
  expect(served.filter((one) => !hasRow(one)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(rows.filter((row) => !hasRoute(row)).map(({ does }) => does)).toEqual([]);
  expect(rows).toHaveLength(served.length);
});
