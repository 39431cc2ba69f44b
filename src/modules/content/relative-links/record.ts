/**
 * Links and images relative to a text's file (`./pic.png`, `../other.md#part`), and `[[wiki links]]` if `site.yaml` enables them. The file keeps them
 * as written; the rendered text has URLs. Broken links stay, and `cms validate` says why. If media are in other folders (`static/`), their
 * root-relative URLs work the same: `/images/cat.png`.
 */
import { codeIn, within } from '../../../render/body-ranges.ts';
import { hasRelative, linksIn } from '../../../render/body-links.ts';
import { logicalPath, slugOfPath } from '../../../kernel/model/logical-path.ts';
import { decoded, slugify } from '../../../kernel/model/slugs.ts';
import { isMedia, uploadOf, uploadsRoot } from '../../../kernel/store/paths.ts';
import { linkOf } from '../permalinks/record.ts';
import { isAttachment } from '../attachments/record.ts';
import type { PostRecord } from '../posts/record.ts';
import type { Site } from '../../../kernel/site/site.ts';

export const wikiKey = 'wiki_links';

/** A file reference in a text. */
interface Named {
  readonly at: number;
  readonly length: number;
  /** A path of the content folder, without query and fragment; for a wiki link its name. */
  readonly name: string;
  readonly isRooted?: true;
  /** Query and fragment. */
  readonly rest: string;
  /** For a wiki link: its label, and whether it is an image. */
  readonly wiki?: { readonly label: string; readonly isShown: boolean };
}

/** A text with URLs; `addressed` identifies the set of URLs. */
export interface Addressed {
  readonly content: string;
  readonly addressed: string;
}

type Text = Pick<PostRecord, 'path' | 'kind' | 'content'>;

const known = new WeakMap<object, { readonly isWiki: boolean; readonly named: readonly Named[] }>();

/** Null for a text without references. Cost: one scan of the text. @param key  cache key of the text */
export function withAddresses(site: Site, key: object, text: Text): Addressed | null {
  const named = namedIn(site, key, text);
  if (named.length === 0) return null;
  let content = '';
  let from = 0;
  const addresses: string[] = [];
  for (const one of named) {
    const address = addressOf(site, text.path, one);
    addresses.push(address ?? '');
    if (address === undefined) continue;
    content += text.content.slice(from, one.at) + printed(one, address + one.rest);
    from = one.at + one.length;
  }
  return { content: content + text.content.slice(from), addressed: `>${addresses.join('>')}` };
}

/** Whether a rendered text depends on the URLs of others. */
export function namesOthers(site: Site, key: object, text: Text): boolean {
  return namedIn(site, key, text).length > 0;
}

function namedIn(site: Site, key: object, text: Text): readonly Named[] {
  const isWiki = text.kind === 'md' && site.settings.value(wikiKey) === true;
  const before = known.get(key);
  if (before?.isWiki === isWiki) return before.named;
  // The text is read only now: it may still be on disk.
  const named = find(text.path, text.kind, text.content, {
    isWiki,
    isRooted: (site.types.get('attachment')?.folders.length ?? 0) > 1,
  });
  known.set(key, { isWiki, named });
  return named;
}

const none: readonly Named[] = [];

interface Ways {
  readonly isWiki: boolean;
  readonly isRooted: boolean;
}

function find(path: string, kind: PostRecord['kind'], content: string, { isWiki, isRooted }: Ways): readonly Named[] {
  const isRelative = isRooted || hasRelative(content);
  const hasWiki = isWiki && content.includes('[[');
  if (kind === 'yaml' || path === '' || (!isRelative && !hasWiki)) return none;
  const code = kind === 'md' ? codeIn(content) : [];
  const links = isRelative
    ? linksIn(content, kind, [], code).flatMap((link) => relativeOf(link, path) ?? ((isRooted && rootedOf(link)) || []))
    : [];
  const wikis = hasWiki ? wikiLinks(content, within(code)) : [];
  const all = [...links, ...wikis].sort((a, b) => a.at - b.at);
  let end = 0;
  return all.filter(({ at, length }) => {
    if (at < end) return false;
    end = at + length;
    return true;
  });
}

