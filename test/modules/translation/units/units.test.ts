/** What of a text is a unit, what in it is a code, and that texts come back as they were. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUnitCodec, faultOf, plainOf, spliced, unitsOf } from '../../../../src/modules/translation/units/index.ts';
import { pseudo } from '../../../../src/modules/translation/units/pseudo.ts';
import type { TargetPiece, TextFormat } from '../../../../src/modules/translation/units/record.ts';
import { renderMarkdown } from '../../../../src/render/markdown.ts';

/** Units as a translator sees them: codes as `{1}` and `{/1}`, those that stand alone as `{1/}`. */
function seen(format: TextFormat, text: string): string[] {
  const codec = createUnitCodec(format, text);
  return unitsOf(format, text).map((unit) =>
    codec
      .pieces(unit)
      .map((one) =>
        one.kind === 'text' ? one.text : { open: `{${one.id}}`, close: `{/${one.id}}`, alone: `{${one.id}/}` }[one.kind],
      )
      .join(''),
  );
}

function translated(format: TextFormat, text: string, change: (text: string) => string): string {
  const codec = createUnitCodec(format, text);
  const units = unitsOf(format, text);
  const targets = units.map((unit) =>
    codec.print(
      unit,
      codec.pieces(unit).map((one): TargetPiece => (one.kind === 'text' ? { kind: 'text', text: change(one.text) } : one)),
    ),
  );
  return spliced(text, units, targets);
}

describe('units of markup', () => {
  it.each<[string, TextFormat, string, string[]]>([
    ['paragraphs', 'html', '<p>One <em>two</em>.</p>\n<p>Three</p>', ['One {1}two{/1}.', 'Three']],
    ['text between blank lines', 'html', 'One\ntwo\n\nThree <b>four</b>', ['One\ntwo', 'Three {1}four{/1}']],
    ['pairs around all of it', 'html', '<div><a class="b" href="/x">Go on</a></div>', ['Go on']],
    ['references', 'html', '<p>Fish &amp; chips&nbsp;&hellip; &unknown;</p>', ['Fish & chips\u00a0… {1/}']],
    [
      'alternative texts',
      'html',
      '<figure><img src="a.jpg" alt="A &quot;cat&quot;"/><figcaption>My cat</figcaption></figure>',
      ['{1}A "cat"{/1}', 'My cat'],
    ],
    ['code', 'html', '<p>Run <code>npm i</code> now</p><pre><code>let a = 1</code></pre><script>x()</script>', ['Run {1/} now']],
    ['lines that are kept', 'html', '<pre>a poem\n\nof two</pre>', ['a poem\n\nof two']],
    ['words in brackets', 'html', '[caption id="x"]<img src="a.jpg"> A cat[/caption]\n\n[gallery ids="1,2"]', ['A cat']],
    ['placeholders', 'html', '<p>Hello %1$s, {name}: {{ x }}</p>', ['Hello {1/}, {2/}: {3/}']],
    ['what is not to be translated', 'html', '<p>The <span translate="no">ACME Co</span> way</p>', ['The {1/} way']],
    ['control characters', 'html', '<p>a\u001bb</p>', ['a{1/}b']],
    ['nothing', 'html', '<p>…</p><hr><img src="a.jpg" alt="">', []],
    [
      'blocks',
      'blocks',
      '<!-- cms:paragraph {"className":"x y"} -->\n<p class="x y">Hello</p>\n<!-- /cms:paragraph -->\n<!-- cms:search {"label":"Find \\u0022it\\u0022","width":3,"buttonText":"Go"} /-->',
      ['Hello', 'Find "it"', 'Go'],
    ],
    ['plain text', 'plain', ' A <b> & c ', ['A <b> & c']],
  ])('are %s', (_, format, text, expected) => {
    expect(seen(format, text)).toEqual(expected);
  });
});

