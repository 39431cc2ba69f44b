/**
 * Abilities for what has changed: commits of the content folder, what is not committed, and one file against its last commit.
 */
import { unifiedDiff } from '../../../kernel/model/unified-diff.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { GitError } from '../../../kernel/store/git.ts';
import type { CommittedState, History } from '../../git/history/index.ts';
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
      'Lists commits of the content folder and files that are not committed; with a path, those of one file and its difference to the last commit.',
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
      uncommitted: rows(`A file that differs from the last commit: path, kind. The first ${mostFiles}.`),
      diff: text(`With a path: the difference to the last commit, its first ${mostDiff} characters.`),
      next,
    }),
    annotations: reads,
    asks: true,
    may: (site, actor) => site.access.can(actor, 'edit_others_posts'),
    run: (call, input) => changes(call, input as ChangesInput),
  },
];

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
    ...(offset === 0 ? { uncommitted: (await history.uncommitted()).slice(0, mostFiles) } : {}),
    ...(commits.length > limit ? { next: toCursor([offset + limit]) } : {}),
  };
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
