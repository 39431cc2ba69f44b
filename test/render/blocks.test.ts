import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { delimiters, hasBlocks, parseBlocks, renderBlock, withoutStrayEnd } from '../../src/render/blocks.ts';
import { cpuMs, long, maxLongMs } from '../support/long-texts.ts';

const page = `intro
<!-- wp:columns {"cols":2} -->
<div><!-- wp:column --><div><!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --></div><!-- /wp:column --></div>
<!-- /wp:columns -->
<!-- cms:my-plugin/map {"lat":1.5,"tags":["a","b"]} /-->`;

describe('parseBlocks', () => {
  test('returns the tree, with loose markup as unnamed blocks', () => {
    const [intro, columns, gap, map] = parseBlocks(page);
    expect(intro).toEqual({ name: null, attrs: {}, innerBlocks: [], innerHTML: 'intro\n', innerContent: ['intro\n'] });
    expect(columns).toMatchObject({
      name: 'core/columns',
      attrs: { cols: 2 },
      innerHTML: '\n<div></div>\n',
      innerContent: ['\n<div>', null, '</div>\n'],
    });
    expect(columns?.innerBlocks[0]).toMatchObject({
      name: 'core/column',
      innerBlocks: [{ name: 'core/paragraph', innerHTML: '<p>A</p>' }],
    });
    expect(gap).toMatchObject({ name: null, innerHTML: '\n' });
    expect(map).toMatchObject({ name: 'my-plugin/map', attrs: { lat: 1.5, tags: ['a', 'b'] }, innerHTML: '' });
  });

  test.each([
    ['attributes that are no JSON', '<!-- wp:x {"a":} -->b<!-- /wp:x -->', [{ name: 'core/x', attrs: null, innerHTML: 'b' }]],
    [
      'a block that is not closed',
      '<!-- wp:x -->a<!-- wp:y -->b',
      [{ name: 'core/x', innerHTML: 'a', innerBlocks: [{ name: 'core/y', innerHTML: 'b' }] }],
    ],
    [
      'a closing delimiter alone',
      'a<!-- /wp:x -->b',
      [
        { name: null, innerHTML: 'a' },
        { name: null, innerHTML: 'b' },
      ],
    ],
    [
      'attributes that hold the end of a comment',
      '<!-- wp:x {"a":"-->"} -->b<!-- /wp:x -->',
      [{ name: 'core/x', attrs: { a: '-->' }, innerHTML: 'b' }],
    ],
    ['more white space', '<!--  wp:x\t{"a":1}\n-->b<!--  /wp:x  -->', [{ name: 'core/x', attrs: { a: 1 }, innerHTML: 'b' }]],
    ['no delimiter', '<!-- wp:x / --><!-- wp:x {"a":1}--><!-- wp:x [1] -->', [{ name: null }]],
    ['common comments', '<!-- note --><!--more-->', [{ name: null, innerHTML: '<!-- note --><!--more-->' }]],
    ['an empty text', '', []],
  ])('%s', (_, raw, blocks) => expect(parseBlocks(raw)).toMatchObject(blocks));

  test('rendered blocks are the text without delimiters', () => {
    const bits = fc.constantFrom(
      'a',
      '<!-- wp:x -->',
      '<!-- /wp:x -->',
      '<!-- wp:y {"b":1} /-->',
      '<!-- cms:z {"',
      '"} -->',
      '-->',
      '<!--',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.array(bits).map((parts) => parts.join('')),
        (raw) => {
          expect(
            parseBlocks(raw)
              .map((block) => renderBlock(block))
              .join(''),
          ).toBe(withoutDelimiters(raw));
        },
      ),
    );
  });

  test.each(['<!-- wp:x -->', '<!-- wp:x {', '<!--', '<!-- wp:x {"a":"', '<!-- wp:x ', '<'])(
    'stays fast on a quarter of a megabyte of %j',
    async (unit) => {
      const raw = long(unit);
      const work = () => {
        for (const block of parseBlocks(raw)) renderBlock(block);
        for (const _ of delimiters(`${raw}-->`));
        parseBlocks(`${raw}-->`);
      };
      expect(await cpuMs(work)).toBeLessThan(maxLongMs);
    },
  );
});

test('hasBlocks', () => {
  const texts = [page, '<!-- cms:x /-->', '<!--  wp:x  -->', '<!-- /wp:x -->', '<!--more-->', 'wp:x'];
  expect(texts.map(hasBlocks)).toEqual([true, true, true, true, false, false]);
});

describe('unmatched closing delimiters', () => {
  it.each([
    ['<p>a</p><!-- /wp:paragraph --> b', '<p>a</p> b<!-- /wp:post-content -->'],
    ['<!-- wp:x --><!-- /wp:x --><!-- /cms:x -->', '<!-- wp:x --><!-- /wp:x --><!-- /wp:post-content -->'],
    ['<!-- wp:x --><!-- wp:y --><!-- /wp:x -->', null],
    ['plain', null],
  ])('%s', (raw, expected) => expect(withoutStrayEnd(raw)).toBe(expected));
});

/** What static blocks show: the markup without its delimiters. */
function withoutDelimiters(raw: string): string {
  const found = [...delimiters(raw)];
  return [0, ...found.map(({ end }) => end)].map((from, at) => raw.slice(from, found[at]?.start)).join('');
}
