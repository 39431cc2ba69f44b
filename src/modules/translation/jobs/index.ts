/**
 * Jobs of translation as a module: records in files, the service, and its routes.
 */
import type { Field } from '../../../kernel/model/field.ts';
import { editOnly, of } from '../../../kernel/model/schema.ts';
import type { Module } from '../../../kernel/module.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { languagePairs } from './access.ts';
import { assignJob, cancelJobs, noteJob, setStatus } from './changes.ts';
import { documentOf, jobIdOf, parseDocument } from './documents.ts';
import { jobErrors } from './errors.ts';
import { jobKinds, jobPaths, jobTables } from './file.ts';
import { findJob } from './changes.ts';
import { createLookup, type JobContext } from './lookup.ts';
import { createJobs } from './orders.ts';
import type { JobSubject, JobType, TranslationJobs } from './record.ts';
import { createUnitCodec, pseudo } from '../units/index.ts';
import { applyResult, saveTexts } from './results.ts';
import { jobRoutes } from './routes.ts';
import { settings, translationSettings } from './settings.ts';
import type { Site } from '../../../kernel/site/site.ts';

export { isEligible, isManager, languagePairs, mayManage, mayTranslate, outsider } from './access.ts';
export { dropStatus, renameOriginal, renewHash, type TranslatedOriginal, writeDirect } from './changes.ts';
export { isOpenStatus, type JobEvent, jobStatus, openStatuses } from './states.ts';
export { translationSettings } from './settings.ts';

const pairsField: Field<UserRecord, unknown> = {
  schema: of('object', 'Languages that the user translates between: source and targets.', {
    context: editOnly,
    readonly: true,
    additionalProperties: { type: 'array', items: { type: 'string' } },
  }),
  get(user) {
    const pairs = languagePairs(user);
    return Object.keys(pairs).length === 0 ? undefined : pairs;
  },
};

const manager = ['manage_translations', 'translate'];

export const translationJobs: Module = {
  name: 'translation-jobs',
  settings,
  errors: jobErrors,
  capabilities: { administrator: manager, translation_manager: manager, translator: ['translate'] },
  setup(site) {
    const { context, service } = createService(site);
    contexts.set(site, context);
    return { site: { translationJobs: service } };
  },
  tables: () => jobTables(),
  kinds: (site) => jobKinds(site),
  paths: () => jobPaths,
  extend: { user: { fields: { language_pairs: pairsField } } },
  namespaces: (site) => [{ name: 'lang/tm/v1', routes: jobRoutes(contexts.get(site) as JobContext) }],
};

/** What the routes of a site work on. */
const contexts = new WeakMap<Site, JobContext>();

/** A pseudo-translation of every unit of a job, as `save` takes it. */
export function pseudoTargets(jobs: TranslationJobs, jobId: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (jobs.job(jobId)?.parts ?? []).flatMap((part) => {
      const codec = createUnitCodec(part.format, part.text);
      return part.units.map((unit) => [unit.id, codec.print(unit, pseudo(codec.pieces(unit)))]);
    }),
  );
}

function createService(site: Site): { readonly context: JobContext; readonly service: TranslationJobs } {
  const subjects = new Map<JobType, JobSubject>();
  const lookup = createLookup(site, subjects);
  const context: JobContext = { site, subjects, lookup };
  const service: TranslationJobs = {
    ...lookup,
    create: (order, by) => createJobs(context, order, by),
    assign: (jobId, translator, by) => assignJob(context, jobId, translator, by),
    cancel: (rids, by) => cancelJobs(context, rids, by),
    setStatus: (rid, event, by, values) => setStatus(context, rid, event, by, values),
    note: (jobId, values) => noteJob(context, jobId, values),
    xliff(jobId, version = translationSettings(site).xliff) {
      const { job, status } = findJob(context, jobId);
      return documentOf(context, job, status, version);
    },
    identify(xliff) {
      const document = parseDocument(xliff);
      const jobId = jobIdOf(document);
      return jobId === null ? null : { jobId, document };
    },
    applyResult: (jobId, xliff, by) => applyResult(context, jobId, xliff, by),
    save: (jobId, texts, by) => saveTexts(context, jobId, texts, by),
    register: (subject) => void subjects.set(subject.type, subject),
  };
  return { context, service };
}
