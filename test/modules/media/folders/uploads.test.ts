/** Files that come into a folder at once, and files in several languages. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { picture, sendFile } from '../../../support/media.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';
import { files } from './site.ts';

let site: TestSite;
beforeEach(async () => {
  site = await startSite({ files });
});
afterEach(() => site.close());

const shared = 'media-folders/shared.yaml';
const counts = async (language = 'en') =>
  (await site.ask('GET', `/folders/v1/get-folders?language=${language}`, { as: 'admin' })).body.attachmentsCount.actual;

async function upload(name: string, query: string) {
  const response = await fetch(`${site.url}/cms-json/cms/v2/media?${query}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`admin:${site.password}`)}`,
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: (await picture(20, 20)) as never,
  });
  const answer = (await response.json()) as { id: number };
  expect(answer).toMatchObject({ id: expect.any(Number) });
  return answer.id;
}

describe('an upload', () => {
  it('goes into the requested folder', async () => {
    const id = await upload('a.jpg', 'fldv=9');
    expect(await counts()).toMatchObject({ 9: 1 });
    expect((await site.ask('GET', '/cms/v2/media?folder=9&_fields=id')).body).toEqual([{ id }]);
  });

  it('creates the requested subfolders', async () => {
    await upload('a.jpg', 'fldv=9/2024/=June');
    const text = await site.read(shared);
    expect(text).toMatch(
      /- id: 13\n {4}name: '?2024'?\n {4}parent: 9\n {4}ord: 0\n {2}- id: 14\n {4}name: June\n {4}parent: 13\n/,
    );
    await upload('b.jpg', 'fldv=9/2024/june');
    expect(await site.read(shared)).toBe(text);
    expect(await counts()).toMatchObject({ 14: 2 });
  });

  it.each(['99', '0', '-1', 'x', '99/new', ''])('without a folder (%j) is unfiled', async (fldv) => {
    const before = await site.read(shared);
    await upload('a.jpg', `fldv=${fldv}`);
    expect(await site.read(shared)).toBe(before);
    expect(await counts()).toEqual({ 3: 1, 7: 1 });
  });

  it('goes there in every language of the site', async () => {
    const id = await upload('a.jpg', 'fldv=9');
    const { translations } = (await site.ask('GET', `/cms/v2/media/${id}`)).body;
    expect(Object.keys(translations).sort()).toEqual(['de', 'en']);
    expect((await site.ask('GET', '/cms/v2/media?folder=9&lang_language=de&_fields=id')).body).toEqual([{ id: translations.de }]);
    expect(await counts('de')).toMatchObject({ 9: 1 });
    const { path } = site.site.posts.get(translations.de) as { path: string };
    expect(await site.read(path)).toContain('folder: 9\n');
  });

  it('goes into the tree of its sender if trees are separate', async () => {
    await site.ask('POST', '/folders/v1/set-settings', { as: 'admin', body: { USER_MODE: '1' } });
    const { id } = (await site.ask('POST', '/folders/v1/new-folder', { as: 'admin', body: { title: 'Mine', parent: 0 } })).body;
    await upload('a.jpg', `fldv=${id}`);
    expect(await counts()).toEqual({ [id]: 1 });
  });

  it('leaves nothing behind when it is refused', async () => {
    const before = await site.read(shared);
    const { as } = await signUp(site, 'reader', 'subscriber');
    const headers = { 'content-type': 'image/jpeg', authorization: `Basic ${btoa(as)}` };
    expect((await sendFile(site, 'a.jpg', await picture(20, 20), { headers })).status).toBe(403);
    const refused = await site.ask('POST', '/cms/v2/media?fldv=9/new', {
      as: 'admin',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(refused.status).toBe(400);
    expect(await site.read(shared)).toBe(before);
  });

  it('is unfiled once deleted', async () => {
    await site.ask('DELETE', '/cms/v2/media/60?force=true', { as: 'admin' });
    expect(await counts()).toEqual({ 7: 1 });
  });
});

describe('a file in several languages', () => {
  it('is in one folder, and counts once per language', async () => {
    const germanIds = async (): Promise<number[]> =>
      (await site.ask('GET', '/de/cms-json/cms/v2/media?_fields=id&per_page=100', { raw: true })).body.map(
        ({ id }: { id: number }) => id,
      );
    const id = await upload('a.jpg', '');
    const german = await until(async () => (await germanIds())[0]);
    expect(german).not.toBe(id);
    await site.ask('POST', '/folders/v1/assign-folder', { as: 'admin', body: { folderId: 9, ids: [id] } });
    expect(await counts('en')).toMatchObject({ 9: 1 });
    expect(await counts('de')).toMatchObject({ 9: 1 });
    expect(await counts('all')).toMatchObject({ 9: 2 });
    const { body } = await site.ask('GET', '/de/cms-json/cms/v2/media?folder=9&_fields=id', { raw: true });
    expect(body).toEqual([{ id: german }]);
  });
});
