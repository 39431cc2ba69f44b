/**
 * What a translated text leads to: links to items that there are in its language lead to those, and blocks show the pictures of it.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { blockTypes } from '../../../render/block-types.ts';
import { delimiters } from '../../../render/blocks.ts';
import { postAt } from '../../content/permalinks/index.ts';
import { prettyLink } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';

/** Addresses in attributes, in links of Markdown and their definitions, and in attributes of blocks. */
const addresses = /(\s(?:href|src)\s*=\s*["']|\]\(<?|^\[[^\]\n]+\]:[ \t]*<?|"(?:url|href|mediaLink)"\s*:\s*")([^"'<>\s)]+)/gim;

export function translateLinks(site: Site, text: string, code: string): string {
  const found = text.replace(addresses, (all, before: string, address: string) => {
    const [, path = '', rest = ''] = /^([^?#]*)([?#].*)?$/.exec(address) ?? [];
    const translated = translatedAddress(site, path, code);
    return translated === null ? all : `${before}${translated}${rest}`;
  });
  return translateMedia(site, found, code);
}

/** The address of the translation of what is at an address of the site, in the same form; null: there is none. */
function translatedAddress(site: Site, address: string, code: string): string | null {
  const isAbsolute = address.startsWith(`${site.url}/`);
  if (!isAbsolute && !/^\/(?!\/)/.test(address)) return null;
  const path = isAbsolute ? address.slice(site.url.length) : address;
  const post = postAt(site, `${site.url}${path}`);
  if (!post) return null;
  const other = site.posts.get(site.translations.idIn('posts', post.id, code));
  if (!other || other.id === post.id || other.slug === '') return null;
  // Links to drafts use their future URL.
  const link = prettyLink(site, other);
  return isAbsolute ? site.url + link : link;
}

function translateMedia(site: Site, text: string, code: string): string {
  const own = (id: number): number => {
    const media: PostRecord | undefined = site.posts.get(id);
    return media?.type === 'attachment' ? site.translations.idIn('posts', id, code) || id : id;
  };
  let out = '';
  let done = 0;
  for (const { start, end, kind, name } of delimiters(text)) {
    if (kind === 'close' || blockTypes.get(name)?.holds !== 'media') continue;
    out += text.slice(done, start);
    out += text
      .slice(start, end)
      .replace(/("(?:id|mediaId)"\s*:\s*)(\d+)/g, (_, key: string, id: string) => key + own(Number(id)));
    done = end;
  }
  return (out + text.slice(done)).replace(
    /\b((?:cms|wp)-image-)(\d+)\b/g,
    (_, name: string, id: string) => name + own(Number(id)),
  );
}
