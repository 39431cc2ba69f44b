/**
 * Ordering: which pairs of an item and a language become jobs, and what their texts are. What an earlier attempt has translated, and
 * the original still says, is taken over.
 *
 * Source: reference on languages, 13.4.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { textRulesOf } from '../../languages/config/index.ts';
import { unitsOf } from '../units/index.ts';
import type { TextRules } from '../../languages/config/record.ts';
import { placedRecord, writeRow } from './file.ts';
import { hasPair } from './access.ts';
import type { JobContext } from './lookup.ts';
import type {
  BatchRecord,
  JobOrder,
  JobPart,
  JobRecord,
  JobSubject,
  JobUnit,
  Ordered,
  OrderedJob,
  OrderElement,
  SkippedPair,
  StatusRecord,
  SubjectSource,
  TranslatedItem,
} from './record.ts';
import { translationSettings } from './settings.ts';
import { openStatuses, statusAfter } from './states.ts';

/** Pairs of one commit. */
const pairsAtOnce = 64;

interface Pair {
  readonly element: OrderElement;
  readonly target: string;
}

export async function createJobs(context: JobContext, order: JobOrder, by: Actor | null): Promise<Ordered> {
  const pairs = order.elements.flatMap((element) => element.targets.map((target): Pair => ({ element, target })));
  let all: Ordered = { batch: order.batch ?? null, created: [], skipped: [] };
  for (let at = 0; at < pairs.length; at += pairsAtOnce) {
    const part = pairs.slice(at, at + pairsAtOnce);
    const { batch } = all;
    const done = await context.site.write((site) => planOrder({ ...context, site }, order, part, batch, by));
    all = { batch: done.batch, created: [...all.created, ...done.created], skipped: [...all.skipped, ...done.skipped] };
  }
  return all;
}

interface PlanningContext extends JobContext {
  readonly site: PlanningSite;
}

function planOrder(
  context: PlanningContext,
  order: JobOrder,
  pairs: readonly Pair[],
  known: BatchRecord | null,
  by: Actor | null,
): WritePlan<Ordered> {
  const { site } = context;
  const skipped: SkippedPair[] = [];
  const created: OrderedJob[] = [];
  const changes: FileChange[] = [];
  let batch = known;
  for (const { element, target } of pairs) {
    const found = sourceOf(context, element);
    const reason = found ? refusalOf(context, order, found.source, target) : 'unknown_item';
    const texts = found && reason === null ? partsOf(context, found.source) : [];
    if (!found || reason !== null || texts.every(({ units }) => units.length === 0)) {
      skipped.push({ item: element.id, target, reason: reason ?? 'nothing_to_translate' });
      continue;
    }
    if (batch === null) {
      batch = placedRecord(site, 'batch', { name: order.name, tpId: 0, created: site.now().gmt });
      changes.push(writeRow(site, 'batch', batch));
    }
    const { job, status, files } = planJob(context, order, { ...found, target, texts, batch: batch.id }, by);
    changes.push(...files);
    created.push({ rid: status.id, jobId: job.id, item: found.source.item, target, type: found.subject.type });
  }
  return { changes, result: { batch, created, skipped }, once: 'translation orders' };
}

interface Source {
  readonly subject: JobSubject;
  readonly source: SubjectSource;
}

function sourceOf({ subjects }: JobContext, element: OrderElement): Source | null {
  for (const subject of subjects.values()) {
    const source = subject.find(element);
    if (source) return { subject, source };
  }
  return null;
}

function refusalOf({ site }: JobContext, order: JobOrder, source: SubjectSource, target: string): SkippedPair['reason'] | null {
  if (source.refusal !== null) return source.refusal;
  if (!site.languages.of(target)) return 'unknown_language';
  if (target === source.lang) return 'same_language';
  const translator = order.translators[target] ?? 0;
  return translator !== 0 && !hasPair(site, translator, source.lang, target) ? 'no_language_pair' : null;
}

function rulesOf(site: Site): TextRules {
  return textRulesOf(site.translationConfig.rules, translationSettings(site).blocks);
}

/** The texts of an original with their units. */
function partsOf({ site }: JobContext, source: SubjectSource): readonly JobPart[] {
  const rules = rulesOf(site);
  return source.texts().map(({ id, format, text }) => {
    const units = unitsOf(format, text, rules);
    const isWhole = units.length === 1 && id !== 'content';
    return {
      id,
      format,
      text,
      units: units.map(({ at, kind, label = '' }, place) => ({
        ...{ id: isWhole ? id : `${id}/${place + 1}`, at, kind, label },
        ...{ target: null, state: '' },
      })),
    };
  });
}

interface NewJob extends Source {
  readonly target: string;
  readonly texts: readonly JobPart[];
  readonly batch: number;
}

