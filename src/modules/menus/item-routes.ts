/**
 * Menu items: links to posts, terms, archives and URLs.
 *
 * Shape    title, url and labels of the target, its position (parent, menu_order, menus), and link attributes
 * Access   published ones for users who may write anything; the rest requires edit_theme_options
 * Errors   those of posts; rest_cannot_view, rest_title_required, rest_url_required, rest_term_invalid_id, rest_post_invalid_type, invalid_menu_id
 * Source   behaviour of the reference (6.9); conformance scenario menus
 */
import { createMenuItemView, targetPost, targetTerm } from './view.ts';
import { planItemCreate, planItemDelete, planItemUpdate } from './plan.ts';
import type { Site } from '../../kernel/site/site.ts';
import { fail } from '../../kernel/errors.ts';
import { type MenuItemFields, menuItemFields } from './fields.ts';
import type { MenuItemRecord, MenuItemView } from './record.ts';
import type { PostRecord, PostResource } from '../content/posts/record.ts';
import { of, resourceSchema } from '../../kernel/model/schema.ts';
import { writableStatuses, type PostType } from '../types/record.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { type Arg, type Args, metaAsSent } from '../../kernel/rest/args.ts';
import { cleanText, coerceValue } from '../../kernel/rest/coerce.ts';
import { orderArg, orderbyArg, paging, perPageArg, refusePastEnd } from '../../kernel/rest/collection.ts';
import type { Link, Links } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import type { Call, AccessRule } from '../../kernel/rest/types.ts';
import { invalid } from '../../kernel/rest/validate.ts';
import { autosaveRoutes } from '../content/revisions/index.ts';
import { collection, defineResource, gone, item, made, RecordPage } from '../../kernel/rest/resource.ts';
import { mayView } from './routes.ts';
import {
  canRead,
  countedOf,
  forceArg,
  mayAssign,
  orders,
  postLinks,
  postListArgs,
  postQuery,
  postSchemaLinks,
  routeOf,
  withKnown,
} from '../content/posts/index.ts';
import { inState } from '../../kernel/rest/preconditions.ts';
import { changesOf, requireForce } from '../../kernel/rest/write-input.ts';

const cleaned: Partial<Arg> = { coerce: (value) => cleanText(scalarText(value)) };
/** Class names: letters, digits, `_` and `-`. */
const classNames: Partial<Arg> = {
  coerce: (value, _request, param, arg) =>
    (coerceValue(value, arg, param) as readonly string[]).map((name) => name.replace(/%[a-f\d]{2}/gi, '').replace(/[^\w-]/g, '')),
};
const hooks: Readonly<Record<string, Partial<Arg>>> = {
  attr_title: cleaned,
  description: cleaned,
  classes: classNames,
  xfn: classNames,
  object: {
    coerce: (value, request) =>
      request.dialect.readWord(
        scalarText(value)
          .toLowerCase()
          .replace(/[^a-z\d_-]/g, ''),
      ),
  },
  url: {
    validate: (value, _request, param) =>
      value === '' || coerceValue(value, { type: 'string', format: 'uri' }, param) !== ''
        ? null
        : invalid('rest_invalid_url', 'Invalid URL.'),
  },
  meta: metaAsSent,
};

export function menuItemRoutes(site: Site): Namespace['routes'] {
  const type = site.types.get('nav_menu_item');
  if (!type) return [];
  const fields = menuItemFields(site, { statuses: writableStatuses(site.statuses), meta: site.meta.nav_menu_item ?? {} });
  const resource = createResource(site, type, fields);
  const args = listArgs(site, resource);
  const routes = defineResource<MenuItemRecord, MenuItemView>({
    name: type.name,
    base: routeOf(type),
    fields,
    view: viewOf,
    links: (item, call) => linksOf(call, resource, item),
    hooks,
    schema: (call, properties) => ({ ...resourceSchema(type.name, properties), links: schemaLinks(call, resource) }),
    state: ({ etag }) => etag,
    batch: true,
    params: { id: of('integer', 'Unique identifier for the post.') },
    routes: [
      collection({
        read: { args, lists: [type.name], allow: mayList(type), handle: (call) => list(withKnown(call, args), resource) },
        create: { args: 'writable', allow: mayCreate(resource), handle: (call) => create(call, resource, fields) },
      }),
      item('(?P<id>[\\d]+)', {
        read: { allow: mayRead(resource), handle: (call) => find(call, resource) },
        update: { args: 'writable', allow: mayUpdate(resource), handle: (call) => update(call, resource, fields) },
        remove: {
          args: { force: forceArg },
          allow: may(resource, 'delete'),
          // A deleted item is returned in the view context (observed).
          context: ({ context }) => context,
          handle: (call) => remove(call, resource),
        },
      }),
    ],
  });
  return [...routes, ...autosaveRoutes(site, resource)];
}

