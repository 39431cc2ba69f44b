import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceTags } from '../../src/render/close-tags.ts';

test.each([
  ['<b>a', '<b>a</b>'],
  ['a</b>', 'a'],
  ['<b><i>a</b>', '<b><i>a</i></b>'],
  ['<p>a<p>b', '<p>a</p><p>b</p>'],
  ['<div><div>a', '<div><div>a</div></div>'],
  ['a<br>b<img src="x">', 'a<br />b<img src="x" />'],
  ['<i/>a', '<i></i>a'],
  ['I <3 you', 'I &lt;3 you'],
  ['<b>a <i title', '<b>a <i title</b>'],
  ['<!-- <b> -->a', '<!-- <b> -->a'],
  ['<a href="x" title="y">z</a>', '<a href="x" title="y">z</a>'],
])('%s', (from, to) => expect(balanceTags(from)).toBe(to));

test('balanced text is unchanged', () => {
  const bits = fc.constantFrom('a', '<b>', '</b>', '<p>', '</p>', '<br>', '<i x="y">', '</i>', '>', '/');
  fc.assert(
    fc.property(
      fc.array(bits).map((parts) => parts.join('')),
      (text) => balanceTags(balanceTags(text)) === balanceTags(text),
    ),
  );
});
