import { describe, expect, it } from 'vitest';
import { fallbackNavigation } from '../../../src/modules/menus/navigation.ts';
import { startSite } from '../../support/site.ts';

const page = (id: number, title: string, more = '') => `---\nid: ${id}\ntitle: ${title}\n${more}---\n`;

async function bodyWith(files: Record<string, string>): Promise<string> {
  const site = await startSite({ files });
  try {
    const admin = { id: 1, roles: ['administrator'] };
    const id = await fallbackNavigation(site.site, admin);
    expect(await fallbackNavigation(site.site, admin)).toBe(id);
    const post = site.site.posts.get(id as number);
    expect([post?.type, post?.status]).toEqual(['cms_navigation', 'publish']);
    return `${post?.title}|${post?.slug}|${post?.content.replaceAll(site.url, '').replace(/<!-- \w+:/g, '<!-- :')}`;
  } finally {
    await site.close();
  }
}

describe('the initial navigation', () => {
  it('lists the pages if there is no menu', async () => {
    expect(await bodyWith({})).toBe('Navigation|navigation|<!-- :page-list /-->');
  });

  it('copies the main menu as visitors see it', async () => {
    const made = await bodyWith({
      'pages/about.md': page(10, 'About'),
      'pages/secret.md': page(11, 'Secret', 'status: draft\n'),
      'menus/footer.yaml': 'id: 99\nname: Footer\nitems:\n  - url: https://example.com/footer\n    title: Footer\n',
      'menus/main.yaml':
        'id: 20\nname: Main\nlocations: [primary]\nitems:\n  - id: 30\n    page: about\n    items:\n      - id: 31\n        url: https://example.com/--><b>\n' +
        '        title: Out\n        target: _blank\n  - id: 32\n    page: secret\n',
    });
    expect(
      made.startsWith(
        'Main|main|<!-- :navigation-submenu {"id":10,"kind":"post-type","label":"About","type":"page","url":"/about/"} -->',
      ),
    ).toBe(true);
    expect(made).toContain(
      '<!-- :navigation-link {"kind":"custom","label":"Out","opensInNewTab":true,"type":"custom","url":"https://example.com/\\u002d\\u002d\\u003e\\u003cb\\u003e"} /-->',
    );
    expect(made).not.toMatch(/secret|footer/i);
  });

  it('is the latest one', async () => {
    const files = {
      'navigation/old.html': page(40, 'Old', 'date: 2022-01-01 10:00\n'),
      'navigation/new.html': page(41, 'New', 'date: 2023-01-01 10:00\n'),
      'navigation/draft.html': page(42, 'Draft', 'date: 2024-01-01 10:00\nstatus: draft\n'),
    };
    expect(await bodyWith(files)).toMatch(/^New\|/);
  });
});
