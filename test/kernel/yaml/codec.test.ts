import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from '../../../src/kernel/store/locate.ts';
import { parseEntry, printEntry, readEntry } from '../../../src/kernel/yaml/codec.ts';
import { type FileEntry, arenaOf } from '../../../src/kernel/store/text-arena.ts';
import type { Entry, Problem } from '../../../src/kernel/store/types.ts';
import { toStored } from '../../../src/kernel/yaml/print.ts';
import { anyBody, anyMap } from '../store/generators.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);

function read(content: string | Uint8Array, path = 'posts/a.md'): Entry {
  const raw = typeof content === 'string' ? bytes(content) : content;
  const parsed = parseEntry(path, raw, { size: raw.length, mtimeMs: 1 });
  if ('problem' in parsed) throw new Error(`${parsed.problem.rule}: ${parsed.problem.message}`);
  return parsed.entry;
}

function fault(content: string | Uint8Array, path = 'posts/a.md'): Problem {
  const raw = typeof content === 'string' ? bytes(content) : content;
  const parsed = parseEntry(path, raw, { size: raw.length, mtimeMs: 1 });
  if ('entry' in parsed) throw new Error('read without a problem');
  return parsed.problem;
}

describe('reading', () => {
  it.each([
    ['---\ntitle: A\n---\n\nText\n', { title: 'A' }, 'Text'],
    ['---\ntitle: A\n---\nText\n\n', { title: 'A' }, 'Text\n'],
    ['---\ntitle: A\n---\n\n\n', { title: 'A' }, ''],
    ['---\ntitle: A\n---\nText\r\n', { title: 'A' }, 'Text\r'],
    ['---\ntitle: A\n---\nText', { title: 'A' }, 'Text'],
    ['---\ntitle: A\n---\n\n\nText', { title: 'A' }, '\nText'],
    ['---\r\ntitle: A\r\n---\r\n\r\nText\r\n', { title: 'A' }, 'Text'],
    ['---\r\ntitle: A\r\n---\r\nText\n', { title: 'A' }, 'Text'],
    ['One\r\nTwo\r\n', {}, 'One\r\nTwo'],
    ['One\nTwo\r\n', {}, 'One\nTwo\r'],
    ['\n', {}, ''],
    ['\ufeff\r\n', {}, ''],
    ['\ufeff---\ntitle: A\n---\nText', { title: 'A' }, 'Text'],
    ['---\ntitle: A\n---', { title: 'A' }, ''],
    ['---\n---\n', {}, ''],
    ['---  \ntitle: A\n---  \nText', { title: 'A' }, 'Text'],
    ['---yaml\ntitle: A\n---\nText', { title: 'A' }, 'Text'],
    ['---\n# only a comment\n---\nText', {}, 'Text'],
    ['---\ntitle: A\n---\na\n---\nb\n', { title: 'A' }, 'a\n---\nb'],
    ['Just text\n', {}, 'Just text'],
    ['\ufeffJust text\n', {}, 'Just text'],
    ['----\ntext\n', {}, '----\ntext'],
    ['--- a rule? ---\n', {}, '--- a rule? ---'],
    ['', {}, ''],
    ['Heading\n=======\n\n>>>>>>> deep quotation\n', undefined, undefined],
    ['\ufeff=======\n>>>>>>> a\n', undefined, undefined],
    ['Heading\n=======\n', {}, 'Heading\n======='],
    ['>>>>>>> deep quotation\n', {}, '>>>>>>> deep quotation'],
    ['---\nconflict_markers: true\n---\n<<<<<<< a\n', { conflict_markers: true }, '<<<<<<< a'],
  ])('%j', (content, data, body) => {
    if (data === undefined) {
      expect(fault(content).rule).toBe('conflict-marker');
      return;
    }
    const entry = read(content);
    expect(entry.data).toEqual(data);
    expect(entry.body).toBe(body);
  });

  it('keeps the line endings of the file', () => {
    const before = 'a\r\nb\r';
    const [first, second] = ['\nText\r\n', '---\r\n---\r\nText\r\n'];
    const arena = arenaOf(before + first + second);
    const bodies = [before, first, second].map((content, at, all) => {
      const start = all.slice(0, at).join('').length;
      const file = { path: 'posts/a.md', etag: '', size: content.length, mtimeMs: 1 };
      return (readEntry(file, arena, start, start + content.length) as { entry: Entry }).entry.body;
    });
    expect(bodies).toEqual(['a\r\nb\r', '\nText\r', 'Text']);
  });

  it('a YAML file is one map', () => {
    expect(read('\ufeffname: News\nlist: [1]\n', 'terms/category/news.yaml')).toMatchObject({
      kind: 'yaml',
      data: { name: 'News', list: [1] },
      body: '',
    });
  });

  it('the ETag depends on the bytes', () => {
    expect(read('a').etag).not.toBe(read('b').etag);
    expect(read('a').etag).toBe(read('a', 'posts/other.md').etag);
  });
});

