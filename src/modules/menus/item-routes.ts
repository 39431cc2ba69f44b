/**
 * The links of menus: to posts, terms, archives and plain addresses.
 *
 * Shape    title, url and labels of what the item points at, its place (parent, menu_order, menus), and how the link is shown
 * Access   whoever writes anything here may read published ones; the rest takes edit_theme_options
 * Errors   those of posts; rest_cannot_view, rest_title_required, rest_url_required, rest_term_invalid_id, rest_post_invalid_type,
 *          invalid_menu_id
 * Source   behaviour of the reference (6.9); conformance scenario menus
 */
import { createMenuItemView, targetPost, targetTerm } from './view.ts';
import { planItemCreate, planItemDelete, planItemUpdate } from './plan.ts';
import type { Site } from '../../kernel/site/site.ts';
import { fail } from '../../kernel/errors.ts';
import { schemasOf } from '../../kernel/model/field.ts';
import { type MenuItemFields, menuItemFields } from './fields.ts';
import type { MenuItemRecord, MenuItemView } from './record.ts';
import type { PostRecord, PostResource } from '../posts/record.ts';
import { of, resourceSchema } from '../../kernel/model/schema.ts';
import { writableStatuses, type PostType } from '../types/record.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate, metaAsSent } from '../../kernel/rest/args.ts';
import { cleanText, coerceValue } from '../../kernel/rest/coerce.ts';
import { contextArg, listed, orderArg, orderbyArg, paging, perPageArg, refusePastEnd } from '../../kernel/rest/collection.ts';
import { createProjector, type Link, type Links } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { answer, type Call, type Rule } from '../../kernel/rest/types.ts';
import { invalid } from '../../kernel/rest/validate.ts';
import { autosaveRoutes } from '../revisions/autosaves.ts';
import { collectionRoutes } from '../../kernel/rest/collection-routes.ts';
import { mayView } from './routes.ts';
import { canRead, mayAssign } from '../posts/access.ts';
import { postLinks, postSchemaLinks } from '../posts/links.ts';
import { countedOf, orders, postListArgs, postQuery, withKnown } from '../posts/list.ts';
import { forceArg, saved, savedNew } from '../posts/routes.ts';
import { inState } from '../../kernel/rest/preconditions.ts';
import { changesOf, removed, requireForce } from '../../kernel/rest/write-input.ts';

const cleaned: Partial<Arg> = { coerce: (value) => cleanText(scalarText(value)) };
/** Words of a class attribute, letters, digits, `_` and `-`. */
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
  const { schema } = resource;
  const args = listArgs(site, resource);
  const routes = collectionRoutes({
    base: `/${type.restNamespace}/${type.restBase}`,
    schema,
    batch: true,
    item: { id: of('integer', 'Unique identifier for the post.') },
    list: { args, lists: [type.name], allow: mayList(type), handle: (call) => list(withKnown(call, args), resource) },
    create: { args: resource.createArgs, allow: mayCreate(resource), handle: (call) => create(call, resource, fields) },
    read: { args: { context: contextArg() }, allow: mayRead(resource), handle: (call) => read(call, resource) },
    update: { args: resource.updateArgs, allow: mayUpdate(resource), handle: (call) => update(call, resource, fields) },
    remove: { args: { force: forceArg }, allow: may(resource, 'delete'), handle: (call) => remove(call, resource) },
  });
  return [...routes, ...autosaveRoutes(site, resource)];
}

function createResource(site: Site, type: PostType, fields: MenuItemFields): PostResource {
  const taxonomies = type.taxonomies.flatMap((name) => site.taxonomies.get(name) ?? []).filter((one) => one.showInRest);
  const properties = schemasOf(fields);
  const project = createProjector<MenuItemRecord, MenuItemView>({
    fields,
    links: (item, _view, call) => linksOf(call, resource, item),
  });
  const resource: PostResource = {
    type,
    taxonomies,
    extension: site.modules.extension([type.name], ['fields', 'prepareWrite']),
    createArgs: argsForCreate(properties, hooks),
    updateArgs: argsForUpdate(properties, hooks),
    item: (post, call) => project(post as MenuItemRecord, viewOf(call), call),
    find: (call, id) => {
      const post = call.site.posts.get(Number(id));
      return post?.type === type.name ? post : fail('rest_post_invalid_id');
    },
    // An autosave never differs: what clients send is not in the words of posts (observed).
    input: (_call, before) => ({ title: before?.title ?? '', content: before?.content ?? '', excerpt: before?.excerpt ?? '' }),
    schema: (call) => ({
      ...resourceSchema(type.name, properties),
      links: [
        ...postSchemaLinks(call, resource),
        {
          rel: call.request.dialect.relationUri('menu-item-object'),
          title: 'Get linked object.',
          href: call.urls.rest(`/${type.restNamespace}/${type.restBase}/{id}`),
          targetSchema: { type: 'object', properties: { object: { type: 'integer' } } },
        },
      ],
    }),
  };
  return resource;
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
  const items = found.records.map((post) => resource.item(post, call));
  return listed(call, items, total, page);
}

