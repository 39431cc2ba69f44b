/**
 * The theme: one record that describes the design of a headless site, from `site.yaml`.
 *
 * Shape    what editors must know of the design: features, kinds of templates, areas
 * Access   whoever edits items of some type sees the active theme; the list of all is for those who switch themes
 * Errors   rest_cannot_view_themes, rest_cannot_view_active_theme, rest_theme_not_found
 * Source   the reference's route catalogue and schemas (6.9)
 */
import { wireConstants } from '../../kernel/model/wire-constants.ts';
import { canEditSomething } from '../accounts/capabilities.ts';
import { userStyles } from './styles.ts';
import { escapeHtml } from '../../render/text.ts';
import { templateAreas, templateTypes, type Theme, themeOf } from './themes.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { of, type Schema } from '../../kernel/model/schema.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ, type Rule } from '../../kernel/rest/types.ts';
import { ensureUserStyles } from './style-routes.ts';
import { draft, listOf } from '../../kernel/rest/schema-helpers.ts';

const readonly = true;
const uri = { format: 'uri' as const };
const plain = (description: string, more: Partial<Schema> = {}): Schema => of('string', description, { readonly, ...more });
const flag = (description: string): Schema => of('boolean', description, { default: false });
const word: Schema = { type: 'string' };
const yes: Schema = { type: 'boolean' };
const whole: Schema = { type: 'integer' };
const picture: Schema = { type: 'string', format: 'uri' };
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
/** A feature that is off, or on with options. */
const options = (description: string, properties: Readonly<Record<string, Schema>>): Schema =>
  of(['boolean', 'object'], description, { default: false, properties, additionalProperties: false });
/** A feature that is off, or a list of presets. */
const presets = (description: string, properties: Readonly<Record<string, Schema>>): Schema =>
  of(['boolean', 'array'], description, { default: false, items: { type: 'object', properties, additionalProperties: false } });

const supports: Readonly<Record<string, Schema>> = {
  'align-wide': flag('Blocks may be wide or as wide as the page.'),
  'automatic-feed-links': flag('Addresses of feeds are put into the head of pages.'),
  'block-templates': flag('Pages are made of templates.'),
  'block-template-parts': flag('Pages are made of template parts.'),
  'custom-background': options("A background of one's own.", {
    'default-image': picture,
    'default-preset': oneOf('default', 'fill', 'fit', 'repeat', 'custom'),
    'default-position-x': oneOf('left', 'center', 'right'),
    'default-position-y': oneOf('left', 'center', 'right'),
    'default-size': oneOf('auto', 'contain', 'cover'),
    'default-repeat': oneOf('repeat-x', 'repeat-y', 'repeat', 'no-repeat'),
    'default-attachment': oneOf('scroll', 'fixed'),
    'default-color': word,
  }),
  'custom-header': options("A header of one's own.", {
    'default-image': picture,
    'random-default': yes,
    width: whole,
    height: whole,
    'flex-height': yes,
    'flex-width': yes,
    'default-text-color': word,
    'header-text': yes,
    uploads: yes,
    video: yes,
  }),
  'custom-logo': options("A logo of one's own.", {
    width: whole,
    height: whole,
    'flex-width': yes,
    'flex-height': yes,
    'header-text': { type: 'array', items: word },
    'unlink-homepage-logo': yes,
  }),
  'customize-selective-refresh-widgets': flag('Widgets are refreshed one by one.'),
  'dark-editor-style': flag('The editor is dark.'),
  'disable-custom-colors': flag('No colours but those offered.'),
  'disable-custom-font-sizes': flag('No font sizes but those offered.'),
  'disable-custom-gradients': flag('No gradients but those offered.'),
  'disable-layout-styles': flag('No generated styles for layouts.'),
  'editor-color-palette': presets('Colours offered.', { name: word, slug: word, color: word }),
  'editor-font-sizes': presets('Font sizes offered.', { name: word, size: { type: 'number' }, slug: word }),
  'editor-gradient-presets': presets('Gradients offered.', { name: word, gradient: word, slug: word }),
  'editor-spacing-sizes': presets('Spacings offered.', { name: word, size: word, slug: word }),
  'editor-styles': flag('The editor uses the styles of the design.'),
  html5: of(['boolean', 'array'], 'Parts written as HTML 5.', {
    default: false,
    items: oneOf('search-form', 'comment-form', 'comment-list', 'gallery', 'caption', 'script', 'style'),
  }),
  // The reference prints the choice as a map, with its values as keys too.
  formats: of('array', 'Post formats.', {
    default: ['standard'],
    items: {
      type: 'string',
      enum: Object.fromEntries(
        ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'].map((name) => [
          name,
          name,
        ]),
      ),
    },
  }),
  'post-thumbnails': of(['boolean', 'array'], 'Types with a featured image.', { default: false, items: word }),
  'responsive-embeds': flag('Embeds keep their proportions.'),
  'title-tag': flag("The title element is the server's."),
  [wireConstants.blockStyles]: flag('Blocks come with styles of their own.'),
};

