/**
 * The life cycle of crops: one that an item is saved with belongs to that item. If the site says so, unused ones are deleted.
 *
 * Source: reference on media tools, "life cycle".
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import { planAttachment, planAttachmentDelete, writeAttachment } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { type Crop, type CropRecord, unused } from './record.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Lifetime of a crop in an unsaved form. */
const unsavedMs = 7 * dayMs;

/** Plans a new attachment like any upload, with module additions. @returns its id */
export function planPicture(site: PlanningSite, call: Call, sender: Actor, file: NewFile, own: NewInput): WritePlan {
  const names = site.types.get('attachment')?.extensionNames ?? ['attachment'];
  const { input, plan } = site.modules.extension(names).prepareWrite(own, site, call);
  return plan(planAttachment(site, sender, file, input));
}

type NewFile = Parameters<typeof planAttachment>[2];
type NewInput = { readonly title: string; readonly crop?: Crop };
type WritePlan = ReturnType<typeof planAttachment>;

/** The changes of crops that follow from a plan. Cost: nothing for writes without fields. */
export function cropChanges(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
  return changes.flatMap((change) => ('data' in change && Object.hasOwn(change.data, 'fields') ? saved(site, change) : []));
}

/** Deletes crops of unsaved forms, at start and once a day, if the site says so. */
export function clearCrops(site: Site): () => void {
  const clear = (): void => void site.store.faults.background('crops', () => clearOutdated(site));
  const timer = setInterval(clear, dayMs);
  timer.unref();
  clear();
  return () => clearInterval(timer);
}

export async function clearOutdated(site: Site): Promise<void> {
  if (!deletesUnused(site) || site.store.readOnly) return;
  const isOutdated = ({ crop }: CropRecord): boolean => !!crop && crop.created > 0 && crop.created < site.clock() - unsavedMs;
  for (const { id } of cropsAt(site, unused).filter(isOutdated))
    await site.write(() => {
      const present = site.posts.get(id) as CropRecord | undefined;
      // An item may have been saved with it meanwhile.
      return present && isOutdated(present) ? planAttachmentDelete(site, present) : { changes: [], result: null };
    });
}

function saved(site: Site, write: Write): readonly FileChange[] {
  // Revisions and terms own no crops.
  if (site.paths.find(write.path)?.kind !== 'post') return [];
  const item = itemOf(site, write);
  const named = new Set(idsIn(write.data.fields));
  const taken = [...named].flatMap((id) => {
    const media = site.posts.get(id) as CropRecord | undefined;
    if (!isAttachment(media) || !media.crop || media.crop.parent !== 0) return [];
    const crop = { ...media.crop, parent: item, tempKey: '', created: 0 };
    return [writeAttachment(site, { ...media, crop } as CropRecord, media)];
  });
  const left = deletesUnused(site) ? cropsAt(site, item).filter(({ id }) => !named.has(id)) : [];
  return [...taken, ...left.flatMap((media) => planAttachmentDelete(site, media).changes)];
}

/** Id of the written post or page. */
function itemOf(site: Site, { path, from = path, data }: Write): number {
  const known = [...site.posts.with('place', logicalPath(from))].find((id) => site.posts.get(id)?.path === from);
  return known ?? Number(data.id);
}

function cropsAt(site: Site, key: number | typeof unused): readonly CropRecord[] {
  return [...site.posts.with('crop', key)].flatMap((id) => (site.posts.get(id) as CropRecord | undefined) ?? []);
}

/** Every integer in a value; those that are not crops have no effect. */
function idsIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
}

function deletesUnused({ settings }: Site): boolean {
  return mapOf(settings.value('media_tools')).delete_unused === true;
}
