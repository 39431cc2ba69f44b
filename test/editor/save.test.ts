/**
 * Saves of the page where people write: what was not touched keeps its bytes.
 */
import fc from 'fast-check';
import { diffComm } from 'node-diff3';
import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { documentOf, readText } from '../../editor/markdown/read.ts';
import { saveText } from '../../editor/markdown/save.ts';
import { schema } from '../../editor/markdown/schema.ts';
import { writable } from '../../editor/markdown/writable.ts';

const open = (text: string): Node => documentOf(readText(text));
const withBlocks = (blocks: readonly Node[]): Node => schema.node('doc', null, [...blocks]);

/** The text with one block changed. */
function edited(text: string, at: number, change: (block: Node) => readonly Node[]): string {
  const original = readText(text);
  const blocks = documentOf(original).children.flatMap((block, i) => (i === at ? change(block) : [block]));
  return saveText(original, withBlocks(blocks));
}

/** The first text of a block with a word before its last space, or behind it. */
function withWord(block: Node, word = 'new'): Node {
  let isDone = false;
  const put = (node: Node): Node => {
    if (isDone) return node;
    if (node.isText && /\p{L}/u.test(node.text ?? '')) {
      isDone = true;
      const text = node.text as string;
      const end = text.trimEnd().length;
      return schema.text(`${text.slice(0, end)} ${word}${text.slice(end)}`, node.marks);
    }
    return node.isLeaf ? node : node.type.create(node.attrs, node.children.map(put));
  };
  return put(block);
}

/** Blocks as people and programs write them, each in several forms. */
const words = fc
  .array(
    fc.constantFrom(
      ...[
        'tide',
        'quay',
        '**wet**',
        '__wet__',
        '*slow*',
        '_slow_',
        '`a_b`',
        '``a`b``',
        '[link](/a)',
        '[link](</a b> "T")',
        '<https://a.b/c>',
      ],
      ...[
        '\\*',
        '&copy;',
        'https://a.b/c_d_e',
        '~~gone~~',
        '![pic](/p.png)',
        '[^1]',
        '<b>x</b>',
        '[gallery ids="1,2"]',
        '{{< fig >}}',
      ],
      ...[
        'snake_case',
        '2 * 3',
        'a\\\nb',
        'a  \nb',
        'a\nb',
        '**a _b_**',
        '[ref][one]',
        '[one]',
        'Ünïcödé',
        '日本語',
        '1\\. x',
        '"quoted"',
      ],
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => list.join(' '));
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
const block = fc.oneof(
  { weight: 4, arbitrary: words },
  fc
    .tuple(fc.constantFrom('# ', '## ', '### '), words, fc.constantFrom('', ' #', ' {#id}'))
    .map(([mark, text, end]) => mark + text.replaceAll('\n', ' ') + end),
  words.map((text) => `${text.replace(/^[^a-z]*/i, '').replaceAll('\n', ' ') || 'x'}\n===`),
  fc
    .tuple(
      fc.constantFrom('- ', '* ', '+ ', '1. ', '7) ', '-   '),
      fc.array(words, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('\n', '\n\n'),
    )
    .map(([mark, items, gap]) => items.map((item) => mark + indented(item, ' '.repeat(mark.length))).join(gap)),
  fc.tuple(words, words).map(([first, second]) => `- [ ] ${indented(first, '  ')}\n- [x] done\n  - ${indented(second, '    ')}`),
  words.map((text) => `> ${indented(text, '> ')}\n>\n> more`),
  words.map((text) => `> [!NOTE]\n> ${indented(text, '> ')}`),
  words.map((text) => `| a | b |\n|:--|--:|\n| ${text.replace(/[\n|\\]/g, ' ')} |  2 |`),
  fc.constantFrom('```js\nlet a = 1;\n\nb();\n```', '~~~\n```\n~~~', '    indented\n    code', '---', '***', '* * *'),
  fc.constantFrom(
    '<div class="a">\n*b*\n</div>',
    '<!-- more -->',
    '<!-- note\n\nto self -->',
    '[one]: /one "One"',
    '[^1]: A note\n    of two lines',
    'Term\n: What it means',
  ),
  fc.constantFrom(
    '{{< note >}}\nText\n{{< /note >}}',
    ':::tip\nText\n:::',
    '{% include a.html %}',
    '[gallery ids="1,2"]',
    '$$\na_1\n$$',
    '{: .wide}',
  ),
);
const text = fc
  .tuple(
    fc.constantFrom('', '\n', '\n\n'),
    fc.array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n\n\n', '\n  \n')), { maxLength: 7 }),
    fc.constantFrom('', '\n', '\n\n'),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([start, blocks, end, lineEnd]) => {
    const all = blocks.map(([one, gap], at) => (at === blocks.length - 1 ? one : one + gap)).join('');
    return (start + all + end).replaceAll('\n', lineEnd);
  });

const runs = Number(process.env.EDITOR_RUNS ?? 150);

describe('any text', () => {
  it('is saved unchanged if nothing changed', () => {
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string(), fc.string({ unit: fc.constantFrom(...'ab \n\t\r-*_`#>[]()<&:|~.1\\') })),
        (source) => {
          expect(saveText(readText(source), open(source))).toBe(source);
        },
      ),
      { numRuns: runs },
    );
  });

  it('keeps every line except those of the changed block', () => {
    fc.assert(
      fc.property(text, fc.nat(), (source, choice) => {
        const { blocks, gaps } = readText(source);
        if (blocks.length === 0) return;
        const at = choice % blocks.length;
        const next = withWord(blocks[at]?.node as Node);
        const saved = edited(source, at, () => [next]);
        const before =
          blocks
            .slice(0, at)
            .map((one, i) => gaps[i] + one.source)
            .join('') + gaps[at];
        const after =
          gaps[at + 1] +
          blocks
            .slice(at + 1)
            .map((one, i) => one.source + gaps[at + i + 2])
            .join('');
        expect([saved.slice(0, before.length), saved.slice(saved.length - after.length)]).toEqual([before, after]);
        expect(JSON.stringify(writable(open(saved)))).toBe(
          JSON.stringify(writable(withBlocks(documentOf(readText(source)).children.map((one, i) => (i === at ? next : one))))),
        );
      }),
      { numRuns: runs },
    );
  });

  it('reads back as the page shows it, wherever blocks were added, moved and removed', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(), { maxLength: 8 }), (source, other, order) => {
        const all = [...open(source).children, ...open(other).children].filter(
          // Without what refers to other blocks.
          (node) => node.type !== schema.nodes.island && !JSON.stringify(node).includes('[one]'),
        );
        const doc = withBlocks(
          order.length === 0 || all.length === 0 ? [schema.node('paragraph')] : order.map((one) => all[one % all.length] as Node),
        );
        const saved = saveText(readText(source), doc);
        expect(JSON.stringify(writable(open(saved)))).toBe(JSON.stringify(writable(doc)));
      }),
      { numRuns: runs },
    );
  });
});

