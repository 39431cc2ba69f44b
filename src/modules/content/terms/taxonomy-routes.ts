/**
 * Taxonomies for clients, from their declarations.
 *
 * Shape    map by name, or one taxonomy; capabilities, labels and visibility in the edit context
 * Access   everyone; the edit context for users who assign terms
 * Errors   rest_cannot_view, rest_taxonomy_invalid, rest_forbidden, rest_forbidden_context
 * Source   specification 4.2; conformance scenario types-taxonomies-statuses
 */
import { fail } from '../../../kernel/errors.ts';
import { editOnly, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, list, object, shown, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { readTaxonomies, readTaxonomy, taxonomiesAsked, taxonomyNamed } from './access.ts';
import type { Taxonomy } from '../../types/record.ts';

const edit = { context: editOnly, readonly: true };
const viewed = { context: viewAndEdit, readonly: true };
const places = {
  public: of('boolean', 'Whether it is meant for the public.'),
  publicly_queryable: of('boolean', 'Whether its terms have pages of their own.'),
  show_ui: of('boolean', 'Whether there is a screen for it.'),
  show_admin_column: of('boolean', 'Whether lists of items have a column for it.'),
  show_in_nav_menus: of('boolean', 'Whether its terms can be put into menus.'),
  show_in_quick_edit: of('boolean', 'Whether it is part of the quick editor.'),
};

export const taxonomyRoutes = defineResource<Taxonomy>({
  name: 'taxonomy',
  isWhole: true,
  base: '/cms/v2/taxonomies',
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    capabilities:   object('All capabilities used by the taxonomy.', edit),
    description:    text('A human-readable description of the taxonomy.', viewed),
    hierarchical:   bool('Whether its terms can have children.', viewed),
    labels:         object('Human-readable labels of the taxonomy.', edit),
    name:           text('The title of the taxonomy.', { ...shown, get: (taxonomy) => taxonomy.label }),
    slug:           text('An alphanumeric identifier for the taxonomy.', { ...shown, get: ({ name }, call) => spell(call, name) }),
    show_cloud:     bool('Whether its terms may be shown as a cloud.', edit),
    types:          list('Types whose items have its terms.', { items: { type: 'string' }, ...viewed, get: types }),
    rest_base:      text('Path of its terms below the namespace.', { ...shown, get: ({ restBase }, call) => spell(call, restBase) }),
    rest_namespace: text('Namespace of its routes.', { ...shown, get: ({ restNamespace }, call) => spell(call, restNamespace) }),
    visibility:     object('Where editors and the site show the taxonomy.', { ...edit, properties: places, get: visibility }),
  },
  links: ({ restNamespace, restBase }) => ({ collection: '/cms/v2/taxonomies', 'cms:items': `/${restNamespace}/${restBase}` }),
  params: { taxonomy: of('string', 'An alphanumeric identifier for the taxonomy.') },
  routes: [
    collection({
      args: { context: contextArg(), type: of('string', 'Limit results to taxonomies associated with a specific post type.') },
      allow: readTaxonomies,
      handle: visible,
    }),
    item('(?P<taxonomy>[\\w-]+)', {
      allow: readTaxonomy,
      handle: (call) => taxonomyNamed(call) ?? fail('rest_taxonomy_invalid'),
    }),
  ],
});

function visible(call: Call): ReadonlyMap<string, Taxonomy> {
  const open = taxonomiesAsked(call).filter(({ capabilities }) => call.context !== 'edit' || call.can(capabilities.assign_terms));
  return new Map(open.map((taxonomy) => [taxonomy.name, taxonomy]));
}

function types(taxonomy: Taxonomy, call: Call): readonly string[] {
  return taxonomy.types.map((name) => spell(call, name));
}

function visibility(taxonomy: Taxonomy): unknown {
  return {
    public: taxonomy.public,
    publicly_queryable: taxonomy.queryable,
    show_admin_column: taxonomy.showAdminColumn,
    show_in_nav_menus: taxonomy.showInNavMenus,
    show_in_quick_edit: taxonomy.showInQuickEdit,
    show_ui: taxonomy.showUi,
  };
}

function spell({ request }: Call, name: string): string {
  return request.dialect.wireName(name);
}
