import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createIdRewriter } from '../../../src/transfer/import/id-rewriter.ts';
import { createLinks, type LinkRewriter } from '../../../src/transfer/import/links.ts';
import { cpuMs, long, maxLongMs } from '../../support/long-texts.ts';
import '../../support/seed.ts';

function known(): LinkRewriter {
  const links = createLinks();
  links.address('https://example.com');
  links.uploads('https://example.com/files');
  links.uploads('http://cdn.example.net/f/u/');
  links.page('https://example.com/about/', '/about/');
  links.page('https://example.com/2020/01/hello-world/', '/2020/hello-world/');
  links.page('https://example.com/2020/01/%e6%97%a5/', '/2020/%e6%97%a5/');
  links.page('https://example.com/?p=12', '/about/');
  links.page('/old/team/', '/about/team/');
  links.file('2020/03/cat.jpg', '2026/03/cat-1.jpg');
  links.file('2020/03/big-scaled.jpg', '2020/03/big-scaled.jpg');
  links.file('2020/03/cut-e1699000000000.png', '2020/03/cut.png');
  links.file('2020/03/a--b (1).pdf', '2020/03/a--b (1).pdf');
  links.file('2020/03/photo-300x200.jpg', '2020/03/photo.jpg');
  links.file('https://other.example.org/static/logo.png', '2020/logo.png');
  return links;
}

const cat = '/uploads/2026/03/cat-1.jpg';

