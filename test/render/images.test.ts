import { expect, test } from 'vitest';
import { hintLoading } from '../../src/render/images.ts';

test.each([
  [
    '<img src="/x.jpg" decoding="sync" fetchpriority="low" width="600" height="400">',
    '<img src="/x.jpg" decoding="sync" fetchpriority="low" width="600" height="400">',
  ],
  // recorded
  ['<img src="http://e.example/i.png" alt="i">', '<img decoding="async" src="http://e.example/i.png" alt="i">'],
  [
    '<img width="300" height="200" src="a.jpg" alt="" />',
    '<img loading="lazy" decoding="async" width="300" height="200" src="a.jpg" alt="" />',
  ],
  [
    '<img width="300" height="200" src="a.jpg" srcset="a.jpg 300w" sizes="(max-width: 300px) 100vw, 300px" />',
    '<img loading="lazy" decoding="async" width="300" height="200" src="a.jpg" srcset="a.jpg 300w" sizes="auto, (max-width: 300px) 100vw, 300px" />',
  ],
  ['<img src="a" width="100%" height="2">', '<img decoding="async" src="a" width="100%" height="2">'],
  ['<img alt="no source" width="1" height="1">', '<img alt="no source" width="1" height="1">'],
  ['<img decoding="sync" src="a">', '<img decoding="sync" src="a">'],
  ['<img loading="lazy" src="a" width="1" height="1">', '<img decoding="async" loading="lazy" src="a" width="1" height="1">'],
  [
    '<img loading="eager" src="a" width="10" height="10">',
    '<img decoding="async" loading="eager" src="a" width="10" height="10">',
  ],
  [
    '<img loading="eager" src="a" width="500" height="500"><img loading="eager" src="b" width="500" height="500">',
    '<img fetchpriority="high" decoding="async" loading="eager" src="a" width="500" height="500"><img decoding="async" loading="eager" src="b" width="500" height="500">',
  ],
  [
    '<img fetchpriority="high" src="a" width="500" height="500">',
    '<img decoding="async" fetchpriority="high" src="a" width="500" height="500">',
  ],
  ['<iframe src="a" width="1" height="1"></iframe>', '<iframe loading="lazy" src="a" width="1" height="1"></iframe>'],
  ['<iframe src="a"></iframe>', '<iframe src="a"></iframe>'],
  ['<image src="a"> <imgx src="b">', '<image src="a"> <imgx src="b">'],
])('%s', (from, to) => {
  expect(hintLoading(from)).toBe(to);
  expect(hintLoading(to)).toBe(to);
});
