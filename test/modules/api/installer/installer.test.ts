/** What the vendor of the installer may have refreshed, and how often. */
import { afterEach, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { type Page, startUpstream, type Upstream } from '../../../support/upstream.ts';

const path = '/installer/v1/push/fetch-subscription';
const files = { 'site.yaml': 'name: Harbour\ndeployment: extended\n' };

describeApi('a site without a subscription', { files }, [
  {
    name: 'is never refreshed',
    does: `GET ${path}`,
    gets: [403, { message: 'OK' }],
    headers: { Allow: 'GET', 'Cache-Control': 'no-store' },
  },
  { name: 'is not refreshed for users either', who: 'admin', does: `GET ${path}`, gets: [403, { message: 'OK' }] },
  { name: 'allows only GET', who: 'admin', does: `POST ${path}`, body: {}, gets: [404, 'rest_no_route'] },
]);

let site: TestSite | undefined;
let upstream: Upstream | undefined;
let clock = 0;
afterEach(async () => {
  await site?.close();
  await upstream?.close();
  [site, upstream] = [undefined, undefined];
});

async function start(page: Page): Promise<void> {
  clock = Date.parse('2026-03-05T10:00:00Z');
  upstream = await startUpstream(() => ({ '/feed': page }));
  const operator = { 'installer.feed_url': `${upstream.url}/feed?key=secret` };
  site = await startSite({ clock: () => clock, operator, files });
}
const served = (): TestSite => site as TestSite;
const ask = async () => {
  const { status, body, headers } = await served().ask('GET', path);
  return [status, body, headers.get('cache-control')];
};

it('is refreshed once in two hours, across concurrent requests and restarts', async () => {
  await start('{"until": 2027}');
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  expect(answers.filter(([status]) => status === 200)).toEqual([[200, { message: 'OK' }, 'no-store']]);
  expect(answers.filter(([status]) => status === 403)).toHaveLength(9);
  expect(upstream?.asked).toEqual(['/feed?key=secret']);
  expect(await served().site.subscription.data()).toEqual({ until: 2027 });
  clock += 7_199_000;
  expect((await ask())[0]).toBe(403);
  const { operator } = served().site;
  const again = await openSite(served().dir, { operator, readOnly: true, clock: () => clock });
  expect([await again.subscription.refresh(), await again.subscription.data()]).toEqual([false, { until: 2027 }]);
  await again.close();
  clock += 2000;
  expect([(await ask())[0], (await ask())[0]]).toEqual([200, 403]);
  expect(upstream?.asked).toHaveLength(2);
});

it.each<[string, Page, string]>([
  ['answers an error', { status: 500 }, 'answered 500'],
  ['is not JSON', '<html>', 'not JSON'],
  ['is cut off', (request) => void request.socket.destroy(), 'nothing came'],
  ['leads into the network', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'refused'],
  ['is too large', `"${'x'.repeat(1_100_000)}"`, 'too large'],
])('does not retry at once when the source %s, and keeps the last state', async (_name, broken, said) => {
  let page: Page = '{"until": 2027}';
  await start((request, response) => {
    if (typeof page === 'function') return page(request, response);
    const { status = 200, headers = {}, body = '' } = typeof page === 'string' ? { body: page } : page;
    response.writeHead(status, headers).end(body);
  });
  await ask();
  page = broken;
  clock += 7_201_000;
  expect([(await ask())[0], (await ask())[0]]).toEqual([200, 403]);
  expect(await served().site.subscription.data()).toEqual({ until: 2027 });
  const log = served().log.join('\n');
  expect(log).toContain(said);
  expect(log).not.toContain('secret');
});
