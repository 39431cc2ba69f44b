/**
 * Global styles: what users change of the look of the site, its revisions, what the theme brings, and variations of it.
 *
 * Shape    settings and styles as JSON, with a title
 * Access   whoever edits items reads; whoever edits theme options writes and sees revisions
 * Errors   rest_global_styles_not_found, rest_cannot_view, rest_cannot_edit, rest_forbidden_context, rest_theme_not_found,
 *          rest_cannot_read_global_styles, rest_custom_css_illegal_markup, rest_post_invalid_parent, rest_post_invalid_id,
 *          rest_revision_parent_id_mismatch, rest_revision_invalid_offset_number, rest_revision_invalid_page_number
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { renderTitle } from '../../../render/markup.ts';
import { mayChangeHere } from '../../people/accounts/record.ts';
import {
  planStyles,
  planUserStyles,
  readConfig,
  type StyleConfig,
  stylesType,
  themeConfig,
  userStyles,
  variationsOf,
} from './styles.ts';
import { themeOf } from './themes.ts';
import { fail } from '../../../kernel/errors.ts';
import { type Fields, schemasOf, toRecord } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { historyLinks, type RevisionRecord } from '../../content/revisions/record.ts';
import { everywhere, of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import { type Args, argsForUpdate, asSent } from '../../../kernel/rest/args.ts';
import { Item } from '../../../kernel/rest/item.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, READ, type AccessRule } from '../../../kernel/rest/types.ts';
import { changesOf } from '../../../kernel/rest/write-input.ts';
import { findRevision, listRevisions, revisionListArgs } from '../../content/revisions/index.ts';
import { forEditors } from '../../people/accounts/record.ts';

const BASE = '/cms/v2/global-styles';
const idArg = of('integer', 'ID of the styles.');

/** Other input belongs to the body. */
type Styles = PostRecord & Partial<StyleConfig>;

const fields: Fields<Styles, Call> = {
  id: { schema: of('string', 'ID of the styles.', { context: everywhere, readonly: true }) },
  title: {
    schema: of(['object', 'string'], 'Title of the styles.', {
      default: '',
      context: everywhere,
      properties: {
        raw: of('string', 'Title as stored.', { context: ['view', 'edit', 'embed'] }),
        rendered: of('string', 'Title as shown.', { context: ['view', 'edit', 'embed'], readonly: true }),
      },
    }),
    get: { raw: (post) => post.title, rendered: (post) => renderTitle(post.title) },
    set(title, draft) {
      const raw = isMap(title) ? title.raw : title;
      if (typeof raw === 'string') draft.title = raw;
    },
  },
  settings: {
    schema: of(['object'], 'Settings of the look.', { context: viewAndEdit }),
    get: (post) => json(readConfig(post.content).settings),
    set: toRecord('settings'),
  },
  styles: {
    schema: of(['object'], 'The look.', { context: viewAndEdit }),
    get: (post) => json(readConfig(post.content).styles),
    set: toRecord('styles'),
  },
};

const { title: titleSchema, settings, styles } = schemasOf(fields) as Record<string, Schema>;
const updateArgs = argsForUpdate({ styles, settings, title: titleSchema } as Args, { title: asSent });

const own = defineResource<Styles, Call>({
  name: stylesType,
  base: BASE,
  fields,
  links(post, { site, can }) {
    const self = `${BASE}/${post.id}`;
    return {
      self,
      about: `/cms/v2/types/${stylesType}`,
      ...historyLinks(site, post.id, self),
      ...(can('publish_posts') && { 'cms:action-publish': self }),
      ...(can('edit_css') && { 'cms:action-edit-css': self }),
    };
  },
  routes: [
    item('(?P<id>[\\/\\d+]+)', {
      read: { args: { id: idArg }, allow: mayRead, handle: find },
      update: { args: updateArgs, allow: mayEdit, handle: update },
    }),
  ],
});

const moment = (description: string, context = viewAndEdit): Schema =>
  of('string', description, { format: 'date-time', context });