describe('errors have a position', () => {
  it.each([
    ['---\ntitle: A\ntags: a: b\n---\n', 'yaml-syntax', 3, 7, 'tags: a: b'],
    ['---\r\ntitle: A\r\ntitle: B\r\n---\r\n', 'yaml-duplicate-key', 3, 1, 'title: B'],
    ['\ufeff---\ntitle: A\ntitle: B\n---\n', 'yaml-duplicate-key', 3, 1, 'title: B'],
    ['---\ntitle: A\n\nText\n', 'front-matter-unclosed', 1, 1, '---'],
    ['---\ntitle: A\n----\nText\n', 'front-matter-fence', 3, 1, '----'],
    ['---js\nmodule.exports = process.exit(1)\n---\n', 'front-matter-language', 1, 1, '---js'],
    ['---javascript\n1\n---\n', 'front-matter-language', 1, 1, '---javascript'],
    ['---constructor\nx\n---\n', 'front-matter-language', 1, 1, '---constructor'],
    ['---\njust text\n---\n', 'yaml-not-a-map', 2, 1, 'just text'],
    ['---\ntitle: A\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> branch\n---\n', 'conflict-marker', 3, 1, '<<<<<<< HEAD'],
    ['---\ntitle: A\n---\n\nx\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n', 'conflict-marker', 6, 1, '<<<<<<< HEAD'],
    ['<<<<<<< HEAD\n---\ntitle: A\n=======\n---\ntitle: B\n>>>>>>> branch\n---\n', 'conflict-marker', 1, 1, '<<<<<<< HEAD'],
  ])('%j', (content, rule, line, column, source) => {
    expect(fault(content)).toMatchObject({ path: 'posts/a.md', severity: 'error', rule, line, column, source });
  });

  it('invalid UTF-8', () => {
    const raw = Buffer.concat([bytes('---\ntitle: é\n---\n\nécoute '), Buffer.from([0xe9, 0x20]), bytes('x\nnext')]);
    expect(fault(raw)).toMatchObject({ rule: 'invalid-utf8', line: 5, column: 8 });
    expect(fault(Buffer.from([0xff]))).toMatchObject({ rule: 'invalid-utf8', line: 1, column: 1 });
    expect(fault(Buffer.from([0x61, 0xe2, 0x82]))).toMatchObject({ rule: 'invalid-utf8', line: 1, column: 2 });
  });

  it('too many keys and values are reported where the limit is exceeded; a long text is one value', () => {
    const many: Readonly<Record<string, string>> = {
      keys: Array.from({ length: 30_000 }, (_, at) => `key${at}: value`).join('\n'),
      items: `tags:\n${Array.from({ length: 40_000 }, (_, at) => `  - t${at}`).join('\n')}`,
      flow: `tags: [${Array.from({ length: 60_000 }, (_, at) => `t${at}`).join(', ')}]`,
      maps: `a:\n${Array.from({ length: 20_000 }, (_, at) => `  - {x: ${at}, y: 2}`).join('\n')}`,
    };
    for (const [name, head] of Object.entries(many)) {
      const { rule, line } = fault(`---\ntitle: x\n${head}\n---\n`);
      expect([name, rule]).toEqual([name, 'too-large']);
      expect(line).toBeGreaterThan(name === 'flow' ? 2 : 2000);
    }
    const long = 'some words of a line. '.repeat(20_000);
    expect(read(`---\na: ${long.trim()}\nb: |\n${'  a line\n'.repeat(40_000)}---\n`).data.a).toBe(long.trim());
  });

  it('deep nesting and hundreds of thousands of blank lines are rejected fast', () => {
    expect(fault(`---\na: ${'['.repeat(30_000)}\n---\n`).rule).toBe('yaml-depth');
    expect(read(`---\n${'\n'.repeat(300_000)}a: {}\n---\n`).data).toEqual({ a: {} });
    expect(fault(`---\n${'#\n'.repeat(600_000)}a: {}\n---\n`).rule).toBe('too-large');
  });

  it.each([
    [['title'], 2, 8],
    [['tags', 1], 5, 5],
    [['tags', 7], 4, 3],
    [['seo', 'title'], 7, 10],
    [['seo', 'none'], 7, 3],
    [['none'], 2, 1],
  ])('position of %j', async (keys, line, column) => {
    const content = bytes('---\ntitle: A\ntags:\n  - a\n  - b\nseo:\n  title: "T"\n---\n');
    const remark = {
      path: 'posts/a.md',
      keys: keys as (string | number)[],
      severity: 'error',
      rule: 'rule',
      message: 'M.',
    } as const;
    expect(await locate([remark], async () => content)).toMatchObject([{ line, column }]);
  });
});

