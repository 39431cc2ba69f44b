/** References to posts: the path below the folder of the type, without the extension, except for media. */
import type { References } from '../../../kernel/model/field.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { isMedia, uploadOf } from '../../../kernel/store/paths.ts';
import type { SiteKernel } from '../../../kernel/site/hooks.ts';
import { placeBelow, placeNamed } from '../../types/record.ts';
import type { Site } from '../../../kernel/site/site.ts';

export function createPostReferences(site: Site, kernel: Pick<SiteKernel, 'noteEffect'>): Pick<References, 'postId' | 'postRef'> {
  const foldersOf = (type: string): readonly string[] =>
    type === '' ? [''] : (site.types.get(type)?.folders ?? []).map((folder) => `${folder}/`);
  return {
    postId(type, ref, reader) {
      if (typeof ref === 'number') return ref;
      const place = placeNamed(ref);
      let id: number | undefined;
      for (const folder of foldersOf(type)) if (id === undefined) [id] = site.posts.with('place', folder + place);
      if (id === undefined && type === 'attachment' && isMedia(ref))
        for (const beside of site.posts.with('place', place)) if (site.posts.get(beside)?.type === type) return beside;
      if (id === undefined && reader !== undefined) {
        kernel.noteEffect();
        site.media.awaitAt(place, reader);
      }
      return id ?? 0;
    },
    postRef(type, id) {
      const post = site.posts.get(id);
      if (post?.type === 'attachment') return uploadOf(logicalPath(post.path));
      return (post && placeBelow(site.types.get(type), post.path)) ?? id;
    },
  };
}
