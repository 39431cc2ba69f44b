import { describe, expect, it } from 'vitest';
import { neutral, original } from '../../../src/kernel/rest/dialect.ts';

describe('the two dialects', () => {
  it.each([
    ['/lang/v1/custom-xml-config', '/wpml/v1/custom-xml-config'],
    ['/lang/tm/v1/ate/jobs/7', '/wpml/tm/v1/ate/jobs/7'],
    ['/lang/ate/v1/ate/proxy', '/wpml/ate/v1/ate/proxy'],
    ['/lang/st/v1/settings', '/wpml/st/v1/settings'],
    ['/seo/v1/get_head', '/yoast/v1/get_head'],
    ['/folders/v1', '/filebird/v1'],
    ['/folders/public/v1/folder/set-attachment', '/filebird/public/v1/folder/set-attachment'],
    ['/fields/v3/posts/7?_fields=id', '/acf/v3/posts/7?_fields=id'],
    ['/installer/v1/push/fetch-subscription', '/otgs/installer/v1/push/fetch-subscription'],
    ['/cms/v2/custom/search', '/wp/v2/custom/search'],
    ['/cms/v2/cms_block/7', '/wp/v2/wp_block/7'],
    ['/menus/v1/menus/lang', '/menus/v1/menus/lang'],
    ['/media-tools/v1/get/7', '/media-tools/v1/get/7'],
    ['/lang/v2/tm', '/lang/v2/tm'],
    ['/lang', '/lang'],
    ['/', '/'],
  ])('%s is %s', (ours, theirs) => {
    expect(original.spellRoute(ours)).toBe(theirs);
    expect(original.readRoute(theirs)).toBe(ours);
    expect([neutral.spellRoute(ours), neutral.readRoute(ours)]).toEqual([ours, ours]);
  });

  it.each([
    ['/WP/v2/Posts/7', '/cms/v2/Posts/7'],
    ['/WPML/TM/V1/ate/jobs/7', '/lang/tm/v1/ate/jobs/7'],
    ['/wp/v2/WP_Pattern_Category/7', '/cms/v2/cms_pattern_category/7'],
    ['/yoast/v1/SEMRUSH/WP_BLOCK', '/seo/v1/keyword-tool/WP_BLOCK'],
  ])('%s is read as %s: routes ignore case, parameters do not', (theirs, ours) => {
    expect(original.readRoute(theirs)).toBe(ours);
  });

  it('translate known parameters, and leave others', () => {
    expect(original.readNames({ wpml_language: 'de', acf_format: 'light', page: 2 })).toEqual({
      lang_language: 'de',
      fields_format: 'light',
      page: 2,
    });
    const sent = { lang_language: 'de' };
    expect(neutral.readNames(sent)).toBe(sent);
  });

  it('translate members of responses that are not parameters', () => {
    expect(['fields', 'seo_head', 'seo_head_json', 'title'].map(original.memberName)).toEqual([
      'acf',
      'yoast_head',
      'yoast_head_json',
      'title',
    ]);
    expect(neutral.memberName('fields')).toBe('fields');
    expect(original.readNames({ acf: { a: 1 }, fields: { b: 2 } })).toEqual({ acf: { a: 1 }, fields: { b: 2 } });
    expect(original.wireName('fields')).toBe('fields');
  });
});
