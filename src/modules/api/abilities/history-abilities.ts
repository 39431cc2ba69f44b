/**
 * Abilities for what has changed: commits of the content folder, what is not committed, and one file against its last commit.
 */
import { unifiedDiff } from '../../git/diff/index.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { GitError } from '../../../kernel/store/git.ts';
import type { CommittedState, History } from '../../git/history/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { revisionsOf } from '../../content/revisions/record.ts';
import { Held } from '../../git/commits/record.ts';
import { cursor, fromCursor, next, pageOf, toCursor } from './cursors.ts';
import { wrongInput } from './inner.ts';
import { mayHaveFile, placeOf } from './places.ts';
import { type Ability, closed, reads, text, typed } from './record.ts';

/** Characters of a difference in one answer. */
const mostDiff = 20_000;
/** Files of one commit, and files that are not committed, in one answer. */
const mostFiles = 200;

const rows = (description: string) =>
  ({ type: 'array', items: typed('object', description, { additionalProperties: true }) }) as const;

export const historyAbilities: readonly Ability[] = [
  {
    name: 'cms/changes',
    label: 'What changed',
    description:
      'Lists commits of the content folder and files that are not committed, for administrators; with a path, those of one file that an editor may edit, and its difference to the last commit.',
    category: 'content',
    input: {
      ...closed({
        path: text('One file of the content folder.', { maxLength: 1000 }),
        limit: typed('integer', 'How many commits at most.', { minimum: 1, maximum: 50, default: 20 }),
        cursor,
      }),
      default: {},
    },
    output: closed({
      commits: rows('A commit: id, date, author, subject, files.'),
      uncommitted: rows(
        `A file that differs from the last commit: path, kind; by, who wrote it here, where that is known. The first ${mostFiles}.`,
      ),
      may_commit: typed('boolean', 'Whether the caller may commit them (cms/commit).'),
      diff: text(`With a path: the difference to the last commit, its first ${mostDiff} characters.`),
      next,
    }),
    annotations: reads,
    asks: true,
    // Which file, is asked for each. A commit may hold what was in its place before, and was somebody else's.
    may: (site, actor) => site.access.can(actor, 'edit_others_posts'),
    run: (call, input) => changes(call, input as ChangesInput),
  },
  {
    name: 'cms/commit',
    label: 'Commit what changed',
    description: 'Commits files of the content folder as they are now, in the name of who asks; all that differ, or those named.',
    category: 'content',
    input: {
      ...closed({
        message: text('What the commit is for; its first line.', { minLength: 1, maxLength: 200 }),
        paths: typed('array', 'Files to commit; all by default.', {
          items: { type: 'string', maxLength: 1000 },
          maxItems: mostFiles,
        }),
      }),
      required: ['message'],
    },
    output: closed({ commit: text('The id of the commit; empty if nothing differs from the last one.') }),
    annotations: { readonly: false, destructive: false, idempotent: false },
    may: mayCommit,
    run: (call, input) => commit(call, input as CommitInput),
  },
];

/** Where writes become commits anyway. */
function mayCommit(site: Site, actor: Actor | null): boolean {
  const isAllowed = site.settings.value('git') !== 'off';
  return isAllowed && site.commits !== null && site.access.can(actor, 'manage_options');
}

interface CommitInput {
  readonly message: string;
  readonly paths?: readonly string[];
}

async function commit({ site, user }: Call, { message, paths }: CommitInput): Promise<unknown> {
  try {
    const differing = ((await site.fileHistory?.uncommitted()) ?? []).map(({ path }) => path);
    const wanted = paths ? differing.filter((path) => paths.includes(path)) : differing;
    const subject = message.replace(/\s+/g, ' ').trim();
    return { commit: (await site.commits?.commit(wanted, user?.id ?? 0, subject)) ?? '' };
  } catch (error) {
    if (error instanceof GitError || error instanceof Held) return wrongInput(`git: ${error.message}`);
    throw error;
  }
}

interface ChangesInput {
  readonly path?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

async function changes(call: Call, { path, limit = 20, cursor: sent }: ChangesInput): Promise<unknown> {
  const history = call.site.fileHistory;
  if (!history) return wrongInput('The content of this site is not in a folder.');
  try {
    if ((await history.head()) === null)
      return wrongInput('The content folder is not in a git repository, or nothing is committed yet.');
    return await (path === undefined ? ofFolder(call, history, limit, sent) : ofFile(call, history, path, limit, sent));
  } catch (error) {
    if (error instanceof GitError) return wrongInput(`git: ${error.message}`);
    throw error;
  }
}

async function ofFolder(call: Call, history: History, limit: number, sent: string | undefined): Promise<unknown> {
  if (!call.can('manage_options')) fail('rest_forbidden');
  const [offset = 0] = fromCursor(sent, 1);
  const commits = await history.recent(offset, limit + 1);
  return {
    commits: commits.slice(0, limit).map((one) => ({ ...commitOf(one), files: one.files.slice(0, mostFiles) })),
    ...(offset === 0 ? { uncommitted: await uncommitted(call.site, history), may_commit: mayCommit(call.site, call.user) } : {}),
    ...(commits.length > limit ? { next: toCursor([offset + limit]) } : {}),
  };
}

async function uncommitted(site: Site, history: History): Promise<readonly object[]> {
  const files = (await history.uncommitted()).slice(0, mostFiles);
  const writers = site.commits?.writers() ?? new Map();
  return files.map(({ path, kind }) => {
    const by = writers.get(path) ?? lastWriterOf(site, path);
    const name = typeof by === 'number' ? site.users.get(by)?.name : undefined;
    return { path, kind, ...(name === undefined ? {} : { by: name }) };
  });
}

/** Of an item that was last changed here, as its newest revision says. */
function lastWriterOf(site: Site, path: string): number | undefined {
  for (const id of site.posts.with('place', logicalPath(path))) {
    const [newest] = revisionsOf(site, id);
    if (newest && newest.dateGmt === site.posts.get(id)?.modifiedGmt) return newest.author;
  }
  return undefined;
}

async function ofFile(call: Call, history: History, path: string, limit: number, sent: string | undefined): Promise<unknown> {
  const place = placeOf(call, { path });
  await mayHaveFile(call, place);
  const states = await history.of(path);
  const [last] = states;
  const committed = last ? ((await history.read([last])).get(last)?.toString('utf8') ?? '') : '';
  const now = Buffer.from((await call.site.store.readBytes(path)) ?? []).toString('utf8');
  const [shown, following] = pageOf(states, sent, limit);
  return {
    commits: shown.map((one) => ({ ...commitOf(one), path: one.path, kind: one.kind })),
    diff: unifiedDiff(path, path, committed, now).slice(0, mostDiff),
    ...following,
  };
}

function commitOf({ commit, at, author, subject }: Pick<CommittedState, 'commit' | 'at' | 'author' | 'subject'>) {
  return { id: commit, date: new Date(at).toISOString(), author: author.name, subject };
}
