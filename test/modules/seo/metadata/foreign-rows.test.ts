/** What other tools for search engines have left in the meta of files. */
import { describe, expect, it } from 'vitest';
import { seoField } from '../../../../src/modules/seo/metadata/fields.ts';
import { valuesInMeta } from '../../../../src/modules/seo/metadata/meta-rows.ts';

describe('metadata rows of other plugins', () => {
  it.each([
    ['ours', { '_seo_meta-robots-noindex': '1', _seo_metadesc: 'D' }, { noindex: true, description: 'D' }],
    [
      'Rank Math',
      { rank_math_title: '%title% %sep% %sitename%', rank_math_robots: ['noindex', 'noarchive'], rank_math_focus_keyword: 'a,b' },
      { title: '%%title%% %%sep%% %%sitename%%', noindex: true, noarchive: true, keyphrase: 'a' },
    ],
    ['Rank Math, shown', { rank_math_robots: ['index'] }, { noindex: false }],
    [
      'All in One SEO',
      { _aioseo_title: '#post_title #separator_sa #site_title', _aioseop_noindex: 'on' },
      { title: '%%title%% %%sep%% %%sitename%%', noindex: true },
    ],
    [
      'SEOPress',
      {
        _seopress_titles_title: '%%post_title%% %%sep%% %%sitetitle%%',
        _seopress_robots_index: 'yes',
        _seopress_robots_follow: 'yes',
      },
      { title: '%%title%% %%sep%% %%sitename%%', noindex: true, nofollow: true },
    ],
    [
      'The SEO Framework',
      { _genesis_title: 'T', _genesis_noindex: '1', _social_image_url: 'https://a.example/x.jpg' },
      { title: 'T', noindex: true, image: 'https://a.example/x.jpg' },
    ],
    [
      'The SEO Framework of a term',
      { 'autodescription-term-settings': { doctitle: 'T', noindex: 1 } },
      { title: 'T', noindex: true },
    ],
    ['ours before others', { _seo_title: 'A', rank_math_title: 'B' }, { title: 'A' }],
  ])('are those of %s', (_, meta, expected) => {
    expect(valuesInMeta(meta)).toMatchObject(expected);
  });

  it('are ignored if empty', () => {
    for (const meta of [{}, { title: 'x', constructor: 'y' }, null, 'text', ['a']]) expect(valuesInMeta(meta)).toEqual({});
  });

  it('are used by files without their own key, and overridden by an empty one', () => {
    const meta = { '_seo_meta-robots-noindex': '1' };
    const { file } = seoField;
    const read = (data: Record<string, unknown>): any => {
      const draft: any = { id: 1 };
      file?.read(data.seo, draft, { refs: {} } as any, data);
      return draft.seo;
    };
    expect(read({ meta })).toMatchObject({ noindex: true });
    expect(read({ meta, seo: null })).toEqual({});
    expect(read({ meta, seo: { title: 'A' } })).toEqual({ title: 'A' });
    const print = (seo: unknown) => file?.print?.({ id: 1, meta, seo } as any, { refs: {} } as any);
    expect(print(read({ meta, seo: null }))).toBe(null);
    expect(print(read({ meta }))).toEqual({ noindex: true });
  });
});
