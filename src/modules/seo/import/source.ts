/**
 * What another tool for search engines has left, as its tables and options were put into `import/other-seo/`: rows of posts in
 * `posts.json`, groups of options in `settings.json`. The files are whoever's put them there, so nothing in them is taken for granted.
 */
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';

export const postsFile = 'import/other-seo/posts.json';
const settingsFile = 'import/other-seo/settings.json';
const maxBytes = 64 * 1024 * 1024;

export type SourceRow = Readonly<Record<string, unknown>>;

export const settingGroups = [
  'general_settings',
  'default_archive_settings',
  'custom_archive_settings',
  'posttype_default_settings',
  'taxonomy_settings',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** Where the tool itself keeps each group. */
const places: Readonly<Record<SettingGroup, readonly string[]>> = table({
  general_settings: ['searchAppearance', 'global'],
  default_archive_settings: ['searchAppearance', 'archives'],
  custom_archive_settings: ['dynamic', 'searchAppearance', 'archives'],
  posttype_default_settings: ['dynamic', 'searchAppearance', 'postTypes'],
  taxonomy_settings: ['dynamic', 'searchAppearance', 'taxonomies'],
});

/** Rows by their ids, ascending; null without a file that has some. */
export async function readRows(site: Pick<Site, 'store'>): Promise<readonly SourceRow[] | null> {
  const said = await readJson(site, postsFile);
  if (!Array.isArray(said)) return null;
  return said
    .filter(isMap)
    .filter((row) => idOf(row) > 0)
    .sort((a, b) => idOf(a) - idOf(b));
}

/** Id of a row in the table of the tool; 0 for none. */
export function idOf(row: SourceRow): number {
  const id = Number(row.id);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** A group of options, under its own name or where the tool has it; null without any. */
export async function readGroup(
  site: Pick<Site, 'store'>,
  group: SettingGroup,
): Promise<Readonly<Record<string, unknown>> | null> {
  const said = mapOf(await readJson(site, settingsFile));
  const found = said[group] ?? places[group].reduce<unknown>((value, key) => mapOf(value)[key], said);
  return isMap(found) ? found : null;
}

async function readJson({ store }: Pick<Site, 'store'>, path: string): Promise<unknown> {
  const bytes = await store.readBytes(path);
  if (bytes === null || bytes.length > maxBytes) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
