/**
 * The content folder as the server meets it: who may read and write it, who reads what is private, and whether its files are sound.
 */
import { accessSync, constants, existsSync, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { isZone } from '../../kernel/model/dates.ts';
import { siteState, StateError } from '../../kernel/store/state.ts';
import { parseYaml, YamlFault } from '../../kernel/yaml/parse.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { defineValidate } from '../validate.ts';
import { counted, type DoctorFinding, judgeOf, listed } from './finding.ts';

/** What a walk through the folder has seen. */
interface Seen {
  /** Folders that a server watches. */
  readonly folders: number;
  /** When the newest file was changed, milliseconds since the epoch. */
  readonly newestMs: number;
  /** Paths that this user cannot read, or not write. */
  readonly closed: readonly string[];
}

/** Whether this user may read and write a path. */
export type PathAccess = (path: string, isFolder: boolean) => boolean;

export const allowedHere: PathAccess = (path, isFolder) => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    return true;
  } catch {
    return false;
  }
};

/** Names below the folder that are no content. */
const apart = new Set(['.git', 'node_modules']);

/** Links are not followed. Cost: one look at each file. */
export function walk(dir: string, isAllowed: PathAccess): Seen {
  const closed: string[] = [];
  let [folders, newestMs] = [0, 0];
  const stack = [''];
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    folders++;
    if (!isAllowed(join(dir, here), true)) closed.push(here === '' ? 'the folder itself' : here);
    for (const entry of entriesOf(join(dir, here))) {
      const path = here === '' ? entry.name : `${here}/${entry.name}`;
      if (entry.isDirectory() && !apart.has(entry.name)) stack.push(path);
      if (!entry.isFile()) continue;
      newestMs = Math.max(newestMs, statSync(join(dir, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (!isAllowed(join(dir, path), false)) closed.push(path);
    }
  }
  return { folders, newestMs, closed };
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param state  the state directory of the machine */
export function* lookAtPermissions(dir: string, state: string, { closed }: Seen, isAllowed: PathAccess): Iterable<DoctorFinding> {
  const { ok, no } = judgeOf('permissions');
  const user = process.getuid?.() === 0 ? ', as root: ask as the user that serves it, too' : '';
  if (closed.length === 0) yield ok(`every file of the folder can be read and written${user}`);
  else
    yield no(
      `${listed(closed)} cannot be read and written by this user`,
      `give the folder to whoever serves it: chown -R "$(id -un)" ${dir} (or serve it with --read-only)`,
    );
  const own = join(dir, '.cms/private');
  if (isOpen(own)) yield no('others on this machine can open .cms/private', `chmod 700 ${own}`);
  try {
    siteState(state, dir);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    yield no(error.message, error.hint);
    return;
  }
  if (!existsSync(state)) yield ok(`the state directory ${state} is made with the first account`);
  else if (!isAllowed(state, true))
    yield no(
      `the state directory ${state} cannot be read and written by this user`,
      'CMS_STATE_DIR names another one, or give it back with chown',
    );
  else if (isOpen(state)) yield no(`others on this machine can open the state directory ${state}`, `chmod 700 ${state}`);
  else yield ok(`private data is for its owner alone, in ${state}`);
}

/** Whether others than its owner get into a folder. */
function isOpen(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & 0o007) !== 0;
}

/** The time zone that dates are in. */
export function lookAtZone(siteYaml: string, system: string): DoctorFinding {
  const { ok, no } = judgeOf('zone');
  const fix = 'name one in site.yaml, such as timezone: Europe/Berlin';
  let zone: unknown;
  try {
    zone = parseYaml(siteYaml).timezone;
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return no(`site.yaml cannot be read: ${error.message}`, 'cms validate shows the line');
  }
  if (zone === undefined || zone === null || zone === '')
    return system === 'UTC'
      ? ok('dates are in UTC')
      : no(`site.yaml names no time zone: dates are in UTC, and this machine is in ${system}`, fix);
  if (!isZone(String(zone))) return no(`the time zone ${String(zone)} is not known here`, fix);
  return ok(`dates are in ${String(zone)}`);
}

/** What `cms validate` finds, in short. */
export async function lookAtContent(dir: string, io: Io): Promise<DoctorFinding> {
  const { ok, no } = judgeOf('content');
  const said: string[] = [];
  const command = new Command('validate').exitOverride();
  defineValidate(command, {
    ...io,
    out: (line) => void said.push(line),
    err: () => undefined,
    terminal: { out: false, err: false },
  });
  try {
    await command.parseAsync([dir, '--json'], { from: 'user' });
  } catch (error) {
    if (!(error instanceof Failure) || said.length === 0)
      return no(`the folder cannot be checked: ${(error as Error).message}`, 'cms validate says more');
  }
  const { files, errors, warnings } = JSON.parse(said.join('\n')) as Record<'files' | 'errors' | 'warnings', number>;
  const counts = `${counted(files, 'file')}, ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  return errors === 0 ? ok(counts) : no(counts, `see them: cms validate ${dir}; mend what is safe: cms validate ${dir} --fix`);
}
