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
import { renderTitle } from '../../render/markup.ts';
import { planStyles, planUserStyles, readConfig, stylesType, themeConfig, userStyles, variationsOf } from './styles.ts';
import { themeOf } from './themes.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import type { PostRecord } from '../posts/record.ts';
import { type RevisionRecord, revisionsOf } from '../revisions/record.ts';
import { everywhere, of, viewAndEdit } from '../../kernel/model/schema.ts';
import { type Args, argsForUpdate } from '../../kernel/rest/args.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, Item, type Link } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { type Call, READ, type Rule, UPDATE } from '../../kernel/rest/types.ts';
import { findRevision, listRevisions, revisionListArgs } from '../revisions/index.ts';
import { draft } from '../../kernel/rest/schema-helpers.ts';
import { forEditors } from '../accounts/record.ts';

const BASE = '/cms/v2/global-styles';

const fields: Fields<PostRecord, null> = {
  id: { schema: of('string', 'ID of the styles.', { context: everywhere, readonly: true }), get: (post) => post.id },
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
  },
  settings: {
    schema: of(['object'], 'Settings of the look.', { context: viewAndEdit }),
    get: (post) => json(readConfig(post.content).settings),
  },
  styles: { schema: of(['object'], 'The look.', { context: viewAndEdit }), get: (post) => json(readConfig(post.content).styles) },
};

const project = createProjector<PostRecord, null>({
  fields,
  links(post, _view, call) {
    const { site, urls, can } = call;
    const self = urls.rest(`${BASE}/${post.id}`);
    const revisions = revisionsOf(site, post.id);
    const links: Record<string, readonly Link[]> = {
      self: [{ href: self }],
      about: [{ href: urls.rest(`/cms/v2/types/${stylesType}`) }],
      'version-history': [{ count: revisions.length, href: `${self}/revisions` }],
    };
    const last = revisions[0];
    if (last) links['predecessor-version'] = [{ id: last.id, href: `${self}/revisions/${last.id}` }];
    if (can('publish_posts')) links['cms:action-publish'] = [{ href: self }];
    if (can('edit_css')) links['cms:action-edit-css'] = [{ href: self }];
    return links;
  },
});

const both = { context: viewAndEdit };
const revisionFields: Fields<RevisionRecord, null> = {
  author: { schema: of('integer', 'Who made the revision.', { context: everywhere }), get: (revision) => revision.author },
  date: {
    schema: of('string', 'When it was made, site time.', { format: 'date-time', context: everywhere }),
    get: (revision) => revision.date,
  },
  date_gmt: {
    schema: of('string', 'When it was made, GMT.', { format: 'date-time', ...both }),
    get: (revision) => revision.dateGmt,
  },
  id: { schema: of('integer', 'ID of the revision.', { context: everywhere }), get: (revision) => revision.id },
  modified: {
    schema: of('string', 'When it was changed, site time.', { format: 'date-time', ...both }),
    get: (revision) => revision.date,
  },
  modified_gmt: {
    schema: of('string', 'When it was changed, GMT.', { format: 'date-time', ...both }),
    get: (revision) => revision.dateGmt,
  },
  parent: { schema: of('integer', 'ID of the styles.', { context: everywhere }), get: (revision) => revision.parent },
  settings: {
    schema: of(['object'], 'Settings of the look.', both),
    get: (revision) => json(readConfig(revision.content).settings),
  },
  styles: { schema: of(['object'], 'The look.', both), get: (revision) => json(readConfig(revision.content).styles) },
};

const projectRevision = createProjector<RevisionRecord, null>({
  fields: revisionFields,
  links: (revision, _view, { urls }) => ({ parent: [{ href: urls.rest(`${BASE}/${revision.parent}`) }] }),
});

const revisionItem = (revision: RevisionRecord, call: Call): Item => projectRevision(revision, null, call);

