import { describe, expect, it } from 'vitest';
import { cleanTemplateId, kinOf } from '../../../../src/modules/design/themes/templates.ts';
import { standardTaxonomies } from '../../../../src/modules/types/taxonomies.ts';
import { standardTypes } from '../../../../src/modules/types/types.ts';

const site = {
  types: new Map(standardTypes.map((type) => [type.name, type])),
  taxonomies: new Map(standardTaxonomies.map((taxonomy) => [taxonomy.name, taxonomy])),
};

describe('the template hierarchy', () => {
  it.each([
    ['index', false, '', 'index'],
    ['landing', true, '', 'page singular index'],
    ['front-page', false, '', 'front-page home index'],
    ['page-about', false, '', 'page-about page singular index'],
    ['single-post', false, '', 'single-post single singular index'],
    ['single-post-hello', false, '', 'single-post-hello single-post single singular index'],
    ['category-news', false, '', 'category-news category archive index'],
    ['taxonomy-post_format-aside', false, '', 'taxonomy-post_format-aside taxonomy-post_format taxonomy archive index'],
    ['taxonomy-a-b-c', false, 'taxonomy-a-b', 'taxonomy-a-b-c taxonomy-a-b taxonomy archive index'],
    ['date', false, '', 'date archive index'],
    ['attachment', false, '', 'attachment single singular index'],
  ])('%s', (slug, custom, prefix, kin) => {
    expect(kinOf(site, slug, custom, prefix).join(' ')).toBe(kin);
  });
});

describe('template ids', () => {
  it.each([
    ['site//index', 'site//index'],
    ['site/index', 'site//index'],
    ['site%2F%2Findex', 'site//index'],
    ['index', 'index'],
    ['a%zz/b', 'a%zz//b'],
  ])('%s', (sent, id) => {
    expect(cleanTemplateId(sent)).toBe(id);
  });
});
