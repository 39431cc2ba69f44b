/**
 * Menus over HTTP and in their files: what a client writes is in the file the way a person writes it, and the other way round.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Thing, targetIndexOf } from '../../src/modules/menus/target-index.ts';
import { targetId } from '../../src/modules/menus/view.ts';
import { startSite, type TestSite } from '../support/site.ts';

const mainFile = `id: 20
name: Main
locations:
  - primary
items:
  - page: about
    items:
      - page: about/team
  - category: notes # the short ones
  - url: https://example.com/times
    title: Times
`;
const files = {
  'pages/about/index.md': '---\nid: 101\ntitle: About\n---\nUs.\n',
  'pages/about/team.md': '---\nid: 102\ntitle: Team\n---\nWe.\n',
  'pages/secret.md': '---\nid: 103\ntitle: Canary plans\nstatus: draft\n---\nHidden.\n',
  'terms/category/notes.yaml': 'id: 30\nname: Notes\n',
  'menus/main.yaml': mainFile,
  'menus/side.yaml': 'id: 21\nname: Side\nlocations:\n  - primary\n  - footer\n',
};

async function withSite(run: (site: TestSite) => Promise<void>, more: Record<string, string> = {}): Promise<void> {
  const site = await startSite({ files: { ...files, ...more } });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

interface MenuItem {
  readonly id: number;
  readonly title: { readonly raw: string; readonly rendered: string };
  readonly url: string | false;
  readonly type: string;
  readonly object: string;
  readonly object_id: number;
  readonly parent: number;
  readonly menu_order: number;
  readonly invalid: boolean;
  readonly menus?: number;
}

const short = '_fields=id,title,url,type,object,object_id,parent,menu_order,invalid,menus&context=edit';
const itemsOf = async (site: TestSite, query = 'menus=20') =>
  (await site.ask('GET', `/cms/v2/menu-items?${short}&${query}`, { as: 'admin' })).body as MenuItem[];
const declare = async (site: TestSite) => {
  await site.write(
    'site.yaml',
    `${await site.read('site.yaml')}menu_locations:\n  primary: Header\n  footer: Foot of the page\n`,
  );
  await site.site.ingest(await site.site.store.sweep());
};

describe('a menu written by hand', () => {
  test('is served nested and in order, and its items get ids', () =>
    withSite(async (site) => {
      const [about, team, notes, times] = await itemsOf(site);
      expect(about).toMatchObject({
        title: { rendered: 'About' },
        object: 'page',
        object_id: 101,
        parent: 0,
        menu_order: 1,
        menus: 20,
      });
      expect(team).toMatchObject({ title: { rendered: 'Team' }, object_id: 102, parent: about!.id, menu_order: 2 });
      expect(notes).toMatchObject({
        title: { raw: 'Notes' },
        type: 'taxonomy',
        object: 'category',
        object_id: 30,
        menu_order: 3,
      });
      expect(times).toMatchObject({ type: 'custom', object: 'custom', object_id: times!.id, url: 'https://example.com/times' });
      const text = await site.read('menus/main.yaml');
      expect(text).toMatch(/- page: about\n {4}id: \d+\n {4}items:\n {6}- page: about\/team\n {8}id: \d+\n/);
      for (const { id } of [about!, team!, notes!, times!]) expect(text).toContain(`id: ${id}`);
    }));

  test('follows edits by hand', () =>
    withSite(async (site) => {
      const before = await itemsOf(site);
      const text = await site.read('menus/main.yaml');
      await site.write(
        'menus/main.yaml',
        text.replace('title: Times', 'title: Departures').replace(/ {2}- category: notes[\s\S]*?(?= {2}- url)/, ''),
      );
      await site.site.ingest(await site.site.store.sweep());
      const after = await itemsOf(site);
      expect(after.map(({ title }) => title.raw)).toEqual(['About', 'Team', 'Departures']);
      expect(after[2]!.id).toBe(before[3]!.id);
    }));

  test.each(['parent=101', 'parent_exclude=0', 'author=1', 'format=aside'])(
    'is listed whole with a filter that items do not have: %s',
    (query) => withSite(async (site) => expect(await itemsOf(site, `menus=20&${query}`)).toHaveLength(4)),
  );

  test('gives an item a new id if something else has its id', () =>
    withSite(
      async (site) => {
        expect((await itemsOf(site, 'menus=22')).map(({ id }) => id)).toEqual([expect.any(Number), 900]);
        expect(await site.read('menus/twice.yaml')).not.toContain('id: 101');
        expect(site.site.problems()).toEqual([]);
        expect((await site.ask('GET', '/cms/v2/pages/101')).body.title.rendered).toBe('About');
      },
      { 'menus/twice.yaml': 'id: 22\nname: Twice\nitems:\n  - url: /a\n    id: 101\n  - url: /b\n    id: 900\n' },
    ));
});

describe('a write changes only what it must', () => {
  test('one field of an item', () =>
    withSite(async (site) => {
      const [about] = await itemsOf(site);
      const before = await site.read('menus/main.yaml');
      const { status } = await site.ask('PUT', `/cms/v2/menu-items/${about!.id}`, {
        as: 'admin',
        body: { attr_title: 'Who we are' },
      });
      expect(status).toBe(200);
      expect((await site.read('menus/main.yaml')).split('\n').filter((line) => !before.includes(line))).toEqual([
        '    attr_title: Who we are',
      ]);
    }));

  test('nothing, if nothing changes', () =>
    withSite(async (site) => {
      const [about, , , times] = await itemsOf(site);
      const before = await site.read('menus/main.yaml');
      for (const { id } of [about!, times!])
        await site.ask('PUT', `/cms/v2/menu-items/${id}`, { as: 'admin', body: { target: '' } });
      expect(await site.read('menus/main.yaml')).toBe(before);
    }));

  test('every field reads back from the file', () =>
    withSite(async (site) => {
      const body = {
        title: 'Crew',
        type: 'post_type',
        object: 'page',
        object_id: 102,
        menus: 20,
        parent: 4711,
        menu_order: 12,
        status: 'draft',
        description: 'd',
        attr_title: 'a',
        classes: ['x', 'y'],
        xfn: ['me'],
        target: '_blank',
      };
      const { body: made } = await site.ask('POST', '/cms/v2/menu-items', { as: 'admin', body });
      await site.site.reload();
      const { body: read } = await site.ask('GET', `/cms/v2/menu-items/${made.id}?context=edit`, { as: 'admin' });
      expect(read).toEqual(made);
      expect(read).toMatchObject({ ...body, title: { raw: 'Crew' } });
    }));

  test('an item in no menu has a file for its kind, removed with the last item', () =>
    withSite(async (site) => {
      const { body: loose } = await site.ask('POST', '/cms/v2/menu-items', {
        as: 'admin',
        body: { title: 'L', url: 'https://l.example/' },
      });
      expect(loose).not.toHaveProperty('menus');
      expect(await site.read('menus/_loose.yaml')).toBe(
        `items:\n  - url: https://l.example/\n    title: L\n    id: ${loose.id}\n`,
      );
      const { body: moved } = await site.ask('PUT', `/cms/v2/menu-items/${loose.id}`, { as: 'admin', body: { menus: 21 } });
      expect(moved.menus).toBe(21);
      await expect(site.read('menus/_loose.yaml')).rejects.toThrow('ENOENT');
      expect((await itemsOf(site, 'menus=21')).map(({ id }) => id)).toEqual([loose.id]);
    }));

  test('a deleted item is returned in view context, a changed one in edit context', () =>
    withSite(async (site) => {
      const body = { title: 'L', url: 'https://l.example/' };
      const { body: made } = await site.ask('POST', '/cms/v2/menu-items', { as: 'admin', body });
      expect(made.title).toEqual({ raw: 'L', rendered: 'L' });
      const { body: gone } = await site.ask('DELETE', `/cms/v2/menu-items/${made.id}?force=true`, { as: 'admin' });
      expect(gone.previous.title).toEqual({ rendered: 'L' });
    }));

  test('a new name moves the file of a menu with its items', () =>
    withSite(async (site) => {
      const before = await itemsOf(site);
      const { body } = await site.ask('PUT', '/cms/v2/menus/20', {
        as: 'admin',
        body: { name: 'Top links', description: 'Above' },
      });
      expect(body).toMatchObject({ name: 'Top links', slug: 'top-links', description: 'Above' });
      expect(await site.read('menus/top-links.yaml')).toContain('name: Top links\ndescription: Above\n');
      expect(await itemsOf(site)).toEqual(before);
    }));
});

test('an item with a new target keeps its own title', () =>
  withSite(async (site) => {
    const items = await itemsOf(site);
    const [about, plain] = [items.find(({ object_id }) => object_id === 101), items.find(({ type }) => type === 'custom')];
    const put = async (id: number | undefined, body: object) => {
      const answer = await site.ask('PUT', `/cms/v2/menu-items/${id}?${short}`, { as: 'admin', body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { type, object, object_id, url, title, invalid } = answer.body as MenuItem;
      await site.site.reload();
      expect((await itemsOf(site)).find((item) => item.id === id)).toMatchObject({ type, object, object_id, url, title });
      return [type, object, object_id, url === false ? url : url.replace(site.url, ''), title.raw, invalid];
    };
    // It shows the title of its page, and goes on doing so.
    expect(await put(about?.id, { menu_order: 1 })).toEqual(['post_type', 'page', 101, '/about/', 'About', false]);
    expect(await site.read('menus/main.yaml')).not.toContain('title: About');
    expect(await put(about?.id, { object_id: 102 })).toEqual(['post_type', 'page', 102, '/about/team/', 'About', false]);
    expect(await put(about?.id, { type: 'taxonomy', object: 'category', object_id: 30 })).toEqual([
      'taxonomy',
      'category',
      30,
      '/category/notes/',
      'About',
      false,
    ]);
    expect(await put(about?.id, { type: 'custom' })).toEqual(['custom', 'custom', about?.id, '/category/notes/', 'About', false]);
    // A type alone leaves what it is of, and so leads nowhere.
    expect(await put(plain?.id, { type: 'taxonomy' })).toEqual(['taxonomy', 'custom', plain?.id, '', 'Times', true]);
    expect(await put(plain?.id, { type: 'post_type', object: 'page', object_id: 101, title: 'About' })).toEqual([
      'post_type',
      'page',
      101,
      '/about/',
      'About',
      false,
    ]);
  }));

describe('refusals', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  const rows: readonly (readonly [name: string, body: object, code: string])[] = [
    ['neither title nor address', {}, 'rest_title_required'],
    ['no address', { title: 'x' }, 'rest_url_required'],
    ['a menu that is not there', { title: 'x', url: '/x', menus: 999 }, 'invalid_menu_id'],
    ['a post that is not there, of no named type', { type: 'post_type', object_id: 999 }, 'rest_post_invalid_id'],
    ['a term that is not there, of no named taxonomy', { type: 'taxonomy', object_id: 999 }, 'rest_term_invalid_id'],
    ['an archive of no type', { type: 'post_type_archive', object: 'planets' }, 'rest_post_invalid_type'],
    ['an address that is none', { title: 'x', url: 'javascript:alert(1)' }, 'rest_invalid_param'],
    ['an order below one', { title: 'x', url: '/x', menu_order: 0 }, 'rest_invalid_param'],
  ];
  test.each(rows)('%s', async (_name, body, code) => {
    const { status, body: answer } = await site.ask('POST', '/cms/v2/menu-items', { as: 'admin', body });
    expect([status, answer.code]).toEqual([400, code]);
    expect(answer.additional_errors?.[0].code).toBe(Object.keys(body).length === 0 ? 'rest_url_required' : undefined);
  });

  test.each([
    ['a name that is taken, on create', 'POST', '/cms/v2/menus', { name: 'main' }, 400, { status: 400, term_id: 20 }],
    ['a name that is taken, on update', 'PUT', '/cms/v2/menus/21', { name: 'Main' }, 500, null],
    ['an empty name, on create', 'POST', '/cms/v2/menus', { name: '' }, 400, { status: 400 }],
    ['an empty name, on update', 'PUT', '/cms/v2/menus/21', { name: '' }, 500, null],
  ])('%s', async (_name, method, path, body, status, data) => {
    const answer = await site.ask(method, path, { as: 'admin', body });
    expect([answer.status, answer.body.data]).toEqual([status, data]);
  });

  test.each([
    ['/cms/v2/menus', 401],
    ['/cms/v2/menus/20', 401],
    ['/cms/v2/menu-items', 401],
    ['/cms/v2/menu-locations', 401],
    ['/cms/v2/menu-locations/primary', 401],
  ])('visitors cannot see %s', async (path, status) => {
    expect(await site.ask('GET', path)).toMatchObject({ status, body: { code: 'rest_cannot_view' } });
  });
});

describe('locations', () => {
  test('show the first menu that lists them, and can be moved between menus', () =>
    withSite(async (site) => {
      await declare(site);
      const ask = async () => (await site.ask('GET', '/cms/v2/menu-locations', { as: 'admin' })).body;
      expect(await ask()).toMatchObject({ primary: { menu: 20, description: 'Header' }, footer: { menu: 21 } });
      const { body } = await site.ask('PUT', '/cms/v2/menus/20', { as: 'admin', body: { locations: ['footer'] } });
      expect(body.locations).toEqual(['footer']);
      expect(body._links['cms:menu-location'][0].href).toMatch(/menu-locations\/footer$/);
      expect(await site.read('menus/side.yaml')).toBe('id: 21\nname: Side\nlocations:\n  - primary\n');
      expect(await ask()).toMatchObject({ primary: { menu: 21 }, footer: { menu: 20 } });
      expect((await site.ask('GET', '/cms/v2/menu-locations/footer', { as: 'admin' })).body._links['cms:menu'][0].href).toMatch(
        /menus\/20$/,
      );
    }));
});

describe('other writes', () => {
  test('items of a deleted page or term are removed, those of a trashed page are invalid', () =>
    withSite(async (site) => {
      await site.ask('DELETE', '/cms/v2/categories/30?force=true', { as: 'admin' });
      await site.ask('DELETE', '/cms/v2/pages/102?force=true', { as: 'admin' });
      expect((await itemsOf(site)).map(({ title }) => title.raw)).toEqual(['About', 'Times']);
      await site.ask('DELETE', '/cms/v2/pages/101', { as: 'admin' });
      expect((await itemsOf(site))[0]).toMatchObject({ object_id: 101, invalid: true });
    }));

  test('an item follows a page or term that is renamed, even if another takes the name', () =>
    withSite(async (site) => {
      await site.ask('PUT', '/cms/v2/pages/101', { as: 'admin', body: { slug: 'us' } });
      await site.ask('PUT', '/cms/v2/categories/30', { as: 'admin', body: { slug: 'briefs' } });
      await site.ask('POST', '/cms/v2/categories', { as: 'admin', body: { name: 'Notes' } });
      await site.ask('POST', '/cms/v2/pages', { as: 'admin', body: { title: 'About', status: 'publish' } });
      await site.site.reload();
      expect((await itemsOf(site)).map(({ object_id }) => object_id).slice(0, 3)).toEqual([101, 102, 30]);
    }));

  test('a change that no menu refers to reads no menu tree', () =>
    withSite(async (site) => {
      const read = vi.spyOn(site.site.menus, 'groves');
      const { body: post } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'News', status: 'publish' } });
      await site.ask('PUT', `/cms/v2/posts/${post.id}`, { as: 'admin', body: { slug: 'old-news' } });
      await site.ask('PUT', '/cms/v2/pages/102', { as: 'admin', body: { title: 'The team' } });
      expect(read).not.toHaveBeenCalled();
      await site.ask('DELETE', '/cms/v2/pages/102?force=true', { as: 'admin' });
      expect(read).toHaveBeenCalled();
      expect(await site.read('menus/main.yaml')).not.toMatch(/team/);
    }));

  test('an item is found by every name of its target', () =>
    withSite(
      async (site) => {
        const { menus, posts, terms } = site.site;
        const targets = targetIndexOf(site.site);
        const pointing = (thing: Thing) =>
          targets
            .at(thing)
            .map(({ title }) => title)
            .sort();
        const pages = [101, 102, 103].map((id) => posts.get(id) as Thing);
        expect(pages.map(pointing)).toEqual([['', 'by id', 'slash'], ['', 'file', 'former', 'step'], []]);
        expect(pointing(terms.get(30) as Thing)).toEqual(['', 'term']);
        for (const item of menus.items())
          if (item.itemType === 'post_type') expect(targets.at(posts.get(targetId(site.site, item)) as Thing)).toContain(item);
      },
      {
        'pages/about/team.md': '---\nid: 102\ntitle: Team\naliases:\n  - crew\n---\nWe.\n',
        'menus/names.yaml': `id: 25
name: Names
items:
  - {page: /about/, title: slash}
  - {page: 101, title: by id}
  - {page: about/Team, title: step}
  - {page: about/team.md, title: file}
  - {page: about/crew, title: former}
  - {category: Notes, title: term}
`,
      },
    ));

  test('a new top-level page is added once to the menus that ask for it', () =>
    withSite(
      async (site) => {
        const { body: page } = await site.ask('POST', '/cms/v2/pages', {
          as: 'admin',
          body: { title: 'Fresh', status: 'draft' },
        });
        expect(await itemsOf(site, 'menus=23')).toEqual([]);
        await site.ask('PUT', `/cms/v2/pages/${page.id}`, { as: 'admin', body: { status: 'publish' } });
        await site.ask('PUT', `/cms/v2/pages/${page.id}`, { as: 'admin', body: { title: 'Fresher' } });
        await site.ask('POST', '/cms/v2/pages', { as: 'admin', body: { title: 'Below', status: 'publish', parent: page.id } });
        expect((await itemsOf(site, 'menus=23')).map(({ title, object_id }) => [title.raw, object_id])).toEqual([
          ['Fresher', page.id],
        ]);
        expect(await site.read('menus/auto.yaml')).toMatch(/- page: fresh\n/);
      },
      { 'menus/auto.yaml': 'id: 23\nname: Auto\nauto_add: true\n' },
    ));

  test('the title of a draft in a menu is visible only to users who may read it', () =>
    withSite(
      async (site) => {
        const user = { username: 'cleo', email: 'cleo@example.org', password: 'Sturdy-pass-91', roles: ['contributor'] };
        const { body: cleo } = await site.ask('POST', '/cms/v2/users', { as: 'admin', body: user });
        const path = `/cms/v2/users/${cleo.id}/application-passwords`;
        const { body: key } = await site.ask('POST', path, { as: 'admin', body: { name: 'kit' } });
        const { status, body } = await site.ask('GET', '/cms/v2/menu-items?menus=24', { as: `cleo:${key.password}` });
        expect([status, body[0].title.rendered]).toEqual([200, '#103 (no title)']);
        expect(JSON.stringify(body)).not.toMatch(/Canary|secret/);
        expect((await itemsOf(site, 'menus=24'))[0]!.title.raw).toBe('Canary plans');
      },
      { 'menus/draft.yaml': 'id: 24\nname: Draft\nitems:\n  - page: secret\n' },
    ));
});
