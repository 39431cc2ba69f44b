/**
 * Which events jobs take in which status, and what becomes of it.
 *
 * Source: reference on languages, 2 and 13.4.
 */
import { table } from '../../../kernel/model/maps.ts';

/** Stored and, as 3 and 30, asked for by lists. */
export const jobStatus = {
  none: 0,
  waiting: 1,
  inProgress: 2,
  /** Virtual: the flag `needsUpdate`. */
  needsUpdate: 3,
  /** The agency has finished, and nothing is applied yet. */
  ready: 4,
  duplicate: 9,
  complete: 10,
  /** Virtual: the review status. */
  needsReview: 30,
  /** Could not be sent to the external editor. */
  failed: 40,
  /** Cancelled at the editor and not shown. */
  hidden: 42,
} as const;

const stored: readonly number[] = [0, 1, 2, 4, 9, 10, 40, 42];

/** What a file or another service says of a status; whatever is unknown is 0. */
export function knownStatus(value: unknown): number {
  return typeof value === 'number' && stored.includes(value) ? value : jobStatus.none;
}

interface Transition {
  readonly from: readonly number[];
  /** `same`: unchanged; `former`: what was before the job where that needs an update, else none. */
  readonly to: number | 'same' | 'former';
}

const { none, waiting, inProgress, ready, duplicate, complete, failed, hidden } = jobStatus;

export const transitions = table({
  /** Another attempt while one is under way takes its place. */
  order: { from: [none, waiting, inProgress, ready, duplicate, complete, failed, hidden], to: waiting },
  assign: { from: [waiting, inProgress], to: waiting },
  resign: { from: [waiting, inProgress], to: waiting },
  save: { from: [waiting, inProgress], to: inProgress },
  complete: { from: [waiting, inProgress, ready], to: complete },
  /** What returns from the external editor for an item that mirrors its original. */
  returned: { from: [duplicate], to: inProgress },
  accept: { from: [complete], to: complete },
  agency_ready: { from: [waiting, inProgress, ready], to: ready },
  agency_working: { from: [waiting, inProgress, ready], to: inProgress },
  agency_cancelled: { from: [waiting, inProgress, ready], to: none },
  editor_working: { from: [waiting, inProgress], to: inProgress },
  editor_cancelled: { from: [waiting, inProgress], to: none },
  editor_hidden: { from: [waiting, inProgress], to: hidden },
  send_failed: { from: [waiting], to: failed },
  retried: { from: [failed], to: waiting },
  cancel: { from: [waiting, inProgress, ready, failed], to: 'former' },
  original_edited: { from: [waiting, inProgress, ready, duplicate, complete, failed, hidden], to: 'same' },
  target_edited: { from: [waiting, inProgress], to: complete },
} as const satisfies Readonly<Record<string, Transition>>);

export type JobEvent = keyof typeof transitions;

/**
 * The status after an event.
 * @param former  status before the job, and whether it needed an update then
 * @returns null when the status does not take the event
 */
export function statusAfter(
  event: JobEvent,
  status: number,
  former: { readonly status: number; readonly needsUpdate: boolean } | null,
): number | null {
  const { from, to }: Transition = transitions[event];
  if (!from.includes(status)) return null;
  if (to === 'same') return event === 'original_edited' && status === hidden ? none : status;
  if (to === 'former') return former?.needsUpdate ? former.status : none;
  return to;
}

/** Statuses of jobs that somebody works on. */
export const openStatuses: readonly number[] = [waiting, inProgress, ready, failed];

export function isOpenStatus({ status }: { readonly status: number }): boolean {
  return openStatuses.includes(status);
}
