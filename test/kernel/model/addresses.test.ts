import { expect, it } from 'vitest';
import { hostMatcher, isUrl } from '../../../src/kernel/model/addresses.ts';

it.each([
  ['https://example.org/', undefined, true],
  ['https://bücher.example/café', undefined, true],
  ['https://日本.example/', undefined, true],
  ['/straße', 'https://example.org', true],
  ['straße', undefined, false],
  ['https://', undefined, false],
  ['', undefined, false],
])('%j with the base %j is a URL: %s, on every call', (text, base, expected) => {
  for (let at = 0; at < 200_000; at++) isUrl(`https://example.org/${at % 7}`);
  expect(isUrl(text, base)).toBe(expected);
});

it.each([
  ['example.com', true],
  ['EXAMPLE.com', true],
  ['www.example.com', false],
  ['www.example.org', true],
  ['a.b.example.org', true],
  ['example.org', false],
  ['badexample.org', false],
  ['example.com.evil.example', false],
  ['', false],
])('%j is a host of a list: %s', (host, expected) => {
  expect(hostMatcher(['Example.com', '*.Example.org'])(host)).toBe(expected);
});
