/**
 * Names that types, taxonomies and custom fields in `site.yaml` cannot have: existing routes, folders and fields, and names that JavaScript objects
 * inherit.
 */
import { isObjectWord } from '../../kernel/model/maps.ts';

/** First segments of core routes, and of URLs besides them. */
export const routeBases: readonly string[] = words(
  'posts pages media menu-items blocks templates template-parts global-styles navigation font-families font-collections types statuses ' +
    'taxonomies categories tags menus cms_pattern_category users comments search block-renderer block-types settings themes plugins ' +
    'sidebars widget-types widgets block-directory pattern-directory block-patterns menu-locations icons icon-collections ' +
    'view-config uploads site author',
);

/** Content folders of anything but posts. */
export const contentFolders: readonly string[] = words(
  'posts pages terms users media menus comments revisions blocks templates template-parts styles navigation fonts patterns sidebars',
);

/** Fields, front-matter keys and list parameters of posts, which a taxonomy of that name would replace. */
export const itemNames: readonly string[] = words(
  'above aliases alt alt_text author author_exclude before caption class_list client_sizes comment_status comments ' +
    'conflict_markers content context convert_format draft hidden date date_gmt description excerpt excerpt_length exclude ' +
    'exif_orientation featured_media fetch file filename filesize force format generate_sub_sizes generated_slug guid id ' +
    'ignore_sticky image_output_format image_quality image_save_progressive include link links media_details media_type ' +
    'menu_order meta mime_type missing_image_sizes modified modified_after modified_before modified_gmt offset order orderby page ' +
    'parent parent_exclude password per_page permalink_template ping_status pings place post preview preview_id preview_nonce ' +
    'private published search search_columns search_semantics slug source source_url status sticky subtype tax_relation taxonomy ' +
    'template term title trashed type unlisted visibility after rest_route url',
);

/** Neither types nor taxonomies, but kinds with registered meta or a meaning among types. */
const kinds: readonly string[] = words('user comment any');

/** Whether the name is reserved for types and taxonomies. */
export function isReservedKind(name: string): boolean {
  return isObjectWord(name) || kinds.includes(name);
}

function words(text: string): string[] {
  return text.split(' ');
}
