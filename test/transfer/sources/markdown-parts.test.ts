import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodyContext, convertBody } from '../../../src/transfer/sources/markdown/body.ts';
import { readDate } from '../../../src/transfer/sources/markdown/dates.ts';
import { readData, readPage } from '../../../src/transfer/sources/markdown/front-matter.ts';
import { createReader, keptData } from '../../../src/transfer/sources/markdown/keys.ts';
import { flagOf } from '../../../src/modules/content/posts/stated-status.ts';
import { fill, toPermalink } from '../../../src/transfer/sources/markdown/permalinks.ts';
import '../../support/seed.ts';

describe('dates in front matter', () => {
  const rows: readonly [raw: unknown, zone: string | null, date: string | null, gmt?: string][] = [
    ['2026-03-05', null, '2026-03-05T00:00:00'],
    ['2026-03-05', 'Europe/Berlin', '2026-03-05T00:00:00', '2026-03-04T23:00:00'],
    ['2026-03-05 10:00:00 +0200', null, '2026-03-05T08:00:00', '2026-03-05T08:00:00'],
    ['2026-03-05T10:00:00.000Z', 'Europe/Berlin', '2026-03-05T11:00:00', '2026-03-05T10:00:00'],
    ['2015-11-17 16:16:01 UTC', null, '2015-11-17T16:16:01', '2015-11-17T16:16:01'],
    ['2026/3/5', null, '2026-03-05T00:00:00'],
    ['Jul 08 2022', null, '2022-07-08T00:00:00'],
    ['July 8th, 2022 9:05', null, '2022-07-08T09:05:00'],
    ['8 July 2022', null, '2022-07-08T00:00:00'],
    ['Fri, 08 Jul 2022 10:00:00 GMT', null, '2022-07-08T10:00:00', '2022-07-08T10:00:00'],
    [1_657_274_400, null, '2022-07-08T10:00:00', '2022-07-08T10:00:00'],
    ['2026-02-30', null, null],
    ['next week', null, null],
    [12, null, null],
    [true, null, null],
    ['', null, null],
  ];
  it.each(rows)('%s in %s', (raw, zone, date, gmt) => {
    expect(readDate(raw, zone)).toEqual(date === null ? null : { date, ...(gmt === undefined ? {} : { dateGmt: gmt }) });
  });
});

describe('front matter', () => {
  const rows: readonly [name: string, text: string, data: unknown, body: string][] = [
    ['none', 'Text\n', {}, 'Text'],
    ['none, and an empty line at the end', 'Text\n\n', {}, 'Text\n'],
    ['YAML', '---\ntitle: No\nn: 007\n---\n\nText', { title: 'No', n: '007' }, 'Text'],
    ['TOML', '+++\nd = 2026-03-05\nf = 1.5\nt = 07:32:00\n+++\nText\n', { d: '2026-03-05', f: '1.5', t: '07:32:00' }, 'Text'],
    ['JSON between lines', '---json\n{"a": [1, 2.5]}\n---\n\nText\n\n', { a: [1, '2.5'] }, 'Text\n'],
    ['JSON at the top', '{\n"a": "}"\n}\n\nText\n', { a: '}' }, 'Text'],
    ['a shortcode at the top', '{{< x >}}\n', {}, '{{< x >}}'],
    ['plus signs', '+++x\n', {}, '+++x'],
  ];
  it.each(rows)('%s', (_, text, data, body) => expect(readPage(text)).toMatchObject({ data, body }));

  it('as a list', () => {
    expect(readData('a.yml', '# menu\n- a: 1\n- b: 2\n')).toEqual({ list: [{ a: 1 }, { b: 2 }] });
    expect(readData('a.json', '[1]')).toEqual({ list: [1] });
  });

  it('throws only errors with a position', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^(?:---(?:json|toml|js)?\n|\+\+\+\n|\{\n)[a-z:"'{}[\],=\n# -]{0,40}(?:---|\+\+\+|\})?\n?$/),
        (text) => {
          try {
            readPage(text);
          } catch (error) {
            expect(error).toMatchObject({ rule: expect.any(String), line: expect.any(Number), column: expect.any(Number) });
          }
        },
      ),
    );
  });

  it('loses no key', () => {
    const reader = createReader({ Title: 'a', pub_date: 'x', pubDate: 'y', mood: 'calm', status: 'odd', gone: null });
    expect(reader.take('title')).toEqual({ key: 'Title', value: 'a' });
    expect(reader.take('date', (value) => value === 'y')).toEqual({ key: 'pubDate', value: 'y' });
    expect(keptData(reader.rest())).toEqual({ pub_date: 'x', mood: 'calm', source_status: 'odd' });
  });

  it('accepts yes and no', () => {
    expect(['yes', 'On', 1, true, 'no', 'FALSE', 0, 'maybe', null].map(flagOf)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      undefined,
      undefined,
    ]);
  });
});

