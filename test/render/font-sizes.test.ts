import { expect, test } from 'vitest';
import { fluidFontSize } from '../../src/render/font-sizes.ts';

test.each([
  ['14px', '14px'],
  ['0', '0'],
  ['12vw', '12vw'],
  [32, 'clamp(20px, 1.25rem + ((1vw - 3.2px) * 1.176), 32px)'],
  ['2rem', 'clamp(1.25rem, 1.25rem + ((1vw - 0.2rem) * 1.176), 2rem)'],
])('a font size of %j is %s', (size, fluid) => expect(fluidFontSize(size)).toBe(fluid));
