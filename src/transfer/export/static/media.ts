/**
 * Media files of a static export: those that an exported answer names, and the originals behind them.
 */
import { filesOf } from '../../../modules/media/library/view.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isAttachment } from '../../../modules/content/attachments/record.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import type { ExportFolder } from './folder.ts';
import { decodedPath } from '../../../kernel/model/slugs.ts';

/** Makes the sizes of every picture, so that answers tell what there is: a size that is not made yet has no bytes. */
export async function makeSizes(site: Site, step: () => Promise<void>): Promise<void> {
  for (const id of site.posts.with('type', 'attachment')) {
    const media = site.posts.get(id);
    if (isAttachment(media)) await site.media.make(media);
    await step();
  }
}

/** Paths below the uploads that a text names. */
export function* mediaIn(text: string): Generator<string> {
  for (const [, path = ''] of text.matchAll(named)) {
    const meant = decodedPath(path);
    // An address that cannot be decoded names nothing.
    if (meant !== undefined) yield meant;
  }
}

/** Copies the files at these paths and, of pictures, everything that stands for them. */
export async function copyMedia(
  site: Site,
  paths: ReadonlySet<string>,
  folder: ExportFolder,
  step: () => Promise<void>,
): Promise<void> {
  const wanted = new Set(paths);
  for (const id of site.posts.with('type', 'attachment')) {
    const media = site.posts.get(id);
    if (!isAttachment(media)) continue;
    const files = filesOf(site, media);
    if (files.some((file) => paths.has(file))) for (const file of files) wanted.add(file);
  }
  for (const path of [...wanted].sort()) {
    const served = isPlain(path) ? await site.media.serve(path) : null;
    if (served) folder.copy(`${uploadsRoot.slice(1)}/${path}`, served);
    await step();
  }
}

/** As they stand in markup and in JSON. */
const named = new RegExp(`${uploadsRoot}/([^\\s"'\\\\<>()?#,&]+)`, 'g');

function isPlain(path: string): boolean {
  return path.split('/').every((part) => part !== '' && !part.startsWith('.')) && !path.includes('\\');
}
