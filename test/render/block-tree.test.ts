import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createRun, showBlocks } from '../../src/render/block-tree.ts';

const shown = (raw: string): string => showBlocks(raw, createRun());
const block = (name: string, attributes: object, inner: string): string =>
  `<!-- wp:${name} ${JSON.stringify(attributes)} -->${inner}<!-- /wp:${name} -->`;

describe('a layout block', () => {
  test.each([
    [
      'without inner blocks, on its first element',
      'cover',
      {},
      '<div class="a"><p class="b"></p></div>',
      '<div class="a is-layout-flow wp-block-cover-is-layout-flow"><p class="b"></p></div>',
    ],
    [
      'on the element around its inner blocks',
      'cover',
      {},
      '<div class="a"><div class="b"><!-- wp:x /--></div></div>',
      '<div class="a"><div class="b is-layout-flow wp-block-cover-is-layout-flow"></div></div>',
    ],
    ['of an unknown kind', 'group', { layout: { type: 'odd' } }, '<div></div>', '<div class="wp-block-group-"></div>'],
    [
      'with a width of its own',
      'group',
      { layout: { type: 'constrained', contentSize: '600px' } },
      '<div></div>',
      '<div class="has-global-padding is-layout-constrained wp-container-core-group-is-layout-da200059 wp-block-group-is-layout-constrained"></div>',
    ],
    [
      'of a gallery, which has a number as well',
      'gallery',
      {},
      '<figure class="g"></figure>',
      '<figure class="g wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex"></figure>',
    ],
    ['without any element', 'group', {}, 'text', 'text'],
  ])('has its classes %s', (_, name, attributes, inner, html) => expect(shown(block(name, attributes, inner))).toBe(html));

  it('gives each child the class of its position', () => {
    const inner = block('paragraph', { style: { layout: { selfStretch: 'fill' } } }, '<p>A</p>');
    expect(shown(block('group', { layout: { type: 'flex' } }, `<div>${inner}</div>`))).toMatch(
      /<p class="wp-container-content-[\da-f]{8} wp-block-paragraph">A<\/p>/,
    );
    expect(shown(block('paragraph', { style: { layout: { selfStretch: 'fit' } } }, '<p>A</p>'))).toBe(
      '<p class="wp-block-paragraph">A</p>',
    );
  });
});

describe('any block', () => {
  it('with element colors has a class for them', () => {
    const coloured = { style: { elements: { link: { color: { text: '#00f' } } } } };
    const html = shown(block('acme/thing', coloured, '<p class="x">A</p>'));
    expect(html).toBe('<p class="x wp-elements-1">A</p>');
    expect(shown(block('acme/thing', coloured, '<p>A</p>').repeat(2))).toBe(
      '<p class="wp-elements-1">A</p><p class="wp-elements-2">A</p>',
    );
    expect(shown(block('button', coloured, '<a>A</a>'))).toBe('<a>A</a>');
    expect(shown(block('group', { style: { elements: { link: {} } } }, 'A'))).toBe('A');
  });

  it('is omitted if it is hidden, and known', () => {
    const hidden = { metadata: { blockVisibility: false } };
    expect(shown(block('paragraph', hidden, '<p>A</p>'))).toBe('');
    expect(shown(block('acme/thing', hidden, '<p>A</p>'))).toBe('<p>A</p>');
  });

  it('with a font size has a fluid one', () => {
    const html = block('paragraph', { style: { typography: { fontSize: '40px' } } }, '<p style="font-size:40px">A</p>');
    expect(shown(html)).toBe(
      '<p class="wp-block-paragraph" style="font-size:clamp(24.034px, 1.502rem + ((1vw - 3.2px) * 1.565), 40px);">A</p>',
    );
  });

  it('with rules per block has a number', () => {
    const outline = block('button', { className: 'is-style-outline' }, '<div class="is-style-outline"><a>A</a></div>');
    expect(shown(outline + outline)).toBe(
      [1, 2].map((at) => `<div class="is-style-outline is-style-outline--${at}"><a>A</a></div>`).join(''),
    );
  });
});

