import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../src/modules/people/users/plan.ts';
import { sendForm, signInAt } from '../../support/forms.ts';
import { signUp, startSite, type TestSite, until } from '../../support/site.ts';
import { type Follower, follow } from './following.ts';

/** One step of an item's life, and what two kinds of readers are told: those who may edit it, and all others. */
interface Step {
  readonly does: string;
  readonly body?: object;
  readonly force?: boolean;
  /** action, status before, status after; null: nothing */
  readonly editors: string | null;
  readonly others: string | null;
}

const secret = 'hush-hush';
const steps: readonly Step[] = [
  { does: 'a draft is made', body: { title: secret, status: 'draft' }, editors: 'created null draft', others: null },
  { does: 'the draft changes', body: { content: 'x' }, editors: 'updated draft draft', others: null },
  {
    does: 'it is published',
    body: { status: 'publish', slug: 'open' },
    editors: 'updated draft publish',
    others: 'created null publish',
  },
  {
    does: 'the published item changes',
    body: { content: 'y' },
    editors: 'updated publish publish',
    others: 'updated publish publish',
  },
  {
    does: 'it gets a password',
    body: { password: secret },
    editors: 'updated publish publish',
    others: 'updated publish publish',
  },
  {
    does: 'the protected item changes',
    body: { content: secret },
    editors: 'updated publish publish',
    others: 'updated publish publish',
  },
  { does: 'the password goes', body: { password: '' }, editors: 'updated publish publish', others: 'updated publish publish' },
  {
    does: 'it becomes private',
    body: { status: 'private', slug: secret },
    editors: 'updated publish private',
    others: 'deleted publish null',
  },
  { does: 'the private item changes', body: { content: 'z' }, editors: 'updated private private', others: null },
  {
    does: 'it is scheduled',
    body: { status: 'future', date_gmt: '2031-01-01T00:00:00' },
    editors: 'updated private future',
    others: null,
  },
  { does: 'the scheduled item changes', body: { content: 'a' }, editors: 'updated future future', others: null },
  {
    does: 'it is published again',
    body: { status: 'publish', slug: 'again', date_gmt: '2026-01-01T00:00:00' },
    editors: 'updated future publish',
    others: 'created null publish',
  },
  {
    does: 'it waits for review',
    body: { status: 'pending' },
    editors: 'updated publish pending',
    others: 'deleted publish null',
  },
  { does: 'it is out again', body: { status: 'publish' }, editors: 'updated pending publish', others: 'created null publish' },
  { does: 'it goes to the trash', force: false, editors: 'updated publish trash', others: 'deleted publish null' },
  { does: 'it is deleted from the trash', force: true, editors: 'deleted trash null', others: null },
  { does: 'a private item is made', body: { title: secret, status: 'private' }, editors: 'created null private', others: null },
  { does: 'the private item is deleted', force: true, editors: 'deleted private null', others: null },
  {
    does: 'a published item is made',
    body: { title: 'Shown', status: 'publish' },
    editors: 'created null publish',
    others: 'created null publish',
  },
  { does: 'the published item is deleted', force: true, editors: 'deleted publish null', others: 'deleted publish null' },
];

