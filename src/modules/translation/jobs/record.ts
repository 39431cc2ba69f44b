/**
 * Jobs of translation: what is to be translated into which language, how far that is, and the texts of each attempt.
 *
 * Four numbers name a job, and none stands for another (reference on languages, 1.4):
 *   rid          the status record: one group, one target language; it outlives every attempt
 *   job id       one attempt; the status names the one that counts
 *   editor id    what the external editor calls the attempt
 *   agency id    what the agency calls it
 *
 * A status is `lang/status/<rid>.yaml`, an attempt `lang/jobs/<job id>.yaml`, a batch `lang/batches/<id>.yaml`. The status is written
 * last: a job file that no status names is none.
 *
 * Source: reference on languages, 1.4, 2, 13.4, 13.5.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { FileRecord } from '../../../kernel/site/file-kind.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import type { TextFormat, UnitRange } from '../units/record.ts';
import type { ReadXliff } from '../xliff/record.ts';
import type { JobEvent } from './states.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationJobs: TranslationJobs;
  }
}

export const jobTypes = ['post', 'package', 'string', 'st-batch_strings'] as const;
/** `post` covers every item; the precise one is `StatusRecord.element`. */
export type JobType = (typeof jobTypes)[number];

export const reviewStatuses = ['NEEDS_REVIEW', 'EDITING', 'ACCEPTED'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number] | null;

/** What stood before the attempt that counts; restored when it is cancelled. */
export interface FormerStatus {
  readonly status: number;
  readonly needsUpdate: boolean;
  readonly hash: string;
  readonly reviewStatus: ReviewStatus;
  /** Job id; 0: there was none. */
  readonly job: number;
}

export interface StatusRecord extends FileRecord {
  /** The rid. */
  readonly id: number;
  readonly type: JobType;
  /** What is translated, as lists name it: `post_page`, `post_attachment`, `tax_category`; of strings their batch. */
  readonly element: string;
  /** Id of the original, or of the batch of strings; 0 where nothing has the name. */
  readonly item: number;
  /** What the file calls the original, as other files do; '' where it says the id. Branches give out one id twice, but no name. */
  readonly named: string;
  /** Codes of languages. */
  readonly source: string;
  readonly target: string;
  /** Section 2 of the reference: `jobStatus`. */
  readonly status: number;
  /** Not in the file: the original's texts are not those of `hash` any more. */
  readonly needsUpdate: boolean;
  /** Of the texts of the original that the translation is, or will be, of; '' for none. */
  readonly hash: string;
  readonly reviewStatus: ReviewStatus;
  /** `local`, or the id of an agency. */
  readonly service: string;
  /** Id of a user; 0: nobody. */
  readonly translator: number;
  readonly batch: number;
  /** Agency id; 0: none. */
  readonly tpId: number;
  /** State at the agency, as JSON; '' for none. */
  readonly tsStatus: string;
  readonly retryCount: number;
  /** When the attempt that counts was ordered: GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly sent: string;
  /** Job id of the attempt that counts; 0: none. */
  readonly job: number;
  readonly prev: FormerStatus | null;
}

/** How far a text is. `memory` and `fuzzy`: taken from an earlier attempt, of the same source or of another. */
export const unitStates = ['', 'memory', 'fuzzy', 'translated', 'needs-review', 'final'] as const;
export type UnitState = (typeof unitStates)[number];

/** A translatable range of a part, unique by its id within the job. */
export interface JobUnit {
  /** `title`, `content/3`, `meta/subtitle`, `string-31`. */
  readonly id: string;
  /** From and up to which character of the part's text. */
  readonly at: readonly [number, number];
  /** As `UnitRange`: `attribute` is a value in the JSON of a block, `value` one of a shortcode, `markup` stands within Markdown. */
  readonly kind: UnitRange['kind'];
  /** What the site calls it; '' for nothing. */
  readonly label: string;
  /** As the part's text would have it; null: not translated. */
  readonly target: string | null;
  readonly state: UnitState;
}

/** One text of the original as it was when it was ordered. */
export interface JobPart {
  /** `title`, `content`, `excerpt`, `alt`, `name`, `description`, `meta/<key>`, `fields/<name>`, `string-<id>`. */
  readonly id: string;
  readonly format: TextFormat;
  readonly text: string;
  readonly units: readonly JobUnit[];
}

