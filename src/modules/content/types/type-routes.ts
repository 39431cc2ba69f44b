/**
 * Post types for clients, from their declarations.
 *
 * Shape    map by name, or one type; capabilities, labels and supports in the edit context
 * Access   everyone; the edit context for users who may edit something
 * Errors   rest_cannot_view, rest_type_invalid, rest_cannot_read_type, rest_forbidden_context
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { fail } from '../../../kernel/errors.ts';
import type { Fields } from '../../../kernel/model/field.ts';
import { editOnly, everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, field, list, object, shown, text } from '../../../kernel/rest/resource-fields.ts';
import { anyone, type Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { readAll } from './access.ts';
import type { PostType } from '../../types/record.ts';

const edit = { context: editOnly, readonly: true };
const viewed = { context: viewAndEdit, readonly: true };
const places = {
  show_ui: of('boolean', 'Whether there is a screen for it.'),
  show_in_nav_menus: of('boolean', 'Whether its items can be put into menus.'),
};

// biome-ignore format: columns show what the rows of the table have in common
const fields: Fields<PostType, Call> = {
  capabilities:   object('All capabilities used by the post type.', edit),
  description:    text('A human-readable description of the post type.', viewed),
  hierarchical:   bool('Whether the post type can have children.', viewed),
  viewable:       bool('Whether the post type has pages of its own.', edit),
  labels:         object('Human-readable labels of the post type.', edit),
  name:           text('The title of the post type.', { ...shown, get: (type) => type.label }),
  slug:           text('An alphanumeric identifier for the post type.', { ...shown, get: (type, call) => spell(call, type.name) }),
  supports:       object('All features the post type supports.', { ...edit, get: ({ supports }) => mapOrList(supports) }),
  has_archive:    field(['string', 'boolean'], 'The slug of the archive, or whether there is one.', viewed),
  taxonomies:     list('Taxonomies of the post type.', { items: { type: 'string' }, ...viewed, get: taxonomies }),
  rest_base:      text('Path of its items below the namespace.', { ...shown, get: (type, call) => spell(call, type.restBase) }),
  rest_namespace: text('Namespace of its routes.', { ...shown, get: (type, call) => spell(call, type.restNamespace) }),
  visibility:     object('Where editors show the post type.', { ...edit, properties: places, get: visibility }),
  icon:           field(['string', 'null'], 'The icon of the post type.', shown),
  template:       field(['array'], 'Blocks a new item starts with.', { readonly: true, context: everywhere }),
  template_lock:  field(['string', 'boolean'], 'Which changes of those blocks are barred.', { enum: ['all', 'insert', 'contentOnly', false], readonly: true, context: everywhere }),
};

export function typeRoutes(site: Site): ReturnType<typeof defineResource> {
  site.modules.extension(['type'], ['fields']);
  return defineResource<PostType>({
    name: 'type',
    base: '/cms/v2/types',
    fields: site.modules.extendFields(fields, 'type'),
    links: ({ restNamespace, restBase }) => ({ collection: '/cms/v2/types', 'cms:items': `/${restNamespace}/${restBase}` }),
    params: { type: of('string', 'An alphanumeric identifier for the post type.') },
    routes: [
      collection({ allow: readAll, handle: visible }),
      // As in the reference, an unknown type is reported before permissions are checked.
      item('(?P<type>[\\w-]+)', { allow: anyone, handle: find }),
    ],
  });
}

function visible({ site, context, can }: Call): ReadonlyMap<string, PostType> {
  const types = [...site.types.values()].filter(({ showInRest }) => showInRest);
  const open = types.filter(({ capabilities }) => context !== 'edit' || can(capabilities.edit_posts));
  return new Map(open.map((type) => [type.name, type]));
}

function find({ site, request, params, context, can }: Call): PostType {
  const type = site.types.get(request.dialect.readWord(params.type)) ?? fail('rest_type_invalid');
  if (!type.showInRest) fail('rest_cannot_read_type');
  if (context === 'edit' && !can(type.capabilities.edit_posts)) fail('rest_forbidden_context');
  return type;
}

function taxonomies(type: PostType, call: Call): readonly string[] {
  return type.taxonomies.filter((name) => call.site.taxonomies.get(name)?.showInRest).map((name) => spell(call, name));
}

function visibility({ showInNavMenus, showUi }: PostType): unknown {
  return { show_in_nav_menus: showInNavMenus, show_ui: showUi };
}

function spell({ request }: Call, name: string): string {
  return request.dialect.wireName(name);
}

/** The reference prints an empty map as a list. */
function mapOrList(map: object): unknown {
  return Object.keys(map).length > 0 ? map : [];
}