const revisions = defineResource<RevisionRecord>({
  name: `${stylesType}-revision`,
  base: `${BASE}/(?P<parent>[\\d]+)/revisions`,
  fields: {
    author: { schema: of('integer', 'Who made the revision.', { context: everywhere }) },
    date: { schema: moment('When it was made, site time.', everywhere) },
    date_gmt: { schema: moment('When it was made, GMT.') },
    id: { schema: of('integer', 'ID of the revision.', { context: everywhere }) },
    modified: { schema: moment('When it was changed, site time.'), get: (revision) => revision.date },
    modified_gmt: { schema: moment('When it was changed, GMT.'), get: (revision) => revision.dateGmt },
    parent: { schema: { ...idArg, context: everywhere } },
    settings: { schema: fields.settings?.schema, get: ({ content }) => json(readConfig(content).settings) },
    styles: { schema: fields.styles?.schema, get: ({ content }) => json(readConfig(content).styles) },
  },
  links: ({ parent }) => ({ parent: `${BASE}/${parent}` }),
  params: { parent: idArg, id: of('integer', 'ID of the revision.') },
  routes: [
    collection({
      args: pick(revisionListArgs, ['context', 'page', 'per_page', 'offset']),
      allow: mayReadRevisions,
      handle: (call) => listRevisions(call, findParent(call).id),
    }),
    item('(?P<id>[\\d]+)', { allow: mayReadRevisions, handle: (call) => findRevision(call, findParent(call).id) }),
  ],
});

const stylesheet: Args = { stylesheet: of('string', 'Name of the theme.') };
const forReaders = forEditors('rest_cannot_read_global_styles');
const themes: Namespace['routes'] = [
  {
    path: `${BASE}/themes/(?P<stylesheet>[\\/\\s%\\w\\.\\(\\)\\[\\]\\@_\\-]+)/variations`,
    endpoints: [{ methods: READ, args: stylesheet, allow: forReaders, handle: variations }],
  },
  {
    path: `${BASE}/themes/(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)`,
    endpoints: [{ methods: READ, args: stylesheet, allow: forReaders, handle: ofTheme }],
  },
];

export const globalStyleRoutes: Namespace['routes'] = [...revisions, ...[...themes, ...own].map(unbatched)];

/** The catalogue excludes these from batches (observed). */
function unbatched(route: Namespace['routes'][number]): typeof route {
  return { ...route, endpoints: route.endpoints.map((endpoint) => ({ ...endpoint, batch: false })) };
}

/** Creates the users' styles when requested by someone who may edit them, like the reference. */
export async function ensureUserStyles(call: Call): Promise<void> {
  const { site, user, can } = call;
  if (userStyles(site) || site.store.readOnly || !mayChangeHere(call)) return;
  if (!can('edit_theme_options') || !can('publish_posts')) return;
  await site.write((site) => planUserStyles(site, user));
}

async function update(call: Call): Promise<PostRecord> {
  const { site, user, params } = call;
  const css = (params.styles as { css?: unknown } | undefined)?.css;
  if (typeof css === 'string' && /<\/?\w/.test(css)) fail('rest_custom_css_illegal_markup');
  await site.write((site) => planStyles(site, user, find(call), changesOf<Styles>(call, fields, undefined)));
  return find(call);
}

function ofTheme(call: Call): Item {
  const name = themeNamed(call);
  const config = themeConfig(call.site);
  const body = Object.fromEntries(
    (['settings', 'styles'] as const).filter((key) => call.fields.wants(key)).map((key) => [key, json(config[key])]),
  );
  return new Item(body, { self: [{ href: call.urls.rest(`${BASE}/themes/${name}`) }] });
}

function variations(call: Call): unknown[] {
  themeNamed(call);
  return variationsOf(call.site).map(({ title, content }) => {
    const config = readConfig(content);
    return { version: 3, title, settings: json(config.settings), styles: json(config.styles) };
  });
}

function mayRead(call: Call): ReturnType<AccessRule> {
  const post = find(call);
  if (call.request.query.context === 'edit' && !call.can('edit_theme_options')) return 'rest_forbidden_context';
  return call.can('read_post', post) ? null : 'rest_cannot_view';
}

function mayEdit(call: Call): ReturnType<AccessRule> {
  find(call);
  return call.can('edit_theme_options') ? null : 'rest_cannot_edit';
}

function mayReadRevisions(call: Call): ReturnType<AccessRule> {
  findParent(call);
  return call.can('edit_theme_options') ? null : 'rest_cannot_view';
}

function find({ site, params }: Call): PostRecord {
  const post = site.posts.get(Number(params.id));
  return post?.type === stylesType ? post : fail('rest_global_styles_not_found');
}

function findParent({ site, params }: Call): PostRecord {
  const post = site.posts.get(Number(params.parent));
  return post?.type === stylesType ? post : fail('rest_post_invalid_parent');
}

function themeNamed({ site, params }: Call): string {
  const { stylesheet: known } = themeOf(site);
  return params.stylesheet === known ? known : fail('rest_theme_not_found');
}

/** Keeps an empty map a map. */
function json(value: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(value).length > 0 ? value : { none: undefined };
}

function pick(args: Args, names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
}
