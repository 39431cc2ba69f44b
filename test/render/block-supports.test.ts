import { describe, expect, it } from 'vitest';
import { createRun, showBlocks } from '../../src/render/block-tree.ts';

function shown(name: string, attributes: object, html: string, run = createRun()): string {
  return showBlocks(`<!-- wp:${name} ${JSON.stringify(attributes)} -->${html}<!-- /wp:${name} -->`, run);
}

const flow = 'is-layout-flow wp-block-group-is-layout-flow';
const picture = { background: { backgroundImage: { url: 'https://a.example/b.jpg' } } };

describe('the styles of a block', () => {
  it.each<[what: string, name: string, attributes: object, html: string, expected: string]>([
    [
      'CSS of its own',
      'verse',
      { style: { css: 'color: red' } },
      '<pre>A</pre>',
      '<pre class="has-custom-css wp-custom-css-1bd756d8">A</pre>',
    ],
    [
      'a gap of nothing',
      'group',
      { layout: { type: 'flex' }, style: { spacing: { blockGap: '' } } },
      '<div class="wp-block-group"></div>',
      '<div class="wp-block-group is-layout-flex wp-block-group-is-layout-flex"></div>',
    ],
    ['CSS with a tag in it', 'verse', { style: { css: 'a</style>' } }, '<pre>A</pre>', '<pre>A</pre>'],
    ['CSS where it has none', 'html', { style: { css: 'color: red' } }, '<b>A</b>', '<b>A</b>'],
    [
      'a pair of colours',
      'image',
      { style: { color: { duotone: ['#F00', '#0f0'] } } },
      '<figure><img src="a"/></figure>',
      '<figure class="wp-duotone-f00-0f0-1"><img src="a"/></figure>',
    ],
    [
      'a known pair',
      'image',
      { style: { color: { duotone: 'var:preset|duotone|midnight' } } },
      '<figure><img src="a"/></figure>',
      '<figure class="wp-duotone-midnight"><img src="a"/></figure>',
    ],
    [
      'a pair of a name',
      'image',
      { style: { color: { duotone: 'unset' } } },
      '<figure><img src="a"/></figure>',
      '<figure class="wp-duotone-unset-1"><img src="a"/></figure>',
    ],
    ['a pair where there is no picture', 'verse', { style: { color: { duotone: 'unset' } } }, '<pre>A</pre>', '<pre>A</pre>'],
    [
      'a shape',
      'cover',
      { style: { dimensions: { aspectRatio: '1' } } },
      '<div style="color:red">A</div>',
      '<div class="is-layout-flow wp-block-cover-is-layout-flow has-aspect-ratio" style="color:red;aspect-ratio:1;height:unset;min-height:unset;">A</div>',
    ],
    [
      'a picture behind it',
      'verse',
      { style: picture },
      '<pre>A</pre>',
      '<pre class="has-background" style="background-image:url(&apos;https://a.example/b.jpg&apos;);background-size:cover;">A</pre>',
    ],
    [
      'a picture that contains it',
      'verse',
      { style: { background: { ...picture.background, backgroundSize: 'contain' } } },
      '<pre class="v">A</pre>',
      '<pre style="background-image:url(&apos;https://a.example/b.jpg&apos;);background-position:50% 50%;background-size:contain;" class="v has-background">A</pre>',
    ],
    [
      'a picture that would run something',
      'verse',
      { style: { background: { backgroundImage: { url: "javascript:x('" } } } },
      '<pre>A</pre>',
      '<pre class="has-background" style="background-size:cover;">A</pre>',
    ],
    [
      'a place that stays',
      'group',
      { style: { position: { type: 'sticky' } } },
      '<div>A</div>',
      `<div class="${flow} wp-container-1 is-position-sticky">A</div>`,
    ],
    [
      'a place that it cannot have',
      'group',
      { style: { position: { type: 'fixed' } } },
      '<div>A</div>',
      `<div class="${flow}">A</div>`,
    ],
    [
      'text that fits',
      'verse',
      { fitText: true },
      '<pre>A</pre>',
      '<pre data-wp-context---core-fit-text="core/fit-text::{&quot;fontSize&quot;:&quot;&quot;}" data-wp-init---core-fit-text="core/fit-text::callbacks.init" data-wp-interactive data-wp-style--font-size="core/fit-text::context.fontSize">A</pre>',
    ],
    [
      'some widths that it is hidden on',
      'verse',
      { metadata: { blockVisibility: { viewport: { tablet: false, mobile: false, desktop: true, constructor: false } } } },
      '<pre><img src="a"></pre>',
      '<pre class="wp-block-hidden-mobile wp-block-hidden-tablet"><img fetchpriority="auto" src="a"></pre>',
    ],
    [
      'a section of the theme',
      'group',
      { className: 'is-style-section-2' },
      '<div class="is-style-section-2">A</div>',
      `<div class="is-style-section-2 ${flow} is-style-section-2--1">A</div>`,
    ],
    [
      'a gap that depends on the block',
      'quote',
      { style: { spacing: { blockGap: '1px' } } },
      '<blockquote>A</blockquote>',
      '<blockquote class="is-layout-flow wp-container-core-quote-is-layout-1f7d6b5f wp-block-quote-is-layout-flow">A</blockquote>',
    ],
  ])('%s', (_, name, attributes, html, expected) => expect(shown(name, attributes, html)).toBe(expected));

  it('number each kind of class name separately', () => {
    const run = createRun();
    const style = { elements: { link: { color: { text: 'red' } } }, position: { type: 'sticky' } };
    expect([1, 2].map(() => shown('group', { style }, '<div></div>', run)).join('')).toBe(
      [1, 2].map((at) => `<div class="wp-elements-${at} ${flow} wp-container-${at} is-position-sticky"></div>`).join(''),
    );
  });

  it('ignore inherited members', () => {
    for (const name of ['constructor', 'acme/constructor'])
      expect(shown(name, { className: 'is-style-constructor', layout: { type: 'constructor' } }, '<div>A</div>')).toBe(
        '<div>A</div>',
      );
    expect(
      shown('image', { style: { color: { duotone: 'var:preset|duotone|constructor' } } }, '<figure><img src="a"></figure>'),
    ).toContain('wp-duotone-varpresetduotoneconstructor-1');
  });
});
