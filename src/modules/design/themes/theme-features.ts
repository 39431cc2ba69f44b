/** Theme features, with schemas for editors. */
import { wireConstants } from '../../../render/wire-constants.ts';
import { of, type Schema } from '../../../kernel/model/schema.ts';

const flag = (description: string): Schema => of('boolean', description, { default: false });
const word: Schema = { type: 'string' };
const yes: Schema = { type: 'boolean' };
const whole: Schema = { type: 'integer' };
const picture: Schema = { type: 'string', format: 'uri' };
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
/** A disabled feature, or one with options. */
const options = (description: string, properties: Readonly<Record<string, Schema>>): Schema =>
  of(['boolean', 'object'], description, { default: false, properties, additionalProperties: false });
/** A disabled feature, or a list of presets. */
const presets = (description: string, properties: Readonly<Record<string, Schema>>): Schema =>
  of(['boolean', 'array'], description, { default: false, items: { type: 'object', properties, additionalProperties: false } });

export const themeFeatures: Readonly<Record<string, Schema>> = {
  'align-wide': flag('Blocks may be wide or as wide as the page.'),
  'automatic-feed-links': flag('Addresses of feeds are put into the head of pages.'),
  'block-templates': flag('Pages are made of templates.'),
  'block-template-parts': flag('Pages are made of template parts.'),
  'custom-background': options("A background of one's own.", {
    'default-image': picture,
    'default-preset': oneOf('default', 'fill', 'fit', 'repeat', 'custom'),
    'default-position-x': oneOf('left', 'center', 'right'),
    'default-position-y': oneOf('left', 'center', 'right'),
    'default-size': oneOf('auto', 'contain', 'cover'),
    'default-repeat': oneOf('repeat-x', 'repeat-y', 'repeat', 'no-repeat'),
    'default-attachment': oneOf('scroll', 'fixed'),
    'default-color': word,
  }),
  'custom-header': options("A header of one's own.", {
    'default-image': picture,
    'random-default': yes,
    width: whole,
    height: whole,
    'flex-height': yes,
    'flex-width': yes,
    'default-text-color': word,
    'header-text': yes,
    uploads: yes,
    video: yes,
  }),
  'custom-logo': options("A logo of one's own.", {
    width: whole,
    height: whole,
    'flex-width': yes,
    'flex-height': yes,
    'header-text': { type: 'array', items: word },
    'unlink-homepage-logo': yes,
  }),
  'customize-selective-refresh-widgets': flag('Widgets are refreshed one by one.'),
  'dark-editor-style': flag('The editor is dark.'),
  'disable-custom-colors': flag('No colours but those offered.'),
  'disable-custom-font-sizes': flag('No font sizes but those offered.'),
  'disable-custom-gradients': flag('No gradients but those offered.'),
  'disable-layout-styles': flag('No generated styles for layouts.'),
  'editor-color-palette': presets('Colours offered.', { name: word, slug: word, color: word }),
  'editor-font-sizes': presets('Font sizes offered.', { name: word, size: { type: 'number' }, slug: word }),
  'editor-gradient-presets': presets('Gradients offered.', { name: word, gradient: word, slug: word }),
  'editor-spacing-sizes': presets('Spacings offered.', { name: word, size: word, slug: word }),
  'editor-styles': flag('The editor uses the styles of the design.'),
  html5: of(['boolean', 'array'], 'Parts written as HTML 5.', {
    default: false,
    items: oneOf('search-form', 'comment-form', 'comment-list', 'gallery', 'caption', 'script', 'style'),
  }),
  // The reference prints the enum as a map, with its values as keys.
  formats: of('array', 'Post formats.', {
    default: ['standard'],
    items: {
      type: 'string',
      enum: Object.fromEntries(
        ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'].map((name) => [
          name,
          name,
        ]),
      ),
    },
  }),
  'post-thumbnails': of(['boolean', 'array'], 'Types with a featured image.', { default: false, items: word }),
  'responsive-embeds': flag('Embeds keep their proportions.'),
  'title-tag': flag("The title element is the server's."),
  [wireConstants.blockStyles]: flag('Blocks come with styles of their own.'),
};
