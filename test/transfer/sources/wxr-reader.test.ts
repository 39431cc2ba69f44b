import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WxrNode } from '../../../src/transfer/sources/wxr/parser.ts';
import { createReader } from '../../../src/transfer/sources/wxr/reader.ts';
import { SourceError } from '../../../src/transfer/import/items.ts';
import { wxrAuthor, wxrComment, wxrFoot, wxrHead, wxrItem } from '../../support/wxr.ts';
import '../../support/seed.ts';

const whole = [
  wxrHead(),
  wxrAuthor(3, 'anna'),
  '<!-- a comment with <![CDATA[ in it --><?instruction with <!-- in it?>\r\n',
  wxrItem({
    id: 7,
    title: 'One ]]> & <two>',
    content: 'a\r\nb\rc\n\n<!-- wp:x --> <?php ?> &nbsp; 😀',
    after: wxrComment({ id: 9 }),
  }),
  wxrItem({ id: 8, title: '' }).replace(
    '<title><![CDATA[]]></title>',
    '<title>Tom &amp; Jerry &#8230; <![CDATA[& <b>]]>!\r\n</title>',
  ),
  wxrItem({ id: 9 }),
  wxrFoot,
].join('');

function read(parts: readonly string[], keepGoing: boolean): readonly WxrNode[] | SourceError {
  const reader = createReader({ source: 'x.xml', keepGoing, without: new Set() });
  try {
    return [...parts.flatMap((part) => [...reader.write(part)]), ...reader.end()];
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

const cut = (text: string, places: readonly number[]): string[] => {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
};
const places = fc.array(fc.nat(), { maxLength: 40 });

describe('the reader', () => {
  it('parses text like XML', () => {
    const found = read([whole], false) as WxrNode[];
    const items = found.flatMap((one) => (one.kind === 'record' && one.element.name === 'item' ? [one.element] : []));
    const text = (item: (typeof items)[number] | undefined, name: string) =>
      item?.children.find((child) => child.name === name)?.text;
    expect(text(items[0], 'content:encoded')).toBe('a\nb\nc\n\n<!-- wp:x --> <?php ?> &nbsp; 😀');
    expect(items.map((item) => text(item, 'title'))).toEqual(['One ]]> & <two>', 'Tom & Jerry … & <b>!\n', 'Item 9']);
  });

  it('returns the same, including positions, however the text is split', () => {
    const expected = read([whole], false);
    expect(read([...whole], false)).toEqual(expected);
    fc.assert(
      fc.property(places, fc.boolean(), (at, keepGoing) => {
        expect(read(cut(whole, at), keepGoing)).toEqual(expected);
      }),
    );
  });

  it('reports any damage as an error in the source, and ends', () => {
    const damage = fc.record({
      at: fc.nat({ max: whole.length }),
      gone: fc.nat({ max: 30 }),
      put: fc.oneof(
        fc.constantFrom(
          '<',
          '>',
          '&',
          '<![CDATA[',
          ']]>',
          '<item>',
          '</item>',
          '</channel>',
          '<!--',
          '&x;',
          '"',
          '<!DOCTYPE x>',
          '',
        ),
        fc.string({ maxLength: 4 }),
      ),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), places, (damages, at) => {
        const text = damages.reduce(
          (broken, { at: place, gone, put }) => broken.slice(0, place) + put + broken.slice(place + gone),
          whole,
        );
        read(cut(text, at), false);
        const found = read([text], true);
        const pieces = read(cut(text, at), true);
        // Where the text is given up depends on nothing but the text.
        const shown = (result: typeof found) =>
          result instanceof SourceError ? result.message : result.map((one) => (one.kind === 'record' ? one.element : one.name));
        expect(shown(pieces)).toEqual(shown(found));
      }),
      { numRuns: 100 },
    );
  });
});
