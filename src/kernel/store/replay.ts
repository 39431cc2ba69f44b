/**
 * Carries out what the log holds and a crash has kept from the files: they are brought to their last state, each for itself. A file is
 * only written where it is as a commit found it, as one left it, or torn: anything else is newer, made by others, and stays.
 */

import * as fs from 'node:fs';
import { basename, dirname } from 'node:path';
import { etagOf } from '../yaml/codec.ts';
import { statTag } from './commit-plan.ts';
import { dropTemporary } from './durable.ts';
import type { FilesDriver } from './files.ts';
import type { Unfinished } from './log.ts';
import { type LoggedCommit, pathOf, type Step, type WriteStep } from './log-file.ts';
import { kindOf, temporaryPrefix } from './paths.ts';
import type { FileStat } from './scan.ts';

/** What the log says of one path. */
interface Chain {
  /** Tags of all its states. */
  readonly known: Set<string | null>;
  /** What was written and may be torn. */
  readonly unflushed: WriteStep[];
  final: { readonly step: Step; readonly commit: LoggedCommit } | undefined;
}

/** How a path stands to the last step of its chain. */
type Standing = 'in place' | 'behind' | 'foreign';

interface Replay {
  /** Paths that are not as they should be, so that `run` would change them. */
  readonly behind: readonly string[];
  /** @returns paths it has changed, and those of others that it has left */
  run(setAside: (path: string, seq: number, step: WriteStep) => Promise<void>): Promise<readonly string[]>;
}

export function planReplay(files: FilesDriver, { commits, isAfterRestart }: Unfinished): Replay {
  const chains = chainsOf(commits);
  const standings = new Map([...chains].map(([path, chain]) => [path, standingOf(files, path, chain)]));
  const standing = (step: Step) => standings.get(pathOf(step)) as Standing;
  /** One that was under way: nobody was told of it yet, and a person's file was met, so it has been refused or taken back. */
  const isRefused = ({ steps }: LoggedCommit) => {
    const writes = steps.filter((step) => 'write' in step);
    return (
      !isAfterRestart &&
      writes.some((step) => standing(step) === 'foreign') &&
      !writes.some((step) => standing(step) === 'in place')
    );
  };
  const isLeft = (commit: LoggedCommit) => commit.steps.some((step) => 'write' in step && standing(step) === 'foreign');
  const last = [...chains].flatMap(([path, { final }]) => (final && !isRefused(final.commit) ? [{ path, ...final }] : []));
  const wanted = (write: boolean) => last.filter(({ step }) => 'write' in step === write);
  const behind = [
    ...wanted(true).filter(({ step }) => standing(step) === 'behind'),
    ...wanted(false).filter(({ step, commit }) => standing(step) === 'behind' && !isLeft(commit)),
  ];
  return {
    behind: behind.map(({ path }) => path),
    async run(setAside) {
      for (const { path, step } of behind) {
        if ('remove' in step) await files.unlink(path);
        else await restore(files, step);
      }
      await files.tidy();
      for (const { path, step, commit } of wanted(true))
        if (isAfterRestart && standing(step) === 'foreign') await setAside(path, commit.seq, step as WriteStep);
      for (const { steps } of commits)
        for (const step of steps) {
          const temporary = 'write' in step ? temporaryOf(files, step) : null;
          if (temporary !== null) dropTemporary(temporary);
        }
      return behind.map(({ path }) => path);
    },
  };
}

function chainsOf(commits: Unfinished['commits']): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>();
  for (const commit of commits) {
    for (const step of commit.steps) {
      const chain = chains.get(pathOf(step)) ?? { known: new Set(), unflushed: [], final: undefined };
      chains.set(pathOf(step), chain);
      chain.known.add(step.before);
      if ('write' in step) {
        if (step.bytes !== undefined) chain.unflushed.push(step);
        if (typeof step.after === 'string') chain.known.add(step.after);
      }
      // What comes back to where it was is as it was.
      if (!commit.isVoid) chain.final = { step, commit };
    }
  }
  return chains;
}

function standingOf(files: FilesDriver, path: string, { known, unflushed, final }: Chain): Standing {
  if (final === undefined) return 'in place';
  const { step } = final;
  const stat = files.stat(path);
  if (stat === null) return 'remove' in step ? 'in place' : known.has(null) ? 'behind' : 'foreign';
  if (stat.refused !== undefined) return 'foreign';
  const isKnown = known.has(statTag(stat));
  if ('write' in step && typeof step.after === 'number') {
    if (stat.ino === step.ino || (stat.size === step.after && !isKnown)) return 'in place';
    return isKnown ? 'behind' : 'foreign';
  }
  if (isKnown) return 'behind';
  const bytes = isRead(stat, known, unflushed) ? files.read(path) : null;
  const tag = bytes && etagOf(bytes);
  if ('write' in step && tag !== null && tag === step.after) return 'in place';
  const isTorn = bytes !== null && unflushed.some((one) => one.ino === stat.ino && isTornOf(bytes, one.bytes as Uint8Array));
  return known.has(tag ?? '') || isTorn ? 'behind' : 'foreign';
}

/** Large blobs are told by what the disk says of them. */
function isRead({ path, size }: FileStat, known: ReadonlySet<string | null>, unflushed: readonly WriteStep[]): boolean {
  return (
    kindOf(path) !== 'blob' ||
    unflushed.some(({ bytes }) => size <= (bytes?.length ?? 0)) ||
    ![...known].some((tag) => tag?.startsWith('='))
  );
}

/** Whether these are the bytes, with zeros for what never reached the disk. */
function isTornOf(found: Uint8Array, bytes: Uint8Array): boolean {
  return found.length <= bytes.length && found.every((byte, at) => byte === bytes[at] || byte === 0);
}

async function restore(files: FilesDriver, step: WriteStep): Promise<void> {
  if (step.bytes !== undefined) {
    const { temporary } = await files.stage(step.write, step.bytes, { isFlushedLater: true });
    return files.publish(temporary, step.write);
  }
  const temporary = temporaryOf(files, step);
  if (temporary !== null && fs.existsSync(temporary)) await files.publish(temporary, step.write);
}

/** The temporary file as it must be called, in the target's own folder. */
function temporaryOf(files: FilesDriver, { write, temporary }: WriteStep): string | null {
  if (temporary === undefined || !basename(temporary).startsWith(temporaryPrefix)) return null;
  const directory = dirname(files.locate(write));
  try {
    return dirname(temporary) === directory && fs.realpathSync.native(directory) === directory ? temporary : null;
  } catch {
    return null;
  }
}
