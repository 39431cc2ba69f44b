import { describe, expect, it } from 'vitest';
import { blockLines, blockTypes } from '../../src/render/block-types.ts';

const all = [...blockTypes.values()];

describe('built-in blocks', () => {
  it('are read from one line each', () => {
    expect(all.length).toBe(blockLines.trim().split('\n').length);
    for (const block of all) {
      expect(block.name).toMatch(/^core\/[a-z][a-z0-9-]*$/);
      expect(['text', 'media', 'design', 'widgets', 'theme', 'embed', 'reusable']).toContain(block.category);
      expect(block.title).not.toBe('');
      for (const attribute of Object.values(block.attributes)) expect(attribute.type).toBeTypeOf('string');
    }
  });

  it('name blocks that there are', () => {
    // The icon block is not part of the reference yet that navigation already allows.
    const named = all.flatMap(({ parent, ancestor, allowed }) => [...(parent ?? []), ...(ancestor ?? []), ...(allowed ?? [])]);
    expect(named.filter((name) => !blockTypes.has(name) && name !== 'core/icon')).toEqual([]);
  });

  it.each([
    ['core/heading', 'level', { type: 'number', default: 2 }],
    ['core/separator', 'opacity', { type: 'string', default: 'alpha-channel' }],
    ['core/post-terms', 'separator', { type: 'string', default: ', ' }],
    ['core/query', 'query', { type: 'object', default: expect.objectContaining({ postType: 'post', inherit: true }) }],
    ['core/image', 'align', { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] }],
    ['core/paragraph', 'lock', { type: 'object' }],
  ])('%s has %s', (name, attribute, schema) => {
    expect(blockTypes.get(name)?.attributes[attribute]).toEqual(schema);
  });

  it('keep words of several parts', () => {
    expect(blockTypes.get('core/more')?.keywords).toEqual(['read more']);
    expect(blockTypes.get('core/quote')).toMatchObject({
      styles: [{ name: 'default', isDefault: true }, { name: 'plain' }],
      allowed: null,
    });
    expect(blockTypes.get('core/buttons')).toMatchObject({ allowed: ['core/button'], keywords: ['link'], isDynamic: false });
  });
});
