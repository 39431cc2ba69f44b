/**
 * Menus of a source: a term with its links becomes one file, nested by their parents and sorted by their order. A link names
 * what it points at the way people would: by slug or path, and by id only where those lead elsewhere.
 */
import { fileKeys, printFields } from '../../kernel/model/field.ts';
import { menuItemFields, menuKeys } from '../../modules/menus/fields.ts';
import { blankItem, type MenuItemRecord, type MenuRecord } from '../../modules/menus/record.ts';
import { type MenuNode, printTarget, printTree, type MenuTarget, type TargetWords } from '../../modules/menus/menu-tree.ts';
import type { PostType } from '../../modules/types/record.ts';
import { looseFile, targetWords, writeMenu } from '../../modules/menus/file.ts';
import type { Write } from '../../kernel/store/types.ts';
import { type Inventory, scopeOf } from './inventory.ts';
import type { MenuLinkItem, TermItem } from './items.ts';
import type { PlannedItem } from './planned-item.ts';
import { createReport } from './report.ts';
import type { WriteContext } from './write-context.ts';
import { withExtra } from './front-matter.ts';
import { withoutLanguage } from './language-keys.ts';
import { complete, inLanguage, termRecord } from './records.ts';
import { remark } from './source-scan.ts';

/**
 * The file of a menu.
 * @param links  those of this menu
 * @param inventory  tells which slug is whose, and which locations other menus hold
 */
export function writeMenuItem(
  context: WriteContext,
  said: TermItem,
  planned: PlannedItem,
  links: MenuLinks,
  inventory: Inventory,
): Write {
  const { site, report } = context;
  const item = withoutLanguage(context, said, planned);
  const path = `${planned.file}.yaml`;
  const locations = (item.locations ?? []).filter((name) => {
    const holder = inventory.locations.get(name);
    if (holder === undefined || holder === path) return true;
    remark(
      report,
      item,
      'changed',
      'location-taken',
      `the menu location ${name} is already used by ${holder}`,
      `move ${name} to ${path} if this menu should have it`,
    );
    return false;
  });
  for (const name of locations) inventory.locations.set(name, path);
  const record: MenuRecord = {
    ...termRecord(context, item, planned),
    path,
    locations,
    autoAdd: item.autoAdd ?? false,
    items: printTree(treeOf(context, links, targetWords(site), inventory)),
  };
  return inLanguage(context, said, planned, complete(context, item, writeMenu(site, record), ['nav_menu', 'term']));
}

/** Links of one menu. */
interface MenuLinks {
  /** In the order of the source. */
  readonly own: readonly MenuLinkItem[];
  /** Those that other parts of the site brought. */
  readonly known: readonly MenuLinkItem[];
}

/** The file of links that are in no menu. */
export function writeLooseItems(context: WriteContext, links: MenuLinks, inventory: Inventory): Write {
  const items = printTree(treeOf(context, links, targetWords(context.site), inventory));
  return { path: looseFile, expect: null, data: { items }, order: menuKeys };
}

/** Whether what a link points at is there, or will be. */
export function hasTarget(context: WriteContext, link: MenuLinkItem): boolean {
  if (link.itemType === 'custom' || link.itemType === 'post_type_archive') return true;
  return plannedTarget(context, link)?.isGone === false;
}

/** What a link points at, as a want of its menu, see `Line`. */
export function wantOf({ itemType, target = '', targetId }: MenuLinkItem): string {
  if (itemType !== 'taxonomy') return `post ${target}`;
  return targetId === undefined ? `term ${target}` : `number ${targetId}`;
}

function plannedTarget({ plan, ids, naming }: WriteContext, link: MenuLinkItem): PlannedItem | undefined {
  const { itemType, object, target, targetId } = link;
  if (itemType !== 'taxonomy') return plan.posts.get(target ?? '');
  if (target !== undefined || targetId === undefined) return plan.terms.get(target ?? '');
  const term = plan.termsById.get(ids.termId(targetId));
  return term?.of === (naming.taxonomies.get(object) ?? object) ? term : undefined;
}

