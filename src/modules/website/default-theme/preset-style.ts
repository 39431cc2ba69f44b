/**
 * Presets: a variable and classes for each named color, gradient and size, as editors write them.
 *
 * Standard presets are in the style of the default theme; those of the site (`theme` in `site.yaml`, global styles) are in the head of each page, in
 * any theme.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { presetsOf, standardPresets } from '../../design/themes/index.ts';

type Preset = Readonly<Record<string, unknown>>;

interface PresetKind {
  /** Path of presets in the settings. */
  readonly group: string;
  readonly name: string;
  /** Part of their variable names, and the member with the value. */
  readonly variable: string;
  readonly member: string;
  /** Class declarations: [class of a slug, property]. */
  readonly classes: readonly (readonly [(slug: string) => string, string])[];
}

const kinds: readonly PresetKind[] = [
  {
    group: 'color',
    name: 'palette',
    variable: 'color',
    member: 'color',
    classes: [
      [(slug) => `has-${slug}-color`, 'color'],
      [(slug) => `has-${slug}-background-color`, 'background-color'],
      [(slug) => `has-${slug}-border-color`, 'border-color'],
    ],
  },
  {
    group: 'color',
    name: 'gradients',
    variable: 'gradient',
    member: 'gradient',
    classes: [[(slug) => `has-${slug}-gradient-background`, 'background']],
  },
  {
    group: 'typography',
    name: 'fontSizes',
    variable: 'font-size',
    member: 'size',
    classes: [[(slug) => `has-${slug}-font-size`, 'font-size']],
  },
  {
    group: 'typography',
    name: 'fontFamilies',
    variable: 'font-family',
    member: 'fontFamily',
    classes: [[(slug) => `has-${slug}-font-family`, 'font-family']],
  },
  { group: 'spacing', name: 'spacingSizes', variable: 'spacing', member: 'size', classes: [] },
  { group: 'shadow', name: 'presets', variable: 'shadow', member: 'shadow', classes: [] },
];

const most = 200;

export const standardPresetStyle = presetStyle((group, name) => standardPresets(group, name));

/** '' without any. */
export function sitePresetStyle(site: Site): string {
  return presetStyle((group, name) => presetsOf(site, group, name));
}

function presetStyle(presets: (group: string, name: string) => readonly unknown[]): string {
  const variables: string[] = [];
  const rules: string[] = [];
  for (const { group, name, variable, member, classes } of kinds) {
    const known = new Set<string>();
    for (const preset of presets(group, name).slice(0, most)) {
      const { slug, value } = read(mapOf(preset), member);
      if (slug === '' || value === '' || known.has(slug)) continue;
      known.add(slug);
      const own = `--wp--preset--${variable}--${slug}`;
      variables.push(`${own}: ${value};`);
      for (const [className, property] of classes) rules.push(`.${className(slug)} { ${property}: var(${own}) !important; }`);
    }
  }
  return variables.length === 0 ? '' : [`:root { ${variables.join(' ')} }`, ...rules].join('\n');
}

/** A preset value that is safe in a style sheet. */
function read(preset: Preset, member: string): { readonly slug: string; readonly value: string } {
  const { slug } = preset;
  const value = preset[member];
  const isSlug = typeof slug === 'string' && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/.test(slug) && slug.length <= 60;
  const text = typeof value === 'number' ? `${value}px` : typeof value === 'string' ? value.trim() : '';
  const isValue = text.length <= 500 && !/[<>{};\\@]|\/\*|url\s*\(|image-set/i.test(text);
  return { slug: isSlug ? slug : '', value: isValue ? text : '' };
}
