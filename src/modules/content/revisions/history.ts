/** Revisions from git, with `revisions: git`: each commit of a post's file is one. They are read only; autosaves are still files. */
import { now } from '../../../kernel/model/dates.ts';
import { noReferences } from '../../../kernel/extended.ts';
import { type Draft, readFields } from '../../../kernel/model/field.ts';
import { createRecords } from '../../../kernel/records/records.ts';
import type { Table } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { parseEntry } from '../../../kernel/yaml/codec.ts';
import { type CommittedState, stateIds } from '../../git/history/index.ts';
import type { PostRecord } from '../posts/record.ts';
import { fieldsOfRevisions } from './file.ts';
import { type RevisionRecord, revisionTable } from './record.ts';

export function isFromGit(site: Site): boolean {
  return site.settings.value('revisions') === 'git' && site.fileHistory !== null;
}

interface Known {
  readonly newest: CommittedState | undefined;
  readonly zone: string;
  readonly revisions: readonly RevisionRecord[];
}

const known = new WeakMap<PostRecord, Known>();

/** The revisions of a post as a table, with its autosaves. @throws GitError */
export async function revisionTableOf(site: Site, parent: number): Promise<Table<RevisionRecord>> {
  const post = site.posts.get(parent);
  if (!isFromGit(site) || !post) return site.revisions;
  const autosaves = [...site.revisions.with('parent', parent)]
    .flatMap((id) => site.revisions.get(id) ?? [])
    .filter(({ autosave }) => autosave);
  const states = await gitRevisions(site, post);
  // Of commits within a second, the later is the newer, whatever their ids.
  const ranks = new Map(states.map(({ id }, rank) => [id, String(rank).padStart(9, '0')]));
  const date = (revision: RevisionRecord): string => `${revision.date} ${ranks.get(revision.id) ?? '~'}`;
  const records = createRecords([{ ...revisionTable, order: { ...revisionTable.order, date } }]);
  const revisions = [...states, ...autosaves];
  records.apply(revisions.map((put) => ({ table: 'revisions', put })));
  return records.table<RevisionRecord>('revisions');
}

/** Oldest first. */
async function gitRevisions(site: Site, post: PostRecord): Promise<readonly RevisionRecord[]> {
  const states = (await site.fileHistory?.of(post.path)) ?? [];
  const before = known.get(post);
  if (before && before.newest === states[0] && before.zone === site.zone) return before.revisions;
  const ids = stateIds(states);
  const texts = (await site.fileHistory?.read(states)) ?? new Map<CommittedState, Buffer>();
  const revisions = [...ids].flatMap(([id, state]) => {
    const bytes = texts.get(state);
    return bytes ? (revisionOf(site, post, id, state, bytes) ?? []) : [];
  });
  known.set(post, { newest: states[0], zone: site.zone, revisions });
  return revisions;
}

/** Null for an unreadable state. */
function revisionOf(site: Site, post: PostRecord, id: number, state: CommittedState, bytes: Buffer): RevisionRecord | null {
  const path = state.path as string;
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: state.at });
  if (!('entry' in parsed)) return null;
  const { local, gmt } = now(site.zone, state.at);
  const draft: Draft<RevisionRecord> = {
    id,
    path,
    etag: parsed.entry.etag,
    parent: post.id,
    author: userOf(site, state.author),
    date: local,
    dateGmt: gmt,
    title: '',
    content: parsed.entry.body,
    excerpt: '',
    slug: `${post.id}-revision-v1`,
    autosave: false,
    meta: {},
  };
  const { id: _, parent, author, date, _autosave, ...fields } = fieldsOfRevisions(site);
  try {
    // A former state must not create terms or authors.
    const refs = { ...site.refs, ...noReferences };
    readFields(fields, parsed.entry.data, draft, { path, mtimeMs: state.at, nowMs: site.clock(), zone: site.zone, refs });
  } catch {
    // An invalid value: keep title and text.
    draft.title = String(parsed.entry.data.title ?? '');
  }
  return draft;
}

/** The user with the commit's email address, else the name; 0 if unknown. */
function userOf(site: Site, { name, email }: CommittedState['author']): number {
  const account = email === '' ? undefined : site.accounts.byEmail(email);
  if (account) return account.id;
  const [local] = email.split('@', 1);
  const users = [...site.users.all()];
  const found = users.find((user) => user.name === name && user.slug === local) ?? users.find((user) => user.name === name);
  return found?.id ?? 0;
}
