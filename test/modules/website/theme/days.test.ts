/** Pages that show the day: what is kept of them is of that day alone. */
import { expect, it } from 'vitest';
import { startSite } from '../../../support/site.ts';

it('a calendar marks the new day at midnight, even if no file has changed', async () => {
  let now = Date.parse('2026-03-10T12:00:00Z');
  const site = await startSite({
    clock: () => now,
    files: {
      'site.yaml': 'name: Quay\ntimezone: UTC\n',
      'posts/boats.md': '---\nid: 70\ntitle: Boats\ndate: 2026-03-02T10:00:00\n---\nText\n',
      'pages/days.html': '---\nid: 71\ntitle: Days\n---\n<!-- wp:calendar /-->\n',
    },
  });
  try {
    const marked = async () => /id="today">(\d+)/.exec((await site.ask('GET', '/days/', { raw: true })).body)?.[1];
    expect([await marked(), await marked()]).toEqual(['10', '10']);
    now += 24 * 60 * 60 * 1000;
    expect(await marked()).toBe('11');
  } finally {
    await site.close();
  }
});
