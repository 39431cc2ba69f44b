/**
 * Menus: every item points at one thing that is there, and every location is one that the site has.
 */
import { nearest } from '../spelling.ts';
import type { Content, Declarations, Finding } from '../validate.ts';
import type { Index } from './references.ts';
import type { Sheet, Target } from './sheets.ts';

export function checkMenus(sheets: readonly Sheet[], model: Declarations, index: Index, { entries }: Content): Finding[] {
  const targets = targetsOf(model);
  const words = [...targets.keys(), 'url'];
  const known = [...words, 'title', 'items'];
  const locations = Object.keys((entries.find(({ path }) => path === 'site.yaml')?.data.menu_locations as object | null | undefined) ?? {});
  return sheets.flatMap(({ kind, entry: { path, data } }): Finding[] => {
    if (kind !== 'menu') return [];
    return [...checkLocations(data.locations), ...checkItems(data.items, ['items'])].map((finding) => ({ path, ...finding }));
  });

  function checkLocations(raw: unknown): Omit<Finding, 'path'>[] {
    return (Array.isArray(raw) ? raw : []).flatMap((name: unknown, at): Omit<Finding, 'path'>[] => {
      if (locations.includes(String(name))) return [];
      const meant = nearest(String(name), locations);
      const hint = meant === undefined ? 'menu_locations in site.yaml lists the places of the design' : `did you mean ${meant}?`;
      return [{ keys: ['locations', at], severity: 'warning', rule: 'unknown-location', message: `unknown menu location ${JSON.stringify(name)}`, hint }];
    });
  }

  function checkItems(raw: unknown, keys: readonly (string | number)[]): Omit<Finding, 'path'>[] {
    if (raw === undefined || raw === null) return [];
    if (!Array.isArray(raw)) return [{ keys, severity: 'error', rule: 'field:items', message: 'items must be a list' }];
    return raw.flatMap((item: unknown, at) => checkItem(item, [...keys, at]));
  }

  function checkItem(raw: unknown, keys: readonly (string | number)[]): Omit<Finding, 'path'>[] {
    const item = (typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {}) as Record<string, unknown>;
    const named = Object.keys(item).filter((key) => words.includes(key));
    const below = checkItems(item.items, [...keys, 'items']);
    const [word] = named;
    if (word === undefined) {
      const slip = Object.keys(item).map((key) => nearest(key, known)).find((meant) => meant !== undefined && !Object.hasOwn(item, meant));
      const hint = slip === undefined ? `it needs one of ${words.join(', ')}` : `did you mean ${slip}?`;
      return [{ keys, severity: 'error', rule: 'menu-item', message: 'this menu item points nowhere', hint }, ...below];
    }
    if (named.length > 1) {
      return [{ keys, severity: 'error', rule: 'menu-item', message: `this menu item points at ${named.join(' and ')}`, hint: 'keep one of them' }, ...below];
    }
    const ref = item[word];
    const target = targets.get(word);
    if ((typeof ref !== 'string' && typeof ref !== 'number') || ref === '') {
      return [{ keys: [...keys, word], severity: 'error', rule: 'menu-item', message: `${word} must name something by its slug or id` }, ...below];
    }
    const missing = target ? index.missing(target, ref) : null;
    if (!missing) return below;
    // Nothing is made for the sake of a menu.
    const hint = missing.hint?.startsWith('did you mean') ? missing.hint : 'write its file first';
    return [{ keys: [...keys, word], ...missing, severity: 'error', hint }, ...below];
  }
}

/** Words an item can point with: the types and taxonomies that have addresses. */
function targetsOf({ types, taxonomies }: Declarations): Map<string, Target> {
  return new Map<string, Target>([
    ...types.filter(({ viewable, name }) => viewable && name !== 'attachment').map(({ name }) => [name, { kind: 'post', type: name }] as const),
    ...taxonomies
      .filter(({ base, showInNavMenus, showInRest }) => base !== null && showInNavMenus && showInRest)
      .map(({ name, folder }) => [folder, { kind: 'term', taxonomy: name }] as const),
  ]);
}