const fields: Fields<Theme, Call> = {
  stylesheet: { schema: plain('Name of the theme in addresses.'), get: (theme) => theme.stylesheet },
  template: { schema: plain('The theme it builds on; itself.'), get: (theme) => theme.stylesheet },
  requires_php: { schema: plain('Does not apply here.'), get: () => '' },
  [wireConstants.requires]: { schema: plain('Does not apply here.'), get: () => '' },
  textdomain: { schema: plain('Where its texts are translated.'), get: (theme) => theme.stylesheet },
  version: { schema: plain('Version of the theme.'), get: (theme) => theme.version },
  screenshot: { schema: plain('A picture of the theme.', uri), get: (theme) => theme.screenshot },
  author: { schema: both('Who made the theme.'), get: (theme) => texts(theme.author) },
  author_uri: { schema: both('Address of who made it.', uri), get: (theme) => texts(theme.authorUrl) },
  description: { schema: both('What the theme is.'), get: (theme) => texts(theme.description) },
  name: { schema: both('Name of the theme.'), get: (theme) => texts(theme.name) },
  tags: {
    schema: of('object', 'Words about the theme.', {
      readonly,
      properties: { raw: listOf(word, 'As stored.'), rendered: of('string', 'As shown.') },
    }),
    get: (theme) => ({ raw: theme.tags, rendered: escapeHtml(theme.tags.join(', ')) }),
  },
  theme_uri: { schema: both('Address of the theme.', uri), get: (theme) => texts(theme.url) },
  status: { schema: of('string', 'Whether the theme is in use.', { enum: ['inactive', 'active'] }), get: () => 'active' },
  theme_supports: {
    schema: of('object', 'Features of the theme.', { readonly, properties: supports }),
    get: (theme) => theme.supports,
  },
  is_block_theme: {
    schema: of('boolean', 'Whether its pages are made of blocks.', { readonly }),
    get: (theme) => theme.isBlockTheme,
  },
  stylesheet_uri: { schema: plain("Address of the theme's files.", uri), get: (_, { urls }) => urls.base },
  template_uri: { schema: plain('Address of the files of the theme it builds on.', uri), get: (_, { urls }) => urls.base },
  default_template_types: {
    schema: listOf({ type: 'object', properties: { slug: word, title: word, description: word } }, 'Kinds of templates.', {
      readonly,
    }),
    get: () => templateTypes.map(([slug, title, description]) => ({ title, description, slug })),
  },
  default_template_part_areas: {
    schema: listOf(
      { type: 'object', properties: { area: word, label: word, description: word, icon: word, area_tag: word } },
      'Places of template parts.',
      { readonly },
    ),
    get: () => templateAreas,
  },
};

const project = createProjector<Theme, Call>({
  fields,
  links(theme, { site, urls, can }) {
    const styles = userStyles(site);
    return {
      self: [{ href: urls.rest(`/cms/v2/themes/${theme.stylesheet}`) }],
      collection: [{ href: urls.rest('/cms/v2/themes') }],
      ...(styles ? { 'cms:user-global-styles': [{ href: urls.rest(`/cms/v2/global-styles/${styles.id}`) }] } : {}),
      ...(theme.isBlockTheme
        ? {
            'cms:export-theme': [
              { href: urls.rest('/cms-block-editor/v1/export'), targetHints: { allow: can('export') ? ['GET'] : [] } },
            ],
          }
        : {}),
    };
  },
});

const schema = draft('theme', schemasOf(fields));

export const themeRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/themes',
    schema,
    endpoints: [
      {
        methods: READ,
        args: {
          status: listOf({ enum: ['active', 'inactive'], type: 'string' }, 'Limit results to themes with one of these statuses.'),
        },
        allow: mayList,
        handle: list,
      },
    ],
  },
  {
    path: '/cms/v2/themes/(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)',
    schema,
    endpoints: [{ methods: READ, args: { stylesheet: of('string', 'Name of the theme.') }, allow: mayRead, handle: read }],
  },
];

async function list(call: Call): Promise<Item[]> {
  const status = call.params.status as readonly string[] | undefined;
  await ensureUserStyles(call);
  return status && status.length > 0 && !status.includes('active') ? [] : [project(themeOf(call.site), call, call)];
}

async function read(call: Call): Promise<Item> {
  const theme = themeOf(call.site);
  if (call.params.stylesheet !== theme.stylesheet) fail('rest_theme_not_found');
  await ensureUserStyles(call);
  return project(theme, call, call);
}

function mayList(call: Call): ReturnType<Rule> {
  if (call.can('switch_themes')) return null;
  const { status } = call.params;
  if (Array.isArray(status) && status.length === 1 && status[0] === 'active') return mayReadActive(call);
  return 'rest_cannot_view_themes';
}

function mayRead(call: Call): ReturnType<Rule> {
  if (call.can('switch_themes')) return null;
  return call.params.stylesheet === themeOf(call.site).stylesheet ? mayReadActive(call) : 'rest_cannot_view_themes';
}

function mayReadActive({ site, user }: Call): ReturnType<Rule> {
  return canEditSomething(site.access, user) ? null : 'rest_cannot_view_active_theme';
}

/** A text with what is stored and what is shown. */
function both(description: string, more: Partial<Schema> = {}): Schema {
  return of('object', description, {
    readonly,
    properties: {
      raw: of('string', `${description} As stored.`, more),
      rendered: of('string', `${description} As shown.`, more),
    },
  });
}

function texts(raw: string): { readonly raw: string; readonly rendered: string } {
  return { raw, rendered: escapeHtml(raw) };
}
