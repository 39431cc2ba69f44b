import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '../support/media.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

let test: TestSite;

beforeAll(async () => {
  test = await startSite({ writing: 'markup' });
});
afterAll(() => test.close());

async function write(content: string): Promise<number> {
  return (await test.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Pictures', status: 'publish', content } })).body
    .id;
}

const shown = async (id: number, site = test): Promise<string> =>
  (await site.ask('GET', `/cms/v2/posts/${id}`)).body.content.rendered;
const block = (img: string) => `<!-- cms:image -->\n<figure class="wp-block-image">${img}</figure>\n<!-- /cms:image -->`;
const inBlock = (img: string) => `\n<figure class="wp-block-image">${img}</figure>\n`;

describe('a library image in a text', () => {
  it('gets its dimensions and a srcset', async () => {
    const { id, medium, full } = await upload(test, 'gull.jpg');
    const post = await write(block(`<img src="${medium}" alt="" class="wp-image-${id}"/>`));
    expect(await shown(post)).toBe(
      inBlock(
        `<img loading="lazy" decoding="async" width="300" height="225" src="${medium}" alt="" class="wp-image-${id}" ` +
          `srcset="${medium} 300w, ${full} 640w" sizes="auto, (max-width: 300px) 100vw, 300px" />`,
      ),
    );
  });

  it('gets them in Markdown too, by its URL', async () => {
    const { medium, full } = await upload(test, 'plover.jpg');
    const path = (address: string) => address.slice(test.url.length);
    const other = 'https://elsewhere.example/x.png';
    await test.write('posts/md.md', `---\nid: 900\ntitle: Md\ndate: 2025-01-01\n---\n![a](${path(medium)})\n\n![b](${other})\n`);
    const html = await until(async () => {
      const { status, body } = await test.ask('GET', '/cms/v2/posts/900');
      return status === 200 ? (body.content.rendered as string) : undefined;
    });
    expect(html).toBe(
      `<p><img loading="lazy" decoding="async" width="300" height="225" src="${medium}" alt="a" ` +
        `srcset="${medium} 300w, ${full} 640w" sizes="auto, (max-width: 300px) 100vw, 300px" /></p>\n` +
        `<p><img decoding="async" src="${other}" alt="b"></p>\n`,
    );
  });

  it('keeps the attributes its author wrote', async () => {
    const { id, medium, full } = await upload(test, 'tern.jpg');
    const written = [
      `<img class="alignleft wp-image-${id}" src="${full}" alt="" width="320" height="240" />`,
      `<img class="wp-image-${id}" src="${full}" alt="" srcset="${medium} 1x" width="320" height="240">`,
      `<img class="wp-image-${id}" src="https://elsewhere.example/tern.jpg" alt="">`,
      `<img class="wp-image-9999999" src="${full}" alt="">`,
      `<img src="${full}" alt="">`,
    ];
    const hints = 'loading="lazy" decoding="async"';
    expect(await shown(await write(written.map(block).join('')))).toBe(
      [
        `<img ${hints} class="alignleft wp-image-${id}" src="${full}" alt="" width="320" height="240" ` +
          `srcset="${full} 640w, ${medium} 300w" sizes="auto, (max-width: 320px) 100vw, 320px" />`,
        `<img ${hints} class="wp-image-${id}" src="${full}" alt="" srcset="${medium} 1x" width="320" height="240">`,
        ...written.slice(2).map((tag) => tag.replace('<img', '<img decoding="async"')),
      ]
        .map(inBlock)
        .join(''),
    );
  });

  it('is as wide as its style says', async () => {
    const { id, full } = await upload(test, 'skua.jpg');
    const post = await write(block(`<img src="${full}" alt="" class="wp-image-${id}" style="width:100px;"/>`));
    expect(await shown(post)).toContain(`<img loading="lazy" decoding="async" width="100" height="75" src="${full}"`);
  });

  it('loses them when it is deleted, and keeps them after a restart', async () => {
    const { id, full } = await upload(test, 'auk.jpg');
    const post = await write(block(`<img src="${full}" alt="" class="wp-image-${id}"/>`));
    const twice = [await shown(post), await shown(post)];
    expect(twice[0]).toContain(' srcset="');
    expect(twice[1]).toBe(twice[0]);
    const again = await startSite({ from: test.dir });
    const restarted = await shown(post, again).finally(() => again.close());
    expect(restarted.replaceAll(again.url, test.url)).toBe(twice[0]);
    await test.ask('DELETE', `/cms/v2/media/${id}?force=true`, { as: 'admin' });
    expect(await shown(post)).toBe(inBlock(`<img decoding="async" src="${full}" alt="" class="wp-image-${id}"/>`));
  });
});
