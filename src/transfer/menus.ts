/**
 * Menus of a source: a term with its links becomes one file, nested by their parents and sorted by their order. A link names
 * what it points at the way people would: by slug or path, and by id only where those lead elsewhere.
 */
import { printFields } from '../model/field.ts';
import { blankItem, menuItemFields, type MenuItemRecord, menuKeys, type MenuRecord } from '../model/menu.ts';
import { type MenuNode, printTarget, printTree, type Target, type TargetWords } from '../model/menu-tree.ts';
import type { PostType } from '../model/types.ts';
import { looseFile, targetWords, writeMenu } from '../domain/menus/menu-mapper.ts';
import type { Write } from '../store/types.ts';
import type { Census } from './inventory.ts';
import type { MenuLinkItem, TermItem } from './items.ts';
import type { Planned } from './planned.ts';
import type { Desk } from './write-context.ts';
import { termRecord } from './records.ts';
import { remark } from './source-scan.ts';

/**
 * The file of a menu.
 * @param links  those of this menu, in the order of the source
 * @param census  tells which slug is whose, and which locations other menus hold
 */
export function writeMenuItem(
  desk: Desk,
  item: TermItem,
  planned: Planned,
  links: readonly MenuLinkItem[],
  census: Census,
): Write {
  const { site, report } = desk;
  const path = `${planned.file}.yaml`;
  const locations = (item.locations ?? []).filter((name) => {
    const holder = census.locations.get(name);
    if (holder === undefined || holder === path) return true;
    remark(
      report,
      item,
      'changed',
      'location-taken',
      `the place ${name} shows ${holder} already`,
      `move ${name} to ${path} if that is meant`,
    );
    return false;
  });
  for (const name of locations) census.locations.set(name, path);
  const record: MenuRecord = {
    ...termRecord(desk, item, planned),
    path,
    locations,
    autoAdd: item.autoAdd ?? false,
    items: printTree(treeOf(desk, links, targetWords(site), census)),
  };
  return writeMenu(site, record);
}

/** The file of links that are in no menu. */
export function writeLooseItems(desk: Desk, links: readonly MenuLinkItem[], census: Census): Write {
  const items = printTree(treeOf(desk, links, targetWords(desk.site), census));
  return { path: looseFile, expect: null, data: { items }, order: menuKeys };
}

/** Whether what a link points at is there, or will be. */
export function hasTarget({ plan }: Desk, { itemType, target = '' }: MenuLinkItem): boolean {
  if (itemType === 'custom' || itemType === 'post_type_archive') return true;
  return (itemType === 'taxonomy' ? plan.terms : plan.posts).get(target)?.isGone === false;
}

function treeOf(desk: Desk, links: readonly MenuLinkItem[], words: TargetWords, census: Census): MenuNode[] {
  const { plan } = desk;
  const own = new Map<string, Readonly<Record<string, unknown>>>();
  for (const link of links) {
    const printed = printLink(desk, link, words, census);
    if (printed) own.set(link.key, printed);
  }
  const parents = parentsOf(desk, links, own);
  const children = new Map<string, MenuLinkItem[]>();
  for (const link of links) {
    if (!own.has(link.key)) continue;
    const key = parents.get(link.key) ?? '';
    const siblings = children.get(key);
    if (siblings) siblings.push(link);
    else children.set(key, [link]);
  }
  const nodes = (key: string, parent: number): MenuNode[] =>
    (children.get(key) ?? [])
      .sort((a, b) => a.order - b.order)
      .map((link) => {
        const id = plan.links.get(link.key)?.id as number;
        return { id, own: own.get(link.key) ?? {}, parent, order: link.order, children: nodes(link.key, id) };
      });
  return nodes('', 0);
}

/** Levels of a menu below its first; files are not nested without end. */
const mostNested = 50;

/** Link → the nearest one above it that is there. One that would close a circle stands at the top. */
function parentsOf(desk: Desk, links: readonly MenuLinkItem[], own: ReadonlyMap<string, unknown>): Map<string, string> {
  const byKey = new Map(links.map((link) => [link.key, link]));
  const parents = new Map<string, string>();
  for (const link of links) {
    const seen = new Set([link.key]);
    let above = link.parent ?? '';
    while (above !== '' && !own.has(above) && !seen.has(above)) {
      seen.add(above);
      above = byKey.get(above)?.parent ?? '';
    }
    if (!own.has(above)) continue;
    let top: string | undefined = above;
    while (top !== undefined && top !== link.key) top = parents.get(top);
    if (top === undefined) parents.set(link.key, above);
    else remark(desk.report, link, 'changed', 'parent-loop', 'it was below itself; here it stands at the top');
  }
  for (const link of links) {
    const way = [];
    for (let at = parents.get(link.key); at !== undefined; at = parents.get(at)) way.unshift(at);
    const above = way[mostNested - 1];
    if (above === undefined || way.length === mostNested) continue;
    parents.set(link.key, above);
    remark(desk.report, link, 'changed', 'menu-depth', `it stood ${way.length} deep; here the deepest is ${mostNested}`);
  }
  return parents;
}

/** An item as its file has it; null when what it points at is not there. */
function printLink(desk: Desk, link: MenuLinkItem, words: TargetWords, census: Census): Readonly<Record<string, unknown>> | null {
  const target = targetOf(desk, link, census);
  if (!target) return null;
  const record: MenuItemRecord = {
    ...blankItem(0, 0),
    ...target,
    status: link.status === 'draft' ? 'draft' : 'publish',
    title: link.title,
    excerpt: link.attrTitle ?? '',
    content: link.description ?? '',
    window: link.window ?? '',
    classes: (link.classes ?? []).filter((name) => name !== ''),
    xfn: (link.xfn ?? []).filter((name) => name !== ''),
    meta: link.meta ?? {},
  };
  const cx = { path: 'menus/x.yaml', mtimeMs: 0, zone: 'UTC', refs: desk.site.refs };
  return { ...printTarget(target, words), ...printFields(menuItemFields([]), { record, cx }) };
}

function targetOf(desk: Desk, link: MenuLinkItem, census: Census): Target | null {
  const { site, plan, naming, links } = desk;
  const { itemType } = link;
  if (itemType === 'custom') {
    const url = (link.url ?? '').trim();
    if (url === '')
      remark(desk.report, link, 'changed', 'menu-address', 'it points nowhere: its address is #', 'write what it is to point at');
    return { itemType, object: 'custom', ref: 0, url: url === '' ? '#' : links === null ? url : links.rewrite(url).text };
  }
  if (itemType === 'post_type_archive')
    return { itemType, object: naming.types.get(link.object) ?? link.object, ref: 0, url: '' };
  const planned = (itemType === 'taxonomy' ? plan.terms : plan.posts).get(link.target ?? '');
  if (!planned || planned.isGone) return null;
  const ref = itemType === 'taxonomy' ? site.refs.termRef(planned.of, planned.id) : postRef(desk, planned, census);
  return { itemType, object: planned.of, ref, url: '' };
}

/** By path in a hierarchy and among media, else by slug where that is nobody else's. */
function postRef({ site }: Desk, { of, id, slug }: Planned, census: Census): string | number {
  const type = site.types.get(of) as PostType;
  if (type.hierarchical || of === 'attachment') return site.refs.postRef(of, id);
  const placed = census.places.get(`${type.folder}/${slug}`.toLowerCase());
  return slug !== '' && census.slugs.get(`post:${of} ${slug}`) === id && (placed === undefined || placed === id) ? slug : id;
}
