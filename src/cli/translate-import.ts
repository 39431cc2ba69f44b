/**
 * Translations into their jobs, several at a time, so that the disk is waited for once for all of them; each is a commit of its own.
 * What others are made with comes before them: terms, then media, then items, each below its parent.
 */
import { RestError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site/site.ts';
import { Failure } from './failure.ts';
import type { DocumentFile } from './translate-files.ts';

export interface Imported {
  readonly file: string;
  readonly job: number | null;
  readonly item: number;
  readonly finished: number;
  readonly units: number;
  /** Why it was refused; '' when it was not. */
  readonly error: string;
}

const atOnce = 16;

/** @returns what became of each, in the order given */
export async function importDocuments(
  site: Site,
  files: readonly DocumentFile[],
  progress: (done: number) => void,
): Promise<readonly Imported[]> {
  const placed: (DocumentFile & { readonly job: number | null })[] = [];
  for (const file of files) {
    // What cannot be read says so when its turn comes.
    const text = await file.read().catch(() => '');
    const [, id] = /\soriginal\s*=\s*["']([1-9]\d{0,9})-[\da-f]{32}["']/.exec(text) ?? [];
    placed.push({ ...file, job: id === undefined ? null : Number(id) });
  }
  return inStages(site, placed, (file) => importOne(site, file), progress);
}

/** What is done with jobs, stage by stage; what is of one job one after the other. @returns what became of each, in the order given */
export async function inStages<T extends { readonly job: number | null }, R>(
  site: Site,
  all: readonly T[],
  work: (one: T) => Promise<R>,
  progress: (done: number) => void,
): Promise<readonly R[]> {
  const stages = new Map<number, Map<number, number[]>>();
  for (const [place, { job }] of all.entries()) {
    const stage = job === null ? 0 : stageOf(site, job);
    const jobs = stages.get(stage) ?? new Map<number, number[]>();
    stages.set(stage, jobs);
    // Those of no job are apart from each other.
    const key = job ?? -1 - place;
    jobs.set(key, [...(jobs.get(key) ?? []), place]);
  }
  const results: R[] = [];
  let done = 0;
  for (const [, jobs] of [...stages].sort(([a], [b]) => a - b))
    await inParallel(jobs.values(), async (places) => {
      for (const place of places) {
        results[place] = await work(all[place] as T);
        progress(++done);
      }
    });
  return results;
}

const media = 1000;

/** Terms by their depth from 0 on, media, then items by theirs. */
function stageOf({ translationJobs: jobs, terms, posts }: Site, jobId: number): number {
  const status = jobs.status(jobs.job(jobId)?.rid ?? 0);
  if (!status) return 0;
  if (status.element === 'post_attachment') return media;
  const isTerm = status.element.startsWith('tax_');
  const parentOf = (id: number): number => (isTerm ? terms : posts).get(id)?.parent ?? 0;
  const seen = new Set<number>();
  for (let id = parentOf(status.item); id !== 0 && !seen.has(id); id = parentOf(id)) seen.add(id);
  return isTerm ? Math.min(seen.size, media - 1) : media + 1 + seen.size;
}

/** @throws what the first one throws that fails, when those under way have ended; no other is begun then */
async function inParallel<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = left.next(); errors.length === 0 && !next.done; next = left.next())
      await work(next.value).catch((error: unknown) => void errors.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (errors.length > 0) throw errors[0];
}

async function importOne(site: Site, { name: file, read }: DocumentFile): Promise<Imported> {
  const blank = { file, job: null, item: 0, finished: 0, units: 0 };
  try {
    const known = site.translationJobs.identify(await read());
    if (!known) return { ...blank, error: 'names no job; was its "original" changed?' };
    const { item, finished, units } = await site.translationJobs.applyResult(known.jobId, known.document, null);
    return { file, job: known.jobId, item, finished, units, error: '' };
  } catch (error) {
    if (error instanceof RestError || error instanceof Failure) return { ...blank, error: error.message };
    throw error;
  }
}
