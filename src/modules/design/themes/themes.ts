/** The design for editors: one theme, described by `theme` in `site.yaml` for the front end. */
import { wireConstants } from '../../../render/wire-constants.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { formats } from '../../content/posts/record.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Site } from '../../../kernel/site/site.ts';

export interface DesignTheme {
  /** Name in URLs and template ids. */
  readonly stylesheet: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly author: string;
  readonly authorUrl: string;
  readonly url: string;
  readonly screenshot: string;
  readonly tags: readonly string[];
  /** Whether pages use the site's templates. */
  readonly isBlockTheme: boolean;
  /** Features, by API name. */
  readonly supports: Readonly<Record<string, unknown>>;
  /** Default settings and styles (`theme.json` of the reference). */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly styles: Readonly<Record<string, unknown>>;
}

/** Template kinds: slug → title and description. Other templates are custom. */
export const templateTypes: readonly (readonly [slug: string, title: string, description: string])[] = [
  ['index', 'Index', 'Used for every page that has no template of its own.'],
  ['home', 'Blog Home', 'The newest posts, as front page or as the page set for them.'],
  ['front-page', 'Front Page', 'The front page, whatever it shows.'],
  ['singular', 'Single Entries', 'Any single entry, a post or a page, without a closer template.'],
  ['single', 'Single Posts', 'A single post.'],
  ['page', 'Pages', 'A page.'],
  ['archive', 'All Archives', 'Any archive without a closer template.'],
  ['author', 'Author Archives', 'The posts of one author.'],
  ['category', 'Category Archives', 'The posts of one category.'],
  ['taxonomy', 'Custom Taxonomy', 'The items of one term of a taxonomy.'],
  ['date', 'Date Archives', 'The posts of a year, month or day.'],
  ['tag', 'Tag Archives', 'The posts of one tag.'],
  ['attachment', 'Attachment Pages', 'The page of a media file.'],
  ['search', 'Search Results', 'What a search found.'],
  ['privacy-policy', 'Privacy Policy', 'The page of the privacy policy.'],
  ['404', 'Page: 404', 'Shown where there is nothing.'],
];

interface Area {
  readonly area: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly area_tag: string;
}

/** Areas of template parts. */
export const templateAreas: readonly Area[] = [
  { area: 'uncategorized', label: 'General', description: 'Parts without a certain place.', icon: 'layout', area_tag: 'div' },
  {
    area: 'header',
    label: 'Header',
    description: 'The top of the page: title, logo, main menu.',
    icon: 'header',
    area_tag: 'header',
  },
  { area: 'footer', label: 'Footer', description: 'The end of the page.', icon: 'footer', area_tag: 'footer' },
];

/** The design in `site.yaml`, with defaults. */
export function themeOf(site: Pick<Site, 'settings'>): DesignTheme {
  const given = mapOf(site.settings.value('theme'));
  const text = (key: string, fallback = ''): string =>
    given[key] === undefined || given[key] === null ? fallback : scalarText(given[key]);
  const tags = Array.isArray(given.tags) ? given.tags.map(scalarText) : [];
  return {
    stylesheet: /^[\w-]+$/.test(text('stylesheet')) ? text('stylesheet') : 'site',
    name: text('name', 'Site'),
    description: text('description'),
    version: text('version', '1.0'),
    author: text('author'),
    authorUrl: text('author_url'),
    url: text('url'),
    screenshot: text('screenshot'),
    tags,
    isBlockTheme: given.block_theme === true,
    supports: { ...standardSupports, ...mapOf(given.supports) },
    settings: mapOf(given.settings),
    styles: mapOf(given.styles),
  };
}

const off = Object.fromEntries(
  (
    'custom-background custom-header custom-logo customize-selective-refresh-widgets dark-editor-style disable-custom-colors ' +
    'disable-custom-font-sizes disable-custom-gradients disable-layout-styles editor-color-palette editor-font-sizes ' +
    'editor-gradient-presets editor-spacing-sizes editor-styles'
  )
    .split(' ')
    .map((name) => [name, false]),
);

/** Default features of a front end. */
const standardSupports: Readonly<Record<string, unknown>> = {
  'align-wide': true,
  'automatic-feed-links': false,
  'block-templates': true,
  'block-template-parts': true,
  ...off,
  formats,
  html5: ['search-form', 'comment-form', 'comment-list', 'gallery', 'caption', 'script', 'style'],
  'post-thumbnails': true,
  'responsive-embeds': true,
  'title-tag': true,
  // The API's name, in both dialects.
  [wireConstants.blockStyles]: false,
};
