/** What `installer/v1` answers each role, refuses, and does on a site that is served read-only. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { startUpstream, type Upstream } from '../../../support/upstream.ts';

const path = '/installer/v1/push/fetch-subscription';
const files = { 'site.yaml': 'name: Harbour\ndeployment: extended\n' };
const roles = ['subscriber', 'contributor', 'author', 'editor'];

describeApi('the installer without a subscription', { files, users: roles }, [
  ...[undefined, ...roles, 'admin'].map(
    (who): ApiRow => ({
      name: `does nothing for ${who ?? 'visitors'}`,
      ...(who === undefined ? {} : { who }),
      does: `GET ${path}`,
      gets: [403, { message: 'OK' }],
      headers: { 'Cache-Control': /\bno-store\b/ },
    }),
  ),
  { name: 'rejects other languages', does: `GET ${path}?lang_language=xx`, gets: [400, 'rest_invalid_param'] },
  ...['PUT', 'PATCH', 'DELETE'].map(
    (method): ApiRow => ({
      name: `rejects ${method}`,
      who: 'admin',
      does: `${method} ${path}`,
      body: {},
      gets: [404, 'rest_no_route'],
    }),
  ),
]);

let upstream: Upstream;
let site: TestSite;
beforeAll(async () => {
  upstream = await startUpstream(() => ({ '/feed': '{}' }));
  site = await startSite({ files, readOnly: true, operator: { 'installer.feed_url': `${upstream.url}/feed` } });
});
afterAll(async () => {
  await site.close();
  await upstream.close();
});

it('the subscription is not requested if the time cannot be stored', async () => {
  const { status, body } = await site.ask('GET', path);
  expect([status, body.code]).toEqual([403, 'rest_read_only']);
  expect(upstream.asked).toEqual([]);
});
