import { parseDocument } from 'htmlparser2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../src/render/markdown.ts';
import { renderMarkup } from '../../../src/render/markup.ts';
import { createMarkdownWriter } from '../../../src/transfer/import/markdown.ts';
import { normalHtml } from '../../../src/transfer/import/same-html.ts';
import { cpuMs } from '../../support/long-texts.ts';
import '../../support/seed.ts';

const strict = createMarkdownWriter();
const loose = createMarkdownWriter({ loose: true });
const block = (name: string, html: string, attrs = ''): string =>
  `<!-- wp:${name} ${attrs}${attrs ? ' ' : ''}-->\n${html}\n<!-- /wp:${name} -->`;
const p = (text: string): string => block('paragraph', `<p>${text}</p>`);

/** Markup, what the writer makes of it (null: it stays markup), and whether it needs to be loose. */
const rows: readonly [name: string, markup: string, markdown: string | null, how?: 'loose'][] = [
  ['nothing', '', ''],
  ['classic paragraphs and a line break', 'One.\nTwo.\n\nThree.', 'One.\\\nTwo.\n\nThree.'],
  ['paragraph blocks', `${p('One &amp; two.')}\n\n${p('Three.')}`, 'One & two.\n\nThree.'],
  ['the mark of the excerpt', 'One.\n\n<!--more-->\n\nTwo.', 'One.\n\n<!--more-->\n\nTwo.'],
  [
    'the mark of the excerpt as a block',
    `${p('One.')}\n\n${block('more', '<!--more-->')}\n\n${p('Two.')}`,
    'One.\n\n<!--more-->\n\nTwo.',
  ],
  ['classic headings', '<h2>One <em>two</em></h2>\ntext', '## One _two_\n\ntext'],
  [
    'a heading block, strictly',
    `${block('heading', '<h2 class="wp-block-heading">One</h2>')}\n\n${p('Longer text.')}`,
    '<h2 class="wp-block-heading">One</h2>\n\nLonger text.',
  ],
  ['a heading block, loosely', block('heading', '<h3 class="wp-block-heading">One</h3>', '{"level":3}'), '### One', 'loose'],
  ['a heading with an anchor', `<h2 id="a">One</h2>\nLonger text.`, '## One {#a}\n\nLonger text.'],
  ['one that has no form keeps it', `<h2 id="a b">One</h2>\nLonger text.`, '<h2 id="a b">One</h2>\n\nLonger text.'],
  ['a heading that ends like one', `<h2>One {#a}</h2>`, '## One \\{#a}'],
  ['definitions', '<dl><dt>a</dt><dd>b <em>c</em></dd><dd>d</dd><dt>e</dt><dd>f</dd></dl>', 'a\n: b _c_\n: d\n\ne\n: f'],
  ['definitions in paragraphs', '<dl><dt>a</dt><dd><p>b</p></dd><dd><p>c</p><p>d</p></dd></dl>', 'a\n\n: b\n\n: c\n\n  d'],
  [
    'definitions of two terms',
    '<dl><dt>a</dt><dt>b</dt><dd>c</dd></dl>\nSome longer text.',
    '<dl>\n<dt>a</dt>\n<dt>b</dt>\n<dd>c</dd>\n</dl>\n\nSome longer text.',
  ],
  ['what looks like one', '<p>a</p><p>: b</p>', 'a\n\n\\: b'],
  ['a colon behind emphasis', '<p><strong>a</strong>: b</p>', '**a**: b'],
  [
    'an alert',
    '<div class="markdown-alert markdown-alert-tip">\n<p class="markdown-alert-title">Tip</p>\n<p>a</p>\n<p>b</p>\n</div>',
    '> [!TIP]\n> a\n>\n> b',
  ],
  ['what looks like one to Markdown', '<blockquote><p>[!TIP]<br>a</p></blockquote>', '> \\[!TIP]\\\n> a'],
  [
    'notes, whatever text they are from',
    renderMarkdown('a[^x] b[^y] c[^x]\n\n[^x]: *d*\n\n    e\n\n[^y]: f', { typography: false, postId: 7 }),
    'a[^1] b[^2] c[^1]\n\n[^1]: _d_\n\n    e\n\n[^2]: f',
  ],
  ['a list', '<ul><li>a</li><li>b <strong>c</strong></li></ul>', '- a\n- b **c**'],
  ['a nested list', '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>', '- a\n  - b\n    1. c\n- d'],
  ['a list that begins at 3', '<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
  ['two lists in a row', '<ul><li>a</li></ul>\n<ul><li>b</li></ul>', '- a\n\n* b'],
  [
    'a list block, loosely',
    block('list', '<ul class="wp-block-list"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ul>'),
    '- a',
    'loose',
  ],
  ['items with paragraphs', '<ul><li><p>a</p></li><li><p>b</p></li></ul>', '- a\n\n- b'],
  [
    'tasks',
    '<ul><li><input type="checkbox" disabled checked> a</li><li><input type="checkbox" disabled> b</li></ul>',
    '- [x]  a\n- [ ]  b',
  ],
  [
    'a table',
    '<table><thead><tr><th>a</th><th style="text-align:right">b|c</th></tr></thead><tbody><tr><td>1</td><td style="text-align:right"><code>x|y</code></td></tr></tbody></table>',
    '| a | b\\|c |\n| --- | ---: |\n| 1 | `x\\|y` |',
  ],
  [
    'a table without a head',
    `<table><tbody><tr><td>1</td></tr></tbody></table>\nSome longer text.`,
    '<table>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n\nSome longer text.',
  ],
  [
    'a table with a spanning cell',
    '<table><thead><tr><th colspan="2">a</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>\nSome longer text.',
    '<table>\n<thead>\n<tr>\n<th colspan="2">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n\nSome longer text.',
  ],
  ['code with backticks', 'Say <code>a `b` c</code> and <code>``</code>.', 'Say ``a `b` c`` and ` `` `.'],
  [
    'a block of code',
    '<pre><code class="language-js">if (a &lt; b) {\n\n  c("```");\n}\n</code></pre>',
    '```js\nif (a < b) {\n\n  c("```");\n}\n```',
  ],
  ['a code block, loosely', block('code', '<pre class="wp-block-code"><code>a &lt; b</code></pre>'), '```\na < b\n```', 'loose'],
  ['a quote', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['a rule', 'a\n<hr />\nb', 'a\n\n---\n\nb'],
  ['a plain image', 'See <img src="/uploads/a.png" alt="A &quot;b&quot;" /> there.', 'See ![A "b"](/uploads/a.png) there.'],
  [
    'an image with a size',
    'See <img class="alignleft" src="/a.png" alt="" width="30" height="20" /> there.',
    'See <img class="alignleft" src="/a.png" alt="" width="30" height="20"> there.',
  ],
  [
    'an image with a caption',
    `${p('Text before.')}\n\n${block('image', '<figure class="wp-block-image size-large"><img src="/a.jpg" alt="b" class="wp-image-7"/><figcaption class="wp-element-caption">C</figcaption></figure>', '{"id":7}')}`,
    'Text before.\n\n<figure class="wp-block-image size-large"><img src="/a.jpg" alt="b" class="wp-image-7"/><figcaption class="wp-element-caption">C</figcaption></figure>',
  ],
  [
    'a caption shortcode',
    'Text.\n\n[caption id="attachment_6" align="alignright" width="300"]<img class="size-medium" src="/a.jpg" alt="" width="300" height="200" /> A cat[/caption]',
    'Text.\n\n<figure id="attachment_6" aria-describedby="caption-attachment-6" style="width: 300px" class="wp-caption alignright"><img class="size-medium" src="/a.jpg" alt="" width="300" height="200" /><figcaption id="caption-attachment-6" class="wp-caption-text">A cat</figcaption></figure>',
  ],
  [
    'an embed',
    `${p('Before the video.')}\n\n${block('embed', '<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/x\n</div></figure>', '{"url":"https://youtu.be/x"}')}`,
    'Before the video.\n\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/x\n</div></figure>',
  ],
  [
    'an address that is no link',
    'See https://example.com/a_b and www.example.com, or a@example.com.',
    'See https\\://example.com/a_b and www\\.example.com, or a\\@example.com.',
  ],
  [
    'links',
    '<a href="https://example.com/">here</a>, <a href="https://example.com">https://example.com</a>',
    '[here](https://example.com/), <https://example.com>',
  ],
  [
    'a link that opens elsewhere',
    'Go <a href="/a" target="_blank" rel="noopener">there</a>.',
    'Go <a href="/a" target="_blank" rel="noopener">there</a>.',
  ],
  ['emphasis within a word', 'un<em>believ</em>able', 'un*believ*able'],
  ['emphasis before a word, ending in a sign', '<strong>Note:</strong>this', '<strong>Note:</strong>this'],
  ['emphasis in emphasis', '<strong><em>a</em></strong> and <em><strong>b</strong></em>', '**_a_** and _**b**_'],
  ['emphasis beside emphasis', '<em>a</em><strong>b</strong>', '<em>a</em><strong>b</strong>'],
  ['a space inside of emphasis', 'a <strong>b </strong>c', 'a **b** c'],
  ['bold that is not strong', 'a <b>b</b> c', 'a <b>b</b> c'],
  ['struck text', 'a <s>b</s> <del>c</del>', 'a ~~b~~ <del>c</del>'],
  [
    'signs of Markdown',
    '*a* _b_ `c` [d](e) ![f](g) # h\n\n# i\n\n- j\n\n1. k\n\n+ l\n\n&gt; m\n\n~~n~~ snake_case 2 * 3',
    '\\*a\\* \\_b\\_ \\`c\\` [d\\](e) ![f\\](g) # h\n\n\\# i\n\n\\- j\n\n1\\. k\n\n\\+ l\n\n\\> m\n\n\\~\\~n\\~\\~ snake_case 2 * 3',
  ],
  ['signs of HTML', 'a &lt;b&gt; &amp;copy; &lt; 3 &amp; 4', 'a &lt;b> &amp;copy; < 3 & 4'],
  ['backslashes', 'C:\\new \\* a\\\\b', 'C:\\new \\\\\\* a\\\\\\b'],
  ['a bang before a link', 'Look!<a href="/a">b</a>', 'Look!<a href="/a">b</a>'],
  ['quotes and dashes', 'She said "it\'s -- well..." to \'em', 'She said "it\'s -- well..." to \'em'],
  ['a gallery shortcode', 'a\n\n[gallery ids="1,2"]', null],
  [
    'a gallery block',
    block(
      'gallery',
      '<figure class="wp-block-gallery"><!-- wp:image -->\n<figure class="wp-block-image"><img src="/a.png" alt=""/></figure>\n<!-- /wp:image --></figure>',
    ),
    null,
  ],
  ['a block without markup', `${p('a')}\n\n<!-- wp:latest-posts /-->`, null],
  [
    'columns',
    block('columns', `<div class="wp-block-columns">${block('column', `<div class="wp-block-column">${p('a')}</div>`)}</div>`),
    null,
  ],
  ['a script', 'a <script>b</script>', null],
  ['a smiley, which Markdown does not draw', 'a :)', null],
  ['tags that do not match', 'a <em>b', null],
];

describe('markup as Markdown', () => {
  it.each(rows)('%s', (_, markup, markdown, how) => {
    expect((how === 'loose' ? loose : strict)(markup)).toBe(markdown);
  });

  it('knows the titles of alerts in other languages', () => {
    const alert = (title: string): string =>
      `<div class="markdown-alert markdown-alert-tip">\n<p class="markdown-alert-title">${title}</p>\n<p>a</p>\n</div>`;
    expect([strict(alert('Tipp')), strict(alert('Consejo')), strict(alert('Own'))]).toEqual([
      '> [!TIP]\n> a',
      '> [!TIP]\n> a',
      null,
    ]);
  });

  it.each(rows.filter(([, , markdown, how]) => markdown !== null && how === undefined))(
    '%s: renders the same',
    (_, markup, markdown) => {
      expect(wordsOf(renderMarkdown(markdown as string, { typography: true }))).toBe(
        wordsOf(renderMarkup(markup, { typography: true, smilies: true })),
      );
    },
  );

  it('gives up if it would take long', async () => {
    const bombs = [
      '<div>'.repeat(50_000),
      `${'<em>'.repeat(5_000)}a${'</em>'.repeat(5_000)}`,
      `${'<b><p>'.repeat(2_000)}`,
      `<p>${'<a href="x">'.repeat(500)}${'</a>'.repeat(500)}</p>`,
      'x'.repeat(600_000),
      `<p>${'<br>'.repeat(30_000)}</p>`,
      `${' '.repeat(100_000)}a`,
      `<p>a${'&nbsp;'.repeat(50_000)}b</p>`,
      '<p><!--'.repeat(40_000),
      '`'.repeat(50_000),
      '['.repeat(50_000),
      '*a '.repeat(20_000),
    ];
    for (const bomb of bombs) {
      expect(await cpuMs(() => void strict(bomb))).toBeLessThan(10_000);
    }
  });
});

describe('any output of the writer', () => {
  const signs = fc
    .stringMatching(/^[ a-c*_`#[\]()!<>&\\~|:./@"'1+=-]{0,12}$/)
    .map((text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'));
  const { blocks } = fc.letrec<{ inline: string; blocks: string }>((tie) => ({
    inline: fc.oneof(
      { maxDepth: 3 },
      signs,
      fc.constantFrom(
        'word',
        ' ',
        'two words',
        'https://a.example/b',
        '<br />',
        '<img src="/a.png" alt="b" />',
        '<img src="/a.png" alt="b" width="3">',
        '<!-- c -->',
        '&nbsp;',
        '&hellip;',
        ':)',
        '[gallery]',
      ),
      fc
        .tuple(
          fc.constantFrom('em', 'strong', 's', 'b', 'i', 'code', 'a href="/x"', 'a href="/y z"', 'span class="q"', 'del', 'kbd'),
          fc.array(tie('inline'), { maxLength: 3 }),
        )
        .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag.split(' ')[0]}>`),
    ),
    blocks: fc.oneof(
      { maxDepth: 3 },
      fc.array(tie('inline'), { maxLength: 4 }).map((inner) => `<p>${inner.join('')}</p>`),
      fc.array(tie('inline'), { maxLength: 4 }).map((inner) => `\n\n${inner.join('')}\n\n`),
      fc
        .tuple(fc.constantFrom('h2', 'h4 id="x"', 'h3 class="wp-block-heading"'), tie('inline'))
        .map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0]}>`),
      fc
        .tuple(
          fc.constantFrom('ul', 'ol', 'ol start="4"', 'ul class="wp-block-list"'),
          fc.array(fc.oneof(tie('inline'), tie('blocks')), { minLength: 1, maxLength: 3 }),
        )
        .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join('\n')}</${tag.split(' ')[0]}>`),
      fc.array(tie('blocks'), { maxLength: 2 }).map((inner) => `<blockquote>${inner.join('\n')}</blockquote>`),
      fc
        .tuple(tie('inline'), tie('inline'))
        .map(([a, b]) => `<table><thead><tr><th>${a}</th></tr></thead><tbody><tr><td>${b}</td></tr></tbody></table>`),
      signs.map((text) => `<pre><code>${text}\n\n ${text}</code></pre>`),
      fc.constant('<hr />'),
    ),
  }));
  const document = fc
    .tuple(fc.boolean(), fc.array(blocks, { maxLength: 4 }))
    .map(([isBlocks, parts]) => parts.map((part) => (isBlocks ? block('html', part.trim()) : part)).join('\n'));

  it('renders the same, strictly and loosely', () => {
    let proved = 0;
    let all = 0;
    fc.assert(
      fc.property(document, fc.boolean(), (markup, isLoose) => {
        const markdown = (isLoose ? loose : strict)(markup);
        all++;
        if (markdown === null) return;
        proved++;
        const [now, before] = [
          renderMarkdown(markdown, { typography: true }),
          renderMarkup(markup, { typography: true, smilies: true }),
        ];
        expect(normalHtml(now, { loose: isLoose })).toBe(normalHtml(before, { loose: isLoose }));
        expect(wordsOf(now)).toBe(wordsOf(before));
      }),
      { numRuns: 300 },
    );
    // A writer that refuses everything would prove nothing.
    expect(proved / all).toBeGreaterThan(0.3);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(document, fc.string({ unit: 'binary', maxLength: 60 }), fc.stringMatching(/^[<>/a-p "'=!&;-]{0,60}$/)),
        (markup) => {
          strict(markup);
          loose(markup);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** The words a reader sees and the places of pictures, by another parser than ours. */
function wordsOf(html: string): string {
  const parts: string[] = [];
  const walk = (node: { type: string; data?: string; name?: string; children?: unknown[] }): void => {
    if (node.type === 'text') parts.push(node.data ?? '');
    if (node.name === 'img') parts.push('[image]');
    if (node.name !== undefined && /^(?:p|br|li|h\d|td|th|tr|pre|ul|ol|blockquote|table|hr)$/.test(node.name)) parts.push(' ');
    for (const child of node.children ?? []) walk(child as never);
    if (node.name !== undefined && /^(?:p|li|h\d|td|th|tr|pre|ul|ol|blockquote|table)$/.test(node.name)) parts.push(' ');
  };
  walk(parseDocument(html) as never);
  return parts
    .join('')
    .replace(/[ \t\n]+/g, ' ')
    .trim();
}
