/**
 * Post types as data. `defineType` fills in what follows from the rest, so that a custom type of `site.yaml` takes two words:
 * `defineType({ name: 'book', plural: 'Books', singular: 'Book' })`. Names are the neutral ones; the dialect spells them.
 *
 * Source: GET /types in the edit context, the route catalogue (bases, batch), the reference's registrations (6.9).
 */
import { type Labels, typeLabels } from './labels.ts';
import { capabilityNames, type PostType, type TypeCapabilities, type TypeCapability } from './record.ts';

interface PostTypeInput extends Partial<Omit<PostType, 'label' | 'labels' | 'supports' | 'capabilities' | 'name'>> {
  readonly name: string;
  readonly plural: string;
  readonly singular: string;
  /** Single labels in other words. */
  readonly labels?: Labels;
  /** Features; `features('title editor')` lists plain ones. Whatever supports `editor` supports `autosave` if not set to false. */
  readonly supports?: Readonly<Record<string, boolean | readonly unknown[]>>;
  /** `book`, or singular and plural where the plural is irregular. Default `post`: the rights of posts. */
  readonly capabilityType?: string | readonly [singular: string, plural: string];
  /** Single capabilities under other names. */
  readonly capabilities?: Partial<TypeCapabilities>;
}

/**
 * A complete type.
 * @throws Error when the name is not 1 to 20 of a-z, 0-9, `_`, `-`
 */
export function defineType(input: PostTypeInput): PostType {
  const { plural, singular, capabilityType = 'post', ...given } = input;
  if (!/^[a-z0-9_-]{1,20}$/.test(input.name)) {
    throw new Error(`"${input.name}" cannot name a type: use up to 20 small letters, digits, "_" and "-"`);
  }
  const isPublic = input.public ?? true;
  const hierarchical = input.hierarchical ?? false;
  const restBase = input.restBase ?? input.name;
  const folder = input.folder ?? restBase;
  const supports = supported(input.supports);
  return {
    description: '',
    folder,
    folders: [folder],
    drafts: [],
    fileName: ['post', 'attachment'].includes(input.name) ? '{year}/{month}/{slug}' : '{slug}',
    hasArchive: false,
    viewable: isPublic,
    searchable: isPublic,
    showInRest: true,
    restNamespace: 'cms/v2',
    taxonomies: [],
    mapMetaCap: true,
    showUi: isPublic,
    showInNavMenus: isPublic,
    deleteWithUser: supports.author === true,
    icon: null,
    template: [],
    templateLock: false,
    batch: true,
    publicStatuses: ['publish'],
    filterStatuses: null,
    extensionNames: /^(?:cms_.*|nav_menu_item|revision)$/.test(input.name) ? [input.name] : [input.name, 'item'],
    ...given,
    public: isPublic,
    hierarchical,
    restBase,
    label: plural,
    labels: typeLabels({ plural, singular, hierarchical }, input.labels),
    supports,
    capabilities: typeCapabilities(capabilityType, input.capabilities),
  };
}

/** Plain features, by their names with spaces between. */
export function features(names: string): Readonly<Record<string, true>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, true as const]));
}

/** Capabilities named after `type`; creating needs what editing needs unless `own` says otherwise. */
export function typeCapabilities(
  type: string | readonly [string, string],
  own: Partial<TypeCapabilities> = {},
): TypeCapabilities {
  const [one, many] = typeof type === 'string' ? [type, `${type}s`] : type;
  const names = Object.fromEntries(
    capabilityNames.map((name) => [name, name.replace(/post(s?)$/, (_, s) => (s === '' ? one : many))]),
  ) as Record<TypeCapability, string>;
  return { ...names, create_posts: own.edit_posts ?? names.edit_posts, ...own };
}

const byDesigners = allBy('edit_theme_options');
/** As the reference has it: rights on private fonts are those of posts. */
const fontRights: Partial<TypeCapabilities> = {
  ...byDesigners,
  read: 'edit_theme_options',
  edit_private_posts: 'edit_private_posts',
  delete_private_posts: 'delete_private_posts',
};
const withNotes = [{ notes: true }];

