/** The design of a site as an archive: templates, template parts and styles, in the layout of block themes. */
import { zipSync } from 'fflate';
import type { Site } from '../../../kernel/site/site.ts';
import { readConfig, userStyles } from './styles.ts';
import { templatesOf } from './templates.ts';
import { themeOf } from './themes.ts';
import { isMap, isObjectWord, mapOf } from '../../../kernel/model/maps.ts';

const folders = [
  ['cms_template', 'templates'],
  ['cms_template_part', 'parts'],
] as const;

/** The earliest date of a ZIP: the archive is reproducible. */
const firstDate = new Date(1980, 0, 1);

/** The published design, with users' styles; its name is that of the theme. */
export function exportDesign(site: Site): { readonly name: string; readonly bytes: Buffer } {
  const { stylesheet, settings, styles } = themeOf(site);
  const own = readConfig(userStyles(site)?.content ?? '');
  const theme = { version: 3, settings: over(settings, own.settings), styles: over(styles, own.styles) };
  const templates = folders.flatMap(([type, folder]) =>
    templatesOf(site, type)
      .filter(({ status }) => status === 'publish')
      .map((post) => [`${folder}/${post.slug || post.id}.html`, Buffer.from(post.content)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const files = { 'theme.json': Buffer.from(`${JSON.stringify(theme, null, 2)}\n`), ...Object.fromEntries(templates) };
  return { name: stylesheet, bytes: Buffer.from(zipSync(files, { mtime: firstDate })) };
}

/** Merges maps recursively; other values are replaced. */
function over(below: Readonly<Record<string, unknown>>, above: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) {
    if (isObjectWord(name)) continue;
    const nested = isMap(value);
    out[name] = nested ? over(mapOf(out[name]), mapOf(value)) : value;
  }
  return out;
}
