/**
 * What turning items into files needs, and what is said where something the item names is not to be had.
 */
import { parentPath } from '../../kernel/model/logical-path.ts';
import type { Account } from '../../modules/people/users/record.ts';
import type { Naming } from './declarations.ts';
import type { ContentKind, SourceItem, PostItem, TermItem, UserItem } from './items.ts';
import type { ImportLanguages } from './site-languages.ts';
import type { IdRewriter } from './id-rewriter.ts';
import type { LinkRewriter } from './links.ts';
import type { ImportPlan } from './plan.ts';
import { isBelow, type PlannedItem } from './planned-item.ts';
import type { ImportLog } from './report.ts';
import type { PlannedSite } from './planned-site.ts';
import { remark } from './source-scan.ts';
import type { UnknownShortcodes } from './unknown-shortcodes.ts';

/** What turning items into files needs. */
export interface WriteContext {
  readonly site: PlannedSite;
  readonly naming: Naming;
  readonly plan: ImportPlan;
  /** Null on a site without languages. */
  readonly languages: ImportLanguages | null;
  readonly report: ImportLog;
  /** Who imports: the first administrator of the site; undefined for a site without any. */
  readonly importer: Account | undefined;
  /** Null: links stay as they are. */
  readonly links: LinkRewriter | null;
  readonly ids: IdRewriter;
  /** What the item that is being printed names and what is not there, see `Line`. */
  readonly unmet: string[];
  readonly shortcodes: UnknownShortcodes;
  /** See `Source.hasSiteTime`. */
  readonly hasSiteTime: boolean;
  /** Markup → Markdown, or null where it would not be the same; absent: everything stays markup. */
  readonly toMarkdown?: ((markup: string) => string | null) | undefined;
}

/** The id of what an item names by its key; 0 for none. */
export function refTo(
  context: WriteContext,
  item: SourceItem,
  what: string,
  map: ReadonlyMap<string, PlannedItem>,
  key: string | undefined,
): number {
  if (key === undefined || key === '') return 0;
  const planned = map.get(key);
  if (!planned) reportUnknownReference(context, item, what, key, map === context.plan.users ? 'user' : 'post');
  return planned && !planned.isGone ? planned.id : 0;
}

export function reportUnknownReference(
  context: WriteContext,
  item: SourceItem,
  what: string,
  key: string,
  kind: ContentKind = 'post',
): void {
  context.unmet.push(`${kind} ${key}`);
  remark(context.report, item, 'lost', 'unknown-reference', `its ${what} (${key}) is not in the source`);
}

export function reportParent(
  context: WriteContext,
  item: SourceItem,
  planned: PlannedItem,
  parent: PlannedItem | undefined,
): void {
  if (planned.isCut)
    remark(context.report, item, 'changed', 'parent-loop', 'it was its own ancestor; here it is at the top level');
  else if (!parent) reportUnknownReference(context, item, 'parent', 'parent' in item ? String(item.parent) : '', planned.kind);
  else if (!parent.isGone)
    remark(context.report, item, 'changed', 'parent-elsewhere', 'its parent belongs to another post or taxonomy');
}

export function reportPostParent(context: WriteContext, item: PostItem, planned: PlannedItem): void {
  const { site, plan, report } = context;
  if (!item.parent) return;
  if (planned.parent === null) {
    reportParent(context, item, planned, plan.posts.get(item.parent));
    return;
  }
  if (planned.of === 'attachment') return;
  if (!site.types.get(planned.of)?.hierarchical) {
    remark(report, item, 'lost', 'no-field', `items of the type ${planned.of} cannot have a parent`);
    return;
  }
  const isAway =
    planned.existing !== null && isBelow(site.types, planned) && parentPath(planned.existing.path) !== planned.parent.place;
  if (isAway && parentPath((planned.existing as { path: string }).path) !== site.types.get(planned.of)?.folder)
    remark(
      report,
      item,
      'changed',
      'moved',
      'its parent is not the page of the folder it is in',
      `move ${planned.existing?.path} if the parent is right`,
    );
}

export function reportSlug(context: WriteContext, item: PostItem | TermItem | UserItem, planned: PlannedItem): void {
  if (item.slug !== '' && planned.slug !== item.slug)
    remark(
      context.report,
      item,
      'changed',
      'slug',
      `slug changed from ${JSON.stringify(item.slug)} to ${JSON.stringify(planned.slug)}`,
    );
}
