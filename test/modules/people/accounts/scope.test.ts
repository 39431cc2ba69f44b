/**
 * Application passwords that are for one purpose: what each is for, and what it is refused, also within other requests.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApplicationPassword } from '../../../../src/modules/people/accounts/application-passwords.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

let site: TestSite;
let post: number;
/** A published post, a page in a folder, a draft below it, and a page elsewhere. */
const ids: Record<string, number> = {};
const secrets = new Map<string, string>();
beforeAll(async () => {
  site = await startSite();
  const make = async (name: string, path: string, body: object) => {
    ids[name] = (await site.ask('POST', path, { as: 'admin', body })).body.id;
  };
  await make('out', '/cms/v2/posts', { title: 'Out', status: 'publish' });
  await make('docs', '/cms/v2/pages', { title: 'Docs', slug: 'docs', status: 'publish' });
  await make('guide', '/cms/v2/pages', { title: 'Guide', slug: 'guide', parent: ids.docs, status: 'draft' });
  await make('deep', '/cms/v2/pages', { title: 'Deep', slug: 'deep', parent: ids.guide, status: 'publish' });
  await make('else', '/cms/v2/pages', { title: 'Else', slug: 'else', status: 'publish' });
  for (const scope of ['read', 'build', 'type:page', 'type:gone', 'other', 'drafts', 'folder:pages/docs', 'drafts,type:page']) {
    const { password } = await addApplicationPassword(site.site, 1, scope, '', scope);
    secrets.set(scope, `admin:${password}`);
  }
  ({ id: post } = (await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Draft' } })).body);
});
afterAll(() => site.close());

const own = '/cms/v2/users/me/application-passwords';
const page = { title: 'x' };
const batch = (path: string) => ({ requests: [{ path, body: page }] });

type Row = readonly [method: string, path: string, status: number, body?: object];

describe.each<[string, readonly Row[]]>([
  [
    'read',
    [
      ['GET', '/cms/v2/posts?context=edit&status=draft', 200],
      ['GET', '/cms/v2/settings', 200],
      ['GET', own, 200],
      ['POST', '/cms/v2/posts', 403, page],
      ['DELETE', '/cms/v2/posts/:id?force=true', 403],
      ['POST', own, 403, { name: 'x' }],
      ['POST', '/batch/v1', 403, batch('/cms/v2/pages')],
      ['POST', '/cms/v2/posts/:id?_method=DELETE', 403],
    ],
  ],
  [
    'build',
    [
      ['GET', '/cms/v2/posts?context=edit&status=draft', 200],
      ['GET', '/cms/v2/users', 200],
      ['GET', '/cms/v2/users?context=edit', 403],
      ['GET', '/cms/v2/users/me?context=edit', 403],
      ['GET', '/cms/v2/comments?context=edit', 403],
      ['GET', '/cms/v2/users?search=admin@example.com', 403],
      ['GET', '/cms/v2/users?search=x&search_columns=email', 403],
      ['GET', '/cms/v2/users?orderby=email', 403],
      ['GET', '/cms/v2/users?roles=administrator', 403],
      ['GET', '/cms/v2/users?orderby=name', 200],
      ['GET', '/cms/v2/comments?author_email=a@example.com', 403],
      ['GET', '/cms/v2/posts?search=x', 200],
      ['GET', '/cms/v2/settings', 403],
      ['GET', '/CMS/v2/Settings', 403],
      ['GET', own, 403],
      ['GET', `${own}/introspect`, 403],
      ['POST', '/cms/v2/posts', 403, page],
    ],
  ],
  [
    'type:page',
    [
      ['GET', '/cms/v2/posts?context=edit&status=draft', 200],
      ['POST', '/cms/v2/pages', 201, page],
      ['POST', '/cms/v2/posts', 403, page],
      ['POST', '/cms/v2/posts/:id', 403, page],
      ['POST', own, 403, { name: 'x' }],
      ['POST', '/cms/v2/pagesx', 404, page],
    ],
  ],
  [
    'drafts',
    [
      ['GET', '/cms/v2/posts?context=edit&status=draft', 200],
      ['POST', '/cms/v2/posts', 201, page],
      ['POST', '/cms/v2/posts', 201, { title: 'x', status: 'pending' }],
      ['POST', '/cms/v2/posts', 403, { title: 'x', status: 'publish' }],
      ['POST', '/cms/v2/posts', 403, { title: 'x', status: 'future', date: '2099-01-01T00:00:00' }],
      ['POST', '/cms/v2/posts', 403, { title: 'x', status: ['draft'] }],
      ['POST', '/cms/v2/posts?status=publish', 403, { title: 'x' }],
      ['POST', '/cms/v2/posts/:id', 200, { title: 'Draft, again' }],
      ['POST', '/cms/v2/posts/:id', 403, { status: 'publish' }],
      ['POST', '/cms/v2/posts/:out', 403, { title: 'y' }],
      ['POST', '/cms/v2/posts/:out', 403, { status: 'draft' }],
      ['POST', '/cms/v2/posts/:out/autosaves', 403, { title: 'y' }],
      // A published page lies below: it would get another address.
      ['POST', '/cms/v2/pages/:guide', 403, { slug: 'manual' }],
      ['DELETE', '/cms/v2/posts/:id?force=true', 403],
      ['DELETE', '/cms/v2/posts/:out', 403],
      ['POST', '/cms/v2/media', 403, page],
      ['POST', '/cms/v2/blocks', 403, page],
      ['POST', '/cms/v2/categories', 403, { name: 'x' }],
      ['POST', '/cms/v2/settings', 403, { title: 'x' }],
      ['POST', '/cms-abilities/v1/abilities/cms/reindex/run', 403],
      ['POST', own, 403, { name: 'x' }],
    ],
  ],
  [
    'folder:pages/docs',
    [
      ['GET', '/cms/v2/posts?context=edit&status=draft', 200],
      ['POST', '/cms/v2/pages/:guide', 200, { content: 'More' }],
      ['POST', '/cms/v2/pages/:deep', 200, { content: 'More' }],
      ['POST', '/cms/v2/pages/:deep/autosaves', 200, { content: 'Kept' }],
      ['POST', '/cms/v2/pages/:deep/autosaves', 200, { content: 'Kept again' }],
      ['POST', '/cms/v2/pages', 201, { title: 'Inside', parent: ':docs' }],
      ['POST', '/cms/v2/pages', 403, page],
      ['POST', '/cms/v2/posts', 403, page],
      ['POST', '/cms/v2/pages/:else', 403, { content: 'More' }],
      ['POST', '/cms/v2/pages/:else/autosaves', 403, { content: 'More' }],
      ['POST', '/cms/v2/pages/:else', 403, { parent: ':docs' }],
      ['POST', '/cms/v2/pages/:deep', 403, { parent: 0 }],
      ['POST', '/cms/v2/pages/999999', 403, { content: 'More' }],
      ['POST', '/cms/v2/categories', 403, { name: 'x' }],
      ['POST', '/cms/v2/users', 403, { username: 'x', email: 'x@example.com', password: 'x' }],
      ['POST', own, 403, { name: 'x' }],
    ],
  ],
  [
    'drafts,type:page',
    [
      ['GET', '/cms/v2/posts?context=edit&status=draft', 200],
      ['POST', '/cms/v2/pages', 201, page],
      ['POST', '/cms/v2/pages', 403, { title: 'x', status: 'publish' }],
      ['POST', '/cms/v2/posts', 403, page],
    ],
  ],
  ['type:gone', [['GET', '/cms/v2/posts', 403]]],
  ['other', [['GET', '/cms/v2/posts', 403]]],
])('a password for %s', (scope, rows) => {
  for (const [method, path, status, body] of rows)
    it(`gets ${status} for ${method} ${path}`, async () => {
      const as = secrets.get(scope) as string;
      const filled = (text: string) =>
        text.replace(/"?:(id|out|docs|guide|deep|else)\b"?/g, (_, name) => String(ids[name] ?? post));
      const answer = await site.ask(method, filled(path), body ? { as, body: JSON.parse(filled(JSON.stringify(body))) } : { as });
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.body.code).toBe('rest_insufficient_scope');
    });
});

it('reading with a scope stores no choice and creates nothing', async () => {
  const other = await startSite({ files: { 'site.yaml': 'name: A\ndeployment: extended\n' } });
  await rm(join(other.dir, 'styles'), { recursive: true, force: true });
  try {
    await until(() => stylesOf() === 0);
    const { password } = await addApplicationPassword(other.site, 1, 'reads', '', 'read');
    const choices = async () => (await other.site.store.private.keys()).filter((key) => !/^accounts/.test(key)).sort();
    const before = await choices();
    const asked = async (as: string): Promise<unknown> => {
      const path = '/folders/v1/get-folders?orderby=name&order=asc&language=settings';
      expect((await other.ask('GET', path, { as })).status).toBe(200);
      expect((await other.ask('GET', '/cms/v2/themes', { as })).status).toBe(200);
      return [(await choices()).filter((key) => !before.includes(key)).length, stylesOf()];
    };
    expect(await asked(`admin:${password}`)).toEqual([0, 0]);
    expect(await asked('admin')).toEqual([1, 1]);
  } finally {
    await other.close();
  }

  function stylesOf(): number {
    return [...other.site.posts.with('type', 'cms_global_styles')].length;
  }
});

it('a batch checks the scope of each request', async () => {
  const as = secrets.get('type:page') as string;
  const { body } = await site.ask('POST', '/batch/v1', {
    as,
    body: { requests: [...batch('/cms/v2/pages').requests, ...batch('/cms/v2/posts').requests] },
  });
  expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 403]);
});

