/**
 * What `cms log`, `cms diff` and `cms restore` have in common: the file that is meant, its history in git, and one state of it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { openFolder } from './open-folder.ts';
import { GitError } from '../kernel/store/git.ts';
import { createHistory, type CommittedState, type History, stateIds } from '../modules/git/history/index.ts';
import { failed, misuse } from './failure.ts';
import { contentFolder } from './flags.ts';
import type { Io } from './io.ts';

export interface ItemHistory {
  readonly dir: string;
  /** Path in the content folder. */
  readonly path: string;
  readonly history: History;
  /** The newest first. */
  readonly states: readonly CommittedState[];
}

export function itemArgument(command: Command): Command {
  return command
    .argument('<item>', 'id of a post, page or media item, or a file of the content folder')
    .option('--dir <dir>', 'content folder (default: the current folder, or ./content)');
}

/** @throws Failure for an item that there is not, or that git knows nothing of */
export async function historyOf(item: string, named: string | undefined, io: Io): Promise<ItemHistory> {
  const dir = contentFolder(named, io);
  const path = /^\d+$/.test(item) ? await pathOfId(dir, Number(item), io) : pathOfFile(dir, item, io);
  const history = createHistory(dir);
  try {
    if ((await history.head()) === null)
      failed('this folder is in no git repository, or nothing is committed yet', `git init ${dir}`);
    const states = await history.of(path);
    if (states.length === 0) failed(`${path} is in no commit`);
    return { dir, path, history, states };
  } catch (error) {
    if (error instanceof GitError) failed(error.message, undefined, error);
    throw error;
  }
}

async function pathOfId(dir: string, id: number, io: Io): Promise<string> {
  const site = await openFolder(dir, io, { readOnly: true });
  try {
    return (
      site.posts.get(id)?.path ?? misuse(`there is no item ${id}`, 'if it was deleted, name its file: cms log posts/hello.md')
    );
  } finally {
    await site.close();
  }
}

/** A file as seen from here, else from the content folder; it may be gone. */
function pathOfFile(dir: string, item: string, io: Io): string {
  const root = realpathSync(dir);
  const here = resolve(existsSync(io.cwd) ? realpathSync(io.cwd) : io.cwd, item);
  const known = existsSync(dirname(here)) ? here : resolve(root, item);
  const found = [known, resolve(root, item)].map((file) => relative(root, file)).find((path) => !path.startsWith('..'));
  if (found === undefined || found === '' || found === '.cms' || found.startsWith(`.cms${sep}`))
    misuse(`"${item}" is not a file of the content folder`);
  return (found as string).split(sep).join('/');
}

/**
 * The state that is meant: by the beginning of its commit, by its revision id, or the last one of a day or moment.
 * @throws Failure when there is none, or more than one
 */
export function stateAt(states: readonly CommittedState[], at: string): CommittedState {
  const byId = /^\d+$/.test(at) ? stateIds(states).get(Number(at)) : undefined;
  if (byId) return byId;
  if (/^\d{4}-\d\d-\d\d(?:T[\d:]+Z?)?$/.test(at)) {
    const until = Date.parse(at.length === 10 ? `${at}T23:59:59` : at);
    const found = states.find((state) => state.at <= until);
    return (
      found ?? failed(`no commit of the file before ${at}`, `the first is from ${momentOf(states.at(-1) as CommittedState)}`)
    );
  }
  const found = /^[0-9a-f]{4,64}$/.test(at) ? states.filter(({ commit }) => commit.startsWith(at)) : [];
  if (found.length > 1) misuse(`"${at}" matches several commits; use more characters`);
  return found[0] ?? misuse(`"${at}" is not a commit of this file`, 'cms log lists them');
}

/** `2026-03-05 10:00`, where the command runs. */
export function momentOf({ at }: CommittedState): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Whether bytes are no text, as git judges it: a zero among the first of them. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