describe('rewrite', () => {
  test.each([
    // where addresses stand
    ['<img src="https://example.com/files/2020/03/cat.jpg" alt="">', `<img src="${cat}" alt="">`],
    ["<a href='http://www.example.com/about/#team'>x</a>", "<a href='/about/#team'>x</a>"],
    ['<a href=https://example.com/about>x</a>', '<a href=/about/>x</a>'],
    ['<img src="/files/2020/03/cat.jpg">', `<img src="${cat}">`],
    ['<a href="/old/team/">', '<a href="/about/team/">'],
    [
      'srcset="https://example.com/files/2020/03/cat-300x200.jpg 300w, https://example.com/files/2020/03/cat.jpg 900w"',
      `srcset="/uploads/2026/03/cat-1-300x200.jpg 300w, ${cat} 900w"`,
    ],
    ['srcset="/files/2020/03/cat.jpg 1x,/files/2020/03/cat.jpg 2x"', `srcset="${cat} 1x,${cat} 2x"`],
    ['<div style="background:url(https://example.com/files/2020/03/cat.jpg)">', `<div style="background:url(${cat})">`],
    [
      '<div style="background:url(&quot;//example.com/files/2020/03/cat.jpg&quot;)">',
      `<div style="background:url(&quot;${cat}&quot;)">`,
    ],
    ['<video poster="http://cdn.example.net/f/u/2020/03/cat.jpg">', `<video poster="${cat}">`],
    [
      '<!-- wp:image {"url":"https:\\/\\/example.com\\/files\\/2020\\/03\\/cat.jpg"} -->',
      '<!-- wp:image {"url":"\\/uploads\\/2026\\/03\\/cat-1.jpg"} -->',
    ],
    [
      '<!-- wp:file {"href":"https://example.com/files/2020/03/a\\u002d\\u002db%20(1).pdf"} -->',
      '<!-- wp:file {"href":"/uploads/2020/03/a\\u002d\\u002db%20%281%29.pdf"} -->',
    ],
    [
      '<!-- wp:html {"x":"\\u003ca href=\\u0022https://example.com/about/\\u0022\\u003e"} /-->',
      '<!-- wp:html {"x":"\\u003ca href=\\u0022/about/\\u0022\\u003e"} /-->',
    ],
    [
      'data-json="{&quot;u&quot;:&quot;https:\\/\\/example.com\\/about\\/&quot;}"',
      'data-json="{&quot;u&quot;:&quot;\\/about\\/&quot;}"',
    ],
    ['![cat](https://example.com/files/2020/03/cat.jpg "A cat")', `![cat](${cat} "A cat")`],
    ['[a](https://example.com/about/) and [b](/old/team/)', '[a](/about/) and [b](/about/team/)'],
    ['[ref]: https://example.com/about/\n[b]: </old/team/>', '[ref]: /about/\n[b]: </about/team/>'],
    ['see <https://example.com/about/>', 'see [https://example.com/about/](/about/)'],
    ['see <https://example.com/files/2020/03/cat.jpg>', `see [${cat}](${cat})`],
    ['[https://example.com/about/](https://example.com/about/)', '[https://example.com/about/](/about/)'],
    ['<a href="https://example.com/about/">https://example.com/about/</a>', '<a href="/about/">https://example.com/about/</a>'],
    ['https://example.com/about/', '/about/'],
    ['<!-- wp:x {"list":["https://example.com/about/","https://example.com/"]} /-->', '<!-- wp:x {"list":["/about/","/"]} /-->'],
    [
      'See https://example.com/files/2020/03/cat.jpg, or (https://example.com/files/2020/03/cat.jpg).',
      `See ${cat}, or (${cat}).`,
    ],
    ['[video mp4="https://example.com/files/2020/03/cat.jpg"]', `[video mp4="${cat}"]`],
    ['| https://example.com/files/2020/03/cat.jpg|x|', `| ${cat}|x|`],
    // queries, fragments, spellings
    ['="https://example.com/files/2020/03/cat.jpg?w=300&amp;h=2#x"', `="${cat}?w=300&amp;h=2#x"`],
    ['="https://example.com/about/?utm=1"', '="/about/?utm=1"'],
    ['="https://example.com/?p=12&#038;preview=true#c"', '="/about/#c"'],
    ['="HTTPS://EXAMPLE.com:443/About"', '="/about/"'],
    ['="https://example.com/2020/01/日/"', '="/2020/%e6%97%a5/"'],
    ['="https://example.com/2020/01/%E6%97%A5"', '="/2020/%e6%97%a5/"'],
    ['a="https://example.com" b="https://example.com/" [x](https://example.com)', 'a="/" b="/" [x](/)'],
    ['https://other.example.org/static/logo.png', '/uploads/2020/logo.png'],
    // sizes
    ['="https://example.com/files/2020/03/cat-150x150.jpg"', '="/uploads/2026/03/cat-1-150x150.jpg"'],
    ['="https://example.com/files/2020/03/cat-111x77.jpg"', `="${cat}"`],
    ['="https://example.com/files/2020/03/cat-scaled.jpg"', '="/uploads/2026/03/cat-1-scaled.jpg"'],
    ['="https://example.com/files/2020/03/big-300x225.jpg"', '="/uploads/2020/03/big-scaled-300x225.jpg"'],
    ['="https://example.com/files/2020/03/big.jpg"', '="/uploads/2020/03/big-scaled.jpg"'],
    ['="https://example.com/files/2020/03/cut-e1699000000000-300x200.png"', '="/uploads/2020/03/cut-300x200.png"'],
    ['="https://example.com/files/2020/03/cut-300x200.png"', '="/uploads/2020/03/cut-300x200.png"'],
    ['="https://example.com/files/2020/03/photo-300x200.jpg"', '="/uploads/2020/03/photo.jpg"'],
  ])('%s', (text, expected) => {
    const links = known();
    expect(links.rewrite(text).text).toBe(expected);
    expect(links.unknown().count).toBe(0);
  });

  test.each([
    'https://example.com.evil/about/',
    'https://example.community/about/',
    'https://notexample.com/about/',
    'https://my.example.com/about/',
    'https://example.com@evil.example/about/',
    'https://example.com:pass@evil.example/',
    'https://example.com;x@evil.example/about/',
    '"https://example.com\\@evil.example"',
    '"https://example.com\\u005c@evil.example"',
    'https://example.com%2eevil/about/',
    'https://example.comé/about/',
    'https://example.com:8443/about/',
    'ftp://example.com/about/',
    'mailto:me@example.com and example.com/about/',
    'https://archive.example/web/2020/https://example.com/about/',
    '<a href="https://share.example/?u=https://example.com/about/">',
    'https://share.example/?u=https%3A%2F%2Fexample.com%2Fabout%2F',
    'See https://example.com/about/, "https://example.com/", or \nhttps://example.com/nowhere/',
    'the path /old/team/ in prose, and "/old/teams/"',
    'a/files/2020/03/cat.jpg ../files/2020/03/cat.jpg',
    '"/about/" <a href="//old/team/">',
    '',
  ])('leaves unchanged: %s', (text) => {
    const links = known();
    expect(links.rewrite(text)).toEqual({ text, files: 0, pages: 0, unknown: [] });
    expect(links.unknown().count).toBe(0);
  });

  it('counts changes and unknown links', () => {
    const links = known();
    const text = ['about/', 'nowhere/', 'files/2020/03/cat.jpg', 'files/2020/03/dog.jpg', '?s=x', '//evil.example/']
      .map((path) => `<a href="https://example.com/${path}">`)
      .join(' ');
    expect(links.rewrite(`${text} <img src="/files/none.png">`)).toMatchObject({ files: 1, pages: 1 });
    expect(links.unknown()).toEqual({
      count: 5,
      first: [
        'https://example.com/nowhere/',
        'https://example.com/files/2020/03/dog.jpg',
        'https://example.com/?s=x',
        'https://example.com///evil.example/',
        '/files/none.png',
      ],
    });
  });

  test.each([
    ['<img src="https://www.example.com/files/2020/03/My Cat.jpg" alt="">', '<img src="/uploads/2020/03/My-Cat.jpg" alt="">'],
    ["<img src='/files/2020/03/My Cat-300x200.jpg'>", "<img src='/uploads/2020/03/My-Cat-300x200.jpg'>"],
    ['![x](<https://example.com/files/2020/03/My Cat.jpg>)', '![x](</uploads/2020/03/My-Cat.jpg>)'],
    ['{"url":"https:\\/\\/example.com\\/files\\/2020\\/03\\/My Cat.jpg"}', '{"url":"\\/uploads\\/2020\\/03\\/My-Cat.jpg"}'],
    ['https://example.com/files/2020/03/My Cat.jpg', '/uploads/2020/03/My-Cat.jpg'],
    // Another file is not meant, and prose goes on.
    ['<img src="https://example.com/files/2020/03/My Dog.jpg">', '<img src="https://example.com/files/2020/03/My Dog.jpg">'],
    ['"https://example.com/about/ is it"', '"https://example.com/about/ is it"'],
    ['src="https://i0.wp.com/example.com/files/2020/03/cat.jpg?resize=300%2C200&amp;ssl=1"', `src="${cat}"`],
    ['src="https://i2.wp.com/www.example.com/files/2020/03/cat.jpg"', `src="${cat}"`],
    ['src="https://i0.wp.com/other.example.net/cat.jpg?w=3"', 'src="https://i0.wp.com/other.example.net/cat.jpg?w=3"'],
    ['href="https://example.com/index.php/about/#x"', 'href="/about/#x"'],
    ['href="https://example.com/index.php"', 'href="/"'],
    ['href="https://example.com/about/page/2/"', 'href="/about/page/2/"'],
    ['href="https://example.com/index.php/page/3"', 'href="/page/3/"'],
    ['href="https://example.com/nowhere/page/2/"', 'href="https://example.com/nowhere/page/2/"'],
  ])('supports other spellings: %s', (text, expected) => {
    const links = known();
    links.file('2020/03/My Cat.jpg', '2020/03/My-Cat.jpg');
    expect(links.rewrite(text).text).toBe(expected);
    expect(links.rewrite(expected).text).toBe(expected);
  });

  it('uses the path of a site below a path', () => {
    const links = createLinks();
    links.address('https://example.com/blog');
    links.page('https://example.com/blog/about/', '/about/');
    expect(
      links.rewrite('[a](https://example.com/blog/about/) [b](https://example.com/blog) [c](https://example.com/shop/) "/blog"')
        .text,
    ).toBe('[a](/about/) [b](/) [c](https://example.com/shop/) "/blog"');
    expect(links.rewrite('<a href="/blog/about/">').text).toBe('<a href="/about/">');
    expect(links.unknown().count).toBe(0);
  });

  it('uses the sizes and format of the site', () => {
    const hero = { name: 'hero', width: 1600, height: 600, crop: true };
    const links = createLinks({ sizing: { sizes: [hero], format: 'webp', quality: undefined } });
    links.uploads('https://example.com/files');
    links.file('a.jpg', 'b.jpg');
    expect(links.rewrite('https://example.com/files/a-1600x600.jpg https://example.com/files/a-300x200.jpg').text).toBe(
      '/uploads/b-jpg-1600x600.webp /uploads/b.jpg',
    );
  });

  it('returns the same string if nothing changes', () => {
    const text = `${'x'.repeat(50)} https://example.org/ <a href="/x/">`.repeat(3);
    const { text: same } = known().rewrite(text);
    expect(Object.is(same, text)).toBe(true);
  });

  const parts = [
    'https://example.com',
    'https:\\/\\/example.com\\/about\\/',
    'http://www.example.com/files/2020/03/cat-300x200.jpg',
    '/files/2020/03/cat.jpg',
    '/old/team/',
    'https://example.com/nowhere/',
    'https://example.com/?p=12',
    ...[
      '"',
      "'",
      '=',
      '(',
      ')',
      '<',
      '>',
      '\\',
      '\\u0022',
      '&quot;',
      '?',
      '#',
      '.',
      ',',
      '@',
      ':',
      '/',
      '//',
      ' ',
      '\n',
      '](',
      ']: ',
    ],
    ...['href=', '"url":', 'x', 'é', '&amp;', '<!-- wp:image {', '} -->'],
  ];

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 5 })), { maxLength: 40 }), (pieces) => {
        const once = known().rewrite(pieces.join('')).text;
        expect(known().rewrite(once).text).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves text without known URLs unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...parts.slice(7), 'https://example.org/about/'), fc.string())), (pieces) => {
        const text = pieces.join('');
        expect(known().rewrite(text).text).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['https://example.com/', '//', '\\/', '"/', '&quot;', '(', 'https://example.com/(', 'href=', '<!--', '/files/'])(
    'takes linear time: %s',
    async (part) => {
      const links = known();
      expect(await cpuMs(() => links.rewrite(long(part)))).toBeLessThan(maxLongMs);
    },
  );
});

