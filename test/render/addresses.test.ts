import { describe, expect, test } from 'vitest';
import { absoluteUploads } from '../../src/render/addresses.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { renderMarkup } from '../../src/render/markup.ts';
import { cpuMs } from '../support/long-texts.ts';

const home = 'https://example.com';

describe('absoluteUploads', () => {
  test.each([
    ['<img src="/uploads/a.jpg">', '<img src="https://example.com/uploads/a.jpg">'],
    ["<a class=x href='/uploads/a.pdf'>", "<a class=x href='https://example.com/uploads/a.pdf'>"],
    ['<img src=/uploads/a.jpg>', '<img src=https://example.com/uploads/a.jpg>'],
    [
      '<img srcset="/uploads/a-300x200.jpg 300w, /uploads/a.jpg 900w">',
      '<img srcset="https://example.com/uploads/a-300x200.jpg 300w, https://example.com/uploads/a.jpg 900w">',
    ],
    [
      '<video poster="/uploads/a.jpg" src="/uploads/a.mp4">',
      '<video poster="https://example.com/uploads/a.jpg" src="https://example.com/uploads/a.mp4">',
    ],
    ['<div style="background:url(/uploads/a.jpg)">', '<div style="background:url(https://example.com/uploads/a.jpg)">'],
    ['<img data-full-url="/uploads/a.jpg">', '<img data-full-url="https://example.com/uploads/a.jpg">'],
    // not addresses, or not ours
    ['<p>href="/uploads/a.jpg" is text</p>', null],
    ['<pre>&lt;img src="/uploads/a.jpg"&gt;</pre>', null],
    ['<img src="https://other.example/uploads/a.jpg">', null],
    ['<img alt="/uploads/a.jpg" src="/uploadsx/a.jpg">', null],
    ['<a href="/about/?x=/uploads/a.jpg">', null],
  ])('%s', (html, expected) => expect(absoluteUploads(html, home)).toBe(expected ?? html));

  test('handles both notations', () => {
    const options = { smilies: true, typography: true, home };
    expect(renderMarkdown('![a](/uploads/a.jpg)', options)).toBe(
      '<p><img src="https://example.com/uploads/a.jpg" alt="a"></p>\n',
    );
    expect(renderMarkup('<img src="/uploads/a.jpg" alt="a">', options)).toContain('src="https://example.com/uploads/a.jpg"');
    expect(renderMarkup('<img src="/uploads/a.jpg" alt="a">', { ...options, home: '' })).toContain('src="/uploads/a.jpg"');
  });

  test('takes linear time', async () => {
    for (const part of ['<a href="/uploads/', '<img ', '/uploads/ src=', '<a style="url('])
      expect(await cpuMs(() => absoluteUploads(`/uploads/${part.repeat(40_000)}`, home))).toBeLessThan(5000);
  });
});