describe('units of Markdown', () => {
  it.each<[string, string, string[]]>([
    ['headings and paragraphs', '# One #\n\nTwo *three*\nfour\n\nFive\n====\n', ['One', 'Two {1}three{/1}\nfour', 'Five']],
    ['items', '- one\n- [x] two\n  more\n\n3. 3. three', ['one', 'two\nmore', 'three']],
    ['notes', '[^1]: one\n\ntwo[^1] three\n', ['one', 'two{1/} three']],
    ['headings with ids', '# One {#a}\n\nTwo {#b}\n---\n', ['One', 'Two']],
    ['definitions', 'one\n: two\n: three\n\n  four\n', ['one', 'two', 'three', 'four']],
    ['alerts', '> [!NOTE]\n> one\n> two\n', ['one{1/}two']],
    ['quotes', '> one\n> two **bold**\n', ['one{1/}two {2}bold{/2}']],
    ['cells', '| a | b \\| c |\n|---|---|\n| a | `x` |\n', ['a', 'b | c', 'a']],
    [
      'links and pictures',
      '![A cat](cat.jpg "t") [the *sea*](/sea) [ref] <https://a.example>\n\n[ref]: /x',
      ['{1}A cat{/1} {2}the {3}sea{/3}{/2} {4}ref{/4} {5/}'],
    ],
    ['code', 'Run `npm i` now\n\n```js\nlet a\n```\n\n    indented', ['Run {1/} now']],
    ['markup', '<div class="x">\n<p>Hello <b>you</b></p>\n</div>\n\nIn <br> line', ['Hello {1}you{/1}', 'In {1/} line']],
    ['escapes', '2 \\* 3 * 4 \\[x\\] snake_case_word', ['2 * 3 * 4 [x] snake_case_word']],
    ['breaks', 'one  \ntwo\\\nthree', ['one{1/}two{2/}three']],
    ['addresses', 'See https://a.example/b_c, or www.b.example.', ['See {1/}, or {2/}.']],
    ['words in brackets', 'Look: [gallery ids="1"] and [^1]', ['Look: {1/} and {2/}']],
  ])('are %s', (_, text, expected) => {
    expect(seen('markdown', text)).toEqual(expected);
  });

  it('keep the line endings of their file', () => {
    expect(seen('markdown', '# One\r\n\r\nTwo\r\nthree\r\n')).toEqual(['One', 'Two\nthree']);
  });
});

describe('a translation', () => {
  it.each<[string, TextFormat, string, (text: string) => string, string]>([
    ['is markup in markup', 'html', '<p>a</p>', () => 'x < y & "z" [gallery]', '<p>x &lt; y &amp; "z" &#91;gallery]</p>'],
    ['is a value in an attribute', 'html', '<img alt="a" src="b">', () => '"x"\'<', '<img alt="&quot;x&quot;&#39;&lt;" src="b">'],
    [
      'is a value in JSON',
      'blocks',
      '<!-- cms:search {"label":"a"} /-->',
      () => '"x" -- <&>',
      '<!-- cms:search {"label":"\\u0022x\\u0022 \\u002d\\u002d \\u003c\\u0026\\u003e"} /-->',
    ],
    ['parts no paragraphs', 'html', 'a\n\nb', () => 'x\n\ny', 'x y\n\nx y'],
    [
      'is text in Markdown',
      'markdown',
      'a',
      () => '# *x* [y](z) <b> `c` &amp; d_e _f_',
      '\\# \\*x\\* \\[y\\](z) \\<b> \\`c\\` \\&amp; d_e \\_f\\_',
    ],
    ['stays a cell', 'markdown', '| a |\n|---|\n| b |', () => 'x | y\nz', '| x \\| y z |\n|---|\n| x \\| y z |'],
    [
      'keeps what a label stands for',
      'markdown',
      '[ref] and [ref][]\n\n[ref]: /x',
      (text) => text.toUpperCase(),
      '[REF][ref] AND [REF][ref]\n\n[ref]: /x',
    ],
    [
      'is emphasised beside letters',
      'markdown',
      'a **b** c',
      (text) => (text === 'b' ? '(b)' : text.replace(/ /g, 'x')),
      'ax<strong>(b)</strong>xc',
    ],
  ])('%s', (_, format, text, change, expected) => {
    expect(translated(format, text, change)).toBe(expected);
  });

  it.each<[string, (pieces: TargetPiece[]) => TargetPiece[], string | null]>([
    ['may move codes', ([a, b, c, d, ...rest]) => [...rest, b, c, d, a] as TargetPiece[], null],
    ['needs each', (pieces) => pieces.filter(({ kind }) => kind !== 'alone'), 'missing_code'],
    ['has each once', (pieces) => [...pieces, ...pieces.filter(({ kind }) => kind === 'alone')], 'extra_code'],
    ['has no others', (pieces) => [...pieces, { kind: 'alone', id: 9 }], 'extra_code'],
    ['nests them', (pieces) => pieces.toReversed(), 'unbalanced'],
  ])('%s', (_, change, fault) => {
    const text = 'a <b>c</b> d<br>e';
    const pieces = createUnitCodec('html', text).pieces({ at: [0, text.length], kind: 'text' });
    expect(faultOf(pieces, change([...pieces]))).toBe(fault);
  });
});