export interface HistoryRow {
  /** GMT. */
  readonly at: string;
  /** Id of a user; 0: the service, or the command line. */
  readonly by: number;
  readonly event: JobEvent;
  readonly from: number;
  readonly to: number;
}

export interface JobRecord extends FileRecord {
  /** The job id. */
  readonly id: number;
  readonly rid: number;
  /** 1 for the first attempt of a rid. */
  readonly revision: number;
  readonly editor: 'local' | 'ate' | 'tp';
  /** Editor id; 0: none. */
  readonly editorJobId: number;
  readonly automatic: boolean;
  readonly translator: number;
  /** Who ordered. */
  readonly manager: number;
  /** `YYYY-MM-DD`, or ''. */
  readonly deadline: string;
  /** GMT; `completed` is '' until it is. */
  readonly created: string;
  readonly completed: string;
  /** How often the external editor was asked for it. */
  readonly syncCount: number;
  readonly title: string;
  /** Of the texts of the translation when the attempt was ordered; '': there was none. Another one on arrival: somebody has edited it. */
  readonly targetHash: string;
  readonly parts: readonly JobPart[];
  readonly history: readonly HistoryRow[];
}

export interface BatchRecord extends FileRecord {
  readonly id: number;
  readonly name: string;
  /** Agency id of the batch; 0: none. */
  readonly tpId: number;
  readonly created: string;
}

/** What an order asks for. */
export interface JobOrder {
  readonly name: string;
  /** `YYYY-MM-DD`, or ''. */
  readonly deadline: string;
  readonly editor: JobRecord['editor'];
  readonly automatic: boolean;
  /** Target → user. */
  readonly translators: Readonly<Record<string, number>>;
  readonly elements: readonly OrderElement[];
  /** That it joins; absent: a new one. */
  readonly batch?: BatchRecord;
}

export interface OrderElement {
  readonly id: number;
  /** Type or taxonomy: `page`, `category`; `string` for a batch of strings. */
  readonly type: string;
  readonly targets: readonly string[];
}

export interface OrderedJob {
  readonly rid: number;
  readonly jobId: number;
  readonly item: number;
  readonly target: string;
  readonly type: JobType;
}

export interface SkippedPair {
  readonly item: number;
  readonly target: string;
  readonly reason:
    | 'unknown_item'
    | 'not_original'
    | 'same_language'
    | 'unknown_language'
    | 'untranslatable_type'
    | 'no_language_pair'
    | 'nothing_to_translate';
}

export interface Ordered {
  /** Null: nothing was ordered. */
  readonly batch: BatchRecord | null;
  readonly created: readonly OrderedJob[];
  readonly skipped: readonly SkippedPair[];
}

/** What became of a translated file. */
export interface AppliedResult {
  readonly status: StatusRecord;
  /** Id of the translated item; 0: it is not written yet, as units are missing. */
  readonly item: number;
  readonly finished: number;
  readonly units: number;
  /** Ids in the file that the job does not have. */
  readonly ignored: readonly string[];
}

/** Of what a job is: items are this module's own; others register theirs, such as strings. */
export interface JobSubject {
  readonly type: JobType;
  /** The original that an order names; null: there is none of this kind. */
  find(element: Pick<OrderElement, 'id' | 'type'>): SubjectSource | null;
  /** The same by a status. */
  present(status: StatusRecord): SubjectSource | null;
  /**
   * The files that hold the translation afterwards, planned against the present state; asked again each time it is planned.
   * @param texts  part → text with every unit translated
   * @param isHeld  a new item is not published before its review
   */
  apply(status: StatusRecord, texts: ReadonlyMap<string, string>, by: Actor | null, isHeld: boolean): SubjectPlan;
  /** Publishes what was held back. */
  release?(status: StatusRecord, by: Actor | null): SubjectPlan;
  translated(status: Pick<StatusRecord, 'element' | 'item' | 'target'>): TranslatedItem | null;
  /** Ids of the items that are one with it in other languages, itself among them. */
  members(element: string, item: number): readonly number[];
  /** Of originals that statuses may name. */
  readonly names?: SubjectNames;
}

interface SubjectNames {
  /** '' where something else has the name too. */
  of(element: string, item: number): string;
  /** The id; 0: nothing is called so. */
  find(element: string, name: string): number;
  /** Whether there is a translation. */
  isTranslated(status: Pick<StatusRecord, 'element' | 'item' | 'target'>): boolean;
}

