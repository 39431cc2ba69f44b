import { describe, expect, it } from 'vitest';
import { block, openBlog } from './blog.ts';

const around = (name: string, attributes: object, inner: string): string =>
  `<!-- wp:${name} ${JSON.stringify(attributes)} -->${inner}<!-- /wp:${name} -->`;
const link = (label: string): string => block('navigation-link', { label, url: '/x' });
const submenu = (inner: string): string => around('navigation-submenu', { label: 'More', url: '#' }, inner);
const plain = { overlayMenu: 'never' };

describe('navigation blocks', () => {
  it('render lists of links, and other blocks between them', async () => {
    const { show } = await openBlog();
    const words = '<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph -->';
    const html = show(around('navigation', plain, link('One') + words + link('Two') + link('Three')));
    const list = '<ul class="wp-block-navigation__container wp-block-navigation">';
    expect(html.replace(/<li.*?<\/li>/g, 'L')).toBe(
      `<nav class="wp-block-navigation is-layout-flex wp-block-navigation-is-layout-flex">${list}L</ul><p class="wp-block-paragraph">A</p>${list}LL</ul></nav>`,
    );
  });

  it('open submenus by a script, if there are any', async () => {
    const { show } = await openBlog();
    const opened = (attributes: object) => show(around('navigation', { ...plain, ...attributes }, submenu(link('One'))));
    expect(opened({})).toContain('data-wp-on--pointerenter="actions.openMenuOnHover"');
    expect(opened({})).toContain('class="wp-block-navigation-item has-child open-on-hover-click wp-block-navigation-submenu"');
    expect(opened({})).toMatch(/<button data-wp-bind--aria-expanded="state.isSubmenuOpen" [^>]*aria-label="More submenu"/);
    expect(opened({})).toContain('<ul data-wp-on--focus="actions.openMenuOnFocus" class="wp-block-navigation__submenu-container');
    for (const byClick of [{ openSubmenusOnClick: true }, { submenuVisibility: 'click' }]) {
      expect(opened(byClick)).toContain('open-on-click');
      expect(opened(byClick)).not.toContain('pointerenter');
    }
    expect(opened({ showSubmenuIcon: false })).not.toContain('data-wp');
    expect(show(around('navigation', plain, link('One')))).not.toContain('data-wp');
  });

  it('use the latest menu if none is selected, otherwise the pages', async () => {
    const menu = (id: number, label: string, date: string) => `---\nid: ${id}\ntitle: Menu\ndate: ${date}\n---\n${link(label)}`;
    const { show } = await openBlog({
      'navigation/old.html': menu(301, 'Old', '2024-01-01T00:00:00'),
      'navigation/new.html': menu(302, 'New', '2025-01-01T00:00:00'),
    });
    expect(show(block('navigation', plain))).toContain('>New<');
    expect(show(block('navigation', { ...plain, ref: 301 }))).toContain('aria-label="Menu"');
    expect(show(block('navigation', { ...plain, ref: 999 }))).toMatch(/^<nav [^>]*><\/nav>$/);
    const bare = await openBlog();
    expect(bare.show(block('navigation', plain))).toContain('wp-block-page-list');
  });

  it('are numbered, and contain no other menu', async () => {
    const { show } = await openBlog();
    const one = around('navigation', plain, link('One'));
    const named = block('navigation', { ...plain, ref: 50 });
    expect(
      show(one + named + one + named)
        .match(/<nav [^>]*>/g)
        ?.map((tag) => /aria-label="(.*)"/.exec(tag)?.[1]),
    ).toEqual([undefined, 'X', ' 2', 'X 2']);
    expect(show(around('navigation', plain, one))).toBe('');
  });

  it('number repeated menus', async () => {
    const { show } = await openBlog();
    expect(show(around('navigation', plain, block('search', { label: 'S' })))).toContain('id="wp-block-search__input-2"');
  });

  it('have colors, which must be valid', async () => {
    const { show } = await openBlog();
    const html = show(
      around(
        'navigation',
        { customTextColor: 'red;x:y', overlayBackgroundColor: 'a"><b>', ...{ overlayMenu: 'always' } },
        submenu(link('One')),
      ),
    );
    expect(html).toMatch(/^<nav style="color: red" class="has-text-color is-responsive /);
    expect(html).toContain('hidden-by-default has-background has-a&quot;&gt;&lt;b&gt;-background-color"');
    expect(html).toContain('submenu-container has-background has-a-b-background-color wp-block-navigation-submenu"');
  });
});
