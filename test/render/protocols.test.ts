import { expect, test } from 'vitest';
import { cleanUrl, isAllowedUrl } from '../../src/render/protocols.ts';

test.each([
  ['https://x.example/a:b', 'https://x.example/a:b'],
  ['javascript:void(0)', 'void(0)'],
  [' Java\nScript:x', 'x'],
  ['MAILTO:a@b.c', 'mailto:a@b.c'],
  ['feed:https://x.example', 'feed:https://x.example'],
  ['feed:javascript:x', 'feed:x'],
  ['/a/b#c', '/a/b#c'],
  ['#a', '#a'],
  ['', ''],
])('cleanUrl %j', (from, to) => expect(cleanUrl(from)).toBe(to));

test('isAllowedUrl', () =>
  expect([isAllowedUrl('HTTPS://x'), isAllowedUrl('javascript:x'), isAllowedUrl('x')]).toEqual([true, false, false]));
