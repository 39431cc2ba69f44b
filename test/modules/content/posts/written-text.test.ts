/** Markdown of writers who may not write all markup: quotes stay quotes, and nothing that runs comes through their marks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessControl } from '../../../../src/kernel/model/access.ts';
import { activeParts } from '../../../../src/render/active.ts';
import { renderMarkdown } from '../../../../src/render/markdown.ts';
import { cleanerFor } from '../../../../src/modules/content/posts/written-text.ts';
import '../../../support/seed.ts';

const nobody: AccessControl = { can: () => false };
const clean = (text: string) => cleanerFor(nobody, null)('content', text, 'md');

describe('Markdown by authors without unfiltered_html', () => {
  test.each([
    ['> a\n> > b\n>c', '> a\n> > b\n>c'],
    ['- > a\n\n1. > b', '- > a\n\n1. > b'],
    ['> [!NOTE]\n> <b onclick="x">a</b> 1 > 0', '> [!NOTE]\n> <b>a</b> 1 &gt; 0'],
    ['<b\n> a', '&lt;b\n> a'],
    ['\ufdd0> a', '> a'],
    ['> <script>x</script>', '> x'],
  ])('%j', (text, cleaned) => expect(clean(text)).toBe(cleaned));

  test('contains nothing active, whatever the lines start with', () => {
    const parts = [
      ...['\n> ', '\n>', '>', '\n', ' ', 'a', '"', "'", '=', '/', '- > ', '\n\n', '`', '\ufdd0', '\\'],
      ...[
        '<img src=x ',
        'onerror=alert(1)',
        '<script',
        '</script',
        '<b ',
        'title="',
        '<!--',
        '-->',
        '<!x',
        '<a href="',
        'javascript:x',
        '<div',
        '<svg ',
      ],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), (some) => {
        const text = clean(some.join(''));
        expect(activeParts(text)).toEqual([]);
        const html = renderMarkdown(text, { typography: false });
        expect(activeParts(html)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});