/** Whether a file ends with its body and a line end of its kind, or has no body. */
function isEnded(file: Uint8Array, body: string): boolean {
  const content = text(file);
  const eol = /^[^\n]*\r\n/.test(content) ? '\r\n' : '\n';
  return body === '' || content.endsWith(body + eol);
}

describe('writing', () => {
  const write = (
    current: string | null,
    data: Record<string, unknown>,
    body?: string,
    path = 'posts/a.md',
    order: string[] = ['id', 'title', 'date'],
  ) => text(printEntry(current === null ? null : bytes(current), { path, data, order, ...(body === undefined ? {} : { body }) }));

  it.each([
    ['a new file', null, { title: 'A', id: 3 }, 'Text', '---\nid: 3\ntitle: A\n---\nText\n'],
    ['a body that ends with a line end', null, { id: 3 }, 'Text\n', '---\nid: 3\n---\nText\n\n'],
    ['a new file without a body', null, { title: 'A' }, undefined, '---\ntitle: A\n---\n'],
    ['a file without front matter gets one', 'Text', { id: 3 }, undefined, '---\nid: 3\n---\nText'],
    [
      'with its byte order mark and line ends',
      '\ufeffText\r\nmore',
      { id: 3 },
      undefined,
      '\ufeff---\r\nid: 3\r\n---\r\nText\r\nmore',
    ],
    ['nothing changed', '---\ntitle:   A # c\n---\nText', { title: 'A' }, 'Text', '---\ntitle:   A # c\n---\nText'],
    ['the body alone', '---\r\ntitle: A # c\r\n---\r\n\r\nText', {}, 'New', '---\r\ntitle: A # c\r\n---\r\n\r\nNew\r\n'],
    ['a title alone', '---\r\ntitle: A # c\r\n---\r\nText', { title: 'B' }, undefined, '---\r\ntitle: B # c\r\n---\r\nText'],
    ['a fence at the end of the file', '---\ntitle: A\n---', {}, 'Text', '---\ntitle: A\n---\nText\n'],
    ['a body that begins with a blank line', '---\ntitle: A\n---\nText', {}, '\nText', '---\ntitle: A\n---\n\n\nText\n'],
    ['a body that would be a blank line', '---\ntitle: A\n---\nText', {}, '\r', '---\ntitle: A\n---\n\n\r\n'],
    ['a body without front matter', 'Text', {}, 'New', 'New\n'],
    ['a body without front matter, and its line ends', 'Text\r\n', {}, 'New', 'New\r\n'],
    ['a body with line ends of its own', 'Text\r\n', {}, 'New\nbody', 'New\nbody\n'],
    ['a body that ends with half a line end', 'Text\n', {}, 'New\r', 'New\r\r\n'],
    ['no body', '---\ntitle: A\n---\n\nText\n', {}, '', '---\ntitle: A\n---\n'],
    ['no body without front matter', 'Text\n', {}, '', ''],
    ['a title above an empty line', '---\ntitle: A\n---\n\n\n', { title: 'B' }, '', '---\ntitle: B\n---\n\n\n'],
    ['a body that looks like front matter', 'Text', {}, '---\nx: 1\n---', '---\n---\n---\nx: 1\n---\n'],
    ['markers as text', '---\ntitle: A\n---\n\n', {}, '<<<<<<< a', '---\ntitle: A\nconflict_markers: true\n---\n\n<<<<<<< a\n'],
    [
      'markers after a byte order mark that is none',
      '---\n---\n',
      {},
      '\ufeff>>>>>>> a\n=======\n>>>>>>> b',
      '---\nconflict_markers: true\n---\n\ufeff>>>>>>> a\n=======\n>>>>>>> b\n',
    ],
    ['markers gone', '---\ntitle: A\nconflict_markers: true\n---\n\n<<<<<<< a\n', {}, 'x', '---\ntitle: A\n---\n\nx\n'],
  ])('%s', (_, current, data, body, expected) => expect(write(current, data, body)).toBe(expected));

  it('YAML files', () => {
    expect(write(null, { b: 1, id: 2 }, undefined, 'terms/tag/x.yaml')).toBe('id: 2\nb: 1\n');
    expect(write('\ufeffa: 1 # c\r\nb: 2', { b: 3 }, undefined, 'terms/tag/x.yaml')).toBe('\ufeffa: 1 # c\r\nb: 3');
    expect(() => write(null, {}, 'text', 'terms/tag/x.yaml')).toThrow(TypeError);
  });

  it('any body and any values read back exactly, in a new file and over any file', () => {
    const files = fc.oneof(
      fc.constantFrom(
        null,
        '',
        'Text\n',
        '---\na: 1\n---',
        '---\na: 1\n---\n',
        '---\na: 1\n---\n\nx',
        '---\r\na: 1\r\n---\r\nx',
        '\ufeff---\na: 1\n---\nx',
        '\ufeffx',
        '---\n---\n',
        '---\n# c\n---\nx\n',
        'x\r\ny',
        'x\r\ny\r\n',
        '---\r\na: 1\r\n---\r\n\r\nx\r\n',
        '---\r\na: 1\r\n---\r\n',
        '\ufeffx\r\n',
      ),
    );
    fc.assert(
      fc.property(files, anyMap, anyBody, anyBody, (current, data, body, next) => {
        const first = printEntry(current === null ? null : bytes(current), { path: 'posts/a.html', data, order: [], body });
        const { data: stored, body: storedBody } = read(first, 'posts/a.html');
        expect(storedBody).toBe(body);
        expect(isEnded(first, body)).toBe(true);
        expect(stored).toMatchObject(toStored(data) as object);
        const same = printEntry(first, { path: 'posts/a.html', data, order: [], body });
        expect(text(same)).toBe(text(first));
        const second = printEntry(first, { path: 'posts/a.html', data: {}, order: [], body: next });
        expect(read(second, 'posts/a.html').body).toBe(next);
        expect(isEnded(second, next)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it('changed values leave the bytes of any body unchanged, with or without a final newline', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', '---\na: 1\n---\n', '---\na: 1\n---\n\n', '---\r\na: 1\r\n---\r\n', '\ufeff'),
        anyBody,
        fc.integer(),
        (head, rest, value) => {
          const current = bytes(head + rest);
          const parsed = parseEntry('posts/a.md', current, { size: current.length, mtimeMs: 1 });
          fc.pre('entry' in parsed);
          const { entry } = parsed as { entry: FileEntry };
          const { body } = entry;
          const raw = entry.text.slice(entry.bodyAt);
          for (const given of [{}, { body }]) {
            const after = printEntry(current, { path: 'posts/a.md', data: { value }, order: [], ...given });
            expect(text(after).endsWith(raw)).toBe(true);
            expect(read(after)).toMatchObject({ data: { value }, body });
            expect(text(printEntry(current, { path: 'posts/a.md', data: {}, order: [], ...given }))).toBe(head + rest);
          }
        },
      ),
      { numRuns: 600 },
    );
  });
});