describe('ids in content', () => {
  const ids = createIdRewriter();
  ids.post(12, 112);
  ids.post(112, 12);
  ids.post(7, 70);
  ids.term(12, 3);
  test.each([
    [
      '<!-- wp:image {"id":12,"sizeSlug":"large"} --><img class="wp-image-12 x" data-id="12">',
      '<!-- wp:image {"id":112,"sizeSlug":"large"} --><img class="wp-image-112 x" data-id="112">',
    ],
    ['<!-- wp:gallery {"ids":[7,12,112]} -->', '<!-- wp:gallery {"ids":[70,112,12]} -->'],
    ['<!-- wp:media-text {"mediaId":7} -->', '<!-- wp:media-text {"mediaId":70} -->'],
    ['<!-- wp:block {"ref":12} /-->', '<!-- wp:block {"ref":112} /-->'],
    ['<!-- cms:navigation {"ref":7} /-->', '<!-- cms:navigation {"ref":70} /-->'],
    ['<!-- wp:navigation-link {"id":12,"kind":"taxonomy"} /-->', '<!-- wp:navigation-link {"id":3,"kind":"taxonomy"} /-->'],
    ['<!-- wp:navigation-link {"id":12,"kind":"post-type"} /-->', '<!-- wp:navigation-link {"id":112,"kind":"post-type"} /-->'],
    [
      '<!-- wp:query {"query":{"perPage":12,"taxQuery":{"category":[12,5]}}} -->',
      '<!-- wp:query {"query":{"perPage":12,"taxQuery":{"category":[3,5]}}} -->',
    ],
    [
      '[gallery ids="7,12" columns="12"] [caption id="attachment_12" width="12"]',
      '[gallery ids="70,112" columns="12"] [caption id="attachment_112" width="12"]',
    ],
    ['<a rel="attachment wp-att-7">7 12</a>', '<a rel="attachment wp-att-70">7 12</a>'],
    [
      '<!-- wp:paragraph {"id":12} --><p id="12">wp-image-x 12</p>',
      '<!-- wp:paragraph {"id":12} --><p id="12">wp-image-x 12</p>',
    ],
    ['<!-- wp:image {"alt":"\\"id\\":12"} -->', '<!-- wp:image {"alt":"\\"id\\":12"} -->'],
  ])('%s', (text, expected) => expect(ids.rewrite(text)).toBe(expected));
});
