import { describe, expect, it } from 'vitest';
import { type Setting, settingValue, siteSettings } from '../../../../src/kernel/model/settings.ts';
import { settings } from '../../../../src/modules/content/settings/index.ts';
import { printSetting, settingsSchema } from '../../../../src/modules/content/settings/values.ts';
import { argsForUpdate, describeArgs } from '../../../../src/kernel/rest/args.ts';

const standardSettings = siteSettings([settings]);
const setting = (key: string): Setting => standardSettings.find((one) => one.key === key)!;

// The catalogue's arguments of POST /settings: name, title, type, and what is more.
const catalogue: readonly [string, string, string, object?][] = [
  ['title', 'Title', 'string'],
  ['description', 'Tagline', 'string'],
  ['url', '', 'string', { format: 'uri' }],
  ['email', '', 'string', { format: 'email' }],
  ['timezone', '', 'string'],
  ['date_format', '', 'string'],
  ['time_format', '', 'string'],
  ['start_of_week', '', 'integer'],
  ['language', '', 'string'],
  ['use_smilies', '', 'boolean'],
  ['default_category', '', 'integer'],
  ['default_post_format', '', 'string'],
  ['posts_per_page', 'Maximum posts per page', 'integer'],
  ['show_on_front', 'Show on front', 'string'],
  ['page_on_front', 'Page on front', 'integer'],
  ['page_for_posts', '', 'integer'],
  ['default_ping_status', '', 'string', { enum: ['open', 'closed'] }],
  ['default_comment_status', 'Allow comments on new posts', 'string', { enum: ['open', 'closed'] }],
  ['site_logo', 'Logo', 'integer'],
  ['site_icon', 'Icon', 'integer'],
];
const defaults: Readonly<Record<string, unknown>> = { language: 'en_US', use_smilies: true, posts_per_page: 10 };

describe('settings', () => {
  it('have the arguments of the route catalogue', () => {
    expect(describeArgs(argsForUpdate(settingsSchema(standardSettings).properties))).toEqual(
      Object.fromEntries(catalogue.map(([name, title, type, more]) => [name, { title, type, required: false, ...more }])),
    );
  });

  it('have the schema in the OPTIONS response', () => {
    expect(settingsSchema(standardSettings)).toEqual({
      title: 'settings',
      type: 'object',
      properties: Object.fromEntries(
        catalogue.map(([name, title, type, more]) => [name, { title, type, default: defaults[name] ?? null, ...more }]),
      ),
    });
  });

  it('of a new site match the recording', () => {
    const shown = standardSettings.filter((one) => one.name !== undefined && one.default !== undefined);
    expect(Object.fromEntries(shown.map((one) => [one.name, printSetting(one, undefined)]))).toEqual({
      title: '',
      description: '',
      email: '',
      timezone: 'UTC',
      date_format: 'F j, Y',
      time_format: 'g:i a',
      start_of_week: 1,
      language: 'en_US',
      use_smilies: true,
      default_post_format: '0',
      posts_per_page: 10,
      show_on_front: 'posts',
      page_on_front: 0,
      page_for_posts: 0,
      default_ping_status: 'open',
      default_comment_status: 'open',
      site_logo: null,
      site_icon: 0,
    });
  });

  it.each([
    ['description', 'Back', 'Back', 'Back'],
    ['description', null, '', null],
    ['smilies', false, false, null],
    ['smilies', true, true, true],
    ['smilies', null, true, true],
    ['language', null, 'en_US', 'en_US'],
    ['posts_per_page', 4, 4, 4],
  ])('%s stored as %j is used as %j and printed as %j', (key, stored, inForce, printed) => {
    expect(settingValue(setting(key), stored)).toBe(inForce);
    expect(printSetting(setting(key), stored)).toBe(printed);
  });

  it('keep only the email address of the administrator private', () => {
    expect(standardSettings.filter((one) => one.private).map((one) => one.key)).toEqual(['email']);
  });

  it('have unique keys and public names', () => {
    const names = (facet: 'key' | 'name' | 'index'): string[] => standardSettings.flatMap((one) => one[facet] ?? []);
    for (const facet of ['key', 'name', 'index'] as const) expect(new Set(names(facet)).size).toBe(names(facet).length);
    expect(names('index')).toEqual([
      'name',
      'description',
      'url',
      'home',
      'timezone_string',
      'site_logo',
      'site_icon',
      'show_on_front',
      'page_on_front',
      'page_for_posts',
    ]);
  });
});
