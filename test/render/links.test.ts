import { describe, expect, test } from 'vitest';
import { linkAddresses, markUserLinks } from '../../src/render/links.ts';

const home = 'https://site.example';

describe('linkAddresses', () => {
  test.each([
    ['see http://x.example/a.', 'see <a href="http://x.example/a" rel="nofollow ugc">http://x.example/a</a>.'],
    ['(https://x.example/a_(b))', '(<a href="https://x.example/a_(b)" rel="nofollow ugc">https://x.example/a_(b)</a>)'],
    ['https://site.example/about/', '<a href="https://site.example/about/" rel="ugc">https://site.example/about/</a>'],
    [
      'http://x.example/?a=1&b=2',
      '<a href="http://x.example/?a=1&#038;b=2" rel="nofollow ugc">http://x.example/?a=1&#038;b=2</a>',
    ],
    ['www.x.example, yes', '<a href="http://www.x.example" rel="nofollow ugc">http://www.x.example</a>, yes'],
    ['to me@x.example!', 'to <a href="mailto:me@x.example">me@x.example</a>!'],
    ['javascript://x.example/%0aalert(1)', 'javascript://x.example/%0aalert(1)'],
    ['<a href="http://x.example/">http://x.example/</a>', '<a href="http://x.example/">http://x.example/</a>'],
    ['<code>http://x.example/</code>', '<code>http://x.example/</code>'],
    ['<b title="http://x.example/">a</b>', '<b title="http://x.example/">a</b>'],
    ['no://', 'no://'],
    ['a.www.b', 'a.www.b'],
  ])('%s', (from, to) => expect(linkAddresses(from, home)).toBe(to));
});

describe('markUserLinks', () => {
  test.each([
    ['<a href="http://x.example">x</a>', '<a href="http://x.example" rel="nofollow ugc">x</a>'],
    ['<a href="http://x.example" rel="me nofollow">x</a>', '<a href="http://x.example" rel="me nofollow ugc">x</a>'],
    ['<a href="https://site.example/a" title="t">x</a>', '<a href="https://site.example/a" title="t" rel="ugc">x</a>'],
    ['<a href="/a">x</a>', '<a href="/a" rel="ugc">x</a>'],
    ['<abbr>x</abbr>', '<abbr>x</abbr>'],
  ])('%s', (from, to) => {
    expect(markUserLinks(from, home)).toBe(to);
    expect(markUserLinks(to, home)).toBe(to);
  });
});
