/** Unattached images in a post's fields are attached to it, so that uploads for a post are listed with it (recorded). */
import { same } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import { writeAttachment } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { postItems } from './location.ts';
import { readStored } from './nested-types.ts';
import type { WithFields } from './record.ts';
import { idOf, referencesIn } from './references.ts';
import { definitionsAt } from './values.ts';

/** Sidecars of images in the fields of written posts. Cost: nothing if no `fields` are written. */
export function attachedMedia(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
  const written = new Set(changes.flatMap((change) => ('path' in change ? [change.path] : [])));
  const attached = new Map<number, FileChange>();
  for (const change of changes) {
    if (!('data' in change) || !isMap(change.data.fields)) continue;
    const id = ownerOf(site, change);
    if (id === undefined) continue;
    for (const media of pictures(site, id, change.data.fields)) {
      if (media.parent !== 0 || media.id === id || written.has(media.path) || attached.has(media.id)) continue;
      attached.set(media.id, writeAttachment(site, { ...media, parent: id }, media));
    }
  }
  return [...attached.values()];
}

/** The id of the written post; a new one states it. */
function ownerOf(site: Site, { path, from, data }: Write): number | undefined {
  const row = site.paths.find(path);
  if (row?.kind !== 'post') return undefined;
  const place = from ?? path;
  const known = [...site.posts.with('place', logicalPath(place))].find((id) => site.posts.get(id)?.path === place);
  return known ?? (typeof data.id === 'number' ? data.id : undefined);
}

function pictures(site: Site, id: number, fields: WithFields['fields']) {
  const post = site.posts.get(id) as (PostRecord & WithFields) | undefined;
  // A new post has no record yet: any image field of any group counts.
  const definitions = post
    ? [...definitionsAt(site.fieldGroups, postItems.locate(post, site)).values()]
    : site.fieldGroups.flatMap((group) => group.fields);
  return definitions.flatMap((definition) => {
    const raw = fields[definition.name];
    if (raw === undefined || definition.kind.isPlain || same(raw, post?.fields[definition.name])) return [];
    return referencesIn(definition, readStored(raw, definition)).flatMap((reference) => {
      const media = reference.isImage ? site.posts.get(idOf(site, reference)) : undefined;
      return isAttachment(media) ? [media] : [];
    });
  });
}