const marks = fc.constantFrom(
  ...[
    'word',
    'two words',
    '*',
    '**',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '[',
    ']',
    '](/x)',
    '![',
    '<b>',
    '</b>',
    '<br/>',
    '<!-- c -->',
    '<img alt="x" src=y>',
  ],
  ...[
    '&amp;',
    '&nope;',
    '&',
    '<',
    '>',
    '\\',
    '\\*',
    '\n',
    '\n\n',
    '\r\n',
    '# ',
    '> ',
    '- ',
    '1. ',
    '    ',
    '|',
    '|---|\n',
    '```\n',
    '[x]: /y\n',
    '\t',
  ],
  ...[
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<pre>',
    '</pre>',
    '<code>',
    '</code>',
    '[gallery]',
    '[caption]',
    '[/caption]',
    '%s',
    '{x}',
    '\u0000',
    '\ud800',
    '😀',
    'ß',
    '%',
    '"',
  ],
  ...[
    '<!-- cms:search {"label":"Find"} /-->',
    '<!-- cms:paragraph -->',
    '<!-- /cms:paragraph -->',
    ' ',
    ' ',
    ' ',
    'https://a.example/b',
  ],
);
function expectSameUnits(format: TextFormat, text: string): void {
  const codec = createUnitCodec(format, text);
  const units = unitsOf(format, text);
  const wanted = units.map((unit) => pseudo(codec.pieces(unit)));
  const after = spliced(
    text,
    units,
    units.map((unit, at) => codec.print(unit, wanted[at] ?? [])),
  );
  const again = createUnitCodec(format, after);
  const found = unitsOf(format, after).map((unit) => plainOf(again.pieces(unit)).replace(/\s+/g, ''));
  expect(found).toEqual(wanted.map((one) => plainOf(one).replace(/\s+/g, '')));
}

const texts = fc.array(marks, { maxLength: 40 }).map((all) => all.join(''));
const formats = fc.constantFrom<TextFormat>('plain', 'html', 'blocks', 'markdown');

describe('any text', () => {
  it('round-trips byte for byte', () => {
    fc.assert(
      fc.property(formats, texts, (format, text) => {
        const codec = createUnitCodec(format, text);
        const units = unitsOf(format, text);
        for (const [at, unit] of units.entries()) expect(unit.at[0]).toBeGreaterThanOrEqual(units[at - 1]?.at[1] ?? 0);
        for (const unit of units) {
          if (unit.kind === 'text')
            expect(
              codec
                .pieces(unit)
                .map(({ raw }) => raw)
                .join(''),
            ).toBe(text.slice(...unit.at));
          expect(faultOf(codec.pieces(unit), codec.pieces(unit))).toBeNull();
        }
        // As a reader of XML gives it: texts in parts, codes by their ids.
        const targets = units.map((unit) =>
          codec.print(
            unit,
            codec
              .pieces(unit)
              .flatMap((one): TargetPiece[] =>
                one.kind === 'text'
                  ? [...one.text].map((char) => ({ kind: 'text', text: char }))
                  : [{ kind: one.kind, id: one.id }],
              ),
          ),
        );
        expect(spliced(text, units, targets)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  /** Cases that were drawn once, as they were and as the least that showed the same. */
  it.each<[TextFormat, string]>([
    ['markdown', '\\~~word'],
    ['markdown', '~\\~word'],
    ['markdown', '\\![word](/x)'],
    ['markdown', '[gallery]\\(word)'],
    ['markdown', '|---|\n\t</div>word'],
    ['markdown', 'word\n    ```\nword'],
    ['markdown', '<img alt="x" src=y>\r\n<!-- cms:paragraph -->word'],
    ['markdown', '\u0000word```\nword'],
    ['markdown', '|---|\nword\u0000```\n<b>'],
    ['markdown', '<b>\n*word*</b> more\n'],
  ])('has the same units when pseudo-translated: %s %j', (format, text) => expectSameUnits(format, text));

  it('has the same units when pseudo-translated', () => {
    fc.assert(
      fc.property(formats, texts, (format, text) => expectSameUnits(format, text)),
      { numRuns: 1000 },
    );
  });
});

it('translation keeps the structure of Markdown', () => {
  const text = '# A\n\n> q *e* **s**\n> r\n\n- [ ] x\n- y\n\n| a | b |\n|---|---|\n| c | [d](/e) |\n\n![f](g.png)\n';
  const codec = createUnitCodec('markdown', text);
  const units = unitsOf('markdown', text);
  const after = spliced(
    text,
    units,
    units.map((unit) => codec.print(unit, pseudo(codec.pieces(unit)))),
  );
  const tags = (body: string) =>
    renderMarkdown(body, { typography: false })
      .replace(/ alt="[^"]*"/g, '')
      .match(/<[^>]+>/g);
  expect(tags(after)).toEqual(tags(text));
  expect(after).toContain('⟦');
});
