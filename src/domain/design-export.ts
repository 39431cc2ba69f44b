/**
 * The design of a site as one archive: its templates, template parts and styles, laid out as themes of blocks are.
 */
import { slugify } from '../model/slugs.ts';
import type { PostRecord } from '../model/post.ts';
import type { Site } from './site.ts';
import { createZip, type ZipFile } from './zip.ts';

const folders = [
  ['cms_template', 'templates'],
  ['cms_template_part', 'parts'],
] as const;

/** What is published of the design; the name is that of the site. */
export function exportDesign(site: Site): { readonly name: string; readonly bytes: Buffer } {
  const files = folders.flatMap(([type, folder]) =>
    published(site, type).map((post): ZipFile => ({ path: `${folder}/${post.slug || post.id}.html`, bytes: Buffer.from(post.content) })),
  );
  const styles = published(site, 'cms_global_styles').at(-1);
  const theme = { version: 3, ...(styles ? stylesOf(styles.content) : {}) };
  const all = [{ path: 'theme.json', bytes: Buffer.from(`${JSON.stringify(theme, null, 2)}\n`) }, ...files];
  return { name: slugify(String(site.settings.value('name') ?? '')) || 'site', bytes: createZip(all) };
}

function published(site: Site, type: string): readonly PostRecord[] {
  const where = [
    { kind: 'in', index: 'type', values: [type] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ] as const;
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0 }).records;
}

/** Settings and styles of a record of styles; what is not readable is left out. */
function stylesOf(content: string): Record<string, unknown> {
  try {
    const { settings, styles } = JSON.parse(content) as Record<string, unknown>;
    return { ...(settings ? { settings } : {}), ...(styles ? { styles } : {}) };
  } catch {
    return {};
  }
}
