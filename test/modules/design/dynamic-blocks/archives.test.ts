import { describe, expect, it } from 'vitest';
import { block, openBlog } from './blog.ts';

describe('archives', () => {
  it('show the number of posts per period, newest first', async () => {
    const { show } = await openBlog();
    expect(show(block('archives', { showPostCounts: true, align: 'wide', className: 'mine' }))).toBe(
      '<ul class="wp-block-archives-list alignwide mine wp-block-archives">' +
        "\t<li><a href='/2025/03/'>March 2025</a>&nbsp;(2)</li>\n" +
        "\t<li><a href='/2025/01/'>January 2025</a>&nbsp;(1)</li>\n" +
        "\t<li><a href='/2024/02/'>February 2024</a>&nbsp;(1)</li>\n</ul>",
    );
    expect(show(block('archives', { type: 'yearly' }))).toContain(
      "<li><a href='/2025/'>2025</a></li>\n\t<li><a href='/2024/'>2024</a></li>",
    );
  });

  it('can be a select with a label', async () => {
    const { show } = await openBlog();
    const html = show(
      block('archives', { displayAsDropdown: true, showLabel: false }) + block('archives', { displayAsDropdown: true }),
    );
    expect(html).toContain(
      '<label for="wp-block-archives-1" class="wp-block-archives__label screen-reader-text">Archives</label>',
    );
    expect(html).toContain('<select id="wp-block-archives-2" name="archive-dropdown">');
    expect(html).toContain("<option value='/2025/03/'> March 2025 </option>");
  });
});

describe('a calendar', () => {
  it('shows the days of its month and links to adjacent months', async () => {
    const { show } = await openBlog({ 'site.yaml': 'timezone: UTC\npermalink: /{year}/{month}/{slug}/\nstart_of_week: 1\n' });
    const html = show(block('calendar', { year: 2025, month: 3 }));
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['/2025/03/01/', '/2025/03/05/', '/2025/01/']);
    expect(html).toContain(
      '<td colspan="5" class="pad">&nbsp;</td><td><a href="/2025/03/01/" aria-label="Posts published on March 1, 2025">1</a></td>',
    );
    expect(html).toContain('<caption>March 2025</caption>');
    expect(html).toContain('<span class="wp-calendar-nav-prev"><a href="/2025/01/">&laquo; Jan</a></span>');
  });

  it('shows the current month if the URL has none', async () => {
    const { show, site } = await openBlog();
    expect(show(block('calendar', { year: 2025, month: 3, textColor: 'accent' }))).toContain(
      'class="wp-calendar-table has-text-color has-accent-color"',
    );
    expect(show(block('calendar', { year: 2025, month: 3 }))).toContain(
      `<td id="today">${Number(site.now().local.slice(8, 10))}</td>`,
    );
  });
});
