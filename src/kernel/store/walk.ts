/**
 * Going through the content folder once, file by file, for what wants to see everything and remember nothing: an export, a check.
 */

import { maxTextBytes, parseEntry, tooLarge } from '../yaml/codec.ts';
import type { Engine } from './mounts.ts';
import { kindOf, PathError } from './paths.ts';
import { refusalProblem } from './problems.ts';
import { type FileStat, isContent } from './scan.ts';
import type { Blob, Entry, Problem, Store } from './types.ts';

/** See `Store.visit`. */
export async function visitContent(
  engine: Engine,
  take: Parameters<Store['visit']>[0],
  progress?: Parameters<Store['visit']>[1],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const total = progress === undefined ? 0 : await count(engine);
  let done = 0;

  async function look(stat: FileStat): Promise<void> {
    const found = await read(engine, stat);
    if (found !== null && 'rule' in found) problems.push(found);
    else if (found !== null) await take(found);
    progress?.(++done, Math.max(done, total));
  }

  await engine.walk((stat) => (isContent(stat) ? look(stat) : undefined));
  return problems;
}

async function count(engine: Engine): Promise<number> {
  let total = 0;
  await engine.walk((stat) => {
    if (isContent(stat)) total++;
    return undefined;
  });
  return total;
}

/** Null for a file that went meanwhile. */
async function read(engine: Engine, stat: FileStat): Promise<Entry | Blob | Problem | null> {
  const { path, size, mtimeMs } = stat;
  if (stat.refused !== undefined) return refusalProblem(path, stat.refused);
  if (kindOf(path) === 'blob') return { path, size, mtimeMs };
  if (size > maxTextBytes) return tooLarge(path);
  try {
    const bytes = await engine.read(path);
    if (bytes === null) return null;
    const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs });
    return 'entry' in parsed ? parsed.entry : parsed.problem;
  } catch (error) {
    return refusalProblem(path, error instanceof PathError ? 'link' : 'unreadable', error);
  }
}
