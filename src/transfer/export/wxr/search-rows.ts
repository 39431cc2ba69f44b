/**
 * What search engines are told of an item or term, as the rows by which the importing system knows it.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { isAttachment, uploadPath } from '../../../modules/content/attachments/record.ts';
import { isElsewhere, uploadUrl } from '../../../modules/media/library/view.ts';
import type { PostRecord } from '../../../modules/content/posts/record.ts';
import { isAddress, rowsOf } from '../../../modules/seo/metadata/index.ts';
import type { SeoPicture, WithSeo } from '../../../modules/seo/metadata/record.ts';
import type { TermRecord } from '../../../modules/content/terms/record.ts';

/** @param added  what modules add to the record; its `seo` becomes rows, with the addresses of pictures */
export function withSearchRows(
  site: Site,
  record: (PostRecord | TermRecord) & WithSeo,
  { seo, ...added }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (seo === undefined || record.seo === undefined) return added;
  const others = 'others' in record.seo ? { seo: record.seo.others } : {};
  const { image = '', cardImage = '' } = record.seo;
  const said = { ...record.seo, image: known(site, image), cardImage: known(site, cardImage) };
  return { ...added, ...others, ...rowsOf(said, (id) => pictureUrl(site, id)) };
}

/** A picture that a file names by its path, by the id that it has meanwhile. */
function known(site: Site, picture: SeoPicture): SeoPicture {
  const isPath = typeof picture === 'string' && picture !== '' && !isAddress(picture);
  return (isPath && site.refs.postId('attachment', picture)) || picture;
}

function pictureUrl(site: Site, id: number): string {
  const medium = site.posts.get(id);
  return isAttachment(medium) ? fileUrl(site, medium) : '';
}

export function fileUrl(site: Site, post: PostRecord): string {
  return isAttachment(post) && isElsewhere(site, post) ? post.fetch : uploadUrl(site, uploadPath(post));
}