const schema = draft(stylesType, schemasOf(fields));
const { title: titleSchema, settings, styles } = schemasOf(fields) as { title: object; settings: object; styles: object };
const updateArgs: Args = argsForUpdate({ styles, settings, title: titleSchema }, { title: { validate: false, coerce: false } });
const parent: Args = { parent: of('integer', 'ID of the styles.') };
const stylesheet: Args = { stylesheet: of('string', 'Name of the theme.') };
const forReaders = forEditors('rest_cannot_read_global_styles');
const batch = false;

export const globalStyleRoutes: Namespace['routes'] = [
  {
    path: `${BASE}/(?P<parent>[\\d]+)/revisions`,
    schema: draft(`${stylesType}-revision`, schemasOf(revisionFields)),
    endpoints: [
      {
        methods: READ,
        args: { ...parent, ...pick(revisionListArgs, ['context', 'page', 'per_page', 'offset']) },
        allow: mayReadRevisions,
        handle: (call) => listRevisions(call, findParent(call).id, revisionItem),
      },
    ],
  },
  {
    path: `${BASE}/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)`,
    schema: draft(`${stylesType}-revision`, schemasOf(revisionFields)),
    endpoints: [
      {
        methods: READ,
        args: { ...parent, id: of('integer', 'ID of the revision.'), context: contextArg() },
        allow: mayReadRevisions,
        handle: (call) => revisionItem(findRevision(call, findParent(call).id), call),
      },
    ],
  },
  {
    path: `${BASE}/themes/(?P<stylesheet>[\\/\\s%\\w\\.\\(\\)\\[\\]\\@_\\-]+)/variations`,
    endpoints: [{ methods: READ, args: stylesheet, allow: forReaders, handle: variations, batch }],
  },
  {
    path: `${BASE}/themes/(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)`,
    endpoints: [{ methods: READ, args: stylesheet, allow: forReaders, handle: ofTheme, batch }],
  },
  {
    path: `${BASE}/(?P<id>[\\/\\d+]+)`,
    schema,
    endpoints: [
      {
        methods: READ,
        args: { id: of('integer', 'ID of the styles.') },
        allow: mayRead,
        handle: (call) => project(find(call), null, call),
        batch,
      },
      { methods: UPDATE, args: updateArgs, allow: mayEdit, handle: update, batch },
    ],
  },
];

/** Makes the users' styles when somebody asks for them who may write them; the reference does so too. */
export async function ensureUserStyles({ site, user, can }: Call): Promise<void> {
  if (userStyles(site) || site.store.readOnly || !can('edit_theme_options') || !can('publish_posts')) return;
  await site.write(() => planUserStyles(site, user));
}

async function update(call: Call): Promise<Item> {
  const { site, user, params } = call;
  const css = (params.styles as { css?: unknown } | undefined)?.css;
  if (typeof css === 'string' && /<\/?\w/.test(css)) fail('rest_custom_css_illegal_markup');
  const { title } = params;
  const raw = typeof title === 'object' && title !== null ? title.raw : title;
  const given = {
    ...(params.styles === undefined ? {} : { styles: params.styles }),
    ...(params.settings === undefined ? {} : { settings: params.settings }),
    ...(typeof raw === 'string' ? { title: raw } : {}),
  };
  await site.write(() => planStyles(site, user, find(call), given));
  return project(find(call), null, call, 'edit');
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

function mayRead(call: Call): ReturnType<Rule> {
  const post = find(call);
  if (call.request.query.context === 'edit' && !call.can('edit_theme_options')) return 'rest_forbidden_context';
  return call.can('read_post', post) ? null : 'rest_cannot_view';
}

function mayEdit(call: Call): ReturnType<Rule> {
  find(call);
  return call.can('edit_theme_options') ? null : 'rest_cannot_edit';
}

function mayReadRevisions(call: Call): ReturnType<Rule> {
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

/** An empty map stays one; a member without a value is not printed. */
function json(value: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(value).length > 0 ? value : { none: undefined };
}

function pick(args: Args, names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
}
