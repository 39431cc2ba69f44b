/** Shortcodes of media in texts, through HTTP: what everybody may see, as it is now. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '../support/media.ts';
import { startSite, type TestSite } from '../support/site.ts';

let test: TestSite;
beforeAll(async () => {
  test = await startSite({ writing: 'markup' });
});
afterAll(() => test.close());

const ask = (method: string, path: string, body?: unknown) => test.ask(method, `/cms/v2${path}`, { as: 'admin', body });
const write = async (content: string, more = {}): Promise<any> =>
  (await ask('POST', '/posts', { title: 'T', status: 'publish', content, ...more })).body;
const shown = async (id: number): Promise<string> => (await test.ask('GET', `/cms/v2/posts/${id}`)).body.content.rendered;

describe('a gallery', () => {
  it('is rendered in classic text, with blocks and in Markdown', async () => {
    const { id, link } = await upload(test, 'gull.jpg');
    const post = await write(`Before\n\n[gallery ids="${id}"]\n\nBehind`);
    const gallery = (number: number, of: number): string =>
      `<div id='gallery-${number}' class='gallery galleryid-${of} gallery-columns-3 gallery-size-thumbnail'><figure class='gallery-item'>\n\t\t\t` +
      `<div class='gallery-icon landscape'>\n\t\t\t\t<a href='${link}'><img loading="lazy" decoding="async" width="150" height="150" ` +
      `src="${test.url}/uploads/${new Date().toISOString().slice(0, 7).replace('-', '/')}/gull-150x150.jpg" ` +
      `class="attachment-thumbnail size-thumbnail" alt="" /></a>\n\t\t\t</div></figure>\n\t\t</div>\n`;
    expect(post.content.rendered).toBe(`<p>Before</p>\n${gallery(2, post.id)}\n<p>Behind</p>\n`);
    expect(await shown(post.id)).toBe(`<p>Before</p>\n${gallery(1, post.id)}\n<p>Behind</p>\n`);
    const block = await write(`<!-- cms:shortcode -->\n[gallery ids="${id}"]\n<!-- /cms:shortcode -->`);
    expect(await shown(block.id)).toContain(gallery(1, block.id));
    await test.write(
      'posts/markdown.md',
      `---\nid: 900\ntitle: M\nslug: markdown\ndate: 2026-01-01\n---\nBefore\n\n[gallery ids="${id}"]\n`,
    );
    await expect.poll(() => test.site.posts.get(900)?.slug).toBe('markdown');
    expect(await shown(900)).toBe(`<p>Before</p>\n${gallery(1, 900)}\n`);
    expect((await test.ask('GET', '/cms/v2/posts/900')).body.excerpt.rendered).toBe('<p>Before</p>\n');
  });

  it('without ids shows the current media of the post', async () => {
    const post = await write('[gallery link="none" size="medium"]');
    expect(await shown(post.id)).toBe('\n');
    const { id } = await upload(test, 'tern.jpg');
    await ask('POST', `/media/${id}`, { post: post.id, caption: 'A <em>tern</em>', alt_text: '"><script>' });
    const html = await shown(post.id);
    expect(html).toMatch(/<figcaption class='wp-caption-text gallery-caption' id='gallery-1-\d+'>\n\t\t\t\tA <em>tern<\/em>\n/);
    expect(html).toContain('alt="&quot;&gt;"');
    expect(html).toContain('srcset=');
    await ask('DELETE', `/media/${id}?force=true`);
    expect(await shown(post.id)).toBe('\n');
  });

  it('shows nothing that readers may not see', async () => {
    const secret = await upload(test, 'secret.jpg');
    const draft = (await ask('POST', '/posts', { title: 'D', status: 'draft', content: `[gallery ids="${secret.id}"]` })).body;
    await ask('POST', `/media/${secret.id}`, { post: draft.id });
    const { id: page } = (await ask('POST', '/pages', { title: 'P', status: 'publish', content: '' })).body;
    const post = await write(
      `[gallery ids="${secret.id},${page},999999"] [gallery id="${draft.id}"] [playlist ids="${draft.id}"]`,
    );
    for (const who of ['admin', undefined])
      expect((await test.ask('GET', `/cms/v2/posts/${post.id}`, who ? { as: who } : {})).body.content.rendered).not.toContain(
        'secret',
      );
    // To those who read the draft, its own pictures are shown.
    expect((await ask('GET', `/posts/${draft.id}?context=edit`)).body.content.rendered).toContain('secret-150x150.jpg');
    await ask('POST', `/posts/${draft.id}`, { status: 'publish' });
    expect(await shown(post.id)).toContain('secret-150x150.jpg');
  });
});

describe('recordings', () => {
  it('are played, and embed URLs become links', async () => {
    const post = await write(
      '[audio src="/uploads/a.mp3"]\n\n[video src="https://x.example/a.webm"]\n\n[embed]https://x.example/a--b?c=1&d=2[/embed]',
    );
    const html = await shown(post.id);
    expect(html).toContain(`<source type="audio/mpeg" src="${test.url}/uploads/a.mp3?_=1" />`);
    expect(html).toContain('<source type="video/webm" src="https://x.example/a.webm?_=1" />');
    expect(html).toContain('<p><a href="https://x.example/a--b?c=1&amp;d=2">https://x.example/a');
  });
});

it('double brackets are text, and unknown shortcodes too', async () => {
  const post = await write('[[gallery ids="7"]] and [contact id="1"]');
  expect(await shown(post.id)).toBe('<p>[gallery ids="7"] and [contact id=&#8221;1&#8243;]</p>\n');
});
