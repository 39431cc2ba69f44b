/**
 * What relative addresses may mean: told from the files of a folder, or from a site in service.
 */
import { isAttachment } from '../modules/content/attachments/record.ts';
import { logicalPath } from '../kernel/model/logical-path.ts';
import { lookUp } from '../modules/content/permalinks/resolve-url.ts';
import { prettyLink } from '../modules/content/permalinks/record.ts';
import { isMedia, isPath, mediaFolder, originalOf, uploadOf, uploadsRoot } from '../kernel/store/paths.ts';
import { byName, wikiKey, wikiTarget } from '../modules/content/relative-links/record.ts';
import type { Site } from '../kernel/site/site.ts';
import type { Content } from './declarations.ts';
import type { FolderAddresses } from './addresses.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Surroundings, NamedTarget } from './relative-links.ts';

const isText = /(?:^|\/)[^./]*$|\.(?:md|markdown|html?)$/i;

export function surroundingsOf(
  { entries, blobs, others = [] }: Content,
  addresses: FolderAddresses,
  isServed: (path: string) => boolean,
  wiki: ((name: string) => boolean) | null,
): Surroundings {
  const files = new Set([...entries, ...blobs].map(({ path }) => path).concat(others));
  /** Null where several files have one name. */
  const byName = new Map<string, string | null>();
  for (const path of files) {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    byName.set(name, byName.has(name) ? null : path);
  }
  return {
    at(path) {
      const item = isText.test(path) ? addresses.at(logicalPath(path)) : null;
      if (item) return item;
      return files.has(path) ? fileAt(path, isServed) : null;
    },
    named: (name) => byName.get(name.toLowerCase()) ?? undefined,
    isPage: (address) => addresses.find(address, '').kind === 'there',
    isNamed: (name) => wiki?.(name) ?? null,
  };
}

/** The same of a site in service; other files of a name are not looked for. */
export function surroundingsIn(site: Site): Surroundings {
  return {
    at(path) {
      for (const id of isText.test(path) ? site.posts.with('place', logicalPath(path)) : []) {
        const post = site.posts.get(id);
        if (post && !isAttachment(post)) return { path: post.path, address: prettyLink(site, post) };
      }
      const isServed = (file: string): boolean => site.posts.with('place', file).size > 0;
      return isPath(path) && site.store.locate(path) !== null ? fileAt(path, isServed) : null;
    },
    named: () => undefined,
    isPage: (address) => lookUp(site, address, {}) !== null,
    isNamed: (name) => (site.settings.value(wikiKey) === true ? byName(site, name) !== undefined : null),
  };
}

/** What wiki links of a folder may name. @param blobs  that are served */
export function wikiNames(parsedFiles: readonly ParsedFile[], blobs: Content['blobs']): (name: string) => boolean {
  const slugs = new Set(parsedFiles.flatMap(({ kind, slug }) => (kind === 'post' ? [slug] : [])));
  const files = blobs.map(({ path }) => `/${uploadOf(path)}`.toLowerCase());
  const known = new Map<string, boolean>();
  return (name) => {
    const target = wikiTarget(name);
    if ('slug' in target) return slugs.has(target.slug);
    const is = known.get(target.file) ?? files.some((file) => file.endsWith(target.file));
    known.set(target.file, is);
    return is;
  };
}

function fileAt(path: string, isServed: (path: string) => boolean): NamedTarget {
  const original = isMedia(path) ? originalOf(path) : path;
  if (!path.startsWith(mediaFolder) && !(isMedia(path) && isServed(original))) return { path };
  return { path: original, address: encodeURI(`${uploadsRoot}/${uploadOf(original)}`) };
}