/** The lines that a change writes, as git shows them. */
function diffOf(before: string, after: string): readonly string[] {
  return diffComm(before.split('\n'), after.split('\n')).flatMap(({ buffer1 = [], buffer2 = [] }) => [
    ...buffer1.map((line) => `-${line}`),
    ...buffer2.map((line) => `+${line}`),
  ]);
}

describe('one change', () => {
  const text = [
    'Setext heading',
    '==============',
    '',
    'A paragraph of __three__ lines, with \\[a sign\\] and',
    'a [link][ref], *stress* & a shortcode',
    '[gallery ids="1,2"] in it.',
    '',
    '*   one _item_',
    '*   another',
    '',
    '    with more',
    '',
    '1) first',
    '2) second',
    '',
    '| Tide   | Height |',
    '| :----- | -----: |',
    '| low    |    0.3 |',
    '| high   |    3.1 |',
    '',
    'Text with a note[^1].',
    '',
    '<aside>',
    '*Left* alone',
    '</aside>',
    '',
    '[ref]: /there',
    '[^1]: The note',
    '',
  ].join('\n');
  const change = (from: string, to: string): readonly string[] => {
    const put = (node: Node): Node => {
      if (node.isText) return schema.text((node.text as string).replace(from, to), node.marks);
      return node.isLeaf ? node : node.type.create(node.attrs, node.children.map(put));
    };
    return diffOf(text, saveText(readText(text), put(open(text))));
  };

  it.each([
    ['Setext', 'Underlined', ['-Setext heading', '+Underlined heading']],
    [
      'of ',
      'of about ',
      ['-A paragraph of __three__ lines, with \\[a sign\\] and', '+A paragraph of about __three__ lines, with \\[a sign\\] and'],
    ],
    ['stress', 'strain', ['-a [link][ref], *stress* & a shortcode', '+a [link][ref], *strain* & a shortcode']],
    ['another', 'the other', ['-*   another', '+*   the other']],
    ['second', 'last', ['-2) second', '+2) last']],
    ['low', 'ebb', ['-| low    |    0.3 |', '+| ebb    |    0.3 |']],
    ['a note', 'some notes', ['-Text with a note[^1].', '+Text with some notes[^1].']],
  ])('of %s writes only its line', (from, to, lines) => {
    expect(change(from, to)).toEqual(lines);
  });

  it('that removes a block removes its lines', () => {
    const original = readText(text);
    const blocks = documentOf(original).children;
    const saved = saveText(original, withBlocks(blocks.filter((_, at) => at !== 3)));
    expect(diffOf(text, saved)).toEqual(['-1) first', '-2) second', '-']);
  });

  it('that inserts a paragraph writes only that', () => {
    const original = readText(text);
    const blocks = documentOf(original).children;
    const added = schema.node('paragraph', null, [schema.text('1. Not a *list*')]);
    expect(diffOf(text, saveText(original, withBlocks([...blocks.slice(0, 1), added, ...blocks.slice(1)])))).toEqual([
      '+1\\. Not a \\*list\\*',
      '+',
    ]);
  });

  it('keeps line endings', () => {
    const crlf = 'One\r\n\r\nTwo\r\nlines\r\n';
    expect(edited(crlf, 1, (block) => [withWord(block)])).toBe('One\r\n\r\nTwo new\r\nlines\r\n');
  });
});

describe('an unknown block', () => {
  it.each([
    '<div>\n*markup*\n</div>',
    '<!-- a comment -->',
    '[label]: /address',
    '[^1]: A note',
    'Term\n: its meaning',
    ':::tip\nA directive\n:::',
    '{{< figure src="/a.png" >}}',
    '{% include note.html %}',
    '- <b>markup</b> in\n- a list with\n\n  <div>\n  a block\n  </div>',
  ])('shows its source: %s', (source) => {
    const { blocks } = readText(`Before\n\n${source}\n\nAfter\n`);
    expect(blocks.map(({ node, source: lines }) => [node.type.name, lines])).toEqual([
      ['paragraph', 'Before'],
      ['island', source],
      ['paragraph', 'After'],
    ]);
  });
});