function read(call: Call, resource: PostResource) {
  const post = resource.find(call, call.params.id);
  return answer(resource.item(post, call), { state: post.etag });
}

async function create(call: Call, resource: PostResource, fields: MenuItemFields) {
  if (call.params.id) fail('rest_post_exists');
  const id = await call.site.write(() => {
    const { input, plan } = resource.extension.prepareWrite(changesOf<MenuItemRecord>(call, fields, undefined), call);
    return plan(planItemCreate(call.site, call.user, input));
  });
  return savedNew(call, resource, id);
}

async function update(call: Call, resource: PostResource, fields: MenuItemFields) {
  const { id } = resource.find(call, call.params.id);
  await call.site.write(() => {
    const before = present(call, resource, id);
    return planItemUpdate(call.site, call.user, before, changesOf(call, fields, before));
  });
  return saved(call, resource, id);
}

async function remove(call: Call, resource: PostResource) {
  const post = resource.find(call, call.params.id);
  requireForce(call, 'Menu items');
  return removed(resource.item(post, call), () =>
    call.site.write(() => planItemDelete(call.site, present(call, resource, post.id))),
  );
}

function present(call: Call, resource: PostResource, id: number): MenuItemRecord {
  return inState(call, resource.find(call, id) as MenuItemRecord);
}

const mayList =
  (type: PostType): Rule =>
  (call) =>
    call.context === 'edit' && !call.can(type.capabilities.edit_posts) ? 'rest_forbidden_context' : mayView('menu items')(call);

const mayRead =
  (resource: PostResource): Rule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    if (call.context === 'edit' && !call.can('edit_post', post)) return 'rest_forbidden_context';
    return canRead(call, post) ? mayView('menu items')(call) : 'rest_forbidden';
  };

const mayCreate =
  (resource: PostResource): Rule =>
  (call) => {
    if (Number(call.params.id) > 0) return 'rest_post_exists';
    if (!call.can(resource.type.capabilities.create_posts)) return 'rest_cannot_create';
    return mayAssign(call, resource) ? null : 'rest_cannot_assign_term';
  };

const mayUpdate =
  (resource: PostResource): Rule =>
  (call) =>
    may(resource, 'edit')(call) ?? (mayAssign(call, resource) ? null : 'rest_cannot_assign_term');

const may =
  (resource: PostResource, verb: 'edit' | 'delete'): Rule =>
  (call) =>
    call.can(`${verb}_post`, resource.find(call, call.params.id)) ? null : `rest_cannot_${verb}`;

function viewOf({ site, user, request, params }: Call): MenuItemView {
  return createMenuItemView(site, user, (name) => request.dialect.wireName(name), params);
}

function linksOf(call: Call, resource: PostResource, item: MenuItemRecord): Links {
  return { ...postLinks(call, resource, item as PostRecord), ...objectLink(call, item) };
}

/** What the item points at, if clients can read such things. */
function objectLink({ site, urls, request }: Call, item: MenuItemRecord): Record<string, readonly Link[]> {
  const thing = targetPost(site, item) ?? targetTerm(site, item);
  const kind = thing && ('taxonomy' in thing ? site.taxonomies.get(thing.taxonomy) : site.types.get(thing.type));
  if (!thing || !kind?.showInRest) return {};
  const href = urls.rest(`/${kind.restNamespace}/${kind.restBase}/${thing.id}`);
  return { 'cms:menu-item-object': [{ [item.itemType]: request.dialect.wireName(kind.name), embeddable: true, href }] };
}
