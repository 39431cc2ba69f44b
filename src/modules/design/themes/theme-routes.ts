/**
 * The theme: one record that describes the design of a headless site, from `site.yaml`.
 *
 * Shape    what editors must know of the design: features, kinds of templates, areas
 * Access   whoever edits items of some type sees the active theme; the list of all is for those who switch themes
 * Errors   rest_cannot_view_themes, rest_cannot_view_active_theme, rest_theme_not_found
 * Source   the reference's route catalogue and schemas (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import type { Field } from '../../../kernel/model/field.ts';
import { of, type Schema } from '../../../kernel/model/schema.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, list, object, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { readTheme, readThemes } from './access.ts';
import { ensureUserStyles } from './style-routes.ts';
import { userStyles } from './styles.ts';
import { themeFeatures } from './theme-features.ts';
import { templateAreas, templateTypes, type DesignTheme, themeOf } from './themes.ts';

const base = '/cms/v2/themes';
const shown = { readonly: true };
const uri = { format: 'uri' } as const;
const address = { ...shown, ...uri, get: (_theme: DesignTheme, { urls }: Call) => urls.base };
const unused = { ...shown, get: () => '' };
const own = { ...shown, get: (theme: DesignTheme) => theme.stylesheet };
const word: Schema = { type: 'string' };
const states = ['inactive', 'active'];
const tags = { raw: of('array', 'As stored.', { items: word }), rendered: of('string', 'As shown.') };
const kind: Schema = { type: 'object', properties: { slug: word, title: word, description: word } };
const area: Schema = { type: 'object', properties: { area: word, label: word, description: word, icon: word, area_tag: word } };

export const themeRoutes = defineResource<DesignTheme>({
  name: 'theme',
  base,
  // Creates the users' styles.
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    stylesheet:                  text('Name of the theme in addresses.', shown),
    template:                    text('The theme it builds on; itself.', own),
    requires_php:                text('Does not apply here.', unused),
    [wireConstants.requires]:    text('Does not apply here.', unused),
    textdomain:                  text('Where its texts are translated.', own),
    version:                     text('Version of the theme.', shown),
    screenshot:                  text('A picture of the theme.', { ...shown, ...uri }),
    author:                      rendered('Who made the theme.', (theme) => theme.author),
    author_uri:                  rendered('Address of who made it.', (theme) => theme.authorUrl, uri),
    description:                 rendered('What the theme is.', (theme) => theme.description),
    name:                        rendered('Name of the theme.', (theme) => theme.name),
    tags:                        object('Words about the theme.', { ...shown, properties: tags, get: tagsOf }),
    theme_uri:                   rendered('Address of the theme.', (theme) => theme.url, uri),
    status:                      text('Whether the theme is in use.', { enum: states, get: () => 'active' }),
    theme_supports:              object('Features of the theme.', { ...shown, properties: themeFeatures, get: (theme) => theme.supports }),
    is_block_theme:              bool('Whether its pages are made of blocks.', shown),
    stylesheet_uri:              text("Address of the theme's files.", address),
    template_uri:                text('Address of the files of the theme it builds on.', address),
    default_template_types:      list('Kinds of templates.', { items: kind, ...shown, get: kinds }),
    default_template_part_areas: list('Places of template parts.', { items: area, ...shown, get: () => templateAreas }),
  },
  links({ stylesheet, isBlockTheme }, { site, can }) {
    const styles = userStyles(site);
    const exported = { href: '/cms-block-editor/v1/export', targetHints: { allow: can('export') ? ['GET'] : [] } };
    return {
      self: `${base}/${stylesheet}`,
      collection: base,
      ...(styles ? { 'cms:user-global-styles': `/cms/v2/global-styles/${styles.id}` } : {}),
      ...(isBlockTheme ? { 'cms:export-theme': exported } : {}),
    };
  },
  routes: [
    collection({
      args: {
        status: of('array', 'Limit results to themes with one of these statuses.', {
          items: { enum: ['active', 'inactive'], type: 'string' },
        }),
      },
      allow: readThemes,
      handle: async (call) => {
        const { status = [] } = call.params;
        return status.length === 0 || status.includes('active') ? [await theme(call)] : [];
      },
    }),
    item('(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)', {
      args: { stylesheet: of('string', 'Name of the theme.') },
      allow: readTheme,
      handle: (call) => (call.params.stylesheet === themeOf(call.site).stylesheet ? theme(call) : fail('rest_theme_not_found')),
    }),
  ],
});

/** The theme, with links to users' styles. */
async function theme(call: Call): Promise<DesignTheme> {
  await ensureUserStyles(call);
  return themeOf(call.site);
}

/** A text with raw and rendered form. */
function rendered(
  description: string,
  textOf: (theme: DesignTheme) => string,
  more: Partial<Schema> = {},
): Field<DesignTheme, Call> {
  const properties = {
    raw: of('string', `${description} As stored.`, more),
    rendered: of('string', `${description} As shown.`, more),
  };
  return object(description, { ...shown, properties, get: (one) => ({ raw: textOf(one), rendered: escapeHtml(textOf(one)) }) });
}

function tagsOf(one: DesignTheme): unknown {
  return { raw: one.tags, rendered: escapeHtml(one.tags.join(', ')) };
}

function kinds(): unknown {
  return templateTypes.map(([slug, title, description]) => ({ title, description, slug }));
}
