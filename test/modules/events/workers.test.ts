import { expect, it } from 'vitest';
import { environment } from '../../../src/kernel/environment.ts';
import { startWorkers } from '../../workers/workers.ts';
import { until } from '../../support/site.ts';
import { startReceiver } from './receiver.ts';
import { follow } from './following.ts';

it('every worker has the stream', async () => {
  await using workers = await startWorkers({ others: 2 });
  const streams = await Promise.all(workers.urls().map((url) => follow(url)));
  const editor = await follow(workers.urls()[1] as string, { as: `admin:${workers.password}` });
  const [, first, second] = workers.urls() as readonly [string, string, string];
  const made = await workers.ask(first, 'POST', '/cms-json/cms/v2/posts', {
    as: 'admin',
    body: { title: 'x', status: 'publish' },
  });
  for (const stream of streams) await stream.next(({ id }) => id === made.body.id);
  const [, mine] = streams;
  const last = mine?.last() ?? '';
  const draft = await workers.ask(second, 'POST', '/cms-json/cms/v2/posts', { as: 'admin', body: { title: 'y' } });
  await editor.next(({ id }) => id === draft.body.id);
  const other = await workers.ask(second, 'POST', '/cms-json/cms/v2/posts', {
    as: 'admin',
    body: { title: 'z', status: 'publish' },
  });
  const resumed = await follow(first, { headers: { 'last-event-id': last } });
  await resumed.next(({ id }) => id === other.body.id);
  expect(resumed.messages).toHaveLength(1);
  // Nothing of an earlier process is known to the next one, whose numbers are higher all the same.
  const [leader] = streams;
  await workers.replaceLeader();
  await until(() => leader?.isOver());
  const again = await follow(workers.urls()[0] as string, { headers: { 'last-event-id': resumed.last() } });
  expect(again.messages.map(({ data }) => data.action)).toEqual(['reset']);
  for (const one of [...streams, editor, resumed, again]) one.close();
});

it('webhooks are sent by one worker', async () => {
  const receiver = await startReceiver();
  environment.CMS_TEST_HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const hook = { url: receiver.url, secret_env: 'CMS_TEST_HOOK_SECRET', kinds: ['post'] };
  try {
    await using workers = await startWorkers({ others: 2, operator: { fetch_allow: ['127.0.0.1'], events: { front: hook } } });
    const ids: number[] = [];
    for (const url of workers.urls())
      ids.push(
        (await workers.ask(url, 'POST', '/cms-json/cms/v2/posts', { as: 'admin', body: { title: url, status: 'publish' } })).body
          .id,
      );
    await until(() => receiver.received.length >= 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual(ids);
  } finally {
    await receiver.close();
  }
});
