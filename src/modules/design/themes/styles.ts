/**
 * Global styles: users' changes of the design, in `styles/<stylesheet>.md` (front matter and JSON), and variations in other files. The body is JSON,
 * the format of the API, to read back exactly.
 */
import { isObjectWord, mapOf, table } from '../../../kernel/model/maps.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { planCreate, planUpdate } from '../../content/posts/index.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';
import { themeOf } from './themes.ts';

export const stylesType = 'cms_global_styles';

export interface StyleConfig {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly styles: Readonly<Record<string, unknown>>;
}

/** The users' styles; undefined until requested. */
export function userStyles(site: Site): PostRecord | undefined {
  return stylesOf(site).find(({ slug }) => slug === themeOf(site).stylesheet);
}

/** Style variations. */
export function variationsOf(site: Site): readonly PostRecord[] {
  const { stylesheet } = themeOf(site);
  return stylesOf(site).filter(({ slug }) => slug !== stylesheet);
}

/** Plans the empty file of the users' styles. @returns its id */
export function planUserStyles(site: PlanningSite, actor: Actor | null): WritePlan<number> {
  const known = userStyles(site);
  if (known) return { changes: [], result: known.id };
  const content = printConfig({ settings: {}, styles: {} });
  const slug = themeOf(site).stylesheet;
  return { ...planCreate(site, actor, stylesType, { title: 'Custom Styles', slug, status: 'publish', content }), once: 'styles' };
}

/** Plans a change of styles; missing parts stay. @returns the id */
export function planStyles(
  site: PlanningSite,
  actor: Actor | null,
  before: PostRecord,
  given: Partial<StyleConfig> & { readonly title?: string },
): WritePlan<number> {
  const { title, ...config } = given;
  const content = printConfig({ ...readConfig(before.content), ...config });
  return planUpdate(site, actor, before, { ...(title === undefined ? {} : { title }), content });
}

/** Settings and styles of a body; empty if it is not JSON. A code fence is allowed. */
export function readConfig(body: string): StyleConfig {
  try {
    const { settings, styles } = mapOf(JSON.parse(body.replace(/^[^\S\r\n\u2028\u2029]*```\w*\s*$/gm, '')));
    return { settings: mapOf(settings), styles: mapOf(styles) };
  } catch {
    return { settings: {}, styles: {} };
  }
}

/** The defaults: standard presets, with the theme's settings and styles over them. */
export function themeConfig(site: Site): StyleConfig {
  const { settings, styles } = themeOf(site);
  return { settings: merged(standardSettings, byOrigin(settings)), styles };
}

/** The presets of a site: users' first, then the theme's. */
export function presetsOf(site: Site, group: string, name: string): readonly unknown[] {
  const users = userStyles(site);
  const own = users ? mapOf(mapOf(readConfig(users.content).settings[group])[name]) : {};
  const { theme, custom } = { ...mapOf(mapOf(themeConfig(site).settings[group])[name]), ...own };
  return [custom, theme].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
}

/** Standard presets. */
export function standardPresets(group: string, name: string): readonly unknown[] {
  const { default: list } = mapOf(mapOf(standardSettings[group])[name]);
  return Array.isArray(list) ? list : [];
}

function printConfig(config: StyleConfig): string {
  return JSON.stringify({ version: 3, isGlobalStylesUserThemeJSON: true, ...config }, null, 2);
}

function stylesOf(site: Site): readonly PostRecord[] {
  return site.posts.query({
    where: [
      { kind: 'in', index: 'type', values: [stylesType] },
      { kind: 'in', index: 'status', values: ['publish'] },
    ],
    sort: { by: 'id', direction: 'asc' },
    offset: 0,
  }).records;
}

/** Presets are grouped by origin. */
const presets: readonly (readonly [group: string, name: string])[] = [
  ['color', 'palette'],
  ['color', 'gradients'],
  ['color', 'duotone'],
  ['typography', 'fontSizes'],
  ['typography', 'fontFamilies'],
  ['spacing', 'spacingSizes'],
  ['shadow', 'presets'],
];

function byOrigin(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...settings };
  for (const [group, name] of presets) {
    const inside = mapOf(out[group]);
    if (Array.isArray(inside[name])) out[group] = { ...inside, [name]: { theme: inside[name] } };
  }
  return out;
}

function merged(base: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (isObjectWord(key)) continue;
    const [below, above] = [mapOf(out[key]), mapOf(value)];
    out[key] = Object.keys(below).length > 0 && Object.keys(above).length > 0 ? merged(below, above) : value;
  }
  return out;
}

const color = (name: string, slug: string, value: string) => ({ name, slug, color: value });
const size = (name: string, slug: string, value: string) => ({ name, slug, size: value });

/** Presets under the slugs of stored content. */
const standardSettings: Readonly<Record<string, unknown>> = table({
  appearanceTools: false,
  useRootPaddingAwareAlignments: false,
  border: { color: false, radius: false, style: false, width: false },
  color: {
    background: true,
    button: true,
    caption: true,
    custom: true,
    customDuotone: true,
    customGradient: true,
    defaultDuotone: true,
    defaultGradients: true,
    defaultPalette: true,
    duotone: { default: [] },
    gradients: { default: [] },
    heading: true,
    link: false,
    palette: {
      default: [
        color('Black', 'black', '#000000'),
        color('Cyan bluish gray', 'cyan-bluish-gray', '#abb8c3'),
        color('White', 'white', '#ffffff'),
        color('Pale pink', 'pale-pink', '#f78da7'),
        color('Vivid red', 'vivid-red', '#cf2e2e'),
        color('Luminous vivid orange', 'luminous-vivid-orange', '#ff6900'),
        color('Luminous vivid amber', 'luminous-vivid-amber', '#fcb900'),
        color('Light green cyan', 'light-green-cyan', '#7bdcb5'),
        color('Vivid green cyan', 'vivid-green-cyan', '#00d084'),
        color('Pale cyan blue', 'pale-cyan-blue', '#8ed1fc'),
        color('Vivid cyan blue', 'vivid-cyan-blue', '#0693e3'),
        color('Vivid purple', 'vivid-purple', '#9b51e0'),
      ],
    },
    text: true,
  },
  dimensions: { aspectRatio: false, minHeight: false },
  layout: { contentSize: '40rem', wideSize: '70rem', allowEditing: true, allowCustomContentAndWideSize: true },
  spacing: {
    blockGap: null,
    margin: false,
    padding: false,
    customSpacingSize: true,
    units: ['px', 'em', 'rem', 'vh', 'vw', '%'],
  },
  typography: {
    customFontSize: true,
    defaultFontSizes: true,
    dropCap: true,
    fontStyle: true,
    fontWeight: true,
    letterSpacing: true,
    lineHeight: false,
    textAlign: true,
    textDecoration: true,
    textTransform: true,
    writingMode: false,
    fontSizes: {
      default: [
        size('Small', 'small', '13px'),
        size('Medium', 'medium', '20px'),
        size('Large', 'large', '36px'),
        size('Extra Large', 'x-large', '42px'),
      ],
    },
  },
});