it('the Allow header omits methods outside the scope', async () => {
  const { headers } = await site.ask('GET', `/cms/v2/posts/${post}?context=edit`, { as: secrets.get('read') as string });
  expect(headers.get('allow')).toBe('GET');
});

describe('over the API', () => {
  it.each(['read', 'type:page', 'folder:pages/docs,drafts'])(
    'a password for %s is created, and returns its scope everywhere',
    async (scope) => {
      const made = await site.ask('POST', own, { as: 'admin', body: { name: `made for ${scope}`, scope } });
      expect([made.status, made.body.scope]).toEqual([201, scope]);
      const as = `admin:${made.body.password}`;
      expect((await site.ask('POST', '/cms/v2/posts', { as, body: page })).body.code).toBe('rest_insufficient_scope');
      expect((await site.ask('GET', `${own}/${made.body.uuid}`, { as: 'admin' })).body.scope).toBe(scope);
      expect((await site.ask('GET', `${own}/introspect`, { as })).body.scope).toBe(scope);
    },
  );

  it('an unrestricted password has no scope member, as in the reference', async () => {
    for (const [at, scope] of [undefined, '', null].entries()) {
      const { status, body } = await site.ask('POST', own, { as: 'admin', body: { name: `plain ${at}`, scope } });
      expect([status, 'scope' in body]).toEqual([201, false]);
    }
  });

  const wrong = ['drafts,', 'drafts,all', 'folder:', 'folder:/pages', 'folder:../x', 'folder:pages/', 'folder:a\nb'];
  it.each(['everything', 'type:', 'read ', ...wrong, ['read'], 1, { a: 'read' }])(
    'a password cannot be created for %j',
    async (scope) => {
      const before = (await site.ask('GET', own, { as: 'admin' })).body.length;
      const { status, body } = await site.ask('POST', own, { as: 'admin', body: { name: 'wrong', scope } });
      expect([status, body.code, Object.keys(body.data?.params ?? body)]).toEqual([400, 'rest_invalid_param', ['scope']]);
      expect((await site.ask('GET', own, { as: 'admin' })).body).toHaveLength(before);
    },
  );
});

it('an application can request a scope, and the page shows it', async () => {
  const at = (scope: string) => site.ask('GET', `/cms-admin/authorize-application.php?app_name=A&scope=${scope}`, { raw: true });
  expect((await at('read')).body).toContain('It may read, and change nothing.');
  expect((await at('everything')).status).toBe(400);
});

it('a failed sign-in is reported in a header, and the response stays the same', async () => {
  const answer = await site.ask('GET', '/cms/v2/users/me', { as: 'admin:nothing' });
  expect([answer.status, answer.body.code, answer.headers.get('x-cms-auth')]).toEqual([
    401,
    'rest_not_logged_in',
    'not-an-application-password',
  ]);
  const open = await site.ask('GET', '/wp/v2/posts', { root: '/wp-json', as: 'nobody:abcd efgh ijkl mnop qrst uvwx' });
  expect([open.status, open.headers.get('x-wp-auth')]).toEqual([200, 'wrong-name-or-password']);
  expect((await site.ask('GET', '/cms/v2/users/me', { as: 'admin' })).headers.get('x-cms-auth')).toBeNull();
});
