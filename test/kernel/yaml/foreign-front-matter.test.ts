/** Front matter that is not read here is refused with its place, and never taken for a body. */
import { describe, expect, it } from 'vitest';
import { parseEntry, printEntry } from '../../../src/kernel/yaml/codec.ts';
import { cpuMs } from '../../support/long-texts.ts';

const read = (content: string, path: string) => {
  const bytes = Buffer.from(content);
  return parseEntry(path, bytes, { size: bytes.length, mtimeMs: 1 });
};

/** Text, rule, line and column. */
const foreign: readonly (readonly [string, string, number, number])[] = [
  ['+++ \ntitle = "A"\n', 'front-matter-unclosed', 1, 1],
  ['+++\ntitle = A\n+++\n', 'toml-syntax', 2, 9],
  ['\n \n+++\ntitle = "A"\n+++\n', 'front-matter-start', 3, 1],
  ['\n---toml\ntitle = "A"\n---\n', 'front-matter-start', 2, 1],
  ['\n;;;\n{"title": "A"}\n;;;\nText\n', 'front-matter-start', 2, 1],
  [';;;\n{"title": "A"}\nText\n', 'front-matter-unclosed', 1, 1],
  ['{\n  "title": A,\n  "tags": []\n}\n\nText\n', 'json-syntax', 2, 12],
  ['\ufeff\r\n{\r\n\t"a \\"b": 1 }\r\n', 'front-matter-start', 2, 1],
  ['--- js\nmodule.exports = {}\n---\n', 'front-matter-language', 1, 1],
  ['\n---\ntitle: A\n---\nText\n', 'front-matter-start', 2, 1],
  ['\r\n\r\n---\r\ntitle: A\r\n---\r\nText\r\n', 'front-matter-start', 3, 1],
  ['\ufeff\ufeff---\ntitle: A\n---\n', 'front-matter-start', 1, 2],
  ['\u200b---\ntitle: A\n---\n', 'front-matter-start', 1, 2],
  ['  ---\ntitle: A\n---\nText\n', 'front-matter-start', 1, 3],
  ['\n---\ntitle: A\n\nText without an end\n', 'front-matter-start', 2, 1],
  ['\n---\n# by hand\n\n"my title": A\n---\n', 'front-matter-start', 2, 1],
  ['--- # settings\ntitle: A\n---\nText\n', 'front-matter-start', 1, 1],
  ['--- title: A\n---\nText\n', 'front-matter-start', 1, 1],
  ['----\ntitle: A\n----\nText\n', 'front-matter-start', 1, 1],
  ['---\ntitle: A\n\nText\n', 'front-matter-unclosed', 1, 1],
];

const texts: readonly string[] = [
  '+++x\nText\n',
  '++ is an operator\n',
  '+ a list\n+ of two\n',
  '{{ template }}\nText\n',
  '{"a", "b"} is a set\n',
  '{: .wide}\nText\n',
  ';;; and so on\n',
  '\n---\nA rule, and text.\n',
  '----\nText\n',
  '---- \nNote: a rule of four dashes, and text\n',
  '--- a rule? ---\n',
  '- a list\n- of two\n',
  '    ---\n    title: code\n    ---\n',
  '\n    +++\n    code = 1\n    +++\n',
  'Text\n\n---\ntitle: a heading\n---\n',
  '***\ntitle: a rule\n***\n',
];

describe('unsupported front matter', () => {
  it.each(foreign)('%j is rejected', (content, rule, line, column) => {
    for (const path of ['posts/a.md', 'pages/a.html', 'comments/7/1.html', 'patterns/a.html'])
      expect(read(content, path)).toMatchObject({ problem: { path, severity: 'error', rule, line, column } });
    const { rule: found, hint } = (read(content, 'posts/a.md') as { problem: { rule: string; hint?: string } }).problem;
    if (found.startsWith('front-matter')) expect(hint).toMatch(/`/);
  });

  it.each(foreign)('front matter is not written above or into %j', (content) => {
    for (const body of [{}, { body: 'Another' }])
      expect(() => printEntry(Buffer.from(content), { path: 'posts/a.md', data: { id: 7 }, order: ['id'], ...body })).toThrow();
  });

  it('JSON is the text of styles', () => {
    expect(read('{"version": 3}\n', 'styles/dark.md')).toMatchObject({ entry: { body: '{"version": 3}' } });
  });

  it.each(texts)('%j is text', (content) => {
    expect(read(content, 'posts/a.md')).toMatchObject({ entry: { data: {}, body: content.replace(/\n$/, '') } });
  });

  it.each([...foreign.map(([content]) => content), ...texts])('%j can be a body', (body) => {
    for (const current of [null, Buffer.from('Text\n'), Buffer.from('---\nid: 7\n---\nText\n')]) {
      const printed = printEntry(current, { path: 'posts/a.md', data: {}, order: [], body });
      expect(read(printed.toString(), 'posts/a.md')).toMatchObject({ entry: { body } });
    }
  });

  it('ten megabytes of blank lines or braces are scanned fast', async () => {
    for (const part of ['\n', '{', '---\n# a\n', ' ', '+'])
      expect(await cpuMs(() => read(part.repeat(10_000_000 / part.length), 'posts/a.md'))).toBeLessThan(5000);
  });
});
