/** Classes of holes that no other test is about: ids of others, types that are not what they say, requests in requests, values of other types, filters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picture, sendFile } from '../support/media.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let author: string;
const digits = { draft: 0, own: 0, locked: 0, page: 0 };

const make = async (path: string, body: object, as = 'admin'): Promise<number> => {
  const answer = await site.ask('POST', path, { as, body });
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.id;
};

beforeAll(async () => {
  // Very many passwords are tried here; the limit of these has tests of its own.
  site = await startSite({ operator: { sign_in_attempts: 0 } });
  author = (await signUp(site, 'mira', 'author')).as;
  digits.draft = await make('/cms/v2/posts', { title: 'Hidden harbour', content: 'Hidden lantern', status: 'draft' });
  digits.own = await make('/cms/v2/posts', { title: 'Own', content: 'x', status: 'publish' }, author);
  digits.page = await make('/cms/v2/pages', { title: 'Page', status: 'publish' });
  digits.locked = await make('/cms/v2/posts', { title: 'Locked', content: 'Locked lantern', password: '10', status: 'publish' });
  await site.ask('POST', `/cms/v2/posts/${digits.draft}`, { as: 'admin', body: { content: 'Hidden lantern again' } });
});
afterAll(() => site.close());

describe('an id of another item', () => {
  it('gives no access to items below another item', async () => {
    const revisions = (await site.ask('GET', `/cms/v2/posts/${digits.draft}/revisions`, { as: 'admin' })).body as {
      id: number;
    }[];
    expect(revisions.length).toBeGreaterThan(0);
    for (const { id } of revisions) {
      for (const path of [
        `posts/${digits.own}/revisions/${id}`,
        `posts/${digits.own}/autosaves/${id}`,
        `pages/${digits.own}/revisions/${id}`,
      ])
        for (const method of ['GET', 'DELETE']) {
          const { status, body } = await site.ask(method, `/cms/v2/${path}?force=true&context=edit`, { as: author });
          expect([method, path, status]).toEqual([method, path, expect.toSatisfy((one: number) => one >= 400 && one < 500)]);
          expect(JSON.stringify(body)).not.toContain('lantern');
        }
      expect((await site.ask('GET', `/cms/v2/posts/${digits.draft}/revisions/${id}`, { as: 'admin' })).status).toBe(200);
    }
  });

  it('cannot take over items of others or of another kind', async () => {
    const attempts: readonly (readonly [string, string, object?])[] = [
      ['POST', `posts/${digits.draft}`, { title: 'Mine' }],
      ['POST', `posts/${digits.own}`, { author: 1 }],
      ['DELETE', `posts/${digits.draft}?force=true`],
      ['POST', `posts/${digits.page}`, { title: 'Mine' }],
      ['GET', `posts/${digits.page}`],
      ['GET', `pages/${digits.own}`],
      ['GET', `media/${digits.own}`],
      ['GET', `comments?post=${digits.draft}`],
      ['GET', 'users/1/application-passwords'],
      ['POST', 'users/1', { password: 'taken over' }],
      ['POST', 'users/me', { roles: ['administrator'] }],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await site.ask(method, `/cms/v2/${path}`, { as: author, body });
      expect([method, path, answer.status]).toEqual([method, path, expect.toSatisfy((one: number) => one >= 400 && one < 500)]);
    }
    expect((await site.ask('GET', `/cms/v2/posts/${digits.draft}`, { as: 'admin' })).body.title.rendered).toBe('Hidden harbour');
  });
});

describe('a polyglot file', () => {
  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a program', '<?php system($_GET[0]); ?>'],
    ['an archive', 'PK\x03\x04'],
  ])('of an image and %s is served as the image', async (_, other) => {
    const sent = await sendFile(site, 'both.jpg', Buffer.concat([await picture(20, 20), Buffer.from(other, 'latin1')]));
    expect(sent.status).toBe(201);
    const { source_url: address } = (await sent.json()) as { source_url: string };
    const got = await fetch(address);
    expect([got.headers.get('content-type'), got.headers.get('x-content-type-options')]).toEqual(['image/jpeg', 'nosniff']);
  });

  it.each([
    'both.php.jpg',
    'both.jpg.php',
    'both.html',
    'both.svg',
    'both.phtml',
    '..%2fboth.jpg',
    '../../site.yaml',
    '.htaccess',
    'both.jpg%00.php',
    'con.jpg/../x',
  ])('named %s is an image in the library, or nothing', async (name) => {
    const sent = await sendFile(site, name, await picture(21, 20));
    if (sent.status !== 201) return expect(sent.status).toBeGreaterThanOrEqual(400);
    const { source_url: address } = (await sent.json()) as { source_url: string };
    expect(new URL(address).pathname).toMatch(/^\/uploads\/\d{4}\/\d\d\/(?:[\w-]+|both\.php_)\.jpg$/);
  });
});

describe('a batch', () => {
  const batch = (as: string | undefined, ...requests: object[]) =>
    site.ask('POST', '/batch/v1', { ...(as === undefined ? {} : { as }), body: { requests } });

  it('cannot do what its sender may not do in single requests', async () => {
    const requests = [
      { method: 'POST', path: `/cms/v2/posts/${digits.draft}`, body: { title: 'Mine' } },
      { method: 'DELETE', path: `/cms/v2/posts/${digits.draft}?force=true` },
      // Credentials, a method and an origin in the headers of a part are nothing.
      {
        method: 'POST',
        path: `/cms/v2/posts/${digits.draft}?_method=DELETE&force=true`,
        headers: { authorization: `Basic ${btoa(`admin:${site.password}`)}`, 'x-http-method-override': 'DELETE', cookie: 'x=1' },
      },
    ];
    for (const as of [undefined, author]) {
      const { status, body } = await batch(as, ...requests);
      expect(status).toBe(207);
      for (const one of body.responses) expect([401, 403]).toContain(one.status);
    }
    expect((await site.ask('GET', `/cms/v2/posts/${digits.draft}`, { as: 'admin' })).body.title.rendered).toBe('Hidden harbour');
  });

  it('is limited in number, contains only writes, and no batch', async () => {
    const one = { method: 'POST', path: '/cms/v2/posts', body: { title: 'x' } };
    expect((await batch('admin', ...Array.from({ length: 26 }, () => one))).status).toBe(400);
    expect((await batch('admin', { method: 'GET', path: '/cms/v2/users' })).status).toBe(400);
    const { body } = await batch(
      'admin',
      { path: '/batch/v1', body: { requests: [one] } },
      { path: '/cms/v2/settings', body: { title: 'x' } },
    );
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([400, 400]);
  });
});

describe('a value of another type', () => {
  it('is never a password', async () => {
    const reading = [`posts/${digits.locked}?`, `posts?include=${digits.locked}&`];
    const read = async (query: string): Promise<string> =>
      JSON.stringify(await Promise.all(reading.map(async (path) => (await site.ask('GET', `/cms/v2/${path}${query}`)).body)));
    expect((await read('password=10')).split('Locked lantern')).toHaveLength(5);
    const juggled =
      'password= password=0 password=1e1 password=10.0 password=010 password=%2010 password=10%20 password=%2B10 password=0xA password=true ' +
      'password=10%00 password[]=10 password[0]=10 password[a]=10';
    for (const query of juggled.split(' '))
      expect([query, await read(query)]).toEqual([query, expect.not.stringContaining('Locked lantern')]);
  });

  it('is never an id', async () => {
    for (const id of [
      `${digits.own}e0`,
      `0x${digits.own.toString(16)}`,
      `${digits.own}abc`,
      `%20${digits.own}`,
      `+${digits.own}`,
      `${digits.own}.0`,
      `-${digits.own}`,
      `${digits.own}%00`,
    ])
      expect([id, (await site.ask('GET', `/cms/v2/posts/${id}`)).status]).toEqual([id, 404]);
  });

  it('is never a right', async () => {
    const body = { title: 'x', status: 'publish', author: '1', roles: true, sticky: 'true', password: ['x'] };
    const { status } = await site.ask('POST', '/cms/v2/posts', { as: author, body });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(
      (await site.ask('POST', '/cms/v2/users/me', { as: author, body: { roles: { 0: 'administrator' } } })).status,
    ).toBeGreaterThanOrEqual(400);
  });
});

describe('a filter', () => {
  it('reveals nothing hidden to visitors', async () => {
    for (const query of [
      ...[
        'posts?search=Hidden',
        'posts?search=lantern',
        `posts?include=${digits.draft}`,
        'posts?status=draft',
        'posts?status[]=publish&status[]=draft',
      ],
      ...[
        'posts?slug=hidden-harbour',
        'posts?before=2199-01-01&search=Hidden',
        'search?search=Hidden',
        'users?search=mira@example.org',
      ],
      ...[
        'users?search=admin@',
        'users?roles=administrator',
        'users?who=authors',
        'users?capabilities=manage_options',
        'users?orderby=email',
      ],
      ...[
        'comments?author_email=a@example.org',
        'comments?status=hold',
        'media?status=private',
        'users?search=x&search_columns[]=email',
      ],
    ]) {
      const { status, body, headers } = await site.ask('GET', `/cms/v2/${query}`);
      const isNothing =
        status === 400 || status === 401 || status === 403 || (body.length === 0 && headers.get('x-cms-total') === '0');
      expect([query, status, isNothing ? [] : body]).toEqual([query, status, []]);
    }
  });

  it('has no effect if undeclared', async () => {
    const wanted = (await site.ask('GET', '/cms/v2/posts?_fields=id')).body;
    for (const query of [
      'filter[post_status]=draft',
      'post_status=draft',
      'meta_key=_secret&meta_value=x',
      'perm=readable',
      'where=1',
      'suppress_filters=0',
      'query[post_type]=any',
    ])
      expect((await site.ask('GET', `/cms/v2/posts?_fields=id&${query}`)).body).toEqual(wanted);
    for (const order of ['password', '__proto__', 'constructor', 'meta_value', 'id;drop', 'rand'])
      expect([order, (await site.ask('GET', `/cms/v2/posts?orderby=${order}`)).status]).toEqual([order, 400]);
    for (const fields of ['__proto__', 'constructor.name', 'password', 'content.raw', 'title.raw', '_links.__proto__'])
      expect(JSON.stringify((await site.ask('GET', `/cms/v2/posts?_fields=${fields}`)).body)).not.toMatch(
        /lantern|function|"raw"/,
      );
  });
});
