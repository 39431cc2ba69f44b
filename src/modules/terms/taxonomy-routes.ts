/**
 * Taxonomies as clients see them: straight from their declarations.
 *
 * Shape    map by name, or one taxonomy; what editors need (capabilities, labels, visibility) in the edit context
 * Access   everyone; the edit context for those who assign terms (list) or manage them (item)
 * Errors   rest_cannot_view, rest_taxonomy_invalid, rest_forbidden, rest_forbidden_context
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { editOnly, of, type Schema, viewAndEdit } from '../../kernel/model/schema.ts';
import type { Taxonomy } from './taxonomies.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ, type Rule } from '../../kernel/rest/types.ts';
import { mapOf, type NameSpeller, wordsOf } from '../../kernel/rest/map-response.ts';
import { draft, shown } from '../../kernel/rest/schema-helpers.ts';

const readonly = true;
const flag = (description: string): Schema => of('boolean', description);

const fields: Fields<Taxonomy, NameSpeller> = {
  capabilities: {
    schema: of('object', 'All capabilities used by the taxonomy.', { context: editOnly, readonly }),
    get: (taxonomy) => taxonomy.capabilities,
  },
  description: {
    schema: of('string', 'A human-readable description of the taxonomy.', { context: viewAndEdit, readonly }),
    get: (taxonomy) => taxonomy.description,
  },
  hierarchical: {
    schema: of('boolean', 'Whether its terms can have children.', { context: viewAndEdit, readonly }),
    get: (taxonomy) => taxonomy.hierarchical,
  },
  labels: {
    schema: of('object', 'Human-readable labels of the taxonomy.', { context: editOnly, readonly }),
    get: (taxonomy) => taxonomy.labels,
  },
  name: { schema: shown('string', 'The title of the taxonomy.'), get: (taxonomy) => taxonomy.label },
  slug: {
    schema: shown('string', 'An alphanumeric identifier for the taxonomy.'),
    get: (taxonomy, view) => view.word(taxonomy.name),
  },
  show_cloud: {
    schema: of('boolean', 'Whether its terms may be shown as a cloud.', { context: editOnly, readonly }),
    get: (taxonomy) => taxonomy.showCloud,
  },
  types: {
    schema: of('array', 'Types whose items have its terms.', { items: { type: 'string' }, context: viewAndEdit, readonly }),
    get: (taxonomy, view) => taxonomy.types.map(view.word),
  },
  rest_base: {
    schema: shown('string', 'Path of its terms below the namespace.'),
    get: (taxonomy, view) => view.word(taxonomy.restBase),
  },
  rest_namespace: {
    schema: shown('string', 'Namespace of its routes.'),
    get: (taxonomy, view) => view.word(taxonomy.restNamespace),
  },
  visibility: {
    schema: of('object', 'Where editors and the site show the taxonomy.', {
      context: editOnly,
      readonly,
      properties: {
        public: flag('Whether it is meant for the public.'),
        publicly_queryable: flag('Whether its terms have pages of their own.'),
        show_ui: flag('Whether there is a screen for it.'),
        show_admin_column: flag('Whether lists of items have a column for it.'),
        show_in_nav_menus: flag('Whether its terms can be put into menus.'),
        show_in_quick_edit: flag('Whether it is part of the quick editor.'),
      },
    }),
    get: (taxonomy) => ({
      public: taxonomy.public,
      publicly_queryable: taxonomy.queryable,
      show_admin_column: taxonomy.showAdminColumn,
      show_in_nav_menus: taxonomy.showInNavMenus,
      show_in_quick_edit: taxonomy.showInQuickEdit,
      show_ui: taxonomy.showUi,
    }),
  },
};

const project = createProjector<Taxonomy, NameSpeller>({
  fields,
  links: (taxonomy, _view, { urls }) => ({
    collection: [{ href: urls.rest('/cms/v2/taxonomies') }],
    'cms:items': [{ href: urls.rest(`/${taxonomy.restNamespace}/${taxonomy.restBase}`) }],
  }),
});

const schema = draft('taxonomy', schemasOf(fields));

export const taxonomyRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/taxonomies',
    schema,
    endpoints: [
      {
        methods: READ,
        args: { context: contextArg(), type: of('string', 'Limit results to taxonomies associated with a specific post type.') },
        allow: mayList,
        handle: list,
      },
    ],
  },
  {
    path: '/cms/v2/taxonomies/(?P<taxonomy>[\\w-]+)',
    schema,
    endpoints: [
      {
        methods: READ,
        args: { taxonomy: of('string', 'An alphanumeric identifier for the taxonomy.'), context: contextArg() },
        allow: mayRead,
        handle: read,
      },
    ],
  },
];

function list(call: Call): Record<string, unknown> {
  const taxonomies = chosen(call).filter((taxonomy) => call.context !== 'edit' || call.can(taxonomy.capabilities.assign_terms));
  return mapOf(
    call,
    taxonomies.map((taxonomy) => [taxonomy.name, project(taxonomy, wordsOf(call), call)]),
  );
}

function read(call: Call): Item {
  return project(named(call) ?? fail('rest_taxonomy_invalid'), wordsOf(call), call);
}

function mayList(call: Call): ReturnType<Rule> {
  const allowed = call.context !== 'edit' || chosen(call).some((taxonomy) => call.can(taxonomy.capabilities.assign_terms));
  return allowed ? null : 'rest_cannot_view';
}

/** A name that is no taxonomy is not refused here but not found. */
function mayRead(call: Call): ReturnType<Rule> {
  const taxonomy = named(call);
  if (taxonomy && !taxonomy.showInRest) return 'rest_forbidden';
  return taxonomy && call.context === 'edit' && !call.can(taxonomy.capabilities.manage_terms) ? 'rest_forbidden_context' : null;
}

function named({ site, request, params }: Call): Taxonomy | undefined {
  return site.taxonomies.get(request.dialect.readWord(params.taxonomy as string));
}

/** Those of one type, if the request names one, else all. */
function chosen({ site, request, params }: Call): readonly Taxonomy[] {
  const all = [...site.taxonomies.values()].filter((taxonomy) => taxonomy.showInRest);
  if (!params.type) return all;
  const type = request.dialect.readWord(params.type as string);
  return all.filter((taxonomy) => taxonomy.types.includes(type));
}
