/** Relative links and pictures in bodies: each is reported with its place, and with what to write instead. */
import { describe, expect, it } from 'vitest';
import { body, findings, front, post, sound } from './findings.ts';
import { cpuMs, long, maxLongMs } from '../support/long-texts.ts';

const files = {
  ...sound,
  'posts/2026/03/other.md': front('id: 40'),
  'posts/2026/04/draft.html': front('id: 41', 'status: draft'),
  'posts/2026/03/pic one.png': '',
  'posts/2026/03/pic.png': '',
  'pages/img/boat.jpg': '',
  'drafts/pic.png': '',
  'posts/2026/03/table.csv': '',
};

const relative = async (text: string, path = post) => {
  const more = path === post ? body(text) : { [path]: `---\nid: 9\n---\n${text}` };
  const found = await findings({ ...files, ...more });
  return found.filter(({ rule, path: of }) => rule === 'relative-link' && of === path);
};

/** A link, its column in the first line of the body, and what the hint says. */
const rows: readonly (readonly [name: string, text: string, column: number, hint: string])[] = [
  [
    'a picture where none are served',
    '![A](../../../drafts/pic.png?w=2 "Title")',
    6,
    'the file is drafts/pic.png, which is not served: move it to media/pic.png and write /uploads/pic.png?w=2',
  ],
  ['what is no media', '![A](table.csv)', 6, 'move it to media/2026/03/table.csv and write /uploads/2026/03/table.csv'],
  ['HTML without quotes', '<img alt=x src=none.png>', 16, 'there is no file posts/2026/03/none.png'],
  ['srcset', '<img srcset="/uploads/2026/03/cat.jpg 1x, ./none.png 2x">', 43, 'there is no file posts/2026/03/none.png'],
  ['by reference', '[x][y]\n\n[y]: ./none.md "Title"', 5, 'there is no file'],
  ['no file', '![A](./gone.png)', 6, 'there is no file posts/2026/03/gone.png'],
  [
    'a file that lies elsewhere',
    '![A](cat.jpg)',
    6,
    'perhaps it is meant: the file is media/2026/03/cat.jpg: write /uploads/2026/03/cat.jpg',
  ],
  ['out of the folder', '![A](../../../../x.png)', 6, 'it leads out of the content folder'],
  ['a path of a computer', '![A](C:\\x.png)', 6, 'it is a path on one computer'],
  ['no scheme', '[x](www.example.com/a)', 5, 'write https://www.example.com/a'],
  ['nowhere', '[x](some/where)', 5, 'there is no file posts/2026/03/some/where'],
];

const silent: readonly string[] = [
  '[x](/about/) [y](#part) [z](https://example.com/a.png) [w](//cdn.example/x.png) [v](mailto:a@example.com) [u](tel:+49)',
  '[x]({{ url }}) <a href="{{ url }}"> <img src="{% static %}"> ![](data:image/png;base64,AAAA) <a href="">',
  '`![A](./pic.png)` and\n\n```\n![A](./pic.png)\n```\n\n<!-- <img src="pic.png"> -->',
  'A footnote[^1] and [note]: this is text.\n\n[^1]: ./other.md is a file.\n[note]: this is text\n',
  'src="pic.png" is text, and so is href=other.md here.',
  '<!-- wp:image {"id":4,"linkDestination":"none","link":"none","url":"/uploads/2026/03/cat.jpg"} /-->',
  '[up](../about/) [and](../about/team/)',
  '[x](?p=1)',
  '![A](./pic.png) ![A](pic.png) ![A](pic.png?w=2 "Title") ![A](<pic one.png>) ![A](pic%20one.png) ![A](.\\pic.png)',
  '![A](../../../pages/img/boat.jpg) ![A](../../../media/2026/03/cat.jpg)',
  '[x](./other.md) [x](other.md#part) [x](other) [x](../../../pages/about/index.md) [x](../../../pages/about/) [x](../04/draft.html)',
  '[x][y] <a href="other.md">x</a> <img alt=x src=pic.png>\n\n[y]: ./other.md "Title"',
];

describe('relative links', () => {
  it.each(rows)('%s', async (_, text, column, hint) => {
    const [found, ...more] = await relative(text);
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      line: text.includes('\n') ? 7 : 5,
      column: text.includes('[y]:') ? 6 : column,
      severity: 'warning',
    });
    expect(found?.hint).toContain(hint);
  });

  it.each(['posts/2026/03/classic.html', 'pages/about/more.html', 'blocks/box.html', 'patterns/box.html'])(
    'in %s',
    async (path) => {
      const found = await relative('<p><img src="./none.png"> <!-- wp:cover {"url":"./box.png"} /--></p>', path);
      expect(found.map(({ line, column }) => [line, column])).toEqual([
        [4, 14],
        [4, 49],
      ]);
    },
  );

  it.each(silent)('accepts %j', async (text) => {
    expect(await relative(text)).toEqual([]);
  });

  it('an image next to a post is media', async () => {
    const found = await findings({ ...files, ...body('![A](./pic.png)') });
    expect(found.filter(({ path }) => path === 'posts/2026/03/pic.png').map(({ rule }) => rule)).toEqual(['wrong-bytes']);
  });

  it.each(['[x](a', '[a]: ', '![](./a) ', 'href=', '<a href="x', '":"a/'])(
    'a quarter of a megabyte of %j is fast',
    async (unit) => {
      const text = long(unit);
      expect(await cpuMs(() => relative(text))).toBeLessThan(maxLongMs);
    },
  );
});
