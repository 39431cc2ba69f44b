/** Patterns of the design: blocks in `patterns/<name>.html`, with front matter for editors. */
import { type DesignRecord, sheetsOf } from '../themes/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { labelOf } from '../../../render/block-types.ts';
import { scalarNumber, scalarText } from '../../../kernel/model/scalars.ts';

export interface Pattern {
  /** `site/<file name>`. */
  readonly name: string;
  readonly title: string;
  readonly content: string;
  readonly description: string;
  readonly viewportWidth: number | null;
  readonly inserter: boolean;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly blockTypes: readonly string[];
  readonly postTypes: readonly string[];
  readonly templateTypes: readonly string[];
}

export interface PatternCategory {
  readonly name: string;
  readonly label: string;
  readonly description: string;
}

/** Standard categories: name, label, description. */
const standardCategories: readonly (readonly [string, string, string])[] = [
  ['banner', 'Banners', 'Large openings with a picture or a call.'],
  ['buttons', 'Buttons', 'Buttons and groups of them.'],
  ['columns', 'Columns', 'Content in several columns.'],
  ['text', 'Text', 'Patterns that are mostly words.'],
  ['query', 'Posts', 'Posts in lists, grids and other layouts.'],
  ['featured', 'Featured', 'Patterns worth showing first.'],
  ['call-to-action', 'Call to action', 'Parts that ask the reader to do something.'],
  ['team', 'Team', 'The people behind the site.'],
  ['testimonials', 'Testimonials', 'What others say.'],
  ['services', 'Services', 'What is on offer.'],
  ['contact', 'Contact', 'How to get in touch.'],
  ['about', 'About', 'Who you are.'],
  ['portfolio', 'Portfolio', 'Works on show.'],
  ['gallery', 'Gallery', 'Pictures together.'],
  ['media', 'Media', 'Film and sound.'],
  ['videos', 'Videos', 'Film.'],
  ['audio', 'Audio', 'Sound.'],
  ['footer', 'Footers', 'Ends of pages.'],
  ['header', 'Headers', 'Tops of pages.'],
];

export function patternsOf(site: Pick<Site, 'design'>): readonly Pattern[] {
  return sheetsOf(site, 'pattern').map(toPattern);
}

/** The standard categories, and those of the site's patterns. */
export function categoriesOf(site: Pick<Site, 'design'>): readonly PatternCategory[] {
  const known = standardCategories.map(([name, label, description]) => ({ name, label, description }));
  const named = new Set(patternsOf(site).flatMap(({ categories }) => categories));
  for (const { name } of known) named.delete(name);
  return [...known, ...[...named].sort().map((name) => ({ name, label: labelOf(name), description: '' }))];
}

function toPattern({ name, data, body }: DesignRecord): Pattern {
  const width = scalarNumber(data.viewport_width ?? 0);
  return {
    name: `site/${name}`,
    title: scalarText(data.title ?? labelOf(name)),
    content: body,
    description: scalarText(data.description),
    viewportWidth: Number.isFinite(width) && width > 0 ? width : null,
    inserter: data.inserter !== false,
    categories: texts(data.categories),
    keywords: texts(data.keywords),
    blockTypes: texts(data.block_types),
    postTypes: texts(data.post_types),
    templateTypes: texts(data.template_types),
  };
}

function texts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String);
}
