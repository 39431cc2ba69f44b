/** Every route of `media-tools/v1`: what each role gets, what is refused before anything else, restarts, and files edited by hand. */
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../src/kernel/errors.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { picture, upload } from '../../../support/media.ts';
import { beforeAndAfter } from '../../../support/restart.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const files = {
  'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\nlang: { languages: { en: { locale: en_US } } }\n',
  'media/2026/03/note.txt': 'text',
  'media/2026/03/note.txt.yaml': 'id: 20\ntitle: Note\nalt: A note\n',
  'media/2026/03/gone.txt': 'text',
  'media/2026/03/gone.txt.yaml': 'id: 21\ntitle: Gone\nstatus: trash\n',
  'media/2026/03/own.txt': 'text',
  'media/2026/03/own.txt.yaml': 'id: 22\ntitle: Own\nstatus: private\n',
  'media/2026/03/hung.txt': 'text',
  'media/2026/03/hung.txt.yaml': 'id: 23\ntitle: Hung\npost: posts/draft\n',
  'posts/draft.md': '---\nid: 30\ntitle: Draft\nstatus: draft\n---\nText\n',
};
const readers = ['subscriber', 'contributor', 'author', 'editor'];
const area = { cropType: 'free_crop', x: 0, y: 0, width: 9, height: 9 };
const missing = { success: false, data: [{ code: 'attachment_not_found' }] };
const noToken = { success: false, data: [{ code: 'nonce_missing' }] };
const m = '/media-tools/v1';

const get = (id: number, who: string | undefined, gets: ApiRow['gets']): ApiRow => ({
  name: `${id} to ${who ?? 'visitors'}`,
  ...(who === undefined ? {} : { who }),
  does: `GET ${m}/get/${id}`,
  gets,
});

describeApi('media tools', { files, users: readers }, [
  ...[undefined, ...readers, 'admin'].flatMap((who) => [
    get(20, who, [200, { id: 20, title: 'Note' }]),
    get(21, who, [404, missing]),
    get(22, who, who === 'editor' || who === 'admin' ? [200, { id: 22 }] : [404, missing]),
    get(30, who, [404, missing]),
    get(999, who, [404, missing]),
  ]),
  ...['upload', 'crop'].flatMap((route): readonly ApiRow[] => {
    const send = (name: string, who: string | undefined, gets: ApiRow['gets'], query = ''): ApiRow => ({
      name: `${route}: ${name}`,
      ...(who === undefined ? {} : { who }),
      does: `POST ${m}/${route}${query}`,
      body: {},
      gets,
    });
    const first: readonly [number, ErrorCode] =
      route === 'upload' ? [400, 'image_field_missing'] : [400, 'rest_missing_callback_param'];
    return [
      send('visitors need a token', undefined, [400, noToken]),
      send('subscribers may not', 'subscriber', [403, 'rest_forbidden']),
      send('contributors may not', 'contributor', [403, 'rest_forbidden']),
      ...['author', 'editor', 'admin'].map((who) => send(`${who} may, with something`, who, first)),
      send('no other language, for visitors', undefined, [400, 'rest_invalid_param'], '?lang_language=xx'),
      send('no other language, for subscribers', 'subscriber', [400, 'rest_invalid_param'], '?lang_language=xx'),
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map(
        (method): ApiRow => ({
          name: `${route} rejects ${method}`,
          who: 'admin',
          does: `${method} ${m}/${route}`,
          gets: [404, 'rest_no_route'],
        }),
      ),
    ];
  }),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method): ApiRow => ({
      name: `get rejects ${method}`,
      who: 'admin',
      does: `${method} ${m}/get/20`,
      gets: [404, 'rest_no_route'],
    }),
  ),
  { name: 'get rejects other languages', does: `GET ${m}/get/20?lang_language=xx`, gets: [400, 'rest_invalid_param'] },
  {
    name: 'cropping requires an image',
    who: 'author',
    does: `POST ${m}/crop`,
    body: { id: 20, ...area },
    gets: [404, 'attachment_not_found'],
  },
  {
    name: 'private images of others cannot be cropped',
    who: 'author',
    does: `POST ${m}/crop`,
    body: { id: 22, ...area },
    gets: [404, 'attachment_not_found'],
  },
]);

describe('a site with media tools', () => {
  let site: TestSite;
  let id: number;
  let crop: number;
  beforeAll(async () => {
    site = await startSite({ files });
    id = (await upload(site, 'quay.jpg')).id;
    crop = (await site.ask('POST', `${m}/crop`, { as: 'admin', body: { id, ...area } })).body.id;
  });
  afterAll(() => site.close());

  it('returns the same after a restart, crops included', async () => {
    const paths = [`${m}/get/${id}`, `${m}/get/${crop}`, `${m}/get/20`, `/cms/v2/media/${crop}`];
    const [before, after] = await beforeAndAfter(site, paths);
    expect(after).toEqual(before);
    expect(before).toMatchObject([{ id }, { id: crop, width: 9, height: 9 }, { alt: 'A note' }, { id: crop }]);
  });

  it('follows hand edits of a sidecar, and hides deleted files', async () => {
    await site.write('media/2026/03/note.txt.yaml', 'id: 20\ntitle: Noted\nalt: Two notes\n');
    const shown = await until(async () => {
      const { body } = await site.ask('GET', `${m}/get/20`);
      return body.title === 'Noted' ? body : undefined;
    });
    expect(shown).toMatchObject({ alt: 'Two notes' });
    await site.write('media/2026/03/note.txt.yaml', 'id: 20\ntitle: Noted\nstatus: trash\n');
    await until(async () => ((await site.ask('GET', `${m}/get/20`)).status === 404 ? true : undefined));
  });

  it('does not crop an oversized file', async () => {
    await site.write('media/2026/03/huge.jpg', (await picture(40, 40)) as never);
    await truncate(join(site.dir, 'media/2026/03/huge.jpg'), 51 * 1024 * 1024);
    const huge = await until(async () => (await site.ask('GET', '/cms/v2/media?search=huge')).body[0]);
    const { status, body } = await site.ask('POST', `${m}/crop`, { as: 'admin', body: { id: huge.id, ...area } });
    expect([status, body.code]).toEqual([413, 'file_too_large']);
  });
});

describe('a read-only site with media tools', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files, readOnly: true });
  });
  afterAll(() => site.close());

  it('returns attachments, and accepts no uploads', async () => {
    expect((await site.ask('GET', `${m}/get/20`)).status).toBe(200);
    for (const route of ['upload', 'crop']) {
      const { status, body } = await site.ask('POST', `${m}/${route}`, { as: 'admin', body: { id: 20, ...area } });
      expect([status, body.code]).toEqual([403, 'rest_read_only']);
    }
  });
});