describe('visibility of events', () => {
  let site: TestSite;
  const logins: Record<string, { readonly id: number; readonly as: string }> = {};
  const streams: Record<string, Follower> = {};

  beforeAll(async () => {
    site = await startSite();
    for (const role of ['subscriber', 'contributor', 'author', 'editor']) logins[role] = await signUp(site, role, role);
    streams.visitor = await follow(site.url);
    for (const [role, { as }] of Object.entries(logins)) streams[role] = await follow(site.url, { as });
    streams.administrator = await follow(site.url, { as: `admin:${site.password}` });
  });

  afterAll(async () => {
    for (const stream of Object.values(streams)) stream.close();
    await site.close();
  });

  /** Everybody has been sent whatever there was. */
  async function settled(): Promise<void> {
    const { body } = await site.ask('POST', '/cms/v2/tags', { as: 'admin', body: { name: `mark ${Math.random()}` } });
    for (const stream of Object.values(streams)) await stream.next(({ kind, id }) => kind === 'term' && id === body.id);
  }

  const told = (stream: Follower, since: number): string[] =>
    stream.messages
      .slice(since)
      .filter(({ data }) => data.kind === 'post')
      .map(({ data: { action, status } }) => `${action} ${status.before} ${status.after}`);

  for (const owner of ['administrator', 'author'])
    for (const base of ['posts', 'pages'])
      it(`${base} of an ${owner}, step by step`, async () => {
        // Authors have no right to pages.
        const mayEdit = ['editor', 'administrator', ...(owner === 'author' && base === 'posts' ? ['author'] : [])];
        let id = 0;
        for (const { does, body, force, editors, others } of steps) {
          const since = Object.fromEntries(Object.entries(streams).map(([name, { messages }]) => [name, messages.length]));
          const path = `/cms/v2/${base}${id > 0 ? `/${id}` : ''}`;
          const author = id === 0 && owner === 'author' ? { author: logins.author?.id } : {};
          const done =
            body === undefined
              ? await site.ask('DELETE', `${path}?force=${force}`, { as: 'admin' })
              : await site.ask('POST', path, { as: 'admin', body: { ...body, ...author } });
          expect([200, 201], does).toContain(done.status);
          id = force === true ? 0 : done.body.id;
          await settled();
          const found = Object.fromEntries(Object.entries(streams).map(([name, one]) => [name, told(one, since[name] ?? 0)]));
          const wanted = (name: string) => [(mayEdit.includes(name) ? editors : others) ?? []].flat();
          expect(found, does).toEqual(Object.fromEntries(Object.keys(streams).map((name) => [name, wanted(name)])));
        }
        for (const [name, { messages }] of Object.entries(streams))
          if (!mayEdit.includes(name)) {
            const text = JSON.stringify(messages.filter(({ data }) => data.kind === 'post' && data.type === base.slice(0, -1)));
            expect(text, name).not.toContain(secret);
            expect(text, name).not.toMatch(/\?(?:p|page_id)=|draft|private|future|pending|trash/);
          }
      });

  it('comments, profiles and terms', async () => {
    const since = Object.fromEntries(Object.entries(streams).map(([name, { messages }]) => [name, messages.length]));
    const { body: post } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'On', status: 'publish' } });
    const { body: draft } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Draft' } });
    const comment = (status: string, content: string, on = post.id) =>
      site.ask('POST', '/cms/v2/comments', { as: 'admin', body: { post: on, content, status } });
    const shown = (await comment('approved', 'shown')).body.id;
    const held = (await comment('hold', 'held')).body.id;
    await site.ask('POST', `/cms/v2/posts/${post.id}`, { as: 'admin', body: { password: secret } });
    const under = (await comment('approved', 'under a password')).body.id;
    expect(draft.status).toBe('draft');
    const user = await signUp(site, 'quiet', 'subscriber');
    const menu = (await site.ask('POST', '/cms/v2/menus', { as: 'admin', body: { name: 'Main' } })).body.id;
    await settled();
    const ids = (name: string, kind: string) =>
      (streams[name]?.messages ?? []).slice(since[name]).flatMap(({ data }) => (data.kind === kind ? [data.id] : []));
    for (const name of ['visitor', 'subscriber', 'author']) expect(ids(name, 'comment'), name).toEqual([shown]);
    for (const name of ['editor', 'administrator']) expect(ids(name, 'comment'), name).toEqual([shown, held, under]);
    for (const name of ['visitor', 'editor']) expect(ids(name, 'user'), name).not.toContain(user.id);
    await until(() => ids('administrator', 'user').includes(user.id));
    for (const name of ['visitor', 'editor']) expect(ids(name, 'term'), name).not.toContain(menu);
    expect(ids('administrator', 'term')).toContain(menu);
  });

  it('a signed-in browser sees them with its nonce, in a header or in the URL, until the session ends', async () => {
    const password = 'a long secret';
    await updateUser(site.site, logins.editor?.id as number, { password });
    const { cookie, nonce } = await signInAt(site, 'editor', password);
    const path = '/cms-json/cms/v2/events';
    const [byHeader, byUrl, without] = [
      await follow(site.url, { headers: { cookie, 'x-cms-nonce': nonce } }),
      await follow(site.url, { path: `${path}?_cms_nonce=${nonce}`, headers: { cookie } }),
      await follow(site.url, { headers: { cookie } }),
    ];
    const { body: draft } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: secret } });
    const { body: shown } = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Shown', status: 'publish' } });
    const ids: number[][] = [];
    for (const stream of [byHeader, byUrl, without]) {
      await stream.next(({ id, kind }) => id === shown.id && kind === 'post');
      ids.push(stream.messages.flatMap(({ data }) => (data.kind === 'post' ? [data.id] : [])));
    }
    expect(ids).toEqual([[draft.id, shown.id], [draft.id, shown.id], [shown.id]]);
    await sendForm(site, '/cms-login.php?action=logout', {}, { cookie });
    await until(() => byHeader.isOver() && byUrl.isOver());
    expect(without.isOver()).toBe(false);
    const refused = await follow(site.url, { headers: { cookie, 'x-cms-nonce': nonce } });
    expect(refused.response.statusCode).toBe(403);
    without.close();
  });
});
