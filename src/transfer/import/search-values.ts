/**
 * What search engines are told of an item, where its source has it as rows of meta: on a site that knows it, one key of the file.
 */
import { mapOf } from '../../kernel/model/maps.ts';
import { uploadsRoot } from '../../kernel/store/paths.ts';
import { isAddress, printedKey, rowsOfOthers, valuesInRows } from '../../modules/seo/metadata/index.ts';
import type { SeoPicture } from '../../modules/seo/metadata/record.ts';
import type { PostItem, TermItem } from './items.ts';
import type { PlannedItem } from './planned-item.ts';
import { reportUnknownReference, type WriteContext } from './write-context.ts';

const key = 'seo';

/** An item whose meta has the key instead of the rows; the ids in it are those of this site. A row that no value takes stays. */
export function withSearchValues<T extends PostItem | TermItem>(context: WriteContext, item: T, planned: PlannedItem): T {
  const { site, plan, ids } = context;
  const names = item.kind === 'term' ? [planned.of, 'term'] : extensionNames(site, planned.of);
  if (!item.meta || site.modules.extension(names).fields[key] === undefined) return item;
  const known = (what: string, id: number, found: PlannedItem | undefined): number => {
    if (id > 0 && !found) reportUnknownReference(context, item, what, String(id));
    return found && !found.isGone ? found.id : 0;
  };
  const others = rowsOfOthers(item.meta);
  const said = valuesInRows(
    { ...others.rows, ...item.meta },
    {},
    {
      hasTaxonomy: (name) => site.taxonomies.has(name),
      picture: (id) => known('picture for social networks', id, ofKind(plan.posts.get(String(id)), 'attachment')),
      term: (taxonomy, id) => known(`primary ${taxonomy}`, id, ofKind(plan.termsById.get(ids.termId(id)), taxonomy)),
    },
  );
  if (said.names.length === 0) return item;
  const { image, cardImage } = said.changes as Readonly<Record<'image' | 'cardImage', SeoPicture>>;
  const values = {
    ...said.changes,
    ...addressesHere(context, said.changes, planned),
    image: pictureHere(context, image),
    cardImage: pictureHere(context, cardImage),
  };
  const taken = new Set([...said.names, ...others.names]);
  const rest = Object.fromEntries(Object.entries(item.meta).filter(([name]) => !taken.has(name)));
  const printed = { ...mapOf(rest[key]), ...mapOf(printedKey(values, site.refs)) };
  return { ...item, meta: Object.keys(printed).length === 0 ? rest : { ...rest, [key]: printed } };
}

/** What modules call items of a type. */
export function extensionNames({ types }: WriteContext['site'], type: string): readonly string[] {
  return types.get(type)?.extensionNames ?? [type];
}

function ofKind(found: PlannedItem | undefined, of: string): PlannedItem | undefined {
  return found?.of === of ? found : undefined;
}

/** Addresses on the old site where they lead now; none for the one that the item has anyway. */
function addressesHere(
  { links }: WriteContext,
  { canonical, redirect }: Readonly<Record<string, unknown>>,
  { address }: PlannedItem,
): Readonly<Record<string, unknown>> {
  const here = (said: unknown): unknown => (typeof said === 'string' && links !== null ? links.rewrite(said).text : said);
  const own = here(canonical);
  return {
    ...(canonical === undefined ? {} : { canonical: own === address?.[1] ? '' : own }),
    ...(redirect === undefined ? {} : { redirect: here(redirect) }),
  };
}

/** A picture by its address on the old site is a medium here, where that has come along. */
function pictureHere({ site, links }: WriteContext, picture: SeoPicture): SeoPicture {
  if (typeof picture === 'number' || !isAddress(picture) || links === null) return picture;
  const { text } = links.rewrite(picture);
  const folder = `${uploadsRoot}/`;
  return (text.startsWith(folder) && site.refs.postId('attachment', text.slice(folder.length))) || text;
}
