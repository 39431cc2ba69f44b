/** The edit link for users who may edit the page; only they get it. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Page, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { actorOf } from '../../people/accounts/index.ts';
import { editorPath, hasEditor } from '../editor-page/index.ts';
import type { Say } from '../words/index.ts';
import { pathBase } from './record.ts';

const style =
  'position:fixed;inset-block-end:1rem;inset-inline-end:1rem;z-index:9;margin:0;padding:.6rem 1.1rem;border-radius:2rem;' +
  'background:#1a56b0;color:#fff;font:1rem/1.5 system-ui,sans-serif;text-decoration:none';

/** As HTML; null for everybody else. */
export async function editMark(site: Site, post: PostRecord, visit: Visit, say: Say): Promise<string | null> {
  if (visit.headers.cookie === undefined || !hasEditor(site)) return null;
  const type = site.types.get(post.type);
  const open = type?.supports.editor || type?.supports.title ? await site.sessions.find(visit) : null;
  if (!open || !type || post.type === 'attachment' || !site.access.can(actorOf(open.account), 'edit_post', post)) return null;
  const address = `${pathBase(site)}${editorPath}?edit=${type.restBase}/${post.id}`;
  const name = escapeHtml(say('Edit'));
  return `<nav aria-label="${name}"><a href="${escapeHtml(address)}" style="${style}">${name}</a></nav>`;
}

/** The page of one user, which is not cached. */
export function withMark({ status, headers, body }: Page, mark: string): Page {
  const { ETag: _, 'Last-Modified': __, ...others } = headers;
  const html = typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array());
  const end = html.lastIndexOf('</body>');
  const at = end < 0 ? html.length : end;
  return { status, headers: { ...others, 'Cache-Control': 'no-store' }, body: html.slice(0, at) + mark + html.slice(at) };
}
