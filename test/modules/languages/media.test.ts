/** Media in several languages: one file, an item for each. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttachmentRecord } from '../../../src/modules/content/attachments/record.ts';
import { planFinalize } from '../../../src/modules/media/library/sideload.ts';
import { languages } from '../../../src/modules/languages/index.ts';
import { startSite, type TestSite } from '../../support/site.ts';

describe('translated media', () => {
  let site: TestSite;
  let picture: Buffer;
  const month = new Date().toISOString().slice(0, 7).replace('-', '/');
  const list = async (lang: string) =>
    (await site.ask('GET', `/cms/v2/media?lang_language=${lang}&orderby=id&order=asc&_fields=id,slug,source_url,translations`))
      .body;
  const upload = async (name: string, query = '') => {
    const answer = await fetch(`${site.url}/cms-json/cms/v2/media${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'image/png',
        'content-disposition': `attachment; filename="${name}"`,
        authorization: `Basic ${Buffer.from(`admin:${site.password}`).toString('base64')}`,
      },
      body: new Uint8Array(picture),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: number; translations: Record<string, number>; lang: string };
  };
  beforeAll(async () => {
    picture = await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    site = await startSite({ modules: [languages] });
  });
  afterAll(() => site.close());

  it('get an item for each language on upload', async () => {
    const made = await upload('dot.png');
    const [[en], [de]] = [await list('en'), await list('de')];
    expect(en).toMatchObject({ id: made.id, slug: 'dot' });
    expect(de).toMatchObject({ slug: 'dot-2', source_url: en.source_url, translations: { en: made.id, de: de.id } });
    expect(made.translations).toEqual({ en: made.id, de: de.id });
    expect(await site.read(`media/${month}/dot.png@de.yaml`)).not.toContain('translation_of');
    expect((await site.ask('GET', `/cms/v2/media?include=${made.id}&lang_language=de`)).body[0].id).toBe(de.id);
  });

  it('have their own texts', async () => {
    const [[en], [de]] = [await list('en'), await list('de')];
    await site.ask('POST', `/cms/v2/media/${en.id}`, { as: 'admin', body: { title: 'A dot', alt_text: 'Dot' } });
    await site.ask('POST', `/cms/v2/media/${de.id}`, { as: 'admin', body: { alt_text: 'Punkt' } });
    const [one, other] = await Promise.all([en, de].map(({ id }) => site.ask('GET', `/cms/v2/media/${id}`)));
    expect([one?.body.title.rendered, one?.body.alt_text]).toEqual(['A dot', 'Dot']);
    expect([other?.body.title.rendered, other?.body.alt_text]).toEqual(['dot', 'Punkt']);
  });

  it('uploaded in another language belong to it first', async () => {
    const made = await upload('punkt.png', '?lang_language=de');
    expect(made.lang).toBe('de');
    expect((await list('en')).map(({ slug }: { slug: string }) => slug)).toEqual(['dot', 'punkt-2']);
  });

  it('dropped into the folder become one group', async () => {
    await writeFile(join(site.dir, 'media/drop.png'), picture);
    await expect.poll(() => list('de').then((all) => all.length)).toBe(3);
    const dropped = (await list('de')).at(-1);
    expect(Object.keys(dropped.translations)).toEqual(['en', 'de']);
    expect(dropped.slug).toBe('drop-2');
    expect(existsSync(join(site.dir, 'media/drop.png.yaml'))).toBe(true);
  });

  it('keep their file until the last item is deleted', async () => {
    const [[en], [de]] = [await list('en'), await list('de')];
    const file = join(site.dir, `media/${month}/dot.png`);
    await site.ask('DELETE', `/cms/v2/media/${en.id}?force=true`, { as: 'admin' });
    expect((await list('en')).map(({ slug }: { slug: string }) => slug)).not.toContain('dot');
    expect(existsSync(file)).toBe(true);
    expect((await site.ask('GET', `/cms/v2/media/${de.id}`)).body).toMatchObject({ slug: 'dot-2', translations: { de: de.id } });
    await site.site.reload();
    expect((await list('en')).map(({ slug }: { slug: string }) => slug)).not.toContain('dot');
    await site.ask('DELETE', `/cms/v2/media/${de.id}?force=true`, { as: 'admin' });
    expect(existsSync(file)).toBe(false);
  });

  it('share client-side sizes, in one sidecar', async () => {
    const made = await upload('shared.png');
    const de = made.translations.de as number;
    const sidecar = `media/${month}/shared.png.yaml`;
    const rows = 'client_sizes:\n  files:\n    - {file: small.png, width: 1, height: 1, filesize: 9, mime: image/png}\n';
    await site.write(sidecar, (await site.read(sidecar)) + rows);
    const record = (id: number) => site.site.posts.get(id) as AttachmentRecord;
    await expect.poll(() => record(made.id).clientSizes.files.length).toBe(1);
    const { changes, result } = planFinalize(site.site, record(de), [{ image_size: 'thumbnail', file: 'small.png' }]);
    expect([result, changes.map((change) => ('path' in change ? change.path : ''))]).toEqual([de, [sidecar]]);
  });
});
