/**
 * Menus: every item points at one thing that is there, and every location is one that the site has.
 */
import { itemKeys } from '../menus/menu-shelf.ts';
import { nearest } from '../spelling.ts';
import type { Content, Declarations } from '../validate.ts';
import { didYouMean, doubtful, type Finding, type Keys, wrong } from './finding.ts';
import type { Index } from './references.ts';
import type { Sheet, Target } from './sheets.ts';

type Placed = Omit<Finding, 'path'>;

export function checkMenus(sheets: readonly Sheet[], model: Declarations, index: Index, { entries }: Content): Finding[] {
  const targets = targetsOf(model);
  const words = [...targets.keys(), 'attachment', 'url', 'archive', 'type'];
  const known = [...words, ...itemKeys, 'object', 'object_id', 'id', 'parent', 'order', 'items'];
  const declared = entries.find(({ path }) => path === 'site.yaml')?.data.menu_locations;
  const locations = Object.keys((declared as object | null | undefined) ?? {});
  return sheets.flatMap(({ kind, entry: { path, data } }): Finding[] => {
    if (kind !== 'menu') return [];
    return [...checkLocations(data.locations), ...checkItems(data.items, ['items'])].map((finding) => ({ path, ...finding }));
  });

  function checkLocations(raw: unknown): Placed[] {
    return (Array.isArray(raw) ? raw : []).flatMap((name: unknown, at): Placed[] => {
      if (locations.includes(String(name))) return [];
      const hint = didYouMean(nearest(String(name), locations), 'menu_locations in site.yaml lists the places of the design');
      return [
        { keys: ['locations', at], ...doubtful('unknown-location', `unknown menu location ${JSON.stringify(name)}`, hint) },
      ];
    });
  }

  function checkItems(raw: unknown, keys: Keys): Placed[] {
    if (raw === undefined || raw === null) return [];
    if (!Array.isArray(raw)) return [{ keys, ...wrong('field:items', 'items must be a list') }];
    return raw.flatMap((one: unknown, at) => {
      const item = (typeof one === 'object' && one !== null && !Array.isArray(one) ? one : {}) as Record<string, unknown>;
      return [...checkItem(item, [...keys, at]), ...checkItems(item.items, [...keys, at, 'items'])];
    });
  }

  function checkItem(item: Readonly<Record<string, unknown>>, keys: Keys): Placed[] {
    const named = Object.keys(item).filter((key) => words.includes(key));
    const [word] = named;
    if (word === undefined) {
      const slips = Object.keys(item).map((key) => nearest(key, known));
      const meant = slips.find((slip) => slip !== undefined && !Object.hasOwn(item, slip));
      return [
        {
          keys,
          ...wrong(
            'menu-item',
            'this menu item points nowhere',
            didYouMean(meant, `it needs one of ${[...targets.keys(), 'url', 'archive'].join(', ')}`),
          ),
        },
      ];
    }
    if (named.length > 1)
      return [{ keys, ...wrong('menu-item', `this menu item points at ${named.join(' and ')}`, 'keep one of them') }];
    const at = [...keys, word];
    const ref = item[word];
    if ((typeof ref !== 'string' && typeof ref !== 'number') || ref === '') {
      return [{ keys: at, ...wrong('menu-item', `${word} must name something by its slug or id`) }];
    }
    const target = targets.get(word);
    const missing = target ? index.missing(target, ref) : null;
    if (!missing) return [];
    // Nothing is made for the sake of a menu.
    const hint = missing.hint?.startsWith('did you mean') ? missing.hint : 'write its file first';
    return [{ keys: at, ...wrong(missing.rule, missing.message, hint) }];
  }
}

/** Words an item can point with: the types and taxonomies that have addresses. */
function targetsOf({ types, taxonomies }: Declarations): Map<string, Target> {
  return new Map<string, Target>([
    ...types
      .filter(({ viewable, name }) => viewable && name !== 'attachment')
      .map(({ name }) => [name, { kind: 'post', type: name }] as const),
    ...taxonomies
      .filter(({ base, showInNavMenus, showInRest }) => base !== null && showInNavMenus && showInRest)
      .map(({ name, folder }) => [folder, { kind: 'term', taxonomy: name }] as const),
  ]);
}