/** The translation that there is. */
export interface TranslatedItem {
  readonly id: number;
  readonly status: string;
  readonly href: string;
  /** Of its texts. */
  readonly hash: string;
  /** By the ids of their parts. */
  texts(): ReadonlyMap<string, string>;
}

export interface SubjectSource {
  readonly item: number;
  readonly element: string;
  readonly title: string;
  /** Code of its language. */
  readonly lang: string;
  /** Refuses an order, if there is a reason. */
  readonly refusal: SkippedPair['reason'] | null;
  /** Texts to be translated, without units. */
  texts(): readonly Pick<JobPart, 'id' | 'format' | 'text'>[];
  /** Of what a translation is out of date after a change of; reference 13.5. */
  hash(): string;
  /** Where a reader sees it; ''. */
  readonly href: string;
}

export interface SubjectPlan {
  readonly changes: readonly FileChange[];
  /** Of the translated item. */
  readonly item: number;
  readonly once?: string;
}

/** `site.translationJobs`. Whatever changes files checks the state table (`states.ts`) and is one commit: all of it or nothing. */
export interface TranslationJobs {
  status(rid: number): StatusRecord | undefined;
  /** Of an item's group and a target language, whichever member is named. @param element  as `StatusRecord.element` */
  statusOf(element: string, item: number, target: string): StatusRecord | undefined;
  /** The same even where it says nothing now: without a job it tells of a translation, which is gone. */
  recordOf: TranslationJobs['statusOf'];
  statuses(): Iterable<StatusRecord>;
  job(jobId: number): JobRecord | undefined;
  /** The attempt that counts. */
  current(rid: number): JobRecord | undefined;
  byEditorId(editorJobId: number): JobRecord | undefined;
  byAgencyId(tpId: number): StatusRecord | undefined;
  batch(id: number): BatchRecord | undefined;
  /** Whether the attempt counts and is not done or cancelled. */
  isOpen(job: JobRecord): boolean;
  create(order: JobOrder, by: Actor | null): Promise<Ordered>;
  /**
   * @param translator  0: nobody
   * @throws RestError lang_job_not_found, lang_job_not_open
   */
  assign(jobId: number, translator: number, by: Actor | null): Promise<void>;
  /** @returns those that were cancelled; unknown and closed ones are passed over */
  cancel(rids: readonly number[], by: Actor | null): Promise<readonly StatusRecord[]>;
  /** An event of the state table, with what else becomes of the records. @throws RestError lang_job_not_found, lang_job_not_open */
  setStatus(rid: number, event: JobEvent, by: Actor | null, values?: StatusValues): Promise<StatusRecord>;
  /** Members that change no status: ids of others, counters. @throws RestError lang_job_not_found */
  note(jobId: number, values: StatusValues): Promise<void>;
  /** The document of a job. @throws RestError lang_job_not_found, lang_job_no_units */
  xliff(jobId: number, version?: '1.2' | '2.0'): string;
  /** The job that a document is of, and what it says; null: it names none. @throws RestError lang_xliff_malformed, lang_too_large */
  identify(xliff: string): { readonly jobId: number; readonly document: ReadXliff } | null;
  /**
   * Reads a translated document into its job. All units finished: the translation is written and the job complete; else the finished
   * ones are kept and the job is in progress. The same document again changes nothing.
   * @param by  what it brings is filtered as this user's markup is; null: the command line, which may write anything
   * @throws RestError lang_job_not_found, lang_job_not_open, lang_translation_edited, lang_xliff_malformed, lang_xliff_invalid,
   *         lang_xliff_mismatch, lang_too_large; nothing has been written then
   */
  applyResult(jobId: number, xliff: string | ReadXliff, by: Actor | null): Promise<AppliedResult>;
  /** The same with texts by unit, as a person saves them. */
  save(jobId: number, targets: Readonly<Record<string, string>>, by: Actor | null): Promise<AppliedResult>;
  /** Jobs of another kind of subject. */
  register(subject: JobSubject): void;
}

export interface StatusValues {
  readonly editor?: JobRecord['editor'];
  readonly editorJobId?: number;
  readonly automatic?: boolean;
  readonly syncCount?: number;
  readonly service?: string;
  readonly tpId?: number;
  readonly tsStatus?: string;
  readonly retryCount?: number;
  readonly reviewStatus?: ReviewStatus;
}
