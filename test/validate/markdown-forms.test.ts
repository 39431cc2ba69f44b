/** Markdown that is not read is said, where it stands; what is read, and code, is not. */
import { describe, expect, test } from 'vitest';
import { markdownForms } from '../../src/validate/markdown-forms.ts';
import { cpuMs, long, maxLongMs } from '../support/long-texts.ts';
import { body, findings } from './findings.ts';

describe('unsupported Markdown', () => {
  test.each<[string, string, string[]]>([
    ['a mark without a note', 'a[^1] b', ['[^1]']],
    ['a note without a mark', 'a\n\n[^1]: b', ['[^1]:']],
    ['a second note of one label', 'a[^1]\n\n[^1]: b\n\n[^1]: c', ['[^1]:']],
    ['a label with a space', 'a[^b c]', ['[^b c]']],
    ['a note in the line', 'a^[b *c*]', ['^[b *c*]']],
    ['an alert of another kind', '> [!INFO]\n> a', ['[!INFO]']],
    ['an alert with text behind', '> [!NOTE] a\n> b', ['[!NOTE]']],
    ['an alert without text', '- a\n\n  > [!NOTE]', ['[!NOTE]']],
    ['boxes', '::: note\na\n:::\n\n!!! tip "b"\n', ['::: note', '!!! tip "b"']],
    ['attributes', '# a {.b}\n\n[c](/d){.e} ![f](/g){width=3}\n\nh\n{: .i}', ['{.b}', '{.e}', '{width=3}', '{: .i}']],
    ['attributes beside an id', '# a {#b c=d}', ['{#b c=d}']],
    ['a table of contents', '[TOC]\n\n[[_TOC_]]', ['[TOC]', '[[_TOC_]]']],
    ['an abbreviation', '*[HTML]: Text', ['*[HTML]:']],
    ['inserted text', 'a ++b c++ d, C++ and D++', ['++b c++']],
    ['highlights', 'a ==b c== d', ['==b c==']],
    ['single tildes', 'a ~b c~ H~2~O x^2^', ['~b c~', '~2~', '^2^']],
    ['remarks', 'a %%b%%', ['%%b%%']],
    ['formulas', '$$\na\n$$', ['$$', '$$']],
    ['names of signs', 'a :smile: b', [':smile:']],
    [
      'tags of generators',
      '{{< figure src="a.png" >}}\n\n{% include a.html %}',
      ['{{< figure src="a.png" >}}', '{% include a.html %}'],
    ],
    ['definitions of two lines', 'a\nb\n: c', [': c']],
    ['in cells, lists and quotes', '| a | ==b== |\n|---|---|\n\n- > ==c==', ['==b==', '==c==']],
    ['in notes', 'a[^1]\n\n[^1]: ==b==', ['==b==']],
  ])('%s', (_, text, found) => {
    expect(markdownForms(text).map(({ at, length }) => text.slice(at, at + length))).toEqual(found);
  });

  test.each([
    'a[^1] [^1]\n\n[^1]: b',
    '# a {#b .c}\n\n> [!NOTE]\n> d\n\ne\n: f\n\n- [x] g',
    '`==a==` `[^1]`\n\n```\n[^1] ==a==\n```\n\n    ==a==\n\n<div>\n==a==\n</div>',
    '\\==a== \\[^1] \\:smile:',
    'a == b == c, a==b==c, 10:30:45, a:b:c, http://a:b:c/ ::x:: 100%% of ~5 to ~6, 2^8, {a}, {{ b }}, $5 and $6',
    'a ~~b~~ c [^1](/d) !!! ??? : ',
    '![a](/b) {c} (d){ } x.y:',
  ])('finds nothing in %j', (text) => expect(markdownForms(text)).toEqual([]));

  test('is reported with file, line and column', async () => {
    const found = await findings(body('One[^1]\n\n> two ==three==\n'));
    expect(found.filter(({ rule }) => rule === 'footnote' || rule === 'markdown-form')).toMatchObject([
      { rule: 'footnote', line: 5, column: 4 },
      { rule: 'markdown-form', line: 7, column: 7 },
    ]);
  });

  test.each(['[^1]', '[^a]: ', '^[', '{:', '==a', '~a', '%%a', ':a', '[!', '> [!', '(a){b', '::: a\n', ': x\n', '| ==a== '])(
    'is found fast in long runs of %j',
    async (unit) => {
      expect(await cpuMs(() => markdownForms(long(unit, 100_000)))).toBeLessThan(maxLongMs * 2);
    },
  );
});