function treeOf(given: WriteContext, { own: mine, known }: MenuLinks, words: TargetWords, inventory: Inventory): MenuNode[] {
  const { plan } = given;
  const idOf = ({ key }: MenuLinkItem): number => plan.links.get(key)?.id ?? 0;
  const isMine = new Set(mine.map(({ key }) => key));
  const rest = known.filter(({ key }) => !isMine.has(key));
  const links = rest.length === 0 ? mine : [...mine, ...rest].sort((a, b) => a.order - b.order || idOf(a) - idOf(b));
  // What there is to say of the others has been said.
  const context = rest.length === 0 ? given : { ...given, report: createReport() };
  const own = new Map<string, Readonly<Record<string, unknown>>>();
  for (const link of links) {
    const printed = printLink(isMine.has(link.key) ? given : context, link, words, inventory);
    if (printed) own.set(link.key, printed);
  }
  const parents = parentsOf(context, links, own);
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
function parentsOf(
  context: WriteContext,
  links: readonly MenuLinkItem[],
  own: ReadonlyMap<string, unknown>,
): Map<string, string> {
  const byKey = new Map(links.map((link) => [link.key, link]));
  // Where two of a source have one id, whose keys differ, the one in the same menu is meant.
  const byId = new Map(links.map(({ id, key }) => [String(id), key]));
  const keyAbove = (link: MenuLinkItem | undefined): string => {
    const key = link?.parent ?? '';
    return byKey.has(key) ? key : (byId.get(key) ?? '');
  };
  const parents = new Map<string, string>();
  for (const link of links) {
    const seen = new Set([link.key]);
    let above = keyAbove(link);
    while (above !== '' && !own.has(above) && !seen.has(above)) {
      seen.add(above);
      above = keyAbove(byKey.get(above));
    }
    if (!own.has(above)) continue;
    let top: string | undefined = above;
    while (top !== undefined && top !== link.key) top = parents.get(top);
    if (top === undefined) parents.set(link.key, above);
    else remark(context.report, link, 'changed', 'parent-loop', 'it was its own ancestor; here it is at the top level');
  }
  for (const link of links) {
    const way = [];
    for (let at = parents.get(link.key); at !== undefined; at = parents.get(at)) way.unshift(at);
    const above = way[mostNested - 1];
    if (above === undefined || way.length === mostNested) continue;
    parents.set(link.key, above);
    remark(context.report, link, 'changed', 'menu-depth', `it was nested ${way.length} deep; the limit is ${mostNested}`);
  }
  return parents;
}

/** An item as its file has it; null when what it points at is not there. */
function printLink(
  context: WriteContext,
  link: MenuLinkItem,
  words: TargetWords,
  inventory: Inventory,
): Readonly<Record<string, unknown>> | null {
  const target = targetOf(context, link, inventory);
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
  const path = 'menus/x.yaml';
  const fields = menuItemFields(context.site);
  const cx = { path, mtimeMs: 0, zone: 'UTC', refs: context.site.refs };
  const data = { ...printTarget(target, words), ...printFields(fields, { record, cx }) };
  return withExtra(context, link, data, { path, known: fileKeys(fields), names: ['nav_menu_item'] });
}

function targetOf(context: WriteContext, link: MenuLinkItem, inventory: Inventory): MenuTarget | null {
  const { site, naming, links } = context;
  const { itemType } = link;
  if (itemType === 'custom') {
    const url = (link.url ?? '').trim();
    if (url === '') remark(context.report, link, 'changed', 'menu-address', 'it has no target: its URL is # here', 'set its URL');
    return { itemType, object: 'custom', ref: 0, url: url === '' ? '#' : links === null ? url : links.rewrite(url).text };
  }
  if (itemType === 'post_type_archive')
    return { itemType, object: naming.types.get(link.object) ?? link.object, ref: 0, url: '' };
  const planned = plannedTarget(context, link);
  if (!planned || planned.isGone) return null;
  const ref = itemType === 'taxonomy' ? site.refs.termRef(planned.of, planned.id) : postRef(context, planned, inventory);
  return { itemType, object: planned.of, ref, url: '' };
}

/** By path in a hierarchy and among media, else by slug where that is nobody else's. */
function postRef({ site, naming }: WriteContext, { of, id, slug, lang }: PlannedItem, inventory: Inventory): string | number {
  const type = site.types.get(of) as PostType;
  if (type.hierarchical || of === 'attachment') return site.refs.postRef(of, id);
  const placed = inventory.places.get(`${type.folder}/${slug}`.toLowerCase());
  return slug !== '' &&
    inventory.slugs.get(`${scopeOf(naming.model, 'post', of, '', lang)} ${slug}`) === id &&
    (placed === undefined || placed === id)
    ? slug
    : id;
}
