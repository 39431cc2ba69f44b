import { describe, expect, it } from 'vitest';
import { blockTypes, hasSupport } from '../../src/render/block-types.ts';

const all = [...blockTypes.values()];

describe('built-in blocks', () => {
  it('have a title, a category, and a type for each attribute', () => {
    for (const block of all) {
      expect(block.name).toMatch(/^core\/[a-z][a-z0-9-]*$/);
      expect(['text', 'media', 'design', 'widgets', 'theme', 'embed', 'reusable']).toContain(block.category);
      expect(block.title).not.toBe('');
      expect(block.description).toMatch(/\.$/);
      for (const attribute of Object.values(block.attributes)) expect([attribute.type].flat()).not.toContain(undefined);
    }
  });

  it('refer only to existing blocks and attributes', () => {
    const named = all.flatMap(({ parent, ancestor, allowed }) => [...(parent ?? []), ...(ancestor ?? []), ...(allowed ?? [])]);
    expect(named.filter((name) => !blockTypes.has(name))).toEqual([]);
    const gone = ['displayLayout', 'customFontSize', 'openSubmenusOnClick'];
    for (const { name, provides, attributes } of all) {
      const unknown = Object.values(provides).filter((one) => !(one in attributes) && !gone.includes(one));
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
  });

  it.each([
    ['core/heading', 'level', { type: 'number', default: 2 }],
    ['core/heading', 'content', expect.objectContaining({ type: 'rich-text', selector: 'h1,h2,h3,h4,h5,h6' })],
    ['core/media-text', 'align', expect.objectContaining({ default: 'none' })],
    ['core/tabs', 'anchor', { type: 'string' }],
    ['core/html', 'style', undefined],
    ['core/separator', 'textColor', undefined],
    ['core/separator', 'opacity', { type: 'string', default: 'alpha-channel' }],
    ['core/post-terms', 'separator', { type: 'string', default: ', ' }],
    ['core/query', 'query', { type: 'object', default: expect.objectContaining({ postType: 'post', inherit: true }) }],
    ['core/image', 'align', { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] }],
    ['core/paragraph', 'lock', { type: 'object' }],
  ])('%s has %s', (name, attribute, schema) => {
    expect(blockTypes.get(name)?.attributes[attribute]).toEqual(schema);
  });

  it('keep multi-part values', () => {
    expect(blockTypes.get('core/more')?.keywords).toEqual(['read more']);
    expect(blockTypes.get('core/quote')).toMatchObject({
      styles: [{ name: 'default', isDefault: true }, { name: 'plain' }],
      allowed: null,
    });
    expect(blockTypes.get('core/buttons')).toMatchObject({ allowed: ['core/button'], keywords: ['link'], isDynamic: false });
  });

  it.each([
    ['core/group', ['color'], true],
    ['core/group', ['color', 'link'], true],
    ['core/group', ['position', 'sticky'], true],
    ['core/separator', ['color', 'text'], false],
    ['core/separator', ['color', 'background', true], true],
    ['core/heading', ['color', 'heading'], false],
    ['core/html', ['customClassName'], false],
    ['core/group', ['constructor'], false],
    ['core/unknown', ['color'], false],
  ] as const)('%s supports %s: %s', (name, asked, expected) => {
    expect(hasSupport(blockTypes.get(name), ...(asked as unknown as [string, string?, boolean?]))).toBe(expected);
  });
});
