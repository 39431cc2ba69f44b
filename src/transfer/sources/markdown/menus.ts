/** Menus out of entries that name their parents: one menu item for each, in the order and depth in which they are shown. */
import { slugify } from '../../../kernel/model/slugs.ts';
import type { SourceItem } from '../../import/items.ts';
import type { GeneratorAddresses } from './addresses.ts';
import { type MenuEntry, titleOf } from './site-generator.ts';

/** The menus of all entries, each before its items. An entry whose parent is unknown, or above itself, stands at the top. */
export function* menuItems(entries: readonly MenuEntry[], addresses: GeneratorAddresses): Generator<SourceItem> {
  for (const [name, some] of grouped(entries, ({ menu }) => menu)) {
    const all = some.sort((a, b) => a.weight - b.weight);
    const key = `nav_menu:${name}`;
    const place = { source: `menu ${name}` };
    yield { kind: 'term', key, taxonomy: 'nav_menu', slug: slugify(name) || 'menu', name: titleOf(name), place };
    const byId = new Map(all.map((entry) => [entry.id, entry]));
    const children = grouped(all, (entry) =>
      entry.parent !== undefined && byId.has(entry.parent) && !isAbove(entry, byId) ? entry.parent : '',
    );
    let order = 0;
    const waiting = (children.get('') ?? []).map((entry) => ({ entry, parent: undefined as string | undefined })).reverse();
    const done = new Set<MenuEntry>();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { entry, parent } = next;
      if (done.has(entry)) continue;
      done.add(entry);
      order++;
      const itemKey = `${key}/${entry.id}/${order}`;
      const page = entry.page === undefined ? pageOf(entry.url, addresses) : addresses.page(entry.page);
      const target = page
        ? ({ itemType: 'post_type', object: page.type, target: page.path } as const)
        : ({ itemType: 'custom', object: 'custom', url: entry.url } as const);
      yield {
        kind: 'menu-link',
        key: itemKey,
        menu: key,
        order,
        title: entry.title,
        place,
        ...target,
        ...(parent === undefined ? {} : { parent }),
      };
      for (const child of [...(children.get(entry.id) ?? [])].reverse()) waiting.push({ entry: child, parent: itemKey });
    }
  }
}

function pageOf(url: string, addresses: GeneratorAddresses) {
  const found = addresses.resolve(url, { path: '', link: '/' });
  return found.kind === 'page' ? found.page : undefined;
}

/** Whether an entry is, over its parents, below itself; deeper than a menu can be counts as well. */
function isAbove(entry: MenuEntry, byId: ReadonlyMap<string, MenuEntry>): boolean {
  let depth = 0;
  for (let above = byId.get(entry.parent ?? ''); above; above = byId.get(above.parent ?? '')) {
    if (above === entry || ++depth > maxLevels) return true;
  }
  return false;
}

const maxLevels = 50;

function grouped<T>(all: readonly T[], by: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(by(one));
    if (group) group.push(one);
    else groups.set(by(one), [one]);
  }
  return groups;
}
