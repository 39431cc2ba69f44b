/**
 * What `site.yaml` of a new site takes over from a source: its settings, as far as the site has them, with references as the
 * files are called here.
 */
import { checkSetting, isLocale } from '../../kernel/site/setting-values.ts';
import { isZone } from '../../kernel/model/dates.ts';
import { isId, maxId } from '../../kernel/model/ids.ts';
import { basicSettings } from '../../deployments.ts';
import type { Setting } from '../../kernel/model/settings.ts';
import { operatorSettings } from '../../kernel/model/operator.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { StaleWriteError, type Entry, type Store } from '../../kernel/store/types.ts';
import type { Inventory } from './inventory.ts';
import type { SiteItem, TermItem, UserItem } from './items.ts';
import type { ImportPlan } from './plan.ts';
import type { ImportLog } from './report.ts';
import type { PlannedSite } from './planned-site.ts';
import { remark, type SourceScan } from './source-scan.ts';

/** Written when the site is made, or nobody's business. */
const elsewhere = new Set(['name', 'description', 'url', 'home', 'email', 'timezone', 'language', 'deployment']);

/** What a new site is made with. */
interface Beginning {
  readonly title?: string;
  readonly description?: string;
  readonly timezone?: string;
  readonly language?: string;
  readonly deployment?: string;
}

export function beginningOf(site: SiteItem | null): Beginning {
  const { name, description, timezone, language, deployment } = site?.settings ?? {};
  return {
    ...(typeof name === 'string' && name !== '' ? { title: name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof timezone === 'string' && isZone(timezone) ? { timezone } : {}),
    ...(typeof language === 'string' && isLocale(language) ? { language } : {}),
    ...(deployment === 'extended' ? { deployment } : {}),
  };
}

/**
 * The number of the administrator of a new site: of who has the login in the source, else one that nobody has there. Nobody's
 * id has to change for them.
 */
export function administratorId(login: string, users: readonly UserItem[]): number {
  const same = users.find(
    (one) => one.login.toLowerCase() === login.toLowerCase() || (one.login === '' && one.slug === slugify(login)),
  );
  const theirs = new Set(users.map(({ id }) => id));
  const after = users.reduce((highest, { id }) => (isId(id) && id < maxId ? Math.max(highest, id) : highest), 0) + 1;
  if (isId(same?.id)) return same.id;
  for (let id = after; ; id--) if (!theirs.has(id)) return id;
}

/** Settings that name nothing else; what the site has none of, or another type of value for, is said. */
export function plainSettings(site: SiteItem, rows: readonly Setting[], report: ImportLog): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const at = new Map(rows.map(({ key }, index) => [key, index]));
  const ofModules = Object.entries(site.extra ?? {}).filter(([key]) => at.has(key));
  const inOrder = [...Object.entries(site.settings), ...ofModules].sort(
    ([a], [b]) => (at.get(a) ?? at.size) - (at.get(b) ?? at.size),
  );
  for (const [key, value] of inOrder) {
    if (elsewhere.has(key) || value === undefined || value === null) continue;
    const row = rows.find((one) => one.key === key);
    if (Object.hasOwn(operatorSettings, key)) {
      remark(report, site, 'lost', 'operator-setting', `${key} is an operator setting and cannot be imported`);
      continue;
    }
    if (!row) {
      remark(report, site, 'lost', 'unknown-setting', `unknown setting ${JSON.stringify(key)}`);
      continue;
    }
    if (row.refers || value === row.default) continue;
    if (fits(row, value)) data[key] = value;
    else remark(report, site, 'lost', 'setting', `invalid value for ${key}: ${JSON.stringify(value)?.slice(0, 80)}`);
  }
  return data;
}

