/**
 * The site as makers of addresses know it (`modules/permalinks/record.ts`), over parsed files: a folder is judged as it stands, so there
 * is no record of what the server would not serve either.
 */
import type { Draft, FileContext, References } from '../kernel/model/field.ts';
import { isId } from '../kernel/model/ids.ts';
import { createSettings } from '../kernel/site/settings.ts';
import type { Site } from '../kernel/site/site.ts';
import type { Entry } from '../kernel/store/types.ts';
import { createLanguages } from '../modules/languages/languages.ts';
import { blankPost, type PostRecord, settlePost } from '../modules/posts/record.ts';
import type { Declarations } from './declarations.ts';
import type { ParsedFile } from './parsed-file.ts';

export interface FileSiteSetup {
  readonly model: Declarations;
  /** `site.yaml`. */
  readonly entry: Entry | undefined;
  readonly zone: string;
  /** The file that an item stands below. */
  above(item: ParsedFile): ParsedFile | undefined;
  /** @param ref  id, or path below the folder of the type */
  named(type: string, ref: string | number): ParsedFile | undefined;
}

export interface FileSite {
  /** Terms and users are not in it: what is made of their names is not known from a file alone. */
  readonly site: Site;
  /** What addresses are made of; its id is the file's own where it says one, else one that no file has. */
  recordOf(item: ParsedFile): PostRecord;
}

export function createFileSite({ model, entry, zone, above, named }: FileSiteSetup): FileSite {
  const settings = createSettings(model.settings, entry);
  const records = new Map<ParsedFile, PostRecord>();
  const byId = new Map<number, PostRecord>();
  const types = new Map(model.types.map((type) => [type.name, type]));

  function recordOf(item: ParsedFile): PostRecord {
    const known = records.get(item);
    if (known) return known;
    const stated = item.entry.data.id;
    const id = isId(stated) && !byId.has(stated) ? stated : -records.size - 1;
    const { path, mtimeMs } = item.entry;
    const parent = types.get(item.of)?.hierarchical ? above(item) : undefined;
    const record = { ...blankPost(id, item.of), ...item.draft, id, slug: item.slug, parent: 0 } as Draft<PostRecord>;
    if (!record.date) settlePost(record, { path, mtimeMs, zone } as FileContext, model.statuses);
    records.set(item, record as PostRecord);
    byId.set(id, record as PostRecord);
    if (parent) record.parent = recordOf(parent).id;
    return record as PostRecord;
  }

  const none = { get: () => undefined };
  const site = {
    ...{ modules: model.modules, statuses: model.statuses, settings, types, terms: none, users: none },
    taxonomies: new Map(model.taxonomies.map((taxonomy) => [taxonomy.name, taxonomy])),
    posts: { get: (id: number) => byId.get(id) },
    refs: {
      postId(type, ref) {
        const item = named(type, ref);
        return item ? recordOf(item).id : 0;
      },
    } as References,
    languages: createLanguages({ settings }),
    // Which items stand for the front page in other languages is for whoever knows all groups.
    translations: { idIn: () => 0 },
  };
  return { site: site as unknown as Site, recordOf };
}
