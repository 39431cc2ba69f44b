/**
 * Translations into their jobs, several at a time, so that the disk is waited for once for all of them; each is a commit of its own.
 * What others are made with comes before them: terms, then media, then items, each below its parent.
 */
import { table } from '../kernel/model/maps.ts';
import { RestError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site/site.ts';
import { BusyError } from '../kernel/store/types.ts';
import { Failure } from './failure.ts';
import type { DocumentFile } from './translate-files.ts';

interface Imported {
  readonly file: string;
  readonly job: number | null;
  readonly item: number;
  readonly finished: number;
  readonly units: number;
  /** Why it was refused; '' when it was not. */
  readonly error: string;
  /** The same, by its places in the file; [] when it was not refused. */
  readonly refusals: readonly Refusal[];
}

interface Refusal {
  /** From 1; absent: the file as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** What to do about it; ''. */
  readonly hint: string;
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
        results[place] = await patiently(() => work(all[place] as T));
        progress(++done);
      }
    });
  return results;
}

/** A write gives up after ten seconds, for whoever waits for an answer. Nobody does here: it is tried again for about a minute. */
const mostTries = 6;

export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BusyError) || tries === mostTries) throw error;
    }
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
    if (!known) return { ...blank, ...refused('names no job of this site', 'its "original" must stay as it was exported') };
    const { item, finished, units } = await site.translationJobs.applyResult(known.jobId, known.document, null);
    return { file, job: known.jobId, item, finished, units, error: '', refusals: [] };
  } catch (error) {
    if (error instanceof RestError) return { ...blank, error: error.message, refusals: refusalsOf(error) };
    if (error instanceof Failure) return { ...blank, ...refused(error.message, '') };
    throw error;
  }
}

function refused(message: string, hint: string): Pick<Imported, 'error' | 'refusals'> {
  return { error: message, refusals: [{ message, hint }] };
}

/** What is wrong with a unit, and what to do about it. */
const reasons: Readonly<Record<string, readonly [message: string, hint: string]>> = table({
  missing_unit: ['the unit is missing', 'every exported unit must come back'],
  duplicate_unit: ['the unit appears twice', 'remove one of them'],
  other_source: [
    'the source is another text',
    'leave sources as they were exported; order the item again if its original has changed',
  ],
  unknown_element: ['has an element that is not of XLIFF', 'codes are the elements that the source has'],
  missing_code: ['a code of the source is missing', 'the target has every code of the source once'],
  extra_code: ['has a code that the source does not have, or has one twice', 'the target has every code of the source once'],
  unbalanced: ['codes that belong together are crossed', 'a pair of codes is within another one, or beside it'],
});
const hints: Readonly<Record<string, string>> = table({
  lang_xliff_malformed: 'send the file back as your editor saves it, or export it again',
  lang_xliff_invalid: 'leave languages as they were exported',
  lang_xliff_mismatch: 'it was exported by another site, or its "original" was changed',
  lang_job_not_found: 'jobs are files in lang/: get those of whoever exported it',
  lang_job_not_open: 'order it again if it is still to be translated: cms translate order',
  lang_translation_edited: 'order it again: cms translate order --all takes what was edited into account',
});

function refusalsOf({ code, data, message }: RestError): readonly Refusal[] {
  const { units, line, column } = data as {
    readonly units?: readonly UnitFault[];
    readonly line?: number;
    readonly column?: number;
  };
  if (!units) return [{ ...(line === undefined ? {} : { line, column: column ?? 1 }), message, hint: hints[code] ?? '' }];
  return units.map(({ id, reason, ...place }) => {
    const [why = reason, hint = ''] = reasons[reason] ?? [];
    return { ...place, message: `${id}: ${why}`, hint };
  });
}

interface UnitFault {
  readonly id: string;
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
}
