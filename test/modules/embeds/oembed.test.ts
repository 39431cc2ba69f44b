import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from '../../../src/http-client/fetch.ts';
import { embedFrom, printXml } from '../../../src/modules/embeds/oembed.ts';
import { framed, readXml } from '../../../src/modules/embeds/markup.ts';
import { providerOf } from '../../../src/modules/embeds/providers.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { cpuMs } from '../../support/long-texts.ts';

let upstream: Upstream;
const link = (type: string, href: string) => `<head><link rel="alternate" type="${type}" href="${href}"></head>`;
const json = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

beforeAll(async () => {
  upstream = await startUpstream(() => ({
    '/rich': link('application/json+oembed', '/service/rich?a=1&amp;b=2'),
    '/service/rich': json({
      type: 'rich',
      title: 'A',
      html: '<script>evil()</script><iframe src="https://x.example/f" onload="evil()"></iframe>',
    }),
    '/photo': link('application/json+oembed', '/service/photo'),
    '/service/photo': json({ type: 'photo', url: 'https://x.example/"><i>.jpg', width: 3, height: 2, title: '"' }),
    '/link': link('application/json+oembed', '/service/link'),
    '/service/link': json({ type: 'link', title: '<b>' }),
    '/xml': link('text/xml+oembed', '/service/xml?format=xml'),
    '/service/xml':
      '<?xml version="1.0"?><oembed><type>video</type><html>&lt;iframe src="https://x.example/v"&gt;&lt;/iframe&gt;</html></oembed>',
    '/script': link('application/json+oembed', '/service/script'),
    '/service/script': json({ type: 'rich', html: '<script src="https://x.example/a.js"></script>' }),
    '/list': link('application/json+oembed', '/service/list'),
    '/service/list': json([1]),
    '/metadata': link('application/json+oembed', 'http://169.254.169.254/'),
    '/plain': '<head><title>Nothing</title></head>',
    '/body': `<body>${link('application/json+oembed', '/service/rich')}</body>`,
  }));
});

afterAll(() => upstream.close());

const from = (path: string, discover = true) =>
  embedFrom(createFetcher({ allow: [upstream.host] }), upstream.url + path, { maxWidth: 400 }, { discover, own: [] });

describe('remote pages', () => {
  it.each([
    ['/rich', '<iframe sandbox="allow-scripts" security="restricted" src="https://x.example/f"></iframe>'],
    ['/photo', 'alt="&quot;" width="3" height="2" /></a>'],
    ['/link', '>&lt;b&gt;</a>'],
    ['/xml', '<iframe sandbox="allow-scripts" security="restricted" src="https://x.example/v"></iframe>'],
  ])('%s', async (path, html) => {
    expect((await from(path))?.html).toContain(html);
  });

  it.each(['/script', '/list', '/metadata', '/plain', '/body', '/missing'])('%s cannot be embedded', async (path) => {
    expect(await from(path)).toBeNull();
  });

  it('are requested with the given size, and keep the parameters of the service', async () => {
    await from('/rich');
    expect(upstream.asked.findLast((target) => target.startsWith('/service/rich'))).toBe(
      '/service/rich?a=1&b=2&maxwidth=400&maxheight=600&dnt=1&format=json',
    );
  });

  it('are not requested without discovery', async () => {
    const before = upstream.asked.length;
    expect(await from('/rich', false)).toBeNull();
    expect(upstream.asked.length).toBe(before);
  });

  it.each([
    ['/a.mp3', 'audio'],
    ['/a.mp4', 'video'],
  ])('%s plays inline', async (path, tag) => {
    expect(await from(path, false)).toEqual({
      provider_name: 'Embed Handler',
      html: `<${tag} controls src="${upstream.url}${path}"></${tag}>`,
    });
  });
});

describe('trusted providers', () => {
  it.each([
    ['https://www.youtube.com/watch?v=abc', 'YouTube'],
    ['https://youtu.be/abc', 'YouTube'],
    ['http://vimeo.com/1', 'Vimeo'],
    ['https://open.spotify.com/track/1', 'Spotify'],
    ['https://youtube.com.evil.example/watch?v=abc', undefined],
    ['https://evilyoutube.com/watch?v=abc', undefined],
    ['https://evil.example/https://www.youtube.com/watch?v=abc', undefined],
    ['https://evil.example?www.vimeo.com/1', undefined],
  ])('%s', (address, name) => {
    expect(providerOf(address)?.name).toBe(name);
  });
});

describe('untrusted markup', () => {
  it.each([
    [
      '<blockquote class="x" onclick="e()"><p>Say <a href="https://a.example/?b&amp;c" onclick="e()">this</a> &lt;b&gt;</p></blockquote>',
      '<blockquote>Say <a href="https://a.example/?b&amp;c">this</a> &lt;b&gt;</blockquote>',
    ],
    ['<blockquote><a href="javascript:e()">x</a><script>e()</script></blockquote>', '<blockquote>x</blockquote>'],
    ['<blockquote>a<a href="https://a.example">b', '<blockquote>a<a href="https://a.example">b</a></blockquote>'],
    ['<iframe src="javascript:e()"></iframe>', null],
    [
      '<iframe src="https://a.example" srcdoc="<script>" allow="camera" width="1"></iframe><iframe src="https://b.example"></iframe>',
      '<iframe sandbox="allow-scripts" security="restricted" src="https://a.example" width="1"></iframe>',
    ],
    ['<img src=x onerror=e()>', null],
    ['', null],
  ])('%s', (html, safe) => {
    expect(framed(html)).toBe(safe);
  });

  it('is sanitized in linear time', async () => {
    for (const piece of ['<a "', '<blockquote><a href=', '<iframe ', '<!--', '"\''])
      expect(await cpuMs(() => framed(piece.repeat(30_000)))).toBeLessThan(5000);
  });
});

describe('XML', () => {
  it('matches the reference', () => {
    expect(printXml({ title: 'Tom &amp; Jé &#8217;', html: '<a>&amp;</a>', data: { params: ['url'] }, none: null })).toBe(
      '<?xml version="1.0"?>\n<oembed><title>Tom &amp; J&#xE9; &#x2019;</title><html>&lt;a&gt;&amp;amp;&lt;/a&gt;</html><data><params><oembed>url</oembed></params></data><none></none></oembed>\n',
    );
  });

  it('is parsed one level deep', () => {
    expect(readXml('<oembed><type>rich</type><html><![CDATA[<b>&amp;</b>]]></html></oembed>')).toEqual({
      type: 'rich',
      html: '<b>&amp;</b>',
    });
    expect(readXml('<html><body>no</body></html>')).toBeNull();
    expect(readXml('not at all')).toBeNull();
  });
});
