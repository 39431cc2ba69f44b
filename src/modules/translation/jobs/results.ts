/**
 * Results: texts that come back, kept in their job, and written as the translation once none is missing.
 *
 * Source: reference on languages, 12.3 to 12.5, 13.4.
 */
import { fail } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { WritePlan } from '../../../kernel/site/site.ts';
import { filterHtml } from '../../../render/filter.ts';
import { createUnitCodec, spliced } from '../units/index.ts';
import { findJob, refuseClosed, storedStatus } from './changes.ts';
import type { ReadXliff } from '../xliff/record.ts';
import { type Delivered, deliveryOf, parseDocument, targetPieces } from './documents.ts';
import { writeRow } from './file.ts';
import type { JobContext } from './lookup.ts';
import { isFinished } from './orders.ts';
import type { AppliedResult, JobPart, JobRecord, JobSubject, JobUnit, ReviewStatus, StatusRecord } from './record.ts';
import { translationSettings } from './settings.ts';
import { jobStatus, statusAfter } from './states.ts';

export async function applyResult(
  context: JobContext,
  jobId: number,
  xliff: string | ReadXliff,
  by: Actor | null,
): Promise<AppliedResult> {
  const document = typeof xliff === 'string' ? parseDocument(xliff) : xliff;
  return context.site.write(() => {
    const { job, status } = findJob(context, jobId);
    const { units, ignored } = deliveryOf(context, job, status, document);
    return planResult(context, job, status, units, ignored, by);
  });
}

/** @throws RestError lang_xliff_invalid for a unit the job does not have, or codes that a text does not have each once */
export async function saveTexts(
  context: JobContext,
  jobId: number,
  texts: Readonly<Record<string, string>>,
  by: Actor | null,
): Promise<AppliedResult> {
  return context.site.write(() => {
    const { job, status } = findJob(context, jobId);
    const left = new Set(Object.keys(texts));
    const units = new Map<string, Delivered>();
    for (const part of job.parts) {
      const codec = createUnitCodec(part.format, part.text);
      for (const unit of part.units) {
        const text = texts[unit.id];
        left.delete(unit.id);
        if (text === undefined) continue;
        const target = targetPieces(part, unit, codec.pieces(unit), text);
        if (target === null) fail('lang_xliff_invalid', { units: [{ id: unit.id, reason: 'other_codes' }] });
        else units.set(unit.id, { target: codec.print(unit, target), state: 'translated' });
      }
    }
    const [stranger] = left;
    if (stranger !== undefined) fail('lang_xliff_invalid', { units: [{ id: stranger, reason: 'unknown_unit' }] });
    return planResult(context, job, status, units, [], by);
  });
}

function planResult(
  context: JobContext,
  job: JobRecord,
  status: StatusRecord,
  delivered: ReadonlyMap<string, Delivered>,
  ignored: readonly string[],
  by: Actor | null,
): WritePlan<AppliedResult> {
  const { site, subjects } = context;
  const subject = subjects.get(status.type) as JobSubject;
  const parts = job.parts.map((part) => withDelivered(part, delivered, filterFor(context, by)));
  const all = parts.flatMap(({ units }) => units);
  const finished = all.filter(isFinished).length;
  const before = job.parts.flatMap(({ units }) => units);
  const isSame = all.every((unit, at) => isSameUnit(unit, before[at] as JobUnit));
  const numbers = { finished, units: all.length, ignored };
  // Duplicates are stored once.
  const isComplete = finished === all.length;
  if (isSame && status.job === job.id && isComplete === (status.status === jobStatus.complete)) {
    const item = isComplete ? (subject.translated(status)?.id ?? 0) : 0;
    return { changes: [], result: { status, item, ...numbers } };
  }
  refuseClosed(context, job, status);
  const event = isComplete ? 'complete' : 'save';
  const to = statusAfter(event, status.status, status.prev) ?? fail('lang_job_not_open', { job_status: status.status });
  const present = site.now().gmt;
  const after: JobRecord = {
    ...job,
    parts,
    completed: isComplete ? present : '',
    history: [...job.history, { at: present, by: by?.id ?? 0, event, from: status.status, to }],
  };
  const reviewStatus = isComplete ? reviewOf(context, job, all) : status.reviewStatus;
  const stated: StatusRecord = { ...status, status: to, reviewStatus };
  const files = [writeRow(site, 'job', after, job), writeRow(site, 'status', stated, storedStatus(site, status))];
  if (!isComplete) return { changes: files, result: { status: stated, item: 0, ...numbers } };
  if ((subject.translated(status)?.hash ?? '') !== job.targetHash) fail('lang_translation_edited');
  const texts = new Map(
    parts.map(({ id, text, units }) => [
      id,
      spliced(
        text,
        units,
        units.map(({ target }) => target),
      ),
    ]),
  );
  const isHeld = reviewStatus === 'NEEDS_REVIEW' && translationSettings(site).review === 'before-publish';
  const { changes, item, once } = subject.apply(stated, texts, by, isHeld);
  // The status is written last: it is the commit point.
  return { changes: [...changes, ...files], result: { status: stated, item, ...numbers }, ...(once ? { once } : {}) };
}

/** What does not come stays, unless it was only suggested: then nobody has taken it. */
function withDelivered(part: JobPart, delivered: ReadonlyMap<string, Delivered>, filter: Filter): JobPart {
  const codec = createUnitCodec(part.format, part.text);
  return {
    ...part,
    units: part.units.map((unit) => {
      const found = delivered.get(unit.id);
      if (!found) return unit;
      if (found.target === null) return unit.state === 'memory' ? { ...unit, state: 'fuzzy' } : unit;
      return { ...unit, target: codec.filtered(unit, found.target, filter), state: found.state };
    }),
  };
}

type Filter = (html: string) => string;

/** Markup as whoever delivers it may write it: the command line all, others as in any other write. */
function filterFor({ site }: JobContext, by: Actor | null): Filter {
  if (by === null || site.access.can(by, 'unfiltered_html')) return (html) => html;
  return (html) => filterHtml(html, 'post');
}

function isSameUnit(a: JobUnit, b: JobUnit): boolean {
  return a.target === b.target && a.state === b.state;
}

function reviewOf({ site }: JobContext, { automatic }: JobRecord, units: readonly JobUnit[]): ReviewStatus {
  if (units.some(({ state }) => state === 'needs-review')) return 'NEEDS_REVIEW';
  return automatic && translationSettings(site).review !== 'none' ? 'NEEDS_REVIEW' : null;
}
