import { describe, expect, it } from 'vitest';
import { operatorDefaults, OperatorFault, operatorSettings, readOperator } from '../../../src/kernel/model/operator.ts';

describe('operator settings', () => {
  it('come from a variable, then the file, then the default; an empty variable does not count', () => {
    const file = { upload_limit: 12, allow_svg: true };
    expect(readOperator({ CMS_UPLOAD_LIMIT: '20', CMS_ALLOW_SVG: '' }, file)).toMatchObject({
      upload_limit: 20,
      allow_svg: true,
    });
    expect(readOperator()).toEqual(operatorDefaults());
    expect(readOperator({ CMS_ALLOW_SVG: 'off' }, file).allow_svg).toBe(false);
  });

  it.each([
    [{ CMS_UPLOAD_LIMIT: 'much' }, {}, 'CMS_UPLOAD_LIMIT'],
    [{ CMS_UPLOAD_LIMIT: '0' }, {}, 'CMS_UPLOAD_LIMIT'],
    [{}, { allow_svg: 'perhaps' }, 'allow_svg'],
    [{}, { upload_limit: [1] }, 'upload_limit'],
    [{ CMS_DEFAULT_ROLE: 'king' }, {}, 'CMS_DEFAULT_ROLE'],
    [{ CMS_DEFAULT_ROLE: 'constructor' }, {}, 'CMS_DEFAULT_ROLE'],
    [{ CMS_ENVIRONMENT: 'moon' }, {}, 'CMS_ENVIRONMENT'],
    [{ CMS_BLOCK_DIRECTORY: 'javascript:x' }, {}, 'CMS_BLOCK_DIRECTORY'],
    [{}, { allow_svgs: true }, 'allow_svgs'],
    [{}, { constructor: true }, 'constructor'],
    [{ CMS_FEEDS: '[1]' }, {}, 'CMS_FEEDS'],
    [{ CMS_FEEDS: '{"insta":' }, {}, 'CMS_FEEDS'],
    [{}, { feeds: 'insta' }, 'feeds'],
    [{}, { installer: { feed_url: 'ftp://x' } }, 'installer.feed_url'],
    [{}, { installer: { other: 1 } }, 'installer.other'],
    [{}, { installer: 'https://example.com' }, 'installer'],
  ])('reject %j %j', (env, file, key) => {
    expect(() => readOperator(env, file)).toThrow(OperatorFault);
    expect(() => readOperator(env, file)).toThrow(key);
  });

  it('accept maps as YAML or JSON, and dotted keys as nested maps', () => {
    const feeds = { insta: { 1: { source: 'file' } } };
    const url = 'https://example.com/feed';
    expect(readOperator({}, { feeds, installer: { feed_url: url } })).toMatchObject({ feeds, 'installer.feed_url': url });
    expect(readOperator({ CMS_FEEDS: JSON.stringify(feeds), CMS_INSTALLER_FEED_URL: url })).toMatchObject({
      feeds,
      'installer.feed_url': url,
    });
    expect(readOperator({}, { 'installer.feed_url': url })['installer.feed_url']).toBe(url);
  });

  it('each have their own variable', () => {
    const names = Object.values(operatorSettings).map(({ env }) => env);
    expect(new Set(names).size).toBe(names.length);
  });
});
