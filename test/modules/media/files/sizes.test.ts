import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constrain, hasSameShape, renditions, shrink, standardSizes } from '../../../../src/modules/media/files/sizes.ts';

const box = (width: number, height: number) => ({ width, height });
const size = (name: string) => standardSizes.find((one) => one.name === name) as (typeof standardSizes)[number];

describe('constrain', () => {
  it.each([
    ['landscape', box(2400, 1600), box(1024, 1024), box(1024, 683)],
    ['portrait', box(200, 800), box(300, 300), box(75, 300)],
    ['nothing to do', box(40, 30), box(300, 300), box(40, 30)],
    ['one side free', box(2400, 1600), box(768, 0), box(768, 512)],
    ['a pixel lost to rounding is taken back', box(465, 700), box(177, 177), box(118, 177)],
    ['never nothing', box(10_000, 2), box(300, 300), box(300, 1)],
  ])('%s', (_, picture, bounds, expected) => expect(constrain(picture, bounds)).toEqual(expected));

  it('stays within the box and never enlarges', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(side, side, side, side, (w, h, bw, bh) => {
        const { width, height } = constrain(box(w, h), box(bw, bh));
        expect(width).toBeLessThanOrEqual(Math.min(w, bw));
        expect(height).toBeLessThanOrEqual(Math.min(h, bh));
        expect(Math.min(width, height)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('shrink', () => {
  it.each([
    ['thumbnail of a wide picture', 'thumbnail', box(800, 200), box(150, 150)],
    ['thumbnail of a low one', 'thumbnail', box(400, 100), box(150, 100)],
    ['no thumbnail of a tiny one', 'thumbnail', box(40, 30), null],
    ['no size as large as the picture', 'medium', box(300, 200), null],
    ['nor a pixel smaller', '2048x2048', box(2049, 100), null],
    ['medium', 'medium', box(640, 480), box(300, 225)],
  ])('%s', (_, name, picture, expected) => expect(shrink(size(name), picture)).toEqual(expected));
});

it('size names contain their dimensions', () => {
  expect(renditions(standardSizes, box(640, 480), 'cat', '.jpg').map(({ name, file }) => [name, file])).toEqual([
    ['medium', 'cat-300x225.jpg'],
    ['thumbnail', 'cat-150x150.jpg'],
  ]);
});

it.each([
  [box(2400, 1600), box(300, 200), true],
  [box(1024, 683), box(300, 200), true],
  [box(150, 150), box(300, 200), false],
])('%o and %o have the same aspect ratio: %s', (a, b, expected) => expect(hasSameShape(a, b)).toBe(expected));