export const standardTypes: readonly PostType[] = [
  defineType({
    name: 'post',
    plural: 'Posts',
    singular: 'Post',
    restBase: 'posts',
    icon: 'dashicons-admin-post',
    taxonomies: ['category', 'post_tag', 'post_format'],
    supports: {
      ...features('title author thumbnail excerpt trackbacks custom-fields comments revisions post-formats'),
      editor: withNotes,
    },
  }),
  defineType({
    name: 'page',
    plural: 'Pages',
    singular: 'Page',
    restBase: 'pages',
    icon: 'dashicons-admin-page',
    hierarchical: true,
    capabilityType: 'page',
    supports: { ...features('title author thumbnail page-attributes custom-fields comments revisions'), editor: withNotes },
  }),
  defineType({
    name: 'attachment',
    plural: 'Media',
    singular: 'Media file',
    restBase: 'media',
    icon: 'dashicons-admin-media',
    supports: features('title author comments'),
    capabilities: { create_posts: 'upload_files' },
    searchable: false,
    showInNavMenus: false,
    batch: false,
    publicStatuses: ['inherit'],
    filterStatuses: ['inherit', 'private', 'trash'],
  }),
  defineType({
    name: 'revision',
    plural: 'Revisions',
    singular: 'Revision',
    folder: 'revisions',
    public: false,
    showInRest: false,
    supports: features('author'),
    batch: false,
    publicStatuses: [],
  }),
  defineType({
    name: 'nav_menu_item',
    plural: 'Navigation Menu Items',
    singular: 'Navigation Menu Item',
    restBase: 'menu-items',
    folder: 'menus',
    public: false,
    taxonomies: ['nav_menu'],
    supports: features('title editor'),
    capabilities: byDesigners,
  }),
  defineType({
    name: 'cms_block',
    plural: 'Patterns',
    singular: 'Pattern',
    restBase: 'blocks',
    public: false,
    showUi: true,
    taxonomies: ['cms_pattern_category'],
    supports: features('title excerpt editor revisions custom-fields'),
    capabilityType: 'block',
    capabilities: {
      read: 'edit_posts',
      create_posts: 'publish_posts',
      edit_posts: 'edit_posts',
      edit_others_posts: 'edit_others_posts',
      edit_published_posts: 'edit_published_posts',
      delete_posts: 'delete_posts',
      delete_others_posts: 'delete_others_posts',
      delete_published_posts: 'delete_published_posts',
    },
  }),
  defineType({
    name: 'cms_template',
    plural: 'Templates',
    singular: 'Template',
    restBase: 'templates',
    public: false,
    batch: false,
    description: 'Layouts of the pages of the site.',
    supports: features('title slug excerpt editor revisions author'),
    capabilityType: 'template',
    capabilities: { ...byDesigners, read: 'edit_theme_options' },
  }),
  defineType({
    name: 'cms_template_part',
    plural: 'Template Parts',
    singular: 'Template Part',
    restBase: 'template-parts',
    public: false,
    batch: false,
    description: 'Pieces that layouts share.',
    supports: features('title slug excerpt editor revisions author'),
    capabilities: { ...byDesigners, read: 'edit_theme_options' },
  }),
  defineType({
    name: 'cms_global_styles',
    plural: 'Global Styles',
    singular: 'Global Styles',
    restBase: 'global-styles',
    folder: 'styles',
    public: false,
    description: 'Colours, type and spacing of the whole site.',
    supports: { ...features('title editor revisions'), autosave: false },
    capabilities: {
      read: 'edit_posts',
      edit_posts: 'edit_theme_options',
      edit_others_posts: 'edit_theme_options',
      edit_published_posts: 'edit_theme_options',
      delete_others_posts: 'edit_theme_options',
      delete_published_posts: 'edit_theme_options',
    },
  }),
  defineType({
    name: 'cms_navigation',
    plural: 'Navigation Menus',
    singular: 'Navigation Menu',
    restBase: 'navigation',
    public: false,
    showUi: true,
    description: 'Menus made of blocks.',
    supports: features('title editor revisions'),
    capabilities: byDesigners,
  }),
  defineType({
    name: 'cms_font_family',
    plural: 'Font Families',
    singular: 'Font Family',
    restBase: 'font-families',
    folder: 'fonts',
    public: false,
    batch: false,
    supports: features('title'),
    capabilities: fontRights,
  }),
  defineType({
    name: 'cms_font_face',
    plural: 'Font Faces',
    singular: 'Font Face',
    folder: 'fonts/faces',
    public: false,
    batch: false,
    restBase: 'font-families/(?P<font_family_id>[\\d]+)/font-faces',
    supports: features('title'),
    capabilities: fontRights,
  }),
];

/** The same capability for every right but `read` and the three on one item, which keep their names. */
function allBy(capability: string): Partial<TypeCapabilities> {
  return Object.fromEntries(capabilityNames.filter((name) => name.endsWith('posts')).map((name) => [name, capability]));
}

function supported(given: PostTypeInput['supports'] = features('title editor')): PostType['supports'] {
  const all: Readonly<Record<string, boolean | readonly unknown[]>> = { autosave: Boolean(given.editor), ...given };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, true | readonly unknown[]] => entry[1] !== false),
  );
}
