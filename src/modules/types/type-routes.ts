/**
 * Post types as clients see them: straight from their declarations.
 *
 * Shape    map by name, or one type; what editors need (capabilities, labels, supports) in the edit context
 * Access   everyone; the edit context for those who edit something
 * Errors   rest_cannot_view, rest_type_invalid, rest_cannot_read_type, rest_forbidden_context
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { canEditSomething } from '../accounts/capabilities.ts';
import type { Site } from '../../kernel/site/site.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { editOnly, everywhere, of, viewAndEdit } from '../../kernel/model/schema.ts';
import type { PostType } from './types.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { anyone, type Call, READ, type Rule } from '../../kernel/rest/types.ts';
import { mapOf, type NameSpeller, wordsOf } from '../../kernel/rest/map-response.ts';
import { draft, shown } from '../../kernel/rest/schema-helpers.ts';

interface TypeView extends NameSpeller {
  /** Taxonomies of a type that clients see. */
  taxonomies(type: PostType): readonly string[];
}

const readonly = true;

const fields: Fields<PostType, TypeView> = {
  capabilities: {
    schema: of('object', 'All capabilities used by the post type.', { context: editOnly, readonly }),
    get: (type) => type.capabilities,
  },
  description: {
    schema: of('string', 'A human-readable description of the post type.', { context: viewAndEdit, readonly }),
    get: (type) => type.description,
  },
  hierarchical: {
    schema: of('boolean', 'Whether the post type can have children.', { context: viewAndEdit, readonly }),
    get: (type) => type.hierarchical,
  },
  viewable: {
    schema: of('boolean', 'Whether the post type has pages of its own.', { context: editOnly, readonly }),
    get: (type) => type.viewable,
  },
  labels: {
    schema: of('object', 'Human-readable labels of the post type.', { context: editOnly, readonly }),
    get: (type) => type.labels,
  },
  name: { schema: shown('string', 'The title of the post type.'), get: (type) => type.label },
  slug: { schema: shown('string', 'An alphanumeric identifier for the post type.'), get: (type, view) => view.word(type.name) },
  supports: {
    schema: of('object', 'All features the post type supports.', { context: editOnly, readonly }),
    get: ({ supports }) => (Object.keys(supports).length > 0 ? supports : []),
  },
  has_archive: {
    schema: of(['string', 'boolean'], 'The slug of the archive, or whether there is one.', { context: viewAndEdit, readonly }),
    get: (type) => type.hasArchive,
  },
  taxonomies: {
    schema: of('array', 'Taxonomies of the post type.', { items: { type: 'string' }, context: viewAndEdit, readonly }),
    get: (type, view) => view.taxonomies(type).map(view.word),
  },
  rest_base: { schema: shown('string', 'Path of its items below the namespace.'), get: (type, view) => view.word(type.restBase) },
  rest_namespace: { schema: shown('string', 'Namespace of its routes.'), get: (type, view) => view.word(type.restNamespace) },
  visibility: {
    schema: of('object', 'Where editors show the post type.', {
      context: editOnly,
      readonly,
      properties: {
        show_ui: of('boolean', 'Whether there is a screen for it.'),
        show_in_nav_menus: of('boolean', 'Whether its items can be put into menus.'),
      },
    }),
    get: (type) => ({ show_in_nav_menus: type.showInNavMenus, show_ui: type.showUi }),
  },
  icon: { schema: shown(['string', 'null'], 'The icon of the post type.'), get: (type) => type.icon },
  template: {
    schema: of(['array'], 'Blocks a new item starts with.', { readonly, context: everywhere }),
    get: (type) => type.template,
  },
  template_lock: {
    schema: of(['string', 'boolean'], 'Which changes of those blocks are barred.', {
      enum: ['all', 'insert', 'contentOnly', false],
      readonly,
      context: everywhere,
    }),
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

const schema = draft('type', schemasOf(fields));

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
        args: { type: of('string', 'An alphanumeric identifier for the post type.'), context: contextArg() },
        allow: anyone,
        handle: read,
      },
    ],
  },
];

function list(call: Call): Record<string, unknown> {
  const types = known(call.site).filter((type) => call.context !== 'edit' || call.can(type.capabilities.edit_posts));
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

function known(site: Site): readonly PostType[] {
  return [...site.types.values()].filter((type) => type.showInRest);
}