/** Settings that name a page, a category or a file: by its key in the source, or by the id it had there. */
export function namingSettings(
  site: SiteItem,
  plan: ImportPlan,
  plannedSite: PlannedSite,
  report: ImportLog,
  idOf: IdOf,
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const { key, refers } of basicSettings) {
    const value = site.settings[key];
    if (!refers || !value || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const kind = refers === 'category' ? 'terms' : 'posts';
    const planned = plan[kind].get(String(value)) ?? plan[kind].get(idOf(kind, Number(value)) ?? '');
    const type = refers === 'page' ? 'page' : 'attachment';
    const isFit = planned && !planned.isGone && planned.of === (refers === 'category' ? 'category' : type);
    if (isFit)
      data[key] =
        refers === 'category' ? plannedSite.refs.termRef('category', planned.id) : plannedSite.refs.postRef(type, planned.id);
    else remark(report, site, 'lost', 'unknown-reference', `${key} (${value}) is not in the source`);
  }
  return data;
}

/** Writes keys of `site.yaml`; a person's edit of others at the same moment survives. */
export function createAmender(
  store: Store,
  site: Entry | undefined,
  dryRun: boolean,
): (data: Readonly<Record<string, unknown>>) => Promise<void> {
  let entry = site;
  return async (data) => {
    if (dryRun || Object.keys(data).length === 0) return;
    for (let tries = 0; ; tries++) {
      try {
        [entry] = await store.commit([{ path: 'site.yaml', expect: entry?.etag ?? null, data, order: Object.keys(data) }]);
        return;
      } catch (error) {
        if (!(error instanceof StaleWriteError) || tries === 5) throw error;
        const { entries } = await store.reread(['site.yaml']);
        entry = entries[0] ?? entry;
      }
    }
  };
}

/** The key of what had an id in the source. */
type IdOf = (kind: 'terms' | 'posts', id: number) => string | undefined;

export interface Fallback {
  readonly key: string;
  /** File of the category that a new site begins with. */
  readonly replaces: string;
}

/**
 * A new site begins with a default category. Where the source has another one in its place (the one it names, or the one with
 * the number 1), that is the default, and the one nobody asked for goes.
 */
export function fallbackOf(inventory: Inventory, sourceScan: SourceScan): Fallback | null {
  const existing = inventory.byId.terms.get(1);
  if (
    existing?.path !== 'terms/category/uncategorized.yaml' ||
    sourceScan.terms.some(({ taxonomy, slug }) => taxonomy === 'category' && slug === existing.slug)
  )
    return null;
  const named = sourceScan.site?.settings.default_category;
  const isNamed = ({ key, id }: TermItem): boolean => key === named || (named !== undefined ? id === named : id === 1);
  const item = sourceScan.terms.find((term) => term.taxonomy === 'category' && isNamed(term));
  if (!item) return null;
  inventory.byId.terms.delete(1);
  inventory.taken.terms.delete(1);
  inventory.places.delete('terms/category/uncategorized');
  inventory.slugs.delete(`term:category ${existing.slug}`);
  inventory.named.delete(`term:category ${existing.slug}`);
  inventory.terms.splice(0, inventory.terms.length, ...inventory.terms.filter(({ file }) => file !== existing));
  return { key: item.key, replaces: existing.path };
}

/** Places of menus that `site.yaml` does not list yet. */
export function missingLocations(inventory: Inventory, sourceScan: SourceScan, isNew: boolean): Record<string, unknown> {
  const known = (inventory.site?.data.menu_locations ??
    (isNew ? sourceScan.site?.settings.menu_locations : undefined) ??
    {}) as Record<string, unknown>;
  const names = sourceScan.terms.flatMap(({ taxonomy, locations = [] }) => (taxonomy === 'nav_menu' ? locations : []));
  const missing = [...new Set(names)].filter((name) => !Object.hasOwn(known, name));
  if (missing.length === 0) return {};
  return { menu_locations: { ...known, ...Object.fromEntries(missing.map((name) => [name, name])) } };
}

function fits(row: Setting, value: unknown): boolean {
  const { schema } = row;
  if (checkSetting(row, value).faults.length > 0) return false;
  if (schema.enum && !Object.values(schema.enum).includes(value)) return false;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return true;
  }
}