function planJob(
  { site, lookup }: PlanningContext,
  order: JobOrder,
  { subject, source, target, texts, batch }: NewJob,
  by: Actor | null,
): { readonly job: JobRecord; readonly status: StatusRecord; readonly files: readonly FileChange[] } {
  const { item, element, lang } = source;
  const before = lookup.recordOf(element, item, target);
  const attempts = before ? lookup.attempts(before.id) : [];
  const translated = subject.translated({ element, item, target });
  const present = site.now().gmt;
  const translator = order.translators[target] ?? 0;
  const to = statusAfter('order', before?.status ?? 0, null) as number;
  const common = {
    ...{ type: subject.type, element, item, source: lang, target, status: to, needsUpdate: false, hash: source.hash() },
    ...{ reviewStatus: null, service: 'local', translator, batch, tpId: 0, tsStatus: '', retryCount: 0, sent: present, job: 0 },
  };
  const placed = before ? { ...before, ...common } : placedRecord(site, 'status', { ...common, named: '', prev: null });
  const job = placedRecord(site, 'job', {
    rid: placed.id,
    revision: (attempts[0]?.revision ?? 0) + 1,
    title: source.title,
    editor: order.editor,
    editorJobId: 0,
    automatic: order.automatic,
    translator,
    manager: by?.id ?? 0,
    deadline: order.deadline,
    created: present,
    completed: '',
    syncCount: 0,
    targetHash: translated?.hash ?? '',
    parts: withMemory(texts, attempts, translated, rulesOf(site)),
    history: [{ at: present, by: by?.id ?? 0, event: 'order', from: before?.status ?? 0, to }],
  });
  const status: StatusRecord = { ...placed, job: job.id, prev: before ? formerOf(before) : null };
  const stored = before && site.records.table<StatusRecord>('translationStatuses').get(before.id);
  return { job, status, files: [writeRow(site, 'job', job), writeRow(site, 'status', status, stored)] };
}

/** What a cancellation goes back to: of an attempt that was not done, what stood before that one. */
function formerOf(before: StatusRecord): StatusRecord['prev'] {
  if (openStatuses.includes(before.status)) return before.prev;
  const { status, needsUpdate, hash, reviewStatus, job } = before;
  return { status, needsUpdate, hash, reviewStatus, job };
}

interface Memory {
  readonly text: string;
  readonly isExact: boolean;
}

/**
 * Units with what was translated before: by the last attempt that was finished, and by later ones as far as they came. The translation
 * as it is now counts more than what was delivered: a person may have changed it since. Where its units cannot be told apart any more,
 * what is known is only a suggestion.
 * @param attempts  the newest first
 */
function withMemory(
  texts: readonly JobPart[],
  attempts: readonly JobRecord[],
  translated: TranslatedItem | null,
  rules: TextRules,
): readonly JobPart[] {
  const last = attempts.findIndex(({ completed }) => completed !== '');
  const bySource = new Map<string, Memory>();
  const byId = new Map<string, string>();
  const keep = (part: JobPart, unit: JobUnit, text: string, isExact: boolean): void => {
    bySource.set(memoryKey(part, unit), { text, isExact });
    byId.set(unit.id, text);
  };
  const now = last === -1 ? undefined : translated?.texts();
  for (const part of attempts[last]?.parts ?? []) {
    const shown = now?.get(part.id);
    const found = shown === undefined ? [] : unitsOf(part.format, shown, rules);
    const isAligned = shown !== undefined && found.length === part.units.length;
    for (const [place, unit] of part.units.entries()) {
      const text = isAligned ? shown.slice(...(found[place] as JobUnit).at) : unit.target;
      if (text !== null) keep(part, unit, text, isAligned);
    }
  }
  for (const part of attempts
    .slice(0, last === -1 ? undefined : last)
    .toReversed()
    .flatMap(({ parts }) => parts))
    for (const unit of part.units) if (unit.target !== null && isDelivered(unit)) keep(part, unit, unit.target, true);
  return texts.map((part) => ({
    ...part,
    units: part.units.map((unit) => {
      const same = bySource.get(memoryKey(part, unit));
      const target = same?.text ?? byId.get(unit.id);
      return target === undefined ? unit : { ...unit, target, state: same?.isExact ? 'memory' : 'fuzzy' };
    }),
  }));
}

/** Not only suggested. */
function isDelivered({ state }: JobUnit): boolean {
  return state === 'translated' || state === 'needs-review' || state === 'final';
}

function memoryKey({ format, text }: JobPart, { at, kind }: JobUnit): string {
  return `${format} ${kind} ${text.slice(...at)}`;
}

/** Whether nothing is to be done about a unit any more. */
export function isFinished({ target, state }: Pick<JobUnit, 'target' | 'state'>): boolean {
  return target !== null && state !== '' && state !== 'fuzzy';
}
