/**
 * Comments of an export.
 */
import { type CommentItem, given, type ImportRemark } from '../../import/items.ts';
import { dateOf, idOf, metaOf, requiredIdOf, placeOf, plainName, rawMeta, textOf, wordOf } from './element.ts';
import { approvals, metaKeys } from './names.ts';
import type { Element } from './tree.ts';

interface CommentContext {
  /** Key of the post. */
  readonly post: string;
  readonly source: string;
  /** What the comments were before their post was put into the trash: `approved` by id, as its meta has it. */
  readonly before: Readonly<Record<string, unknown>>;
  /** Login of the user with an id; the export lists only those who wrote items. */
  login(id: number): string | undefined;
}

export function readComment(element: Element, { post, source, before, login }: CommentContext): CommentItem {
  const remarks: ImportRemark[] = [];
  const id = requiredIdOf(element, 'wp:comment_id', remarks);
  const text = (name: string): string => wordOf(element, `wp:comment_${name}`);
  const approved = text('approved');
  // `post-trashed`: what it was is with its post. Where nothing says it, somebody has to look at it first.
  const status = statusOf(approved) ?? statusOf(String(before[id ?? ''] ?? '')) ?? 'hold';
  const parent = idOf(element, 'wp:comment_parent');
  const author = login(idOf(element, 'wp:comment_user_id') ?? 0);
  const rows = rawMeta(element, 'wp:commentmeta');
  const was = statusOf(rows.get(metaKeys.trashStatus)?.[0] ?? '');
  const meta = metaOf(rows, remarks);
  const type = text('type');
  return given<CommentItem>({
    kind: 'comment',
    key: id === undefined ? `${post} line ${element.line}:${element.column}` : String(id),
    id,
    place: placeOf(element, source),
    post,
    parent: parent?.toString(),
    author,
    name: plainName(text('author')),
    content: textOf(element, 'wp:comment_content'),
    status,
    was: status === 'spam' || status === 'trash' ? was : undefined,
    url: text('author_url') || undefined,
    email: text('author_email') || undefined,
    ip: text('author_IP') || undefined,
    agent: text('agent') || undefined,
    date: dateOf(element, 'wp:comment_date', remarks) || undefined,
    dateGmt: dateOf(element, 'wp:comment_date_gmt', remarks) || undefined,
    type: type === 'comment' ? undefined : type || undefined,
    meta,
    remarks: remarks.length === 0 ? undefined : remarks,
  });
}

function statusOf(approved: string): keyof typeof approvals | undefined {
  return (Object.keys(approvals) as (keyof typeof approvals)[]).find((name) => approvals[name] === approved);
}
