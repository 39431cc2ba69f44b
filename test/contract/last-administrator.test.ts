/** Over REST a site always keeps an administrator: whoever would be the last one neither goes nor gives up the role. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let on: TestSite;

beforeAll(async () => {
  on = await startSite();
});

afterAll(() => on.close());

it.each<[string, string, string, unknown, string]>([
  ['is deleted', 'DELETE', '/cms/v2/users/1?force=true&reassign=false', undefined, 'rest_user_cannot_delete'],
  ['deletes themself', 'DELETE', '/cms/v2/users/me?force=true&reassign=false', undefined, 'rest_user_cannot_delete'],
  ['is made an editor', 'POST', '/cms/v2/users/1', { roles: ['editor'] }, 'rest_user_invalid_role'],
  ['is left without a role', 'POST', '/cms/v2/users/1', { roles: [] }, 'rest_cannot_edit_roles'],
  ['is left without a role, among other things', 'PUT', '/cms/v2/users/me', { roles: [], name: 'x' }, 'rest_cannot_edit_roles'],
])('no last administrator %s', async (_, method, path, body, code) => {
  const refused = await on.ask(method, path, { as: 'admin', body });
  expect([refused.status, refused.body.code]).toEqual([403, code]);
  expect((await on.ask('GET', '/cms/v2/users/me?context=edit', { as: 'admin' })).body).toMatchObject({
    roles: ['administrator'],
    name: 'admin',
  });
});

it('of two administrators one can be removed, the other stays, also when both ask at once', async () => {
  const { id, as } = await signUp(on, 'second', 'administrator');
  const both = await Promise.all([
    on.ask('DELETE', `/cms/v2/users/${id}?force=true&reassign=false`, { as: 'admin' }),
    on.ask('DELETE', '/cms/v2/users/1?force=true&reassign=false', { as }),
  ]);
  // Whoever comes second is the last one, or nobody any more.
  expect(both.map(({ status }) => status).sort()).toSatisfy(([done, refused]) => done === 200 && [401, 403].includes(refused));
  expect(on.site.accounts.all().filter(({ roles }) => roles.includes('administrator'))).toHaveLength(1);
});