function createResource(site: Site, type: PostType, fields: MenuItemFields): PostResource {
  return {
    type,
    taxonomies: type.taxonomies.flatMap((name) => site.taxonomies.get(name) ?? []).filter((one) => one.showInRest),
    extension: site.modules.extension([type.name], ['fields', 'prepareWrite']),
    fields,
    hooks,
    find: (call, id) => {
      const post = call.site.posts.get(Number(id));
      return post?.type === type.name ? post : fail('rest_post_invalid_id');
    },
    // An autosave never differs, because clients send no post fields (observed).
    input: (_call, before) => ({ title: before?.title ?? '', content: before?.content ?? '', excerpt: before?.excerpt ?? '' }),
  };
}

function schemaLinks(call: Call, resource: PostResource): readonly Record<string, unknown>[] {
  return [
    ...postSchemaLinks(call, resource),
    {
      rel: call.request.dialect.relationUri('menu-item-object'),
      title: 'Get linked object.',
      href: call.urls.rest(`${routeOf(resource.type)}/{id}`),
      targetSchema: { type: 'object', properties: { object: { type: 'integer' } } },
    },
  ];
}

function listArgs(site: Site, resource: PostResource): Args {
  return {
    ...postListArgs(site, resource),
    per_page: { ...perPageArg, default: 100 },
    order: orderArg('asc'),
    orderby: orderbyArg('menu_order', [...orders, 'menu_order']),
    menu_order: of('integer', 'Limit result set to posts with a specific menu_order value.'),
  };
}

async function list(call: Call, resource: PostResource) {
  const page = paging(call);
  const found = await call.site.posts.find(postQuery(call, resource));
  const total = countedOf(call, found);
  refusePastEnd(total, page);
  return new RecordPage(found.records as readonly MenuItemRecord[], total, page);
}

async function create(call: Call, resource: PostResource, fields: MenuItemFields) {
  if (call.params.id) fail('rest_post_exists');
  const id = await call.site.write((site) => {
    const { input, plan } = resource.extension.prepareWrite(changesOf<MenuItemRecord>(call, fields, undefined), site, call);
    return plan(planItemCreate(site, call.user, input));
  });
  return made(find(call, resource, id), { Location: call.urls.rest(`${routeOf(resource.type)}/${id}`) });
}

async function update(call: Call, resource: PostResource, fields: MenuItemFields) {
  const { id } = find(call, resource);
  await call.site.write((site) => {
    const before = inState(call, find(call, resource, id));
    return planItemUpdate(site, call.user, before, changesOf(call, fields, before));
  });
  return find(call, resource, id);
}

function remove(call: Call, resource: PostResource) {
  const found = find(call, resource);
  requireForce(call, 'Menu items');
  return gone(found, () => call.site.write(() => planItemDelete(call.site, inState(call, find(call, resource, found.id)))));
}

function find(call: Call, resource: PostResource, id: unknown = call.params.id): MenuItemRecord {
  return resource.find(call, id) as MenuItemRecord;
}

const mayList =
  (type: PostType): AccessRule =>
  (call) =>
    call.context === 'edit' && !call.can(type.capabilities.edit_posts) ? 'rest_forbidden_context' : mayView('menu items')(call);

const mayRead =
  (resource: PostResource): AccessRule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    if (call.context === 'edit' && !call.can('edit_post', post)) return 'rest_forbidden_context';
    return canRead(call, post) ? mayView('menu items')(call) : 'rest_forbidden';
  };

const mayCreate =
  (resource: PostResource): AccessRule =>
  (call) => {
    if (Number(call.params.id) > 0) return 'rest_post_exists';
    if (!call.can(resource.type.capabilities.create_posts)) return 'rest_cannot_create';
    return mayAssign(call, resource) ? null : 'rest_cannot_assign_term';
  };

const mayUpdate =
  (resource: PostResource): AccessRule =>
  (call) =>
    may(resource, 'edit')(call) ?? (mayAssign(call, resource) ? null : 'rest_cannot_assign_term');

const may =
  (resource: PostResource, verb: 'edit' | 'delete'): AccessRule =>
  (call) =>
    call.can(`${verb}_post`, resource.find(call, call.params.id)) ? null : `rest_cannot_${verb}`;

function viewOf({ site, user, request, params }: Call): MenuItemView {
  return createMenuItemView(site, user, (name) => request.dialect.wireName(name), params);
}

function linksOf(call: Call, resource: PostResource, item: MenuItemRecord): Links {
  return { ...postLinks(call, resource, item as PostRecord), ...objectLink(call, item) };
}

/** The link to the target, if clients can read such items. */
function objectLink({ site, urls, request }: Call, item: MenuItemRecord): Record<string, readonly Link[]> {
  const thing = targetPost(site, item) ?? targetTerm(site, item);
  const kind = thing && ('taxonomy' in thing ? site.taxonomies.get(thing.taxonomy) : site.types.get(thing.type));
  if (!thing || !kind?.showInRest) return {};
  const href = urls.rest(`/${kind.restNamespace}/${kind.restBase}/${thing.id}`);
  return { 'cms:menu-item-object': [{ [item.itemType]: request.dialect.wireName(kind.name), embeddable: true, href }] };
}
