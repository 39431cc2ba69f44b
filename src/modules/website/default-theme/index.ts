/** The default theme: templates and a style. A file of the same name in `theme/` replaces each. */
import { itemTemplates } from './items.ts';
import { layoutTemplates } from './layout.ts';
import { blockStyle } from './block-style.ts';
import { standardPresetStyle } from './preset-style.ts';
import { style } from './style.ts';

/** By name, without `.liquid`. */
export const defaultTemplates: ReadonlyMap<string, string> = new Map(Object.entries({ ...layoutTemplates, ...itemTemplates }));
export const defaultStyle = `${style}${blockStyle}${standardPresetStyle}\n`;
export { sitePresetStyle } from './preset-style.ts';
