/**
 * What somebody may not see is in no answer to them. A site of either deployment has a word of its own in each thing that is hidden, and
 * from whom; then every route that is read is asked, for everything in it, by visitors and by people of each role, and so are pages, feeds,
 * sitemaps and probes. The log and the static export are read as well.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run, temporary } from '../cli/run.ts';
import { type ServedSite, serveSite } from '../operations/served.ts';
import { picture } from '../support/media.ts';
import { type Answered, overHttp } from '../support/site.ts';

/** From those who may see least to those who may see most. */
const people = ['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
type Person = (typeof people)[number];

/** Whom a word is hidden from: everybody up to the one named. */
const hidden = new Map<string, Person>();
/** Words that are in names of files, which the log has. */
const inFileNames = new Set<string>();

function word(what: string, from: Person): string {
  const made = `canary${what}x`;
  hidden.set(made, from);
  return made;
}

const common = {
  'posts/2026/01/noted.md': `---\nid: 801\ntitle: Noted\ndate: 2026-01-02\ninternal_note: ${word('unknownkey', 'administrator')}\nmeta:\n  _secret: ${word('privatemeta', 'administrator')}\n  unregistered: ${word('openmeta', 'administrator')}\n---\nPlain\n`,
  'posts/2026/01/later.md': `---\nid: 802\ntitle: ${word('handtitle', 'author')}\nstatus: draft\nseo: { title: ${word('seotitle', 'author')}, description: ${word('seotext', 'author')}, keyphrase: ${word('keyphrase', 'author')} }\n---\n${word('handtext', 'author')}\n`,
};

const deployments = [
  ['basic', { ...common, 'site.yaml': 'name: Site\nmarkdown_pages: true\n' }],
  [
    'extended',
    {
      ...common,
      'site.yaml': `name: Site
deployment: extended
markdown_pages: true
lang:
  default: en
  languages:
    en: { locale: en_US, name: English, native_name: English }
    de: { locale: de_DE, name: German, native_name: Deutsch }
fields:
  - key: group_shut
    title: Shut
    location: [[{ param: type, operator: "==", value: post }]]
    fields:
      - { key: field_shut, name: inner, type: text, show_in_rest: false }
      - { key: field_open, name: outer, type: text }
  - key: group_site
    title: Site
    location: [[{ param: options_page, operator: "==", value: options }]]
    fields:
      - { key: field_phone, name: phone, type: text }
`,
      'posts/2026/01/fields.md': `---\nid: 811\ntitle: Fields\ndate: 2026-01-02\nfields:\n  inner: ${word('shutfield', 'administrator')}\n  outer: seen\n---\nPlain\n`,
      'posts/2026/01/fields-later.md': `---\nid: 812\ntitle: Fields later\nstatus: private\nlang: de\nfields:\n  outer: ${word('draftfield', 'author')}\n---\n${word('german', 'author')}\n`,
      'options/options.yaml': `fields:\n  phone: ${word('option', 'visitor')}\n`,
    },
  ],
] as const;

/** What services are asked with: nobody sees it. */
const tokens = { CANARY_EDITOR: word('editortoken', 'administrator'), CANARY_FEED: word('feedtoken', 'administrator') };
const nowhere = 'http://127.0.0.1:9';
const environment = {
  CMS_METRICS_TOKEN: word('metricstoken', 'administrator'),
  CMS_FEEDS: JSON.stringify({ insta: { 1: { source: 'remote', account: '1', token_env: 'CANARY_FEED', url: nowhere } } }),
  CMS_TRANSLATION_SERVICES: JSON.stringify({
    editor: { ate_url: nowhere, auth: { mode: 'bearer', token_env: 'CANARY_EDITOR' } },
  }),
  CMS_FETCH_ALLOW: '127.0.0.1',
  // Whoever crawls signs in as many.
  CMS_SIGN_IN_ATTEMPTS: '0',
  ...tokens,
};

describe.each(deployments)('the %s deployment', (_, files) => {
  let site: ServedSite;
  const ids = new Set<number>(
    Object.values(files).flatMap((text) => [...text.matchAll(/\bid: (\d+)/g)].map(([, id]) => Number(id))),
  );
  const credentials: Partial<Record<Person, string>> = {};
  /** Of documents that nobody is shown. */
  let digests: readonly string[] = [];

  function ask(path: string, as: Person = 'visitor', more: Parameters<typeof overHttp>[1] = {}): Promise<Answered> {
    const authorization = credentials[as];
    return overHttp(site.url + path, { ...more, headers: { ...(authorization ? { authorization } : {}), ...more.headers } });
  }

  async function send(
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<{ id: number; [key: string]: unknown }> {
    const answer = await ask(`/cms-json${path}`, 'administrator', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const made = JSON.parse(answer.body) as { id: number };
    expect([path, answer.status, made]).toEqual([path, /(?:settings|autosaves|\d)$/.test(path) ? 200 : 201, made]);
    if (typeof made.id === 'number') ids.add(made.id);
    return made;
  }

  beforeAll(async () => {
    for (const [name, value] of Object.entries(tokens)) vi.stubEnv(name, value);
    site = await serveSite(['--log-requests', '--log-format', 'json'], environment, files);
    credentials.administrator = site.admin;
    for (const role of people.slice(1, 5)) {
      const { id } = await send('/cms/v2/users', {
        ...{ username: `person-${role}`, name: `Public ${role}`, nickname: role, slug: `public-${role}`, roles: [role] },
        ...{ email: `${word(`mail${role}`, 'visitor')}@example.org`, password: word(`login${role}`, 'administrator') },
      });
      // What a program of somebody is called is theirs.
      const made = await send(`/cms/v2/users/${id}/application-passwords`, { name: word(`app${role}`, 'visitor') });
      credentials[role] = `Basic ${btoa(`person-${role}:${made.password}`)}`;
      hidden.set(String(made.password), 'administrator');
      // Who has published something is shown to everybody, without what is theirs.
      await send('/cms/v2/posts', { title: `Open ${role}`, status: 'publish', author: id });
    }
    await fill();
    const dirs = await readdir(join(site.dir, '.cms/private'), { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      dirs.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'latin1')),
    );
    digests = texts.flatMap((text) => text.match(/\$scrypt\$[^"\s]+|\b[0-9a-f]{64}\b|\b[\w+/-]{43}=/g) ?? []);
    expect(digests.length).toBeGreaterThan(4);
  });
  afterAll(async () => {
    await site.close();
    vi.unstubAllEnvs();
  });

  async function fill(): Promise<void> {
    const open = (await send('/cms/v2/posts', { title: 'Open', content: 'Plain', status: 'publish', slug: 'open' })).id;
    for (const type of ['posts', 'pages']) {
      for (const status of ['draft', 'pending', 'private']) {
        const text = word(`${type}${status}`, 'author');
        const slug = word(`${type}${status}slug`, 'author');
        inFileNames.add(slug);
        await send(`/cms/v2/${type}`, { title: `T${text}`, content: `C${text}`, excerpt: `E${text}`, slug, status });
      }
      const future = word(`${type}future`, 'author');
      await send(`/cms/v2/${type}`, {
        title: future,
        content: future,
        slug: 'soon',
        status: 'future',
        date: '2199-01-01T00:00:00',
      });
      const trashed = word(`${type}trash`, 'author');
      const { id } = await send(`/cms/v2/${type}`, { title: trashed, content: trashed, slug: `gone-${type}`, status: 'publish' });
      await ask(`/cms-json/cms/v2/${type}/${id}`, 'administrator', { method: 'DELETE' });
      const locked = word(`${type}locked`, 'author');
      await send(`/cms/v2/${type}`, {
        ...{ title: 'Locked', slug: `locked-${type}`, content: locked, excerpt: locked, status: 'publish' },
        password: word(`${type}key`, 'author'),
      });
    }
    const draft = await send('/cms/v2/posts', { title: 'With a picture', status: 'draft', slug: 'with-a-picture' });
    const sent = await site.ask('/cms-json/cms/v2/media', {
      method: 'POST',
      body: new Uint8Array(await picture(8, 8)),
      headers: {
        authorization: site.admin,
        'content-type': 'image/jpeg',
        'content-disposition': 'attachment; filename="of-a-draft.jpg"',
      },
    });
    const { id: media } = (await sent.json()) as { id: number };
    ids.add(media);
    const words = {
      title: word('mediatitle', 'author'),
      caption: word('caption', 'author'),
      description: word('mediatext', 'author'),
    };
    await send(`/cms/v2/media/${media}`, { ...words, alt_text: word('alt', 'author'), post: draft.id });
    for (const status of ['hold', 'spam'])
      await send('/cms/v2/comments', {
        ...{ post: open, status, content: word(`comment${status}`, 'author'), author_name: word(`waiting${status}`, 'author') },
        author_email: `${word(`mail${status}`, 'author')}@example.org`,
      });
    await send('/cms/v2/comments', {
      ...{ post: open, status: 'approved', content: 'Well said', author_name: 'Somebody', author_ip: '203.0.113.77' },
      ...{ author_email: `${word('commenter', 'author')}@example.org`, author_user_agent: word('agent', 'author') },
    });
    hidden.set('203.0.113.77', 'author');
    await send('/cms/v2/users', {
      ...{ username: word('username', 'editor'), name: 'Of few words', nickname: 'few', slug: 'few-words', roles: ['author'] },
      ...{ email: `${word('mail', 'editor')}@example.org`, password: word('password', 'administrator') },
      ...{ first_name: word('first', 'editor'), last_name: word('last', 'editor') },
    });
    await send(`/cms/v2/posts/${open}`, { content: word('former', 'author') });
    await send(`/cms/v2/posts/${open}`, { content: 'Plain again' });
    await send(`/cms/v2/posts/${open}/autosaves`, { content: word('autosave', 'author') });
    await send('/cms/v2/settings', { email: `${word('siteaddress', 'editor')}@example.org` });
  }

  /** What is in a text that somebody may not see. */
  function seenBy(person: Person, text: string): string[] {
    const lower = text.toLowerCase();
    const at = people.indexOf(person);
    const found = [...hidden].filter(([one, from]) => at <= people.indexOf(from) && lower.includes(one.toLowerCase()));
    return [...found.map(([one]) => one), ...digests.filter((one) => text.includes(one))];
  }

  /** Every route that is read. */
  async function routes(): Promise<readonly string[]> {
    const index = JSON.parse((await ask('/cms-json/', 'administrator')).body) as {
      routes: Record<string, { methods: string[] }>;
    };
    return Object.keys(index.routes).filter((path) => index.routes[path]?.methods.includes('GET'));
  }

  /** Addresses of a route: each id for what stands in its path, and the words of types, taxonomies and other names. */
  function* addressesOf(path: string): Iterable<string> {
    const parts = path.match(/\(\?P<\w+>(?:[^()]|\([^()]*\))*\)/g) ?? [];
    if (parts.length === 0) return yield path;
    const fill = (value: string | number): string => parts.reduce((text, part) => text.replace(part, () => String(value)), path);
    const names = ['me', 'post', 'page', 'category', 'post_tag', 'publish', 'draft', 'options', 'user', 'open', 'main'];
    // A word where digits are wanted is no route.
    for (const value of [1, 2, 3, 4, 5, 6, ...ids, ...names])
      if (typeof value === 'number' || parts.every((part) => !/>\[?\\d/.test(part))) yield fill(value);
  }

  /** Addresses at which there is something, and those of lists: what is nothing to an administrator is nothing to others. */
  async function places(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const path of await routes())
      for (const address of addressesOf(path)) {
        const isList = !path.includes('(?P<');
        if (isList || (await ask(`/cms-json${address}?context=edit`, 'administrator')).status !== 404) found.push(address);
      }
    return found;
  }

  /** Headers and body. */
  const textOf = ({ headers, body }: Answered): string => [...headers].map((pair) => pair.join(': ')).join('\n') + body;

  it('shows hidden items to users with the right to see them', async () => {
    const lists = ['posts?status=any&', 'pages?status=any&', 'users?', 'comments?status=any&'];
    let text = '';
    for (const list of lists) text += textOf(await ask(`/cms-json/cms/v2/${list}context=edit&per_page=100`, 'administrator'));
    const shown = [...hidden].filter(([one, from]) => from !== 'administrator' && text.includes(one));
    expect(shown.length).toBeGreaterThan(25);
    expect(seenBy('administrator', text)).toEqual([]);
  });

  it('shows nothing hidden to visitors or to users of any role, on any route', async () => {
    const found: string[] = [];
    const all = await places();
    expect(all.length).toBeGreaterThan(150);
    const wide = [
      '',
      '?context=edit&_embed=1',
      '?status=any&per_page=100&_embed=1',
      '?search=canary',
      '?preview=true&password=x',
    ];
    for (const person of people)
      for (const address of all)
        for (const query of /\/\d+(?:\/|$)/.test(address) ? wide.slice(0, 2) : wide) {
          const answer = await ask(`/cms-json${address}${query}`, person);
          const leaks = seenBy(person, textOf(answer));
          if (answer.body.includes('internal_server_error') || leaks.length > 0)
            found.push(`${person} ${address}${query}: ${answer.status} ${leaks.join(' ')}`);
        }
    expect(found).toEqual([]);
  });

  it('shows nothing hidden on pages, in feeds, sitemaps and probes', async () => {
    const found: string[] = [];
    const maps = new Set(['/sitemap.xml', '/wp-sitemap.xml', '/cms-sitemap.xml', '/sitemap_index.xml']);
    const fixed =
      '/ /llms.txt /index.md /feed/ /comments/feed/ /open/ /open/feed/ /feed/atom/ /robots.txt /?s=canary /category/uncategorized/ /category/uncategorized/feed/ ' +
      '/author/few-words/ /author/admin/ /author/admin/feed/ /de/ /de/feed/ /2026/ /2026/01/ /favicon.ico /healthz /readyz /metrics ' +
      '/cms-login.php /cms-admin/profile.php /cms-admin/api-settings.json /cms-admin/admin-ajax.php?action=rest-nonce ' +
      '/.cms/private/accounts/1.json /uploads/../.cms/private/accounts/1.json /uploads/%2e%2e/.cms/private/accounts/1.json';
    const queries = ['p', 'page_id', 'attachment_id', 'preview=true&p', 'author', 'cat'];
    const pages = [
      ...fixed.split(' '),
      ...[...ids].flatMap((id) => queries.map((query) => `/?${query}=${id}`)),
      ...[...inFileNames].flatMap((slug) => [`/${slug}/`, `/${slug}.md`]),
    ];
    const look = async (path: string): Promise<string> => {
      const answer = await ask(path);
      const leaks = seenBy('visitor', textOf(answer)).filter((one) => !path.includes(one));
      if (leaks.length > 0 || answer.status === 500) found.push(`${path}: ${answer.status} ${leaks.join(' ')}`);
      return answer.body;
    };
    for (const path of pages) await look(path);
    for (const path of maps)
      for (const [, location = ''] of (await look(path)).matchAll(/<loc>([^<]+)<\/loc>/g)) {
        const { pathname } = new URL(location);
        maps.add(pathname).add(pathname.replace(/(.)\/$/, '$1.md'));
      }
    expect(maps.size).toBeGreaterThan(6);
    const metrics = await ask('/metrics', 'visitor', { headers: { authorization: `Bearer ${environment.CMS_METRICS_TOKEN}` } });
    expect([metrics.status, seenBy('visitor', textOf(metrics))]).toEqual([200, []]);
    expect(found).toEqual([]);
  });

  it('writes nothing hidden into its log', async () => {
    await ask(`/cms-json/cms/v2/posts?password=${word('inaquery', 'administrator')}`);
    await expect.poll(() => site.said.length).toBeGreaterThan(2000);
    expect(seenBy('visitor', site.said.join('\n')).filter((one) => !inFileNames.has(one))).toEqual([]);
  });

  it('exports nothing hidden to a static site', async () => {
    const out = join(await temporary(), 'static');
    const line = ['export', site.dir, '--format', 'static', '--url', 'https://quay.example', '--out', out];
    const { status, err } = await run(line, { env: environment });
    expect([status, status === 0 ? '' : err]).toEqual([0, '']);
    const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { parentPath, name } of files) {
      const leaks = seenBy('visitor', join(parentPath, name) + (await readFile(join(parentPath, name), 'latin1')));
      if (leaks.length > 0) found.push(`${join(parentPath, name).slice(out.length)}: ${leaks.join(' ')}`);
    }
    expect(found).toEqual([]);
  });
});
