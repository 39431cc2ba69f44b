import { expect, it } from 'vitest';
import { sanitiseSvg } from '../../../../src/modules/media/files/svg.ts';

const inSvg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;

it.each([
  ['drawings', '<g fill="red"><path d="M0 0L1 1"></path></g>', '<g fill="red"><path d="M0 0L1 1"></path></g>'],
  ['references within', '<use href="#a"></use>', '<use href="#a"></use>'],
  ['gradients', '<rect fill="url(#g)"></rect>', '<rect fill="url(#g)"></rect>'],
  ['text', '<text>a &lt; b</text>', '<text>a &lt; b</text>'],
  ['no scripts', '<script>x</script><script href="data:,x"/>', ''],
  ['no handlers', '<g onclick="x" ONLOAD="y"></g>', '<g></g>'],
  ['no pages', '<foreignObject><iframe src="x"></iframe></foreignObject>', ''],
  ['no links', '<a href="javascript:x"><g></g></a>', ''],
  ['no other files', '<use href="https://evil.example/#a"></use><image href="http://x"></image>', '<use></use><image></image>'],
  ['no escapes into them', '<rect fill="url(&#34;//x&#34;)" style="background:u\\72l(x)"></rect>', '<rect></rect>'],
  ['no animation of addresses', '<set attributeName="href" to="javascript:x"/><animate/>', ''],
  ['no styles', '<style>@import "x"</style>', ''],
])('the SVG sanitizer keeps %s', (_, inner, expected) => expect(sanitiseSvg(inSvg(inner))).toBe(`${inSvg(expected)}\n`));

it.each([
  ['entities', '<!DOCTYPE svg [<!ENTITY a "aa">]><svg>&a;</svg>'],
  ['another root', '<html><svg></svg></html>'],
  ['text', 'hello'],
])('the SVG sanitizer rejects %s', (_, source) => expect(sanitiseSvg(source)).toBeNull());
