/**
 * Names of the original that both spellings of the interface keep: they stand so in its own catalogue, in stored markup and
 * in the class names that style sheets expect. What the two spellings write differently is in `kernel/rest/dialect.ts`.
 */
import { table } from '../kernel/model/maps.ts';
export const wireConstants = {
  patternSync: 'wp_pattern_sync_status',
  templatePost: 'wp_id',
  requires: 'requires_wp',
  blockStyles: 'wp-block-styles',
  inactiveWidgets: 'wp_inactive_widgets',
  calendarClass: 'wp-calendar-table',
  calendarId: 'wp-calendar',
  calendarNav: 'wp-calendar-nav',
  /** Before the id of a picture: among the classes of its element, and in the `rel` of a link to its page. */
  imageClass: 'wp-image-',
  attachmentRel: 'wp-att-',
  /** Begins the class of a block whose elements have colours. */
  elementsClass: 'wp-elements-',
  /** Begins the class of a block with CSS of its own, and of one whose pictures have two colours. */
  customCssClass: 'wp-custom-css-',
  duotoneClass: 'wp-duotone-',
} as const;

/** What the delimiters of blocks begin with: `<!-- wp:paragraph -->`; the neutral one is read as well. */
export const delimiterNames = ['wp', 'cms'] as const;

/** The class of a block's outer element, or of a part of it. */
export function blockClass(name: string): string {
  return `wp-block-${name}`;
}

/** What the class begins with that stands for the layout of one block among others of its kind: `…core-columns-is-layout-28f84493`. */
export const containerClass = 'wp-container-';

/** Classes of what shows recordings; style sheets and players look for them. */
export const playerClasses = table({
  audio: 'wp-audio-shortcode',
  video: 'wp-video-shortcode',
  videoBox: 'wp-video',
  embedded: 'wp-embedded',
  embeddedPost: 'wp-embedded-content',
  playlist: 'wp-playlist',
} as const);

/** The class of a picture with words below it; the words have one that ends with `-text`. */
export const captionClass = 'wp-caption';
