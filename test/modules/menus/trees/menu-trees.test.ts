/** Menus as trees: who sees what, and that files, writes and a restart give the same. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../../cli/run.ts';
import { openSite, composeSite } from '../../../../src/open-site.ts';
import { createServer } from '../../../../src/kernel/http/server.ts';
import { dedent } from '../../../support/dedent.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const files = {
  'site.yaml': dedent`
    name: Harbour
    timezone: Europe/Berlin
    deployment: extended
    menu_locations:
      footer: Footer
      primary: Header
      nowhere: Empty
  `,
  'pages/about/index.md': '---\nid: 10\ntitle: About & more\ndate: 2026-03-01\n---\nText\n',
  'pages/about/team.md': '---\nid: 11\ntitle: Team\ndate: 2026-03-01\n---\nText\n',
  'pages/secret.md': '---\nid: 12\ntitle: Secret\nstatus: draft\ndate: 2026-03-01\n---\nText\n',
  'pages/inner.md': '---\nid: 13\ntitle: Inner\nstatus: private\ndate: 2026-03-01\n---\nText\n',
  'pages/old.md': '---\nid: 14\ntitle: Old\nstatus: trash\ndate: 2026-03-01\n---\nText\n',
  'terms/category/sea.yaml': 'id: 40\nname: Sea\n',
  'terms/category/tide.yaml': 'id: 41\nname: Tide\nparent: sea\n',
  'menus/main.yaml': dedent`
    id: 50
    name: Main & first
    description: Top of the page
    locations: [primary]
    items:
      - page: about
        id: 100
        items:
          - { page: about/team, id: 101, title: Our <em>team</em> & boats }
          - { page: secret, id: 102, items: [{ url: https://under.example/, title: Under, id: 103 }] }
          - { page: inner, id: 104 }
      - { category: tide, id: 105 }
      - { url: /contact/, title: Contact, id: 106, description: Write to us, attr_title: hint, target: _blank, classes: [a, b], xfn: [me, met] }
      - { url: https://draft.example/, title: Draft, id: 107, status: draft }
      - { page: old, id: 108 }
      - { page: gone, id: 109, items: [{ url: /lost/, title: Lost, id: 110 }] }
      - { archive: post, id: 111 }
  `,
  'menus/foot.yaml':
    'id: 51\nname: Foot\nlocations: [footer, unlisted]\nitems:\n  - { url: /imprint/, title: Contact, id: 120 }\n',
  'menus/empty.yaml': 'id: 52\nname: Empty\n',
  'menus/shadow.yaml': 'id: 53\nname: shadow\nslug: footer\nitems:\n  - { url: /shadow/, title: Shadow, id: 130 }\n',
};

const main = { term_id: 50, name: 'Main &amp; first', slug: 'main', taxonomy: 'nav_menu', count: 11, filter: 'raw' };
const foot = { term_id: 51, name: 'Foot', slug: 'foot', count: 1 };
const id = (ID: number, more: object = {}) => ({ ID, ...more });

describeApi('menus as trees', { files, users: ['editor', 'subscriber'] }, [
  {
    name: 'are listed by name, if they have items',
    does: 'GET /menus/v1/menus',
    gets: [200, [foot, main, { term_id: 53 }]],
    headers: { Allow: 'GET' },
  },
  {
    name: 'nest published items, and hide private ones with their children',
    does: 'GET /menus/v1/menus/main',
    gets: [
      200,
      {
        ...main,
        items: [
          id(100, {
            menu_order: 1,
            post_content: ' ',
            post_title: '',
            post_name: '100',
            post_author: '1',
            menu_item_parent: '0',
            object_id: '10',
            object: 'page',
            type: 'post_type',
            title: 'About &#038; more',
            url: '{url}/en/about/',
            slug: 'about',
            classes: [''],
            child_items: [
              id(101, {
                menu_order: 2,
                post_parent: 10,
                menu_item_parent: '100',
                title: 'Our <em>team</em> & boats',
                slug: 'team',
              }),
            ],
          }),
          id(105, {
            menu_order: 4,
            object: 'category',
            object_id: '41',
            post_parent: 40,
            slug: 'tide',
            url: '{url}/en/category/sea/tide/',
          }),
          id(106, {
            menu_order: 5,
            url: '/contact/',
            post_name: 'contact',
            post_content: 'Write to us',
            post_excerpt: 'hint',
            description: 'Write to us',
            attr_title: 'hint',
            target: '_blank',
            classes: ['a', 'b'],
            xfn: 'me met',
            object_id: '106',
          }),
          id(111, { type: 'post_type_archive', object: 'post', slug: 'post', url: '{url}/en/' }),
        ],
      },
    ],
  },
  {
    name: 'show everything to users who may read it',
    who: 'admin',
    does: 'GET /menus/v1/menus/main',
    gets: [200, { items: [{ child_items: [id(101), id(102, { child_items: [id(103)] }), id(104)] }, id(105), id(106), id(111)] }],
  },
  {
    name: 'show private pages to editors',
    who: 'editor',
    does: 'GET /menus/v1/menus/main',
    gets: [200, { items: [{ child_items: [id(101), id(102), id(104)] }, id(105), id(106), id(111)] }],
  },
  {
    name: 'show subscribers what visitors see',
    who: 'subscriber',
    does: 'GET /menus/v1/menus/main',
    gets: [200, { items: [{ child_items: [id(101)] }, id(105), id(106), id(111)] }],
  },
  { name: 'are found by id', does: 'GET /menus/v1/menus/50', gets: [200, main] },
  { name: 'are found by slug in any case, with a trailing slash', does: 'GET /menus/v1/menus/MAIN/', gets: [200, main] },
  { name: 'are found by location before slug', does: 'GET /menus/v1/menus/footer', gets: [200, foot] },
  { name: 'accept no parameters', does: 'GET /menus/v1/menus/main?context=edit&per_page=1&page=9', gets: [200, main] },
  { name: 'with one name are numbered', does: 'GET /menus/v1/menus/51', gets: [200, { items: [{ post_name: 'contact-2' }] }] },
  { name: 'can be limited to fields', does: 'GET /menus/v1/menus/main?_fields=slug', gets: [200, { slug: 'main' }] },
  {
    name: 'without items have an empty list',
    does: 'GET /menus/v1/menus/empty',
    gets: [200, { term_id: 52, count: 0, items: [] }],
  },
  { name: 'that do not exist are a 404', does: 'GET /menus/v1/menus/nope', gets: [404, 'not_found'] },
  { name: 'exclude other terms', does: 'GET /menus/v1/menus/40', gets: [404, 'not_found'] },
  { name: 'have no id 0', does: 'GET /menus/v1/menus/0', gets: [404, 'not_found'] },
  { name: 'reject other characters in their names', does: 'GET /menus/v1/menus/main.menu', gets: [404, 'rest_no_route'] },
  {
    name: 'are listed by location, if they are shown',
    does: 'GET /menus/v1/locations',
    gets: [200, { footer: { slug: 'footer', menu: foot }, primary: { slug: 'primary', menu: main }, unlisted: { menu: foot } }],
  },
  {
    name: 'can be read by location',
    does: 'GET /menus/v1/locations/primary',
    gets: [200, { ...main, items: [id(100), id(105), id(106), id(111)] }],
  },
  { name: 'of an empty location are a 404', does: 'GET /menus/v1/locations/nowhere', gets: [404, 'not_found'] },
  { name: 'of an unknown location are a 404', does: 'GET /menus/v1/locations/main', gets: [404, 'not_found'] },
  { name: 'of a location are found in any case', does: 'GET /menus/v1/locations/Primary', gets: [404, 'not_found'] },
  { name: 'cannot be written here', who: 'admin', does: 'POST /menus/v1/menus', body: {}, gets: [404, 'rest_no_route'] },
  { name: 'cannot be deleted here', who: 'admin', does: 'DELETE /menus/v1/menus/main', gets: [404, 'rest_no_route'] },
]);

describe('a site with menus', () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  const tree = async (path = '/menus/v1/menus/main') => (await (site as TestSite).ask('GET', path)).body;

  it('has no menus and locations at first', async () => {
    site = await startSite({ files: { 'site.yaml': 'name: New\ndeployment: extended\n' } });
    expect(await tree('/menus/v1/menus')).toEqual([]);
    expect(JSON.stringify(await tree('/menus/v1/locations'))).toBe('{}');
  });

  it('is part of the extended deployment', async () => {
    site = await startSite();
    expect((await site.ask('GET', '/menus/v1/menus')).status).toBe(404);
  });

  it('returns the same after a restart', async () => {
    site = await startSite({ files });
    const before = await tree();
    const again = await openSite(site.dir);
    const server = createServer({ site: again, registry: composeSite(again) });
    try {
      const url = await server.listen(0, '127.0.0.1');
      const after = await (await fetch(`${url}/cms-json/menus/v1/menus/main`)).json();
      expect(JSON.stringify(after).replaceAll(url, site.url)).toBe(JSON.stringify(before));
    } finally {
      await server.close();
      await again.close();
    }
  });

  it('follows hand edits and published targets on every request', async () => {
    site = await startSite({ files });
    for (let turn = 0; turn < 3; turn++) expect((await tree()).items).toHaveLength(4);
    await site.write('menus/main.yaml', 'id: 50\nname: Main\nitems:\n  - { page: secret, id: 102 }\n');
    await until(async () => (await tree()).name === 'Main');
    expect(await tree()).toMatchObject({ count: 1, items: [] });
    await site.ask('POST', '/cms/v2/pages/12', { as: 'admin', body: { status: 'publish' } });
    expect(await tree()).toMatchObject({ count: 1, items: [{ ID: 102, title: 'Secret', url: `${site.url}/en/secret/` }] });
  });

  it('shows items in their language, and shared ones with the translation of their target', async () => {
    site = await startSite({
      files: {
        'site.yaml': 'name: New\ndeployment: extended\n',
        'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-01\n---\nText\n',
        'pages/ueber.md': '---\nid: 11\ntitle: Über\nlang: de\ntranslation_of: 10\ndate: 2026-03-01\n---\nText\n',
        'pages/team.md': '---\nid: 12\ntitle: Team\ndate: 2026-03-01\n---\nText\n',
        'pages/entwurf.md':
          '---\nid: 13\ntitle: Entwurf\nlang: de\ntranslation_of: 12\nstatus: draft\ndate: 2026-03-01\n---\nText\n',
        'menus/main.yaml':
          'id: 5\nname: Main\nlocations: [primary]\nitems:\n  - { page: about, id: 100 }\n  - { page: team, id: 101 }\n  - { url: /nur/, title: Nur, lang: de, id: 102 }\n  - { url: /only/, title: Only, lang: en, id: 103 }\n',
      },
    });
    const titles = async (path: string) =>
      (await (site as TestSite).ask('GET', path, { raw: true })).body.items.map(
        ({ title, slug }: Record<string, string>) => slug ?? title,
      );
    expect(await titles('/cms-json/menus/v1/menus/main')).toEqual(['about', 'team', 'Only']);
    expect(await titles('/de/cms-json/menus/v1/locations/primary')).toEqual(['ueber', 'team', 'Nur']);
    expect(await titles('/cms-json/menus/v1/menus/main?lang_language=de')).toEqual(['ueber', 'team', 'Nur']);
    const made = { title: 'Neu', url: 'https://new.example/', menus: 5, status: 'publish', menu_order: 9 };
    expect((await site.ask('POST', '/cms/v2/menu-items', { as: 'admin', body: made, root: '/de/cms-json' })).status).toBe(201);
    expect(await titles('/en/cms-json/menus/v1/menus/main')).toEqual(['about', 'team', 'Only']);
    expect(await titles('/de/cms-json/menus/v1/menus/main')).toEqual(['ueber', 'team', 'Nur', 'Neu']);
    expect(await site.read('menus/main.yaml')).toMatch(/title: Neu[\s\S]*lang: de/);
    const { id: neu } = (await site.ask('GET', '/cms/v2/menu-items?search=Neu', { as: 'admin' })).body[0];
    await site.ask('POST', `/cms/v2/menu-items/${neu}`, { as: 'admin', body: { title: 'Neuer' } });
    expect(await titles('/de/cms-json/menus/v1/menus/main')).toEqual(['ueber', 'team', 'Nur', 'Neuer']);
  });

  it('records no language on a site with one language', async () => {
    site = await startSite({
      files: {
        'site.yaml': 'name: New\ndeployment: extended\nlang: { languages: { en: {} } }\n',
        'menus/main.yaml': 'id: 5\nname: Main\n',
      },
    });
    const made = { title: 'Neu', url: 'https://new.example/', menus: 5, status: 'publish' };
    expect((await site.ask('POST', '/cms/v2/menu-items', { as: 'admin', body: made })).status).toBe(201);
    expect(await site.read('menus/main.yaml')).toContain('title: Neu');
    expect(await site.read('menus/main.yaml')).not.toContain('lang:');
  });

  it('survives items below themselves, and very deep ones', async () => {
    const chain = Array.from(
      { length: 3000 },
      (_, at) => `  - { url: /${at}/, title: T, id: ${1000 + at}, parent: ${999 + at} }`,
    );
    site = await startSite({
      files: {
        'site.yaml': 'name: New\ndeployment: extended\n',
        'menus/main.yaml': `id: 5\nname: Main\nitems:\n  - { url: /a/, title: A, id: 10, parent: 11 }\n  - { url: /b/, title: B, id: 11, parent: 10 }\n  - { url: /c/, title: C, id: 12, parent: 12 }\n  - { url: /d/, title: D, id: 999, parent: 0 }\n${chain.join('\n')}\n`,
      },
    });
    const { items, count } = await tree();
    expect([count, items.map((item: { ID: number }) => item.ID)]).toEqual([3004, [999]]);
    let depth = 0;
    for (let at = items[0]; at; at = at.child_items?.[0]) depth++;
    expect(depth).toBe(100);
  });
});

const variants = {
  'site.yaml': dedent`
    name: Harbour
    deployment: extended
    menu_locations: { primary: Header }
  `,
  'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-01\n---\nText\n',
  'pages/ueber.md': '---\nid: 11\ntitle: Über uns\nlang: de\ntranslation_of: about\ndate: 2026-03-01\n---\nText\n',
  'menus/main.yaml': 'id: 50\nname: Main\nlocations: [primary]\nitems:\n  - { page: about, id: 100 }\n',
  'menus/main.de.yaml':
    'id: 51\nname: Haupt\nitems:\n  - { page: ueber, id: 101 }\n  - { url: https://nur.example/, title: Nur hier, id: 102 }\n',
  'menus/foot.yaml': 'id: 52\nname: Foot\nitems:\n  - { page: about, id: 103 }\n',
};
const haupt = { term_id: 51, name: 'Haupt', items: [{ title: 'Über uns', url: '{url}/de/ueber/' }, { title: 'Nur hier' }] };

describeApi('a menu with its own file in another language', { files: variants }, [
  {
    name: 'is replaced by the other one in its language, once',
    does: 'GET /menus/v1/menus?lang_language=de',
    gets: [200, [{ term_id: 52 }, { term_id: 51, slug: 'main', count: 2 }]],
  },
  {
    name: 'is itself in other languages',
    does: 'GET /menus/v1/menus',
    gets: [200, [{ term_id: 52 }, { term_id: 50, count: 1 }]],
  },
  { name: 'is found by its slug', does: 'GET /menus/v1/menus/main?lang_language=de', gets: [200, haupt] },
  { name: 'is found by a shared slug', does: 'GET /menus/v1/menus/main', gets: [200, { term_id: 50 }] },
  { name: 'is found by the name of the other', does: 'GET /menus/v1/menus/haupt', gets: [200, { term_id: 50 }] },
  { name: 'has its own id', does: 'GET /menus/v1/menus/50?lang_language=de', gets: [200, { term_id: 50 }] },
  { name: 'is shown at its location', does: 'GET /menus/v1/locations/primary?lang_language=de', gets: [200, haupt] },
  {
    name: 'is in the list of locations',
    does: 'GET /menus/v1/locations?lang_language=de',
    gets: [200, { primary: { menu: { term_id: 51 } } }],
  },
  {
    name: 'is translated item by item if there is none',
    does: 'GET /menus/v1/menus/foot?lang_language=de',
    gets: [200, { term_id: 52, items: [{ title: 'Über uns', url: '{url}/de/ueber/' }] }],
  },
  {
    name: 'returns its group where menus are written',
    who: 'admin',
    does: 'GET /cms/v2/menus/51?context=edit',
    gets: [200, { lang: 'de', translations: { en: 50, de: 51 }, translation_of: 50 }],
  },
]);

const types = 'types: { boat: { has_archive: fleet }, crew: { has_archive: true }, note: { public: false, has_archive: true } }';
const archives = {
  'site.yaml': `name: Harbour\ndeployment: extended\n${types}\n`,
  'menus/main.yaml':
    'id: 50\nname: Main\nitems: [{ archive: boat, id: 100 }, { archive: crew, id: 101 }, { archive: note, id: 102 }, { archive: none, id: 103 }]\n',
};

describeApi('archives in a menu', { files: archives }, [
  {
    name: 'link to existing archives',
    does: 'GET /menus/v1/menus/main',
    gets: [
      200,
      {
        items: [
          { ID: 100, object: 'boat', slug: 'fleet', url: '{url}/en/fleet/' },
          { ID: 101, object: 'crew', slug: 'crew', url: '{url}/en/crew/' },
          { ID: 102, object: 'note', slug: 'note', url: false },
        ],
      },
    ],
  },
]);

it('cms validate accepts a menu in two languages, and reports one without its original', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cms-menus-'));
  for (const [path, text] of Object.entries({
    ...variants,
    'menus/gone.yaml': 'id: 60\nname: Fort\nlang: de\ntranslation_of: was\n',
  })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  const { out } = await run(['validate', dir]);
  await rm(dir, { recursive: true });
  expect(out.split('\n').filter((line) => line.startsWith('menus/'))).toEqual([
    'menus/gone.yaml:4:17 error there is nothing called "was" to be translated',
  ]);
});
