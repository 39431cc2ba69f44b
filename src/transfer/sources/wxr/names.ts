/**
 * What the export format calls things. Reader and writer share this table, so that one undoes the other.
 */
import { table } from '../../../kernel/model/maps.ts';

/** Meta keys that hold what is a field of an item here. */
export const metaKeys = {
  featured: '_thumbnail_id',
  template: '_wp_page_template',
  oldSlug: '_wp_old_slug',
  file: '_wp_attached_file',
  alt: '_wp_attachment_image_alt',
  /** Sizes and camera data: read from the file itself. */
  details: '_wp_attachment_metadata',
  trashStatus: '_wp_trash_meta_status',
  trashTime: '_wp_trash_meta_time',
  trashSlug: '_wp_desired_post_slug',
  trashComments: '_wp_trash_meta_comments_status',
} as const;

/** Meta keys of a menu item. */
export const menuKeys = table({
  type: '_menu_item_type',
  parent: '_menu_item_menu_item_parent',
  objectId: '_menu_item_object_id',
  object: '_menu_item_object',
  target: '_menu_item_target',
  classes: '_menu_item_classes',
  xfn: '_menu_item_xfn',
  url: '_menu_item_url',
} as const);

const fieldKeys = new Set<string>([...Object.values(metaKeys), ...Object.values(menuKeys)]);

/** What the running system notes down for itself: locks, queues, caches, what a spam filter was sent. */
const passing =
  /^(?:_edit_lock|_edit_last|_pingme|_encloseme|_trackbackme|_wp_old_date|_wp_trash_meta_\w+|_menu_item_orphaned|_oembed_\w+|akismet_\w+|_wp_suggested_privacy_policy_content)$/;

/** Whether a meta key is no data of the item: a field of its own here, or of no use anywhere else. */
export function isInternalMeta(key: string): boolean {
  return fieldKeys.has(key) || passing.test(key);
}

/** Ends the slugs of trashed items. */
export const trashedSuffix = '__trashed';
/** Begins the slugs of formats, and of the styles that users made for a theme. */
export const formatPrefix = 'post-format-';
export const stylesPrefix = 'wp-global-styles-';

/** Taxonomies by which templates say the theme they belong to and their place in it. */
export const themeTaxonomy = 'wp_theme';
export const areaTaxonomy = 'wp_template_part_area';
/** Types whose items belong to a theme. */
export const themed: ReadonlySet<string> = new Set(['cms_template', 'cms_template_part', 'cms_global_styles']);

/** No date. */
export const zeroDate = '0000-00-00 00:00:00';

/** Status of a comment ↔ what its `approved` column holds. */
export const approvals = table({ approved: '1', hold: '0', spam: 'spam', trash: 'trash' } as const);

/** Folder of uploads below the site, unless it was moved. */
export const uploadsFolder = '/wp-content/uploads';
