/**
 * What files of jobs hold: a status, an attempt, a batch.
 *
 * Source: reference on languages, 13.4.
 */
import { type Field, type Fields, flag, idFile, inFile, integer, type Scalar, text, word } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { history, parts } from './parts.ts';
import {
  type BatchRecord,
  type FormerStatus,
  type JobRecord,
  jobTypes,
  reviewStatuses,
  type ReviewStatus,
  type StatusRecord,
} from './record.ts';
import { knownStatus } from './states.ts';

/** A property that only the file has. */
function kept<R, K extends keyof R & string>(
  prop: K,
  kind: Scalar<NonNullable<R[K]>>,
  fallback: R[K],
  key: string = prop,
  index: Field<R, unknown>['index'] = undefined,
): Field<R, unknown> {
  return { file: inFile<R, K>(prop, kind, fallback, key), ...(index ? { index } : {}) };
}

const statusNumber: Scalar<number> = { ...integer, parse: knownStatus };

const review: Scalar<NonNullable<ReviewStatus>> = word(reviewStatuses);

const former: Scalar<FormerStatus> = {
  form: { type: ['object', 'null'], description: 'What stood before the attempt that counts.' },
  parse(raw) {
    const { status, needs_update: needsUpdate, hash, review_status: reviewStatus, job } = isMap(raw) ? raw : {};
    return {
      status: knownStatus(status),
      needsUpdate: needsUpdate === true,
      hash: String(hash ?? ''),
      reviewStatus: reviewStatuses.find((one) => one === reviewStatus) ?? null,
      job: typeof job === 'number' ? job : 0,
    };
  },
  print: ({ status, needsUpdate, hash, reviewStatus, job }) => ({
    status,
    ...(needsUpdate ? { needs_update: true } : {}),
    ...(hash === '' ? {} : { hash }),
    ...(reviewStatus === null ? {} : { review_status: reviewStatus }),
    ...(job === 0 ? {} : { job }),
  }),
};

/** Names an item and a language, of whatever kind. @param item  its id, or what statuses call it */
export function pairKey(element: string, item: number | string, target: string): string {
  return `${element} ${item} ${target}`;
}

const original: Field<StatusRecord, unknown> = {
  file: {
    key: 'item',
    form: { type: ['integer', 'string'], description: 'What is translated: its path below the content folder, or its id.' },
    read(raw, draft) {
      draft.named = typeof raw === 'string' ? raw : '';
      draft.item = draft.named !== '' || raw === undefined || raw === null ? 0 : integer.parse(raw, 'item');
    },
    print: ({ named, item }) => named || item || undefined,
  },
};

export const statusFields: Fields<StatusRecord, unknown> = {
  id: { file: idFile },
  type: kept<StatusRecord, 'type'>('type', word(jobTypes), 'post'),
  element: kept<StatusRecord, 'element'>('element', text, '', 'element', {
    equal: ({ element, named, item, target }) => pairKey(element, named || item, target),
  }),
  item: original,
  source: kept<StatusRecord, 'source'>('source', text, ''),
  target: kept<StatusRecord, 'target'>('target', text, ''),
  status: kept<StatusRecord, 'status'>('status', statusNumber, 0),
  job: kept<StatusRecord, 'job'>('job', integer, 0),
  hash: kept<StatusRecord, 'hash'>('hash', text, ''),
  review_status: kept<StatusRecord, 'reviewStatus'>(
    'reviewStatus',
    review as Scalar<NonNullable<ReviewStatus>>,
    null,
    'review_status',
  ),
  service: kept<StatusRecord, 'service'>('service', text, 'local'),
  translator: kept<StatusRecord, 'translator'>('translator', integer, 0),
  batch: kept<StatusRecord, 'batch'>('batch', integer, 0),
  tp_id: kept<StatusRecord, 'tpId'>('tpId', integer, 0, 'tp_id', { equal: ({ tpId }) => tpId || undefined }),
  ts_status: kept<StatusRecord, 'tsStatus'>('tsStatus', text, '', 'ts_status'),
  retry_count: kept<StatusRecord, 'retryCount'>('retryCount', integer, 0, 'retry_count'),
  sent: kept<StatusRecord, 'sent'>('sent', text, ''),
  prev: kept<StatusRecord, 'prev'>('prev', former, null),
};

export const jobFields: Fields<JobRecord, unknown> = {
  id: { file: idFile },
  rid: kept<JobRecord, 'rid'>('rid', integer, 0, 'rid', { equal: ({ rid }) => rid }),
  revision: kept<JobRecord, 'revision'>('revision', integer, 1),
  title: kept<JobRecord, 'title'>('title', text, ''),
  editor: kept<JobRecord, 'editor'>('editor', word(['local', 'ate', 'tp'] as const), 'local'),
  editor_job_id: kept<JobRecord, 'editorJobId'>('editorJobId', integer, 0, 'editor_job_id', {
    equal: ({ editorJobId }) => editorJobId || undefined,
  }),
  automatic: kept<JobRecord, 'automatic'>('automatic', flag, false),
  translator: kept<JobRecord, 'translator'>('translator', integer, 0),
  manager: kept<JobRecord, 'manager'>('manager', integer, 0),
  deadline: kept<JobRecord, 'deadline'>('deadline', text, ''),
  created: kept<JobRecord, 'created'>('created', text, ''),
  completed: kept<JobRecord, 'completed'>('completed', text, ''),
  sync_count: kept<JobRecord, 'syncCount'>('syncCount', integer, 0, 'sync_count'),
  target_hash: kept<JobRecord, 'targetHash'>('targetHash', text, '', 'target_hash'),
  parts: kept<JobRecord, 'parts'>('parts', parts, []),
  history: kept<JobRecord, 'history'>('history', history, []),
};

export const batchFields: Fields<BatchRecord, unknown> = {
  id: { file: idFile },
  name: kept<BatchRecord, 'name'>('name', text, ''),
  tp_id: kept<BatchRecord, 'tpId'>('tpId', integer, 0, 'tp_id'),
  created: kept<BatchRecord, 'created'>('created', text, ''),
};
