/**
 * Taxonomies as data, and the connection of types and taxonomies.
 *
 * Source: GET /taxonomies in the edit context, the route catalogue, the reference's registrations (6.9).
 */
import { type Labels, taxonomyLabels } from './labels.ts';
import type { PostType, Taxonomy, TaxonomyCapabilities } from './record.ts';
import { standardTypes } from './types.ts';

interface TaxonomyInput extends Partial<Omit<Taxonomy, 'label' | 'labels' | 'capabilities' | 'name'>> {
  readonly name: string;
  readonly plural: string;
  readonly singular: string;
  /** Overrides of single labels. */
  readonly labels?: Labels;
  readonly capabilities?: Partial<TaxonomyCapabilities>;
}

/**
 * A complete taxonomy.
 * @throws Error when the name is not 1 to 32 of a-z, 0-9, `_`, `-`
 */
export function defineTaxonomy(input: TaxonomyInput): Taxonomy {
  const { plural, singular, ...given } = input;
  if (!/^[a-z0-9_-]{1,32}$/.test(input.name)) {
    throw new Error(`"${input.name}" cannot name a taxonomy: use up to 32 small letters, digits, "_" and "-"`);
  }
  const isPublic = input.public ?? true;
  const hierarchical = input.hierarchical ?? false;
  const showUi = input.showUi ?? isPublic;
  const restBase = input.restBase ?? input.name;
  return {
    description: '',
    types: [],
    folder: input.name,
    base: isPublic ? input.name : null,
    hasDefault: false,
    queryable: isPublic,
    showInRest: true,
    restNamespace: 'cms/v2',
    showAdminColumn: false,
    showInNavMenus: isPublic,
    showInQuickEdit: showUi,
    showCloud: showUi,
    ...given,
    public: isPublic,
    hierarchical,
    showUi,
    restBase,
    label: plural,
    labels: taxonomyLabels({ plural, singular, hierarchical }, input.labels),
    capabilities: { ...by('manage_categories', 'manage_categories', 'manage_categories', 'edit_posts'), ...input.capabilities },
  };
}

const byDesigners = by('edit_theme_options', 'edit_theme_options', 'edit_theme_options', 'edit_theme_options');

export const standardTaxonomies: readonly Taxonomy[] = [
  defineTaxonomy({
    name: 'category',
    plural: 'Categories',
    singular: 'Category',
    restBase: 'categories',
    hierarchical: true,
    hasDefault: true,
    showAdminColumn: true,
    types: typesWith('category'),
    capabilities: by('manage_categories', 'edit_categories', 'delete_categories', 'assign_categories'),
  }),
  defineTaxonomy({
    name: 'post_tag',
    plural: 'Tags',
    singular: 'Tag',
    restBase: 'tags',
    folder: 'tag',
    base: 'tag',
    showAdminColumn: true,
    types: typesWith('post_tag'),
    capabilities: by('manage_post_tags', 'edit_post_tags', 'delete_post_tags', 'assign_post_tags'),
  }),
  defineTaxonomy({
    name: 'nav_menu',
    plural: 'Navigation Menus',
    singular: 'Navigation Menu',
    restBase: 'menus',
    public: false,
    types: typesWith('nav_menu'),
    capabilities: byDesigners,
  }),
  defineTaxonomy({
    name: 'post_format',
    plural: 'Formats',
    singular: 'Format',
    folder: 'format',
    base: 'type',
    showUi: false,
    showInRest: false,
    types: typesWith('post_format'),
  }),
  defineTaxonomy({
    name: 'cms_pattern_category',
    plural: 'Pattern Categories',
    singular: 'Pattern Category',
    folder: 'pattern-category',
    public: false,
    showUi: true,
    showAdminColumn: true,
    showCloud: false,
    types: typesWith('cms_pattern_category'),
  }),
];

/**
 * Types and taxonomies with each side's list completed by the other's, for a site whose `site.yaml` says it on either
 * side. Names that nothing declares stay in the lists; they match nothing.
 */
export function connect(
  types: readonly PostType[],
  taxonomies: readonly Taxonomy[],
): { readonly types: readonly PostType[]; readonly taxonomies: readonly Taxonomy[] } {
  return {
    types: types.map((type) => ({
      ...type,
      taxonomies: union(
        type.taxonomies,
        taxonomies.filter((taxonomy) => taxonomy.types.includes(type.name)),
      ),
    })),
    taxonomies: taxonomies.map((taxonomy) => ({
      ...taxonomy,
      types: union(
        taxonomy.types,
        types.filter((type) => type.taxonomies.includes(taxonomy.name)),
      ),
    })),
  };
}

function by(manage: string, edit: string, remove: string, assign: string): TaxonomyCapabilities {
  return { manage_terms: manage, edit_terms: edit, delete_terms: remove, assign_terms: assign };
}

function typesWith(taxonomy: string): string[] {
  return standardTypes.filter((type) => type.taxonomies.includes(taxonomy)).map((type) => type.name);
}

function union(names: readonly string[], more: readonly { readonly name: string }[]): string[] {
  return [...new Set([...names, ...more.map((one) => one.name)])];
}
