/** Public content as Markdown: the source with links as URLs; texts of blocks or markup, and filtered ones, as HTML, which Markdown may contain. */
import type { Page, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { decodeEntities } from '../../../render/text.ts';
import { lookUp } from '../../content/permalinks/index.ts';
import { chosenPage, homeOf, isPublic, linkOf } from '../../content/permalinks/record.ts';
import { splitPath } from '../../../kernel/rest/address-prefix.ts';
import { isTitledByText, type PostRecord, isProtected } from '../../content/posts/record.ts';
import { withAddresses } from '../../content/relative-links/record.ts';
import type { PostType } from '../../types/record.ts';
import { createPageCache, type Document } from '../page-cache/index.ts';
import { isListed, publicView } from '../sitemaps/index.ts';

export const markdownPagesKey = 'markdown_pages';
const markdown = 'text/markdown; charset=UTF-8';
/** Items per type in the list, newest first. */
const mostListed = 1000;
const listAddress = '/llms.txt';
const homeFile = '/index.md';

/** `/hello.md` of every page that is served as Markdown, and the list of them. Items with a number for an address have none. */
export function* markdownAddresses(site: Site): Generator<string> {
  if (site.settings.value(markdownPagesKey) !== true) return;
  yield listAddress;
  for (const type of listedTypes(site))
    for (const post of publicPosts(site, type)) {
      const path = markdownOf(pathOf(site, post));
      if (!isProtected(post) && !path.includes('?')) yield path;
    }
}

export function createMarkdownPages(site: Site): (url: string, visit: Visit) => Promise<Page | null> {
  const cache = createPageCache(site);
  return async (url, { headers }) => {
    if (site.settings.value(markdownPagesKey) !== true) return null;
    const [path = '/'] = url.split('?');
    if (path === listAddress)
      return site.discovery.some((source) => source.hidesSite?.()) ? null : cache.at('list', () => list(site));
    const asked = askedFor(path, headers.accept);
    const post = asked === null ? null : postAt(site, asked);
    return post && cache.at(`post ${post.id}`, () => pageOf(site, post));
  };
}

/** Whether a client prefers Markdown to HTML. */
function prefersMarkdown(accept: string | readonly string[] | undefined): boolean {
  const kinds = String(accept ?? '').split(',', 50);
  const weightOf = (type: string): number => {
    const found = kinds.find((kind) => kind.trim().toLowerCase().split(';', 1)[0]?.trim() === type);
    const weight = /;\s*q=([\d.]{1,6})/i.exec(found ?? '')?.[1];
    return found === undefined ? 0 : Number(weight ?? 1);
  };
  const wanted = weightOf('text/markdown');
  return wanted > 0 && wanted >= weightOf('text/html');
}

/** The page URL for a Markdown URL; null if it is not one. */
function askedFor(path: string, accept: Visit['headers'][string]): string | null {
  if (!path.endsWith('.md')) return prefersMarkdown(accept) ? path : null;
  const bare = path.slice(0, -'.md'.length);
  return bare.endsWith('/index') ? bare.slice(0, -'index'.length) : `${bare}/`;
}

/** The public item at a URL, without a password. */
function postAt(site: Site, path: string): PostRecord | null {
  const found = lookUp(site, path, {});
  const place = splitPath(site, path);
  const isHome = place.path === '/' || place.path === '';
  const post = found && 'post' in found ? found.post : isHome ? chosenPage(site, 'front_page', place.params) : undefined;
  return post && isPublic(site, post) && !isProtected(post) && post.type !== 'attachment' ? post : null;
}

async function pageOf(site: Site, post: PostRecord): Promise<Document> {
  const url = addressOf(site, pathOf(site, post));
  // A title in the text is not repeated.
  const title = isTitledByText(post) ? '' : `# ${titleOf(site, post)}\n\n`;
  return {
    type: markdown,
    body: `${title}${await textOf(site, post)}\n`,
    changed: post.modifiedGmt,
    // Search engines should index the page itself.
    headers: { Link: `<${url}>; rel="canonical"`, 'X-Robots-Tag': 'noindex', Vary: 'Accept' },
  };
}

async function textOf(site: Site, post: PostRecord): Promise<string> {
  const view = publicView(site);
  const isPlain = post.kind === 'md' && view.blockVersion(post) === 0 && !site.operator.filter_content;
  if (isPlain) return (withAddresses(site, post, post)?.content ?? post.content).trim();
  await view.prepare(post);
  return view.content(post).trim();
}

async function list(site: Site): Promise<Document> {
  const parts = listedTypes(site).flatMap((type) => {
    const posts = publicPosts(site, type)
      .filter((post) => isListed(site, post))
      .sort((a, b) => (a.dateGmt < b.dateGmt ? 1 : a.dateGmt > b.dateGmt ? -1 : b.id - a.id))
      .slice(0, mostListed);
    return posts.length === 0 ? [] : [`## ${type.label}\n\n${posts.map((post) => lineOf(site, post)).join('\n')}\n`];
  });
  const about = String(site.settings.value('description') ?? '');
  const head = [`# ${oneLine(String(site.settings.value('name')))}\n`, ...(about === '' ? [] : [`> ${oneLine(about)}\n`])];
  return { type: 'text/plain; charset=UTF-8', body: [...head, ...parts].join('\n'), changed: '' };
}

function listedTypes(site: Site): readonly PostType[] {
  return [...site.types.values()].filter(({ viewable, name }) => viewable && name !== 'attachment');
}

function publicPosts(site: Site, { name }: PostType): readonly PostRecord[] {
  return [...site.posts.with('type', name)].flatMap((id) => site.posts.get(id) ?? []).filter((post) => isPublic(site, post));
}

function lineOf(site: Site, post: PostRecord): string {
  const title = titleOf(site, post).replace(/[[\]\\]/g, '\\$&');
  return `- [${title}](${addressOf(site, markdownOf(pathOf(site, post)))})`;
}

/** Path of an item's page: `/hello/`; with a number for an address, `/?p=7`. */
const pathOf = (site: Site, post: PostRecord): string => linkOf(site, post, false);

const addressOf = (site: Site, path: string): string => (path === '/' || path === homeFile ? homeOf(site) : site.url) + path;

/** `/hello/` → `/hello.md` */
function markdownOf(path: string): string {
  if (path.includes('?')) return path;
  return path === '/' ? homeFile : `${withoutTrailing(path, '/')}.md`;
}

function titleOf(site: Site, post: PostRecord): string {
  return oneLine(
    decodeEntities(
      publicView(site)
        .title(post)
        .replace(/<[^<>]*>/g, ''),
    ),
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
