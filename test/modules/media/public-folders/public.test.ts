/** Folders for other programs: what the key of the site opens, and what it does not. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { files, users } from '../folders/site.ts';

const base = '/folders/public/v1';
const routes = [
  'GET folders',
  'POST folders',
  'GET folder',
  'GET attachment-id',
  'GET attachment-count',
  'POST folder/set-attachment',
];

describeApi('the public API without a key', { files, users }, [
  ...routes.flatMap((route): ApiRow[] => {
    const [method = '', path = ''] = route.split(' ');
    const asks = {
      does: `${method} ${base}/${path}`,
      ...(method === 'POST' ? { body: { name: 'x', ids: [60], folder: 3 } } : {}),
    };
    return [
      { name: `${route} is closed`, ...asks, gets: [401, 'rest_forbidden'] },
      { name: `${route} is closed to an administrator`, who: 'admin', ...asks, gets: [403, 'rest_forbidden'] },
    ];
  }),
  ...[...users.filter((who) => who !== 'editor'), undefined, 'editor'].map(
    (who): ApiRow => ({
      name: `shows no key to ${who ?? 'a visitor'}`,
      ...(who ? { who } : {}),
      does: 'POST /folders/v1/fldv-api',
      body: { act: 'generate-key' },
      gets: [who ? 403 : 401, 'rest_forbidden'],
    }),
  ),
  {
    name: 'creates a key on request',
    who: 'admin',
    does: 'POST /folders/v1/fldv-api',
    body: { act: 'show-key' },
    gets: [200, { success: false, data: { mess: 'Invalid action' } }],
  },
]);

/** The site gives its lock back meanwhile. */
const whenGone = ({ code }: NodeJS.ErrnoException): string => {
  expect(code).toBe('ENOENT');
  return '';
};

