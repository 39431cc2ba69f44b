/** Links and blocks inside of bodies: which are said, and where. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { codeIn, commentsIn, within } from '../../src/render/body-ranges.ts';
import { linksIn } from '../../src/render/body-links.ts';
import { body, findings, front, post, said, sound, type Files } from './findings.ts';
import { cpuMs } from '../support/long-texts.ts';
import '../support/seed.ts';

/** A body of the post, from its fifth line on, and what is said of it. */
const markdown: readonly (readonly [name: string, text: string, ...says: string[]])[] = [
  ['a page', '[x](/about/)'],
  ['a page without slash, with query and anchor', '[x](/about?x=1#top) [y](/about/team#a) [z](#here) [w](/about/#x)'],
  ['the front page, a feed, a page of a list', '[x](/) [y](/feed/) [z](/about/feed/) [w](/category/news/page/2/)'],
  [
    'terms, authors, dates, the interface, assets',
    '[x](/category/news/local/) [y](/tag/walks/) [z](/author/anna/) [w](/2026/03/) [v](/cms-json/cms/v2/posts) [u](/style.css)',
  ],
  ['no page', 'See [x](/abuot/team/) there.', '4:9 warning broken-link'],
  ['no page, absolute', 'See [x](https://quay.example/nowhere/) and http://www.quay.example/about/', '4:9 warning broken-link'],
  ['no page, bare', 'https://quay.example/nowhere.', '4:1 warning broken-link'],
  [
    'no page, in angle brackets, by definition, in a title',
    '<https://quay.example/no> [a]\n\n[a]: /gone "t"\n[b](</gone b> "t")',
    '4:2 warning broken-link',
    '6:6 warning broken-link',
    '7:6 warning broken-link',
  ],
  ['elsewhere', '[x](https://quay.example.evil/no) [y](//cdn.example/no) [z](mailto:a@quay.example)'],
  ['by id', '[x](/?p=1) [y](/?p=99)', '4:16 warning broken-link'],
  ['a term that is not there', '[x](/tag/nowhere/)', '4:5 warning broken-link'],
  ['a former slug', '[x](/good-day/#a) [y](/about/crew)', '4:5 note former-address', '4:23 note former-address'],
  ['a draft', '[x](/later/)', '4:5 warning unpublished-link'],
  ['encoded', '[x](/%E6%97%A5%E6%9C%AC/) [y](/日本/) [z](/uber/)'],
  [
    'code is no link',
    '`[x](/no/)` ``a ` [x](/no/)``\n\n```\n[x](/no/)\n```\n\n~~~md\n[x](/no/)\n~~~~\n[x](/no/)',
    '13:5 warning broken-link',
  ],
  [
    'HTML in Markdown',
    'A <a class="x>y" href="/no/">x</a>, not href="/no/" and <!-- <a href="/no/"> -->',
    '4:24 warning broken-link',
  ],
  [
    'pictures',
    '![](/uploads/2026/03/cat.jpg) ![](/uploads/2026/03/cat-300x200.jpg) ![](/uploads/2026/03/cta.jpg)',
    '4:73 error missing-upload',
  ],
  ['pictures, capitals', '![](/uploads/2026/03/Cat.JPG)', '4:5 error missing-upload'],
  ['templates of front ends', '[x]({{ url }}) [y](/{{ slug }}/)'],
];

const markup: readonly (readonly [name: string, text: string, ...says: string[]])[] = [
  [
    'links and pictures',
    '<a href="/about/">x</a>\n<a href=\'/no/\'>x</a>\n<img src=/uploads/no.png>',
    '5:10 warning broken-link',
    '6:10 error missing-upload',
  ],
  ['srcset', '<img srcset="/uploads/2026/03/cat-300x200.jpg 300w, /uploads/no.png 2x">', '4:53 error missing-upload'],
  [
    'attributes of blocks',
    '<!-- wp:image {"id":4,"url":"https:\\/\\/quay.example\\/uploads\\/no.png","href":"/no/?a=1\\u0026b=2"} /-->',
    '4:30 error missing-upload',
    '4:79 warning broken-link',
  ],
  ['text is no link', '&lt;a href="/no/"&gt; https://quay.example/no/ [x](/no/)'],
  [
    'sound blocks',
    '<!-- wp:group {"a":{"b":"}"}} --><div><!-- wp:spacer /--><!-- wp:my/block --><!-- /wp:my/block --></div><!-- /wp:group -->',
  ],
  [
    'a block that is not closed',
    '<!-- wp:group -->\n<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:group -->',
    '5:1 error block-unclosed',
  ],
  ['a block that is not opened', '<p>x</p>\n<!-- /wp:paragraph -->', '5:1 error block-unopened'],
  [
    'blocks that cross',
    '<!-- wp:a -->\n<!-- wp:b -->\n<!-- /wp:a -->\n<!-- /wp:b -->',
    '5:1 error block-unclosed',
    '7:1 error block-unopened',
  ],
  [
    'attributes that are no JSON',
    '<!-- wp:heading {level:3} -->\n<h3>x</h3>\n<!-- /wp:heading -->',
    '4:1 error block-attributes',
  ],
  [
    'what is no delimiter',
    '<!-- wp:heading {"level":3 -->\n<h3>x</h3>\n<!-- wp:spacer',
    '4:1 error block-delimiter',
    '6:1 error block-delimiter',
  ],
];

