import { expect, test } from 'vitest';
import { filterStyle } from '../../src/render/styles.ts';

test.each([
  ['color:red;position:fixed', 'color:red;position:fixed'],
  ['color: red ; ; width : 10px;', 'color: red;width : 10px'],
  ['COLOR:red;behavior:x;-moz-binding:y', ''],
  [
    'margin-block-start:1px;grid-template-columns:repeat(2, minmax(0, 1fr))',
    'margin-block-start:1px;grid-template-columns:repeat(2, minmax(0, 1fr))',
  ],
  ['width:calc(1px + (2 * 3px)', ''],
  ['--a-b:1px;--c:url(https://x.example/i.png);--d:url(javascript:x)', '--a-b:1px;--c:url(https://x.example/i.png)'],
  ["background:url('a.png') no-repeat;color:url(a.png)", "background:url('a.png') no-repeat"],
  [
    'background-image:linear-gradient(red, rgba(0,0,0,.5));background:element(#a)',
    'background-image:linear-gradient(red, rgba(0,0,0,.5))',
  ],
  ['color:r\\65 d', ''],
  ['font-family:&quot;A&quot;', ''],
  [
    'opacity:.5;white-space:pre;grid-column:1 / 3;grid-row:2;container-type:size;display:none;transform:none',
    'opacity:.5;white-space:pre;grid-column:1 / 3;grid-row:2;container-type:size',
  ],
  ['', ''],
])('%s', (from, to) => {
  expect(filterStyle(from)).toBe(to);
  expect(filterStyle(to)).toBe(to);
});