describe('the API key', () => {
  let site: TestSite;
  let key = '';
  const renew = async () =>
    (await site.ask('POST', '/folders/v1/fldv-api', { as: 'admin', body: { act: 'generate-key' } })).body.data.key;
  const ask = (method: string, path: string, body?: object, sent = `Bearer ${key}`) =>
    site.ask(method, `${base}/${path}`, { headers: { authorization: sent }, ...(body ? { body } : {}) });
  beforeAll(async () => {
    site = await startSite({ files, operator: { sign_in_attempts: 0 } });
    key = await renew();
  });
  afterAll(() => site.close());

  it('is stored only as a hash, readable by nobody else', async () => {
    expect(key).toMatch(/^[0-9A-Za-z]{40}$/);
    const path = `${site.dir}/.cms/private/folders-api-key`;
    expect(await readFile(path, 'utf8')).toMatch(/^[\da-f]{64}\n$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const files = (await readdir(site.dir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    const texts = files.map((one) => readFile(`${one.parentPath}/${one.name}`, 'latin1').catch(whenGone));
    expect(files.length).toBeGreaterThan(1);
    for (const text of await Promise.all(texts)) expect(text).not.toContain(key);
  });

  it.each([
    ['header', () => ask('GET', 'folders')],
    ['header, in small letters', () => ask('GET', 'folders', undefined, `bearer ${key}`)],
    ['query', () => site.ask('GET', `${base}/folders?token=${key}`)],
    [
      'form',
      () =>
        site.ask('POST', `${base}/folders`, {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `token=${key}&name=Press`,
        }),
    ],
  ])('is accepted as %s', async (_how, asked) => {
    expect((await asked()).body.success).toBe(true);
  });

  it.each(['', 'x', 'X'.repeat(40), 'X'.repeat(41)])('is not accepted as %j', async (other) => {
    expect((await ask('GET', 'folders', undefined, `Bearer ${other}`)).body.code).toBe('rest_forbidden');
    expect((await site.ask('GET', `${base}/folders?token=${other}`)).status).toBe(401);
    expect((await site.ask('GET', `${base}/folders?token[]=${key}`)).status).toBe(401);
  });

  it('opens nothing else', async () => {
    const headers = { authorization: `Bearer ${key}` };
    expect((await site.ask('GET', '/folders/v1/get-folders', { headers })).status).toBe(401);
    expect((await site.ask('GET', `/cms/v2/users/me?token=${key}`, { headers })).status).toBe(401);
  });

  it.each([
    ['GET', 'folders', undefined, { folders: [{ id: 3, 'data-count': 1, children: [{ id: 7, color: '#ff8800' }] }, { id: 9 }] }],
    ['GET', 'folder?folder_id=7', undefined, { folder: { id: '7', name: 'Logos', parent: '3' } }],
    ['GET', 'folder?folder_id=99', undefined, { folder: null }],
    ['GET', 'folder', undefined, { folder: null }],
    ['GET', 'attachment-id?folder_id=3', undefined, { attachment_ids: ['60'] }],
    ['GET', 'attachment-id?folder_id=99', undefined, { attachment_ids: [] }],
    ['GET', 'attachment-id', undefined, { mess: 'folder_id is missing.' }],
    ['GET', 'attachment-count?folder_id=-1', undefined, { count: 3 }],
    ['GET', 'attachment-count?folder_id=0', undefined, { count: 1 }],
    ['GET', 'attachment-count?folder_id=7', undefined, { count: 1 }],
    ['GET', 'attachment-count?folder_id=99', undefined, { count: 0 }],
    ['GET', 'attachment-count', undefined, { mess: 'folder_id is missing.' }],
    ['POST', 'folders', { name: 'brand' }, { id: 3 }],
    ['POST', 'folders', { name: 'Print', parent_id: 3 }, { id: 13 }],
    ['POST', 'folders', { name: 'Print', parent_id: '3' }, { id: 13 }],
    ['POST', 'folders', { parent_id: 3 }, { mess: 'Required fields are missing.' }],
    ['POST', 'folders', { name: 'x', parent_id: 99 }, { mess: 'Validation failed' }],
    ['POST', 'folder/set-attachment', { ids: 62, folder: 13 }, undefined],
    ['GET', 'attachment-id?folder_id=13', undefined, { attachment_ids: ['62'] }],
    ['POST', 'folder/set-attachment', { ids: [60, '61'], folder: '0' }, undefined],
    ['GET', 'attachment-count?folder_id=0', undefined, { count: 2 }],
    ['POST', 'folder/set-attachment', { ids: [60] }, { mess: 'Validation failed' }],
    ['POST', 'folder/set-attachment', { folder: 3 }, { mess: 'Validation failed' }],
    ['POST', 'folder/set-attachment', { ids: [60], folder: 99 }, { mess: 'Validation failed' }],
  ])('%s %s %j', async (method, path, body, data) => {
    const answer = await ask(method, path, body);
    const isRefused = data !== undefined && 'mess' in data;
    expect(answer.status).toBe(200);
    if (data === undefined) expect(answer.body).toEqual({ success: true });
    else expect(answer.body).toMatchObject({ success: !isRefused, data });
    if (method === 'GET' && !isRefused) expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is invalid once replaced', async () => {
    const before = key;
    for (let count = 0; count < 3; count++) await site.ask('GET', `${base}/folders?token=${before}`);
    key = await renew();
    expect(key).not.toBe(before);
    expect((await site.ask('GET', `${base}/folders?token=${before}`)).status).toBe(401);
    expect((await ask('GET', 'folders')).status).toBe(200);
  });

  it('is not accepted in the query if the site says so', async () => {
    await site.write('media-folders/settings.yaml', 'public_api:\n  query_token: false\n');
    await site.site.ingest(await site.site.store.sweep());
    expect((await site.ask('GET', `${base}/folders?token=${key}`)).status).toBe(401);
    expect((await ask('GET', 'folders')).status).toBe(200);
  });
});

describe('wrong API keys', () => {
  let site: TestSite;
  afterEach(() => site.close());

  it('are limited per address, then none is checked', async () => {
    site = await startSite({ files, operator: { sign_in_attempts: 3 } });
    const { data } = (await site.ask('POST', '/folders/v1/fldv-api', { as: 'admin', body: { act: 'generate-key' } })).body;
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await site.ask('GET', `${base}/folders`, { headers: { authorization: 'Bearer wrong' } })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const right = await site.ask('GET', `${base}/folders`, { headers: { authorization: `Bearer ${data.key}` } });
    expect(right.body.code).toBe('rest_too_many_attempts');
    // Others sign in as before.
    expect((await site.ask('GET', '/cms/v2/users/me', { as: 'admin' })).status).toBe(200);
  });

  it('do not include requests without a key', async () => {
    site = await startSite({ files, operator: { sign_in_attempts: 3 } });
    for (let count = 0; count < 5; count++) expect((await site.ask('GET', `${base}/folders`)).status).toBe(401);
  });
});

it('the API key is rejected over insecure HTTP, in the header and as a parameter', async () => {
  const site = await startSite({
    files: { 'site.yaml': 'name: A\ndeployment: extended\n' },
    operator: { require_https: true, trusted_proxies: ['127.0.0.1'] },
  });
  try {
    const key = await site.site.folderKey.renew();
    const ask = async (proto: string, path: string, authorization?: string) =>
      (
        await site.ask('GET', `/folders/public/v1/folders${path}`, {
          headers: { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': proto, ...(authorization ? { authorization } : {}) },
        })
      ).status;
    expect([await ask('http', '', `Bearer ${key}`), await ask('http', `?token=${key}`)]).toEqual([401, 401]);
    expect([await ask('https', '', `Bearer ${key}`), await ask('https', `?token=${key}`)]).toEqual([200, 200]);
  } finally {
    await site.close();
  }
});
