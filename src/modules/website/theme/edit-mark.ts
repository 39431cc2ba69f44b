/** Who gets marks on a page that lead to the editor, and for what. */
import { itemParams } from '../../../kernel/rest/address-prefix.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Page, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { originalOf } from '../../../kernel/store/paths.ts';
import { withoutActive } from '../../../render/active.ts';
import { prettyLink } from '../../content/permalinks/record.ts';
import { createPostView } from '../../content/posts/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { heldLocations } from '../../menus/index.ts';
import type { MenuRecord } from '../../menus/record.ts';
import { menuIn } from '../../menus/trees/index.ts';
import { actorOf } from '../../people/accounts/index.ts';
import { editorPath, hasEditor } from '../editor-page/index.ts';
import { plain } from '../feeds/index.ts';
import { type Marked, type MarkedItem, type MarkedMenu, type MarkedPost, markPage, nameOf } from './edit-marks.ts';
import { pageOf } from './lists.ts';
import { pathBase, type Target } from './record.ts';
import { languageIn, menusOf } from './site-data.ts';
import type { Theme } from './theme.ts';

/** What the visitor may edit of a page; null for everybody who gets no marks. */
export async function marksOn(site: Site, theme: Theme, target: Target, visit: Visit): Promise<Marked | null> {
  // In a frame, the editor is already there: around it.
  if (visit.headers.cookie === undefined || visit.headers['sec-fetch-dest'] === 'iframe' || !hasEditor(site)) return null;
  if (target.kind !== 'post' && target.kind !== 'list') return null;
  const open = await site.sessions.find(visit);
  if (!open) return null;
  const actor = actorOf(open.account);
  const params = target.kind === 'post' ? itemParams(site, target.post) : target.list.params;
  const shown = target.kind === 'list' ? ((await pageOf(site, target.list, target.page))?.posts ?? []) : [];
  const marked: Marked = {
    post: target.kind === 'post' ? await markedPost(site, actor, target.post) : null,
    entries: shown.flatMap((post) => markedItem(site, actor, post) ?? []),
    menus: site.access.can(actor, 'edit_theme_options') ? markedMenus(site, params) : [],
    editor: pathBase(site) + editorPath,
    word: theme.say(languageIn(site, params).tag)('Edit'),
  };
  return marked.post || marked.entries.length > 0 || marked.menus.length > 0 ? marked : null;
}

/** The page of one user, which is not cached. */
export function withMarks({ status, headers, body }: Page, marked: Marked): Page {
  const { ETag: _, 'Last-Modified': __, ...others } = headers;
  const html = typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array());
  return { status, headers: { ...others, 'Cache-Control': 'private, no-store' }, body: markPage(html, marked) };
}

function markedItem(site: Site, actor: Actor, post: PostRecord): MarkedItem | null {
  const type = site.types.get(post.type);
  const isWritten = type?.supports.editor || type?.supports.title;
  if (!type || !isWritten || post.type === 'attachment' || !site.access.can(actor, 'edit_post', post)) return null;
  return { place: `${type.restBase}/${post.id}`, url: site.url + prettyLink(site, post) };
}

async function markedPost(site: Site, actor: Actor, post: PostRecord): Promise<MarkedPost | null> {
  const item = markedItem(site, actor, post);
  if (!item) return null;
  // As `post-data.ts` has them for the page: the same text, from the same cache.
  const view = createPostView(site, { user: null, word: (name) => name, unlocked: () => true, address: prettyLink(site, post) });
  await view.prepare(post);
  const content = view.content(post);
  return {
    ...item,
    title: plain(view.title(post)) || `#${post.id}`,
    content: site.operator.filter_content ? withoutActive(content) : content,
    picture: nameOf(originalOf(site.posts.get(post.featuredMedia)?.path ?? '')),
  };
}

function markedMenus(site: Site, params: Params): readonly MarkedMenu[] {
  const links = menusOf(site, params, '');
  return [...heldLocations(site)].flatMap(([location, held]) => {
    const menu = site.terms.get(held) as MenuRecord | undefined;
    if (!menu) return [];
    const { id, name } = menuIn({ site, user: null, params } as Call, menu);
    return [{ id, name: plain(name), urls: (links[location] ?? []).map(({ url }) => url).filter((url) => url !== '') }];
  });
}