describe('saved blocks', () => {
  test.each([
    ['a heading gets its class', 'heading', {}, '<h3 class="x">A</h3>', '<h3 class="x wp-block-heading">A</h3>'],
    ['a list gets its class', 'list', {}, '<ol><li>A</li></ol>', '<ol class="wp-block-list"><li>A</li></ol>'],
    ['a button without words is not shown', 'button', {}, '<div><a class="x"><!-- y --></a></div>', ''],
    ['a button with a picture is', 'button', {}, '<div><a><img src="x"></a></div>', '<div><a><img src="x"></a></div>'],
    ['a picture without an address is not shown', 'image', {}, '<figure><img alt=""></figure>', ''],
    ['a shortcode gets paragraphs', 'shortcode', {}, '\n[x]\n', '<p>[x]</p>\n'],
    [
      'what shows a file says what',
      'file',
      {},
      '<object aria-label="plan"></object>',
      '<object aria-label="Embed of plan."></object>',
    ],
  ])('%s', (_, name, attributes, inner, html) => expect(shown(block(name, attributes, inner))).toBe(html));

  it('gallery images have their ids', () => {
    const image = block('image', { id: 7 }, '<img src="x">');
    expect(shown(block('gallery', {}, `<figure>${image}</figure>`))).toContain('<img data-id="7" src="x">');
    expect(shown(image)).toBe('<img src="x">');
  });

  it('accordion headings and panels refer to each other', () => {
    const toggle = '<button class="wp-block-accordion-heading__toggle">H</button>';
    const item = (attributes: object) =>
      block(
        'accordion-item',
        attributes,
        `<div class="wp-block-accordion-item">${toggle}<div class="wp-block-accordion-panel"><img src="x"></div></div>`,
      );
    const closed = shown(item({}));
    expect(closed).toContain('aria-expanded="false" aria-controls="accordion-item-1-panel"');
    expect(closed).toContain('<div aria-labelledby="accordion-item-1" data-wp-bind--hidden="state.isHidden"');
    expect(closed).toContain('fetchpriority="low"');
    const open = shown(item({ openByDefault: true }));
    expect(open).toContain('aria-expanded="true"');
    expect(open).toMatch(/^<div [^>]* class="wp-block-accordion-item [^"]* is-open">/);
  });
});

describe('blocks with a script', () => {
  const picture = (attributes: object) => block('image', attributes, '<figure class="i"><img src="a.jpg"/></figure>');

  it('tabs and panels refer to each other', () => {
    const panel = block('tab-panel', { label: 'A' }, '<section class="wp-block-tab-panel"></section>');
    const list = block('tab-list', {}, '<div class="l"></div>');
    const html = shown(block('tabs', {}, `<div class="wp-block-tabs">${list}${panel}${panel}</div>`).repeat(2));
    expect(html).toContain('data-wp-context="{&quot;tabsId&quot;:&quot;tabs_2&quot;,&quot;activeTabIndex&quot;:0}"');
    expect(html).toContain('<div aria-label="Tabbed content"');
    expect(html).toContain(
      '<section hidden aria-labelledby="tab__tabs_1-tab-1" data-wp-bind--hidden="!state.isActiveTab" id="tabs_1-tab-1" class="wp-block-tab-panel is-layout-flow',
    );
    const bare = block('tab-panel', { label: 'A' }, '<section></section>');
    expect(shown(block('tabs', {}, `<div class="wp-block-tabs">${bare}</div>`))).toContain('<section class="is-layout-flow');
    expect(shown(panel)).toBe('<section class="wp-block-tab-panel is-layout-flow wp-block-tab-panel-is-layout-flow"></section>');
  });

  it('an image with a lightbox has a button', () => {
    const html = shown(picture({ lightbox: { enabled: true } }));
    expect(html).toMatch(
      /^<figure data-wp-context="\{&quot;imageId&quot;:&quot;([\da-f]{8})&quot;\}" data-wp-interactive="core\/image" data-wp-key="\1" class="i wp-lightbox-container">/,
    );
    expect(html).toMatch(
      /data-wp-on-window--resize="callbacks.setButtonStyles" src="a.jpg"\/><button\s+class="lightbox-trigger"/,
    );
    for (const attributes of [{}, { lightbox: { enabled: 'true' } }, { lightbox: { enabled: true }, linkDestination: 'media' }])
      expect(shown(picture(attributes))).toBe('<figure class="i"><img src="a.jpg"/></figure>');
  });

  it('a gallery of such images shares one lightbox', () => {
    const gallery = (inner: string) => shown(block('gallery', {}, `<figure>${inner}</figure>`));
    expect(gallery(picture({ lightbox: { enabled: true } }))).toMatch(
      /^<figure class="[^"]*" data-wp-context="[^"]*galleryId[^"]*" data-wp-interactive="core\/gallery">/,
    );
    expect(gallery(picture({}))).not.toContain('data-wp');
  });
});

describe('deeply nested blocks', () => {
  it('are all rendered', () => {
    const depth = 3000;
    expect(shown(`${'<!-- wp:group --><div>'.repeat(depth)}A${'</div><!-- /wp:group -->'.repeat(depth)}`)).toContain('A');
  });

  it('keep their text, whatever their attributes', () => {
    const names = fc.constantFrom(
      'group',
      'columns',
      'gallery',
      'image',
      'heading',
      'button',
      'file',
      'accordion',
      'accordion-item',
      'acme/x',
    );
    const keys = fc.constantFrom(
      'layout',
      'style',
      'className',
      'metadata',
      'id',
      'align',
      'openByDefault',
      'fontSize',
      'spacing',
      'elements',
      'link',
      'color',
      'typography',
      'position',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, 1.5, '', 'flex', '__proto__', '"><script>', -1),
        fc.dictionary(keys, tie('any')),
        fc.array(tie('any'), { maxLength: 2 }),
      ),
    })).any;
    fc.assert(
      fc.property(names, fc.dictionary(keys, value), (name, attributes) => {
        const html = shown(block(name, attributes, '<p class="a"><a href="x">word</a><img src="y"></p>'));
        expect(html === '' || html.includes('word')).toBe(true);
        expect(html).not.toContain('<script>');
      }),
    );
  });
});
