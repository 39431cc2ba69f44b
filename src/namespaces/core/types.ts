/**
 * Post types as clients see them: straight from their declarations.
 *
 * Shape    map by name, or one type; what editors need (capabilities, labels, supports) in the edit context
 * Access   everyone; the edit context for those who edit something
 * Errors   rest_cannot_view, rest_type_invalid, rest_cannot_read_type, rest_forbidden_context
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { canEditSomething } from '../../domain/people/capabilities.ts';
import type { Site } from '../../domain/site.ts';
import { fail } from '../../errors.ts';
import { type Fields, schemasOf } from '../../model/field.ts';
import { editOnly, everywhere, viewAndEdit } from '../../model/schema.ts';
import type { PostType } from '../../model/types.ts';
import { contextArg } from '../../rest/collection.ts';
import { createProjector, type Item } from '../../rest/item.ts';
import type { Namespace } from '../../rest/registry.ts';
import { anyone, type Call, READ, type Rule } from '../../rest/types.ts';
import { mapOf, type Words, wordsOf } from './item-map.ts';

interface TypeView extends Words {
  /** Taxonomies of a type that clients see. */
  taxonomies(type: PostType): readonly string[];
}

const readonly = true;

const fields: Fields<PostType, TypeView> = {
  capabilities: {
    schema: { description: 'All capabilities used by the post type.', type: 'object', context: editOnly, readonly },
    get: (type) => type.capabilities,
  },
  description: {
    schema: { description: 'A human-readable description of the post type.', type: 'string', context: viewAndEdit, readonly },
    get: (type) => type.description,
  },
  hierarchical: {
    schema: { description: 'Whether the post type can have children.', type: 'boolean', context: viewAndEdit, readonly },
    get: (type) => type.hierarchical,
  },
  viewable: {
    schema: { description: 'Whether the post type has pages of its own.', type: 'boolean', context: editOnly, readonly },
    get: (type) => type.viewable,
  },
  labels: {
    schema: { description: 'Human-readable labels of the post type.', type: 'object', context: editOnly, readonly },
    get: (type) => type.labels,
  },
  name: {
    schema: { description: 'The title of the post type.', type: 'string', context: everywhere, readonly },
    get: (type) => type.label,
  },
  slug: {
    schema: { description: 'An alphanumeric identifier for the post type.', type: 'string', context: everywhere, readonly },
    get: (type, view) => view.word(type.name),
  },
  supports: {
    schema: { description: 'All features the post type supports.', type: 'object', context: editOnly, readonly },
    get: ({ supports }) => (Object.keys(supports).length > 0 ? supports : []),
  },
  has_archive: {
    schema: {
      description: 'The slug of the archive, or whether there is one.',
      type: ['string', 'boolean'],
      context: viewAndEdit,
      readonly,
    },
    get: (type) => type.hasArchive,
  },
  taxonomies: {
    schema: {
      description: 'Taxonomies of the post type.',
      type: 'array',
      items: { type: 'string' },
      context: viewAndEdit,
      readonly,
    },
    get: (type, view) => view.taxonomies(type).map(view.word),
  },
  rest_base: {
    schema: { description: 'Path of its items below the namespace.', type: 'string', context: everywhere, readonly },
    get: (type, view) => view.word(type.restBase),
  },
  rest_namespace: {
    schema: { description: 'Namespace of its routes.', type: 'string', context: everywhere, readonly },
    get: (type, view) => view.word(type.restNamespace),
  },
  visibility: {
    schema: {
      description: 'Where editors show the post type.',
      type: 'object',
      context: editOnly,
      readonly,
      properties: {
        show_ui: { description: 'Whether there is a screen for it.', type: 'boolean' },
        show_in_nav_menus: { description: 'Whether its items can be put into menus.', type: 'boolean' },
      },
    },
    get: (type) => ({ show_in_nav_menus: type.showInNavMenus, show_ui: type.showUi }),
  },
  icon: {
    schema: { description: 'The icon of the post type.', type: ['string', 'null'], context: everywhere, readonly },
    get: (type) => type.icon,
  },
  template: {
    schema: { description: 'Blocks a new item starts with.', type: ['array'], readonly, context: everywhere },
    get: (type) => type.template,
  },
  template_lock: {
    schema: {
      description: 'Which changes of those blocks are barred.',
      type: ['string', 'boolean'],
      enum: ['all', 'insert', 'contentOnly', false],
      readonly,
      context: everywhere,
    },
    get: (type) => type.templateLock,
  },
};

const project = createProjector<PostType, TypeView>({
  fields,
  links: (type, _view, { urls }) => ({
    collection: [{ href: urls.rest('/cms/v2/types') }],
    'cms:items': [{ href: urls.rest(`/${type.restNamespace}/${type.restBase}`) }],
  }),
});

const schema = () => ({
  $schema: 'http://json-schema.org/draft-04/schema#',
  title: 'type',
  type: 'object' as const,
  properties: schemasOf(fields),
});

export const typeRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/types',
    schema,
    endpoints: [{ methods: READ, args: { context: contextArg() }, allow: mayList, handle: list }],
  },
  {
    path: '/cms/v2/types/(?P<type>[\\w-]+)',
    schema,
    endpoints: [
      {
        methods: READ,
        args: { type: { description: 'An alphanumeric identifier for the post type.', type: 'string' }, context: contextArg() },
        allow: anyone,
        handle: read,
      },
    ],
  },
];

function list(call: Call): Record<string, unknown> {
  const types = shown(call.site).filter((type) => call.context !== 'edit' || call.can(type.capabilities.edit_posts));
  return mapOf(
    call,
    types.map((type) => [type.name, item(type, call)]),
  );
}

function read(call: Call): Item {
  const type = call.site.types.get(call.request.dialect.readWord(call.params.type as string)) ?? fail('rest_type_invalid');
  if (!type.showInRest) fail('rest_cannot_read_type');
  if (call.context === 'edit' && !call.can(type.capabilities.edit_posts)) fail('rest_forbidden_context');
  return item(type, call);
}

function mayList(call: Call): ReturnType<Rule> {
  return call.context === 'edit' && !canEditSomething(call.site.access, call.user) ? 'rest_cannot_view' : null;
}

function item(type: PostType, call: Call): Item {
  const taxonomies = (of: PostType) => of.taxonomies.filter((name) => call.site.taxonomies.get(name)?.showInRest);
  return project(type, { ...wordsOf(call), taxonomies }, call);
}

function shown(site: Site): readonly PostType[] {
  return [...site.types.values()].filter((type) => type.showInRest);
}
