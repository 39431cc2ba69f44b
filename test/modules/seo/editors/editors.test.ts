/** What editors of search metadata ask and remember: every route by every role, and what is kept of it. */
import { afterEach, describe, expect, it } from 'vitest';
import { findNewTypes } from '../../../../src/modules/seo/editors/new-types.ts';
import { openSite } from '../../../../src/open-site.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { dedent } from '../../../support/dedent.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';
import { refusals, roles } from './access.ts';

const v1 = '/seo/v1';
const site = 'name: Quay\ntimezone: UTC\ndeployment: extended\n';
const post = (id: number, rest: string) => `---\nid: ${id}\ntitle: P${id}\ndate: 2026-01-0${id}T10:00:00\n${rest}\n---\nText.\n`;
const introduction = `${v1}/introductions/ai-generate-titles-and-descriptions-upsell/seen`;
const alert = { key: 'webinar-promo-notification' };
const dismiss = `${v1}/new-content-type-visibility`;

describeApi('notices of a user', { files: { 'site.yaml': `${site}seo:\n  new_types: [book, page]\n` }, users: [...roles] }, [
  ...refusals('edit_posts', `POST ${introduction}`),
  ...refusals('edit_posts', `POST ${v1}/alerts/dismiss`, alert),
  ...refusals('edit_posts', `GET ${v1}/video_embed_permission`),
  ...refusals('edit_posts', `POST ${v1}/video_embed_permission`, { value: true }),
  ...refusals('edit_posts', `POST ${dismiss}/dismiss-post-type`, { postTypeName: 'page' }),
  ...refusals('edit_posts', `POST ${dismiss}/dismiss-taxonomy`, { taxonomyName: 'category' }),
  ...['contributor', 'author', 'editor', 'admin'].flatMap((who): ApiRow[] => [
    { name: `are seen by a ${who}`, who, does: `POST ${introduction}`, gets: [200, { json: { success: true } }] },
    {
      name: `can be dismissed by a ${who}`,
      who,
      does: `POST ${v1}/alerts/dismiss`,
      body: alert,
      gets: [200, { success: true, status: 200 }],
    },
    {
      name: `are not permitted by a ${who} at first`,
      who,
      does: `GET ${v1}/video_embed_permission`,
      gets: [200, { json: { value: false } }],
    },
  ]),
  {
    name: 'can be dismissed twice',
    who: 'author',
    does: `POST ${introduction}`,
    body: { is_seen: 'FALSE' },
    gets: [200, { json: { success: true } }],
  },
  { name: 'unknown to everyone are an empty list', who: 'author', does: `POST ${v1}/introductions/other/seen`, gets: [400, []] },
  { name: 'need a name', who: 'author', does: `POST ${v1}/introductions/bad%20name/seen`, gets: [404, 'rest_no_route'] },
  { name: 'need a key for an alert', does: `POST ${v1}/alerts/dismiss`, body: {}, gets: [400, 'rest_missing_callback_param'] },
  {
    name: 'need a known alert',
    who: 'author',
    does: `POST ${v1}/alerts/dismiss`,
    body: { key: 'other' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'reject a list as a key',
    who: 'author',
    does: `POST ${v1}/alerts/dismiss`,
    body: { key: ['webinar-promo-notification'] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'can be permitted',
    who: 'author',
    does: `POST ${v1}/video_embed_permission`,
    body: {},
    gets: [200, { json: { success: true } }],
  },
  {
    name: 'are permitted at once',
    who: 'author',
    does: `GET ${v1}/video_embed_permission`,
    gets: [200, { json: { value: true } }],
  },
  {
    name: 'of others are not permitted',
    who: 'editor',
    does: `GET ${v1}/video_embed_permission`,
    gets: [200, { json: { value: false } }],
  },
  { name: 'can be forbidden again', who: 'author', does: `POST ${v1}/video_embed_permission?value=false`, gets: 200 },
  {
    name: 'are forbidden at once',
    who: 'author',
    does: `GET ${v1}/video_embed_permission`,
    gets: [200, { json: { value: false } }],
  },
  {
    name: 'are permitted by any string',
    who: 'author',
    does: `POST ${v1}/video_embed_permission`,
    body: { value: 'perhaps' },
    gets: 200,
  },
  {
    name: 'are permitted as the string reads',
    who: 'author',
    does: `GET ${v1}/video_embed_permission`,
    gets: [200, { json: { value: true } }],
  },
  {
    name: 'mark a type as no longer new',
    who: 'contributor',
    does: `POST ${dismiss}/dismiss-post-type`,
    body: { postTypeName: 'page' },
    gets: [200, { success: true, status: 200 }],
    writes: ['site.yaml'],
  },
  {
    name: 'accept a type that was not new, by the name that clients send',
    who: 'contributor',
    does: `POST ${dismiss}/dismiss-post-type`,
    body: { post_type_name: 'page' },
    gets: [200, { success: true, status: 200 }],
  },
  {
    name: 'reject an unknown type',
    who: 'contributor',
    does: `POST ${dismiss}/dismiss-post-type`,
    body: { postTypeName: 'boat' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'accept both names of a type',
    who: 'contributor',
    does: `POST ${dismiss}/dismiss-post-type`,
    body: { post_type_name: ['page'] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'can be dismissed for a taxonomy',
    who: 'contributor',
    does: `POST ${dismiss}/dismiss-taxonomy`,
    body: { taxonomyName: 'category' },
    gets: [200, { success: true, status: 200 }],
  },
  {
    name: 'reject an unknown taxonomy',
    who: 'contributor',
    does: `POST ${dismiss}/dismiss-taxonomy`,
    body: { taxonomyName: 'page' },
    gets: [400, 'rest_invalid_param'],
  },
]);

describeApi('workouts', { files: { 'site.yaml': site }, users: [...roles] }, [
  ...refusals('edit_others_posts', `GET ${v1}/workouts`),
  ...refusals('edit_others_posts', `POST ${v1}/workouts`, { orphaned: { finishedSteps: ['a'] } }),
  {
    name: 'are empty at first',
    who: 'editor',
    does: `GET ${v1}/workouts`,
    gets: [200, { json: { configuration: { finishedSteps: [] } } }],
  },
  {
    name: 'store what is sent',
    who: 'editor',
    does: `POST ${v1}/workouts`,
    body: { orphaned: { finishedSteps: ['a', '1'], indexablesByStep: { a: [7] } } },
    gets: [200, { json: { configuration: { finishedSteps: [] }, orphaned: { finishedSteps: ['a', '1'] } } }],
    writes: ['site.yaml'],
  },
  {
    name: 'merge what is sent',
    who: 'admin',
    does: `POST ${v1}/workouts`,
    body: { orphaned: { finishedSteps: [] } },
    gets: [200, { json: { orphaned: { finishedSteps: [], indexablesByStep: { a: [7] } } } }],
    writes: ['site.yaml'],
  },
  {
    name: 'return what is stored',
    who: 'editor',
    does: `GET ${v1}/workouts`,
    gets: [200, { json: { orphaned: { finishedSteps: [] } } }],
  },
  {
    name: 'must be maps',
    who: 'editor',
    does: `POST ${v1}/workouts`,
    body: { orphaned: [1] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'have a maximum depth',
    who: 'editor',
    does: `POST ${v1}/workouts`,
    body: { orphaned: JSON.parse(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`) },
    gets: [400, 'rest_invalid_param'],
  },
  { name: 'must be a map', who: 'editor', does: `POST ${v1}/workouts`, body: [1], gets: [400, 'rest_invalid_param'] },
]);

const rated = {
  'posts/one.md': post(1, 'author: 4\nseo: {score: 40, keyphrase: tide}'),
  'posts/two.md': post(2, 'author: 5\nseo: {score: 70, keyphrase: fog}'),
  'posts/three.md': post(3, 'author: 4\nseo: {score: 71}'),
  'posts/four.md': post(4, 'author: 5\nseo: {keyphrase: boat, noindex: true}'),
  'posts/five.md': post(5, 'author: 4\nstatus: draft\nseo: {score: 90, keyphrase: x}'),
  'pages/six.md': '---\nid: 6\ntitle: Six\nseo: {score: 90}\n---\n',
};
const row = (seo_rank: string, count: number) => ({ seo_rank, count });

describeApi('ratings', { files: { 'site.yaml': site, ...rated }, users: [...roles] }, [
  ...refusals('read', `GET ${v1}/statistics`),
  ...['editor', 'admin'].map(
    (who): ApiRow => ({
      name: `of everybody are visible to ${who}`,
      who,
      does: `GET ${v1}/statistics`,
      gets: [200, { seo_scores: [row('bad', 1), row('ok', 1), row('good', 1), row('na', 1), row('noindex', 1)] }],
    }),
  ),
  {
    name: 'of their own are visible to an author',
    who: 'author',
    does: `GET ${v1}/statistics`,
    gets: [200, { seo_scores: [row('bad', 1), row('good', 1), row('na', 1)] }],
  },
  { name: 'are hidden from a subscriber', who: 'subscriber', does: `GET ${v1}/statistics`, gets: [200, { seo_scores: [] }] },
]);

const fields = {
  'posts/one.md': post(1, 'author: 4\nmeta: {subtitle: S, alpha: 1, alphabet: b, _hidden: 3, flag: true, list: [1]}'),
};
const meta = (...rows: readonly [string, string][]) => ({ meta: rows.map(([key, value]) => ({ key, value })) });

describeApi('custom fields', { files: { 'site.yaml': site, ...fields }, users: [...roles] }, [
  ...refusals('publish_posts', `GET ${v1}/meta/search?post_id=1`),
  ...['author', 'editor', 'admin'].map(
    (who): ApiRow => ({
      name: `are found for ${who}`,
      who,
      does: `GET ${v1}/meta/search?post_id=1&query=alpha`,
      gets: [200, meta(['alpha', '1'], ['alphabet', 'b'])],
    }),
  ),
  {
    name: 'without a query exclude hidden ones and lists',
    who: 'author',
    does: `GET ${v1}/meta/search?post_id=1`,
    gets: [200, meta(['subtitle', 'S'], ['alpha', '1'], ['alphabet', 'b'], ['flag', '1'])],
  },
  {
    name: 'include hidden ones by name',
    who: 'author',
    does: `GET ${v1}/meta/search?post_id=1&query=_h`,
    gets: [200, meta(['_hidden', '3'])],
  },
  { name: 'are case-sensitive', who: 'author', does: `GET ${v1}/meta/search?post_id=1&query=Alpha`, gets: [200, meta()] },
  ...['', '?post_id=99', '?post_id=x', '?post_id[]=1'].map(
    (query): ApiRow => ({
      name: `can be those of a post: ${query}`,
      who: 'admin',
      does: `GET ${v1}/meta/search${query}`,
      gets: [403, 'rest_forbidden'],
    }),
  ),
]);

const gone = { type: 'failure' };
const secret = {
  'media/2026/03/a.txt': 'a file',
  'media/2026/03/a.txt.yaml': 'id: 60\n',
  'media/2026/03/empty.txt': '',
  'secret.txt': 'no',
};
const size = (url: string) => `GET ${v1}/file_size?url=${encodeURIComponent(url)}`;

describeApi('file sizes', { files: { 'site.yaml': `${site}url: https://quay.example\n`, ...secret }, users: [...roles] }, [
  ...refusals('manage', size('https://quay.example/uploads/2026/03/a.txt')),
  {
    name: 'are those of uploads',
    who: 'admin',
    does: size('https://quay.example/uploads/2026/03/a.txt'),
    gets: [200, { type: 'success', size_in_bytes: 6 }],
  },
  {
    name: 'ignore scheme and port',
    who: 'admin',
    does: size('http://quay.example:81/uploads/2026/03/a.txt?x=1'),
    gets: [200, { size_in_bytes: 6 }],
  },
  {
    name: 'accept an encoded URL',
    who: 'admin',
    does: size(encodeURIComponent('https://quay.example/uploads/2026/03/a.txt')),
    gets: [200, { size_in_bytes: 6 }],
  },
  { name: 'need a URL', does: `GET ${v1}/file_size`, gets: [400, 'rest_missing_callback_param'] },
  { name: 'need a single URL', who: 'admin', does: `GET ${v1}/file_size?url[]=x`, gets: [400, 'rest_invalid_param'] },
  ...[
    'https://elsewhere.example/uploads/2026/03/a.txt',
    'https://quay.example/uploads/2026/03/none.txt',
    'https://quay.example/uploads/2026/03/empty.txt',
    'https://quay.example/uploads/2026/03/a.txt.yaml',
    'https://quay.example/uploads/2026/03/',
    'https://quay.example/uploads/../secret.txt',
    'https://quay.example/uploads/..%2f..%2fsecret.txt',
    'https://quay.example/uploads/%252e%252e/secret.txt',
    'https://quay.example/uploads/%252e%252e%252fsecret.txt',
    'https://quay.example/uploads/..\\secret.txt',
    'https://quay.example/uploads/..%5c..%5csecret.txt',
    'https://quay.example/uploads/2026/03/a.txt%00.png',
    'https://quay.example/secret.txt',
    'https://quay.example/%',
    'file:///etc/passwd',
    '/uploads/2026/03/a.txt',
    'nothing',
    '',
  ].map((url): ApiRow => ({ name: `are not returned for other URLs: ${url}`, who: 'admin', does: size(url), gets: [404, gone] })),
]);

describe('stored state', () => {
  let served: TestSite | undefined;
  afterEach(async () => {
    await served?.close();
    served = undefined;
  });

  it('of a user survives a restart, and is deleted with the user', async () => {
    served = await startSite({ files: { 'site.yaml': site } });
    const { id, as } = await signUp(served, 'anna', 'author');
    expect((await served.ask('POST', `${v1}/video_embed_permission`, { as, body: {} })).status).toBe(200);
    await served.ask('POST', introduction, { as });
    await served.ask('POST', `${v1}/alerts/dismiss`, { as, body: alert });
    const again = await openSite(served.dir, { readOnly: true });
    const kept = await again.store.private.get(`seo/people/${id}.yaml`);
    await again.close();
    expect(Buffer.from(kept ?? []).toString()).toBe(dedent`
      introductions:
        ai-generate-titles-and-descriptions-upsell: true
      alerts_dismissed:
        - webinar-promo-notification
      video_embed_permission: true
    `);
    await served.ask('DELETE', `/cms/v2/users/${id}?force=true&reassign=1`, { as: 'admin' });
    expect(await served.site.store.private.get(`seo/people/${id}.yaml`)).toBeNull();
  });

  it('is validated without error details', async () => {
    served = await startSite({ files: { 'site.yaml': site } });
    const { body } = await served.ask('POST', `${v1}/alerts/dismiss`, { as: 'admin', body: { key: 'other' } });
    expect(body.data).toEqual({ status: 400, params: { key: 'Invalid parameter.' }, details: [] });
  });

  it('that is not set is empty', async () => {
    served = await startSite({ files: { 'site.yaml': site } });
    await served.ask('POST', `${v1}/video_embed_permission`, { as: 'admin', body: { value: true } });
    await served.ask('POST', `${v1}/video_embed_permission`, { as: 'admin', body: { value: false } });
    expect(await served.site.store.private.keys('seo')).toEqual([]);
  });

  it("follows the site's settings at once", async () => {
    served = await startSite({ files: { 'site.yaml': site } });
    const ask = () => served?.ask('POST', `${v1}/introductions/tour/seen`, { as: 'admin' });
    expect((await ask())?.status).toBe(400);
    await served.write('site.yaml', `${site}seo:\n  introductions: [tour]\n`);
    await until(async () => (await ask())?.status === 200);
  });

  it('lists types that have become public, but not those that always were', async () => {
    served = await startSite({ files: { 'site.yaml': site } });
    const yaml = async () => (await served?.read('site.yaml')) ?? '';
    await until(() => served?.site.store.cache.get('seo/known-types.json'));
    expect(await yaml()).toBe(site);
    await served.server.close();
    await served.site.close();
    await served.write('site.yaml', `${site}types:\n  book: { label: Books }\n`);
    const again = await openSite(served.dir);
    await findNewTypes(again)();
    expect(again.seo.options().newPostTypes).toEqual(['book']);
    await again.close();
    expect(await yaml()).toContain('- book');
  });
});
