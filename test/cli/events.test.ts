import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environment } from '../../src/kernel/environment.ts';
import { type Receiver, startReceiver } from '../modules/events/receiver.ts';
import { startSite, type TestSite, until } from '../support/site.ts';
import { run } from './run.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
environment.CMS_TEST_HOOK_SECRET = secret;

let receiver: Receiver;
let site: TestSite;
let env: Record<string, string>;
beforeEach(async () => {
  receiver = await startReceiver();
  const events = { front: { url: receiver.url, secret_env: 'CMS_TEST_HOOK_SECRET', kinds: ['post'] } };
  env = { CMS_EVENTS: JSON.stringify(events), CMS_FETCH_ALLOW: '127.0.0.1', CMS_TEST_HOOK_SECRET: secret };
  site = await startSite({ operator: { fetch_allow: ['127.0.0.1'], events } });
});
afterEach(async () => {
  await site.close();
  await receiver.close();
});

const cms = (...line: readonly string[]) => run(['events', ...line], { env, cwd: site.dir });

describe('cms events', () => {
  it('lists dead webhooks, and makes the running server resend them', async () => {
    expect(await cms('list', '--dir', site.dir)).toMatchObject({ status: 0 });
    receiver.answer(410);
    await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Hello', status: 'publish' } });
    const listed = await until(async () => {
      const { status, out } = await cms('list', '--json', '--dir', site.dir);
      return status === 1 && JSON.parse(out);
    });
    const id = listed[0].id;
    expect(listed).toEqual([
      {
        id,
        state: 'dead',
        hook: 'front',
        type: 'post.created',
        since: expect.any(String),
        attempts: 1,
        next: null,
        error: 'answered 410',
      },
    ]);
    const plain = await cms('list', '--dir', site.dir);
    expect(plain.out).toMatch(new RegExp(`${id} +dead +front +1 +answered 410`));
    expect(await cms('resend', 'msg_none', '--dir', site.dir)).toMatchObject({ status: 1 });
    for (const line of [['resend'], ['resend', id, '--all']]) expect((await cms(...line, '--dir', site.dir)).status).toBe(2);
    receiver.answer(204);
    expect(JSON.parse((await cms('resend', '--all', '--json', '--dir', site.dir)).out)).toEqual([id]);
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(id);
    await until(async () => (await cms('list', '--dir', site.dir)).status === 0);
  });

  it('tests a webhook now', async () => {
    expect(await cms('test', 'front', '--dir', site.dir)).toMatchObject({ status: 0 });
    const [{ body, headers }] = receiver.received as any;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'test' });
    receiver.answer(403);
    expect(await cms('test', 'front', '--dir', site.dir)).toMatchObject({
      status: 1,
      err: expect.stringContaining('answered 403'),
    });
    const told = await cms('test', 'front', '--json', '--dir', site.dir);
    expect([told.status, JSON.parse(told.out)]).toEqual([1, expect.objectContaining({ accepted: false, error: 'answered 403' })]);
    expect(await cms('test', 'other', '--dir', site.dir)).toMatchObject({
      status: 1,
      err: expect.stringContaining('no webhook named "other"'),
    });
  });

  it('reports an invalid setting, and so does the server', async () => {
    env.CMS_EVENTS = JSON.stringify({ front: { url: receiver.url, secret_env: 'CMS_TEST_NONE' } });
    const why = 'events.front.secret_env names CMS_TEST_NONE, which is not set';
    expect(await cms('test', 'front', '--dir', site.dir)).toMatchObject({ status: 1, err: expect.stringContaining(why) });
    expect(await run(['serve', site.dir, '--port', '0'], { env })).toMatchObject({
      status: 1,
      err: expect.stringContaining(why),
    });
    // What needs none of it goes on.
    expect((await run(['routes', site.dir], { env })).status).toBe(0);
  });
});