describe('URL patterns', () => {
  const parts = {
    title: 'A title',
    slug: 'a-title',
    name: 'file',
    date: '2026-03-05T10:00:00',
    categories: ['One', 'two'],
    section: 'docs/deep',
    extension: '.html',
  };
  it.each([
    ['/:categories/:year/:month/:day/:title:output_ext', '/one/two/2026/03/05/a-title.html'],
    ['/:section/:contentbasename/', '/docs/file/'],
    [':year/:i_day/:y_day/:short_month/:slug', '/2026/5/064/Mar/a-title'],
    [':year/:unknown/:slug', ''],
    ['/:sections[1:]/:slug/', ''],
  ])('%s', (pattern, address) => expect(fill(pattern, parts)).toBe(address));

  it.each([
    ['/:year/:month/:slug/', '/{year}/{month}/{slug}/'],
    ['/:section/:filename', '/blog/{slug}/'],
    ['/:year/:title.html', null],
    ['/:title/:i_day/', null],
    ['/:year/', null],
  ])('%s is converted to ours', (pattern, own) => expect(toPermalink(pattern, 'blog')).toBe(own));
});

describe('bodies', () => {
  const context = (templates: BodyContext['templates'], isMdx = false): BodyContext => ({
    templates,
    isMdx,
    base: '',
    resolve: (target) =>
      target.startsWith('known')
        ? { kind: 'page', url: '/there/', page: { path: 'x', type: 'post', link: '/there/' } }
        : { kind: 'other' },
    byName: () => ({ kind: 'missing' }),
    refer: () => '',
    note: () => {},
  });

  it('have every form of link rewritten', () => {
    const body =
      '[a](known.md) [b](<known b.md> "t") ![c](known-c(1).png)\n\n[d]: known.md "t"\n\n<a href="known"><img srcset="known 1x, other 2x"></a> [^1]: known\n';
    expect(convertBody(body, context('liquid'))).toBe(
      '[a](/there/) [b](/there/ "t") ![c](/there/)\n\n[d]: /there/ "t"\n\n<a href="/there/"><img srcset="/there/ 1x, other 2x"></a> [^1]: known\n',
    );
  });

  it('are unchanged in code', () => {
    const body =
      '`[a](known.md)`\n\n```md\n[a](known.md)\n{{ site.url }}\n```\n\n> ~~~\n> [a](known.md)\n> ~~~\n\n[a](known.md)\n';
    expect(convertBody(body, context('liquid'))).toBe(body.replace(/\[a\]\(known\.md\)\n$/, '[a](/there/)\n'));
  });

  it('without links and tags are unchanged byte for byte', () => {
    const text = fc.stringMatching(/^[a-z `*_#>|!.,0-9\n~\\-]{0,80}$/);
    const kinds = fc.constantFrom<BodyContext['templates']>('liquid', 'hugo', 'nunjucks', 'mdx', 'wiki');
    fc.assert(
      fc.property(text, kinds, (body, kind) => {
        expect(convertBody(body, context(kind))).toBe(body);
      }),
      { numRuns: 300 },
    );
  });

  it('are converted once: a second time changes nothing', () => {
    const part = fc.constantFrom(
      '[a](known)',
      '`x`',
      '```\n',
      '{{< figure src="known" >}}',
      '{% link a %}',
      '{{ site.url }}',
      '<img src="known">',
      'text ',
      '\n',
      '[[x]]',
      "import a from 'b'\n",
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.constantFrom<BodyContext['templates']>('liquid', 'hugo', 'wiki'),
        (parts, kind) => {
          const once = convertBody(parts.join(''), context(kind));
          expect(convertBody(once, context(kind))).toBe(once);
        },
      ),
    );
  });
});
