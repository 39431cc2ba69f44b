import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dropElements, stripTags } from '../../src/kernel/model/tags.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { markdownText } from '../../src/render/markdown-text.ts';
import { decodeEntities } from '../../src/render/text.ts';
import '../support/seed.ts';
import { someMarkdown } from './some-markdown.ts';

const plain = (body: string) => renderMarkdown(body, { typography: false });

describe('markdownText', () => {
  const withoutMarks = (html: string) =>
    html.replace(/<sup class="footnote-ref">.*?<\/sup>|<p class="markdown-alert-title">.*?<\/p>/g, '');
  const words = (html: string) =>
    decodeEntities(stripTags(dropElements(withoutMarks(html), ['pre', 'code']).replaceAll('<', ' <'))).match(/[\p{L}\d'-]+/gu) ??
    [];

  test.each([
    ['# Head\n\n- one *two*\n- [x] three', ['Head', 'one', 'two', 'three']],
    ['[link](https://example.com/not-this) ![alt](no.png)', ['link']],
    ['go[to](/no)there [a-b](https://example.com/no).', ['go', 'to', 'there', 'a-b']],
    ['[link][1] and [2]\n\n[1]: https://example.com/no\n', ['link', 'and', '2']],
    ['`no`\n\n```\nno\n```\n\n    no\n\nyes', ['yes']],
    ['a &amp; b \\* c', ['a', 'b', 'c']],
    ['| a | b |\n|---|---|\n| c | d |', ['a', 'b', 'c', 'd']],
    ['<div title="no">\n\n*yes*\n\n</div>', ['yes']],
    ['a[^1] b[^no]\n\n[^2]: no\n[^1]: note\n\nc', ['a', 'b', 'no', 'c', 'note']],
    ['## Head {#no}\n\n> [!NOTE]\n> yes\n\nterm\n: - it', ['Head', 'yes', 'term', 'it']],
    ['Head\n---\n\n---\n\ntwo\r\nlines', ['Head', 'two', 'lines']],
  ])('%j', (body, found) => expect([...words(markdownText(body))]).toEqual(found));

  test('has the same words as the rendered text', () => {
    fc.assert(
      fc.property(someMarkdown, (body) => {
        expect([...words(markdownText(body))]).toEqual([...words(plain(body))]);
      }),
      { numRuns: 100 },
    );
  });
});