describe('links', () => {
  const more: Files = {
    'posts/later.md': front('id: 40', 'status: draft'),
    'posts/日本.md': front('id: 41'),
    'posts/über.md': front('id: 43'),
  };
  it.each(markdown)('Markdown: %s', async (_, text, ...says) => {
    const found = await findings({
      ...sound,
      ...more,
      [post]: `---\nid: 1\n---\n${text}\n`,
      'posts/old.md': front('id: 42', 'aliases: [good-day]'),
    });
    expect(said(found)).toEqual([...says].sort());
  });
  it.each(markup)('markup: %s', async (_, text, ...says) => {
    const path = 'posts/blocks.html';
    const found = await findings({ ...sound, ...more, [path]: `---\nid: 50\n---\n${text}\n` });
    expect(said(found)).toEqual(says.map((one) => `${path} ${one}`).sort());
  });

  it('to lists only of a custom front end', async () => {
    const lists = body('[x](/category/) [y](/author/) [z](/nowhere/)\n');
    const settings = String(sound['site.yaml']);
    const of = async (more: string): Promise<string[]> =>
      said(await findings({ ...sound, ...lists, 'site.yaml': settings + more }));
    const unknown = '5:35 warning broken-link';
    expect((await of('front: https://front.example\n')).filter((one) => one.includes('broken'))).toEqual([unknown]);
    expect((await of('')).filter((one) => one.includes('broken'))).toHaveLength(3);
  });

  it('to scheduled items include the date, and drafts may link to drafts', async () => {
    const later = { 'posts/later.md': front('id: 40', 'date: 2027-01-01', 'status: future') };
    const found = await findings({ ...sound, ...later, ...body('[x](/later/)') });
    expect(found.map(({ message }) => message)).toEqual([
      'posts/later.md is scheduled for 2027-01-01T00:00:00: readers cannot see it',
    ]);
    const draft = { 'posts/x.md': `${front('id: 41', 'status: draft')}[x](/later/)\n` };
    expect(await findings({ ...sound, ...later, ...draft })).toEqual([]);
  });

  it('follow the permalink pattern', async () => {
    const site = { 'site.yaml': 'menu_locations: {primary: x}\npermalink: /{year}/{month}/{slug}/\n' };
    const text = '[x](/2026/03/hello/) [y](/2025/01/hello/) [z](/hello/)';
    const found = await findings({ ...sound, ...site, 'pages/x.md': `${front('id: 41')}${text}` });
    expect(found.map(({ rule, hint }) => [rule, hint])).toEqual([
      ['former-address', 'it is at /2026/03/hello/ now'],
      ['broken-link', 'did you mean /2026/03/hello/?'],
    ]);
  });

  it('include aliases of parents', async () => {
    const about = { 'pages/about/index.md': '---\nid: 2\naliases: [who]\n---\n![](/uploads/2026/03/cat.jpg) [x](/who/team/)\n' };
    expect(said(await findings({ ...sound, ...about }))).toEqual(['pages/about/index.md 5:35 note former-address']);
  });

  it('are reported once, with their position', () => {
    const address = fc.constantFrom('/a/', '/uploads/x.png', 'https://quay.example/b', '/c?x=1&y#z');
    const form = fc.constantFrom('[t](#)', '<a href="#">', '<#>', '![i](#)', "<img src='#'>", '\n[r]: #\n', '[t](# "t")');
    const noise = fc.constantFrom(' ', '\n\n', 'text ', '`code` ', '<b>', '"', "'", ')', '](', '<!-- c -->');
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            noise,
            fc.tuple(form, address).map(([f, a]) => f.replace('#', () => a)),
          ),
        ),
        (parts) => {
          const text = parts.join('');
          const links = linksIn(text, 'md', ['//quay.example']);
          for (const { at, length, raw } of links) expect(text.slice(at, at + length)).toBe(raw);
          for (let next = 1; next < links.length; next++)
            expect(links[next]!.at).toBeGreaterThanOrEqual(links[next - 1]!.at + links[next - 1]!.length);
        },
      ),
    );
  });

  it('take little time in hostile bodies', async () => {
    const hostile = [
      '<a href="',
      '](',
      '](<',
      '`',
      '``` ',
      '<!--',
      '"url":"',
      '[a]:',
      '<a ',
      'href=/',
      '<a href=">" ',
      '(/',
      'https://quay.example',
    ];
    for (const piece of hostile) {
      const text = `${piece}/`.repeat(200_000 / piece.length);
      expect(await cpuMs(() => linksIn(text, 'md', ['//quay.example']))).toBeLessThan(10_000);
    }
  });
});

describe('code and comment ranges', () => {
  it('are sorted and do not overlap', () => {
    const piece = fc.constantFrom('`', '``', '```', '~~~', '\n', ' ', 'a', '<!--', '-->', '    ', '> ');
    fc.assert(
      fc.property(
        fc.array(piece).map((parts) => parts.join('')),
        (text) => {
          for (const ranges of [codeIn(text), commentsIn(text)]) {
            let end = 0;
            for (const [from, to] of ranges) {
              expect(from).toBeGreaterThanOrEqual(end);
              expect(to).toBeGreaterThan(from);
              end = to;
            }
            expect(end).toBeLessThanOrEqual(text.length);
            const isIn = within(ranges);
            for (let at = 0; at < text.length; at++) expect(isIn(at)).toBe(ranges.some(([from, to]) => from <= at && at < to));
          }
        },
      ),
    );
  });
});
