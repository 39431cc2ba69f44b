/** Heads, feeds and sitemaps of several workers over one folder: whatever is written through one of them, all show it with the next request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkers, type Workers } from '../../../workers/workers.ts';

const base = 'https://harbour.example';
const settings =
  'name: Harbour\ntimezone: UTC\nurl: https://harbour.example\ndeployment: extended\ntypes: { boat: { plural: Boats, rest_base: boats, has_archive: true } }\n' +
  'lang:\n  default: en\n  languages: { en: { locale: en_US }, de: { locale: de_DE } }\n  url: { default_in_directory: false }\n';

describe('head tags with several workers', () => {
  let workers: Workers;
  beforeAll(async () => {
    workers = await startWorkers({
      others: 2,
      files: { 'site.yaml': settings, 'terms/category/notes.yaml': 'id: 31\nname: Notes\n' },
    });
  });
  afterAll(() => workers.close());

  /** What each of them says, which has to be one answer. */
  async function everywhere(path: string): Promise<{ readonly status: number; readonly text: string; readonly body: any }> {
    const answers = await Promise.all(workers.urls().map((url) => workers.ask(url, 'GET', path)));
    const [first, ...others] = answers.map(({ status, text, headers }) => ({ status, text, etag: headers.get('etag') }));
    for (const other of others) expect(other, path).toEqual(first);
    return answers[0]!;
  }
  const headAt = (path: string) => everywhere(`/cms-json/seo/v1/get_head?url=${encodeURIComponent(base + path)}`);

  it.each([
    ['the writer', 0],
    ['a reader', 1],
    ['another reader', 2],
  ])('follow what is written through %s', async (_, at) => {
    const slug = `tide-${at}`;
    const send = (method: string, route: string, body?: object) =>
      workers.ask(workers.urls()[at] as string, method, `/cms-json/cms/v2/${route}`, { as: 'admin', body });
    expect((await headAt(`/${slug}/`)).status).toBe(404);
    const before = await everywhere('/feed/');

    const made = await send('POST', 'posts', {
      title: `Tide ${at}`,
      slug,
      status: 'publish',
      categories: [31],
      content: 'When.',
    });
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect((await headAt(`/${slug}/`)).body.json).toMatchObject({ title: `Tide ${at} - Harbour`, og_description: 'When.' });
    expect((await everywhere(`/cms-json/cms/v2/posts/${id}`)).body.seo_head_json.title).toBe(`Tide ${at} - Harbour`);
    expect((await everywhere('/feed/')).text).not.toBe(before.text);
    for (const path of ['/feed/', '/feed/atom/', '/category/notes/feed/', '/sitemap-post-1.xml'])
      expect([path, (await everywhere(path)).text.includes(`${base}/${slug}/`)]).toEqual([path, true]);
    expect((await everywhere('/sitemap.xml')).status).toBe(200);

    expect((await send('POST', `posts/${id}`, { title: `Ebb ${at}`, meta: { '_seo_meta-robots-noindex': '1' } })).status).toBe(
      200,
    );
    expect((await headAt(`/${slug}/`)).body.json).toMatchObject({ title: `Ebb ${at} - Harbour`, robots: { index: 'noindex' } });
    expect((await everywhere('/category/notes/feed/')).text).toContain(`Ebb ${at}`);
    expect((await everywhere('/sitemap-post-1.xml')).text).not.toContain(slug);

    expect((await send('POST', 'settings', { title: `Harbour ${at}` })).status).toBe(200);
    expect((await headAt('/')).body.json).toMatchObject({ og_title: `Harbour ${at}` });
    expect((await headAt(`/${slug}/`)).body.json.title).toBe(`Ebb ${at} - Harbour ${at}`);
    expect((await everywhere('/feed/')).text).toContain(`<title>Harbour ${at}</title>`);
    expect((await send('POST', 'settings', { title: 'Harbour' })).status).toBe(200);

    const boat = await send('POST', 'boats', { title: `Boat ${at}`, slug: `boat-${at}`, status: 'publish' });
    expect((await everywhere('/sitemap-boat-1.xml')).text).toContain(`${base}/boat/boat-${at}/`);
    expect((await everywhere('/boat/feed/')).text).toContain(`Boat ${at}`);
    expect((await send('DELETE', `boats/${boat.body.id}?force=true`)).status).toBe(200);
    expect((await headAt(`/boat/boat-${at}/`)).status).toBe(404);

    expect((await send('DELETE', `posts/${id}`)).status).toBe(200);
    expect((await headAt(`/${slug}/`)).status).toBe(404);
    expect((await everywhere('/feed/')).text).not.toContain(slug);
    expect(workers.log).toEqual([]);
  });
});