/** URLs with a scheme, root-relative ones, fragments, and placeholders of front ends. */
const settled = /^(?:[a-z][a-z0-9+.-]*:|[/#?&\\]|$)|\{\{|\{%|<%|\$\{|%7B/i;

function relativeOf({ at, length, address, isLoose }: ReturnType<typeof linksIn>[number], path: string): Named | null {
  const target = address.trim();
  if (settled.test(target) || (isLoose && !/^\.{1,2}\//.test(target))) return null;
  const [, written = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  const name = resolve(path, decoded(written).replaceAll('\\', '/'));
  return name === null ? null : { at, length, name, rest };
}

/** Media by root-relative URLs other than the standard ones. */
function rootedOf({ at, length, address }: ReturnType<typeof linksIn>[number]): Named | null {
  const [, written = '', rest = ''] = /^\/(?![/\\])([^?#]*)(.*)$/s.exec(address.trim()) ?? [];
  const name = resolve('', decoded(written));
  if (name === null || !isMedia(`x/${name}`) || `/${name}`.startsWith(`${uploadsRoot}/`)) return null;
  return { at, length, name, rest, isRooted: true };
}

/** A path of the content folder; null outside of it. @param from  path of the file that contains it */
function resolve(from: string, path: string): string | null {
  const segments = from.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}

/** Names contain no brackets, as in the programs that such links come from. */
const wiki = /(!?)\[\[([^[\]|#\n]{1,400})(#[^[\]|\n]{1,400})?(?:\|([^\]\n]{1,400}))?\]\]/g;

/** The wiki links of a Markdown text, with positions. */
export function wikiNamesIn(content: string): readonly Pick<Named, 'at' | 'length' | 'name'>[] {
  return content.includes('[[') ? wikiLinks(content, within(codeIn(content))) : [];
}

/** The target of a wiki link: an image by file name, optionally with folders, or the slug of an item. */
export function wikiTarget(name: string): { readonly file: string } | { readonly slug: string } {
  if (isMedia(`x/${name}`)) return { file: `/${name.toLowerCase()}` };
  return { slug: slugOfPath(`posts/x/${name.replace(/\.md$/, '')}.md`) };
}

function wikiLinks(content: string, isCode: (at: number) => boolean): Named[] {
  return [...content.matchAll(wiki)].flatMap((found): Named[] => {
    const [whole, mark = '', name = '', part = '', label] = found;
    if (isCode(found.index)) return [];
    const rest = part === '' ? '' : `#${slugify(part.slice(1))}`;
    const shown = label ?? `${name.replace(/^.*\//, '')}${part}`;
    return [{ at: found.index, length: whole.length, name: name.trim(), rest, wiki: { label: shown, isShown: mark === '!' } }];
  });
}

function addressOf(site: Site, path: string, { name, isRooted, wiki: isWiki }: Named): string | undefined {
  if (isWiki) return byName(site, name);
  if (isRooted || isMedia(name)) {
    const media = site.posts.get(site.refs.postId('attachment', isRooted ? name : uploadOf(name)));
    return isAttachment(media) ? fileAddress(media) : undefined;
  }
  if (!/(?:^|\/)[^./]*$|\.(?:md|markdown|html?)$/i.test(name)) return undefined;
  for (const id of site.posts.with('place', logicalPath(name))) {
    const post = site.posts.get(id);
    if (post && !isAttachment(post) && post.path !== path) return linkOf(site, post, false);
  }
  return undefined;
}

/** An item or image by file name; folders may disambiguate. */
export function byName(site: Site, name: string): string | undefined {
  const target = wikiTarget(name);
  const slug = 'slug' in target ? target.slug : slugify(name.replace(/^.*\/|\.[^.]*$/g, ''));
  for (const id of site.posts.with('slug', slug)) {
    const post = site.posts.get(id);
    if (!post || isAttachment(post) !== 'file' in target) continue;
    if ('file' in target && !`/${uploadOf(logicalPath(post.path))}`.toLowerCase().endsWith(target.file)) continue;
    return isAttachment(post) ? fileAddress(post) : linkOf(site, post, false);
  }
  return undefined;
}

function fileAddress({ path }: PostRecord): string {
  return `${uploadsRoot}/${uploadOf(logicalPath(path)).split('/').map(encodeName).join('/')}`;
}

/** Also encodes what would end a URL in Markdown. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function printed({ wiki: found }: Named, address: string): string {
  if (!found) return address;
  return `${found.isShown ? '!' : ''}[${found.label.replace(/[[\]\\]/g, '\\$&')}](${address})`;
}
