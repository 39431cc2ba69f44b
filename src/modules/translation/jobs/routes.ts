/**
 * Jobs, `lang/tm/v1`: lists, who translates them, cancelling, and their documents.
 *
 * Access   managers of translations; translators for jobs in their languages that are theirs or nobody's
 * Errors   rest_forbidden, lang_job_not_found, lang_job_forbidden, lang_job_not_open, lang_job_no_units, rest_invalid_param
 * Source   specification 4.13; reference on languages, 4; recordings of the reference
 */
import { fail } from '../../../kernel/errors.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Arg, Args } from '../../../kernel/rest/args.ts';
import { answer, type Answer, type Call, CREATE, type Namespace, READ, type AccessRule } from '../../../kernel/rest/types.ts';
import { isEligible, hasPair, isManager, mayTranslate } from './access.ts';
import { findJob, isAssignable } from './changes.ts';
import { listJobs, shownJob } from './list.ts';
import type { JobContext } from './lookup.ts';
import { type JobType, jobTypes } from './record.ts';
import { type XliffVersion, xliffVersions } from '../xliff/record.ts';

type Routes = Namespace['routes'];

/** Refused without details, as recorded. */
const checked = (arg: Arg, fits: (value: unknown) => boolean): Arg => ({
  ...arg,
  validate: (value) => (fits(value) ? null : false),
});
const isDay = (value: unknown): boolean => {
  const day = new Date(`${String(value)}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(String(value));
};
const isWhole = (value: unknown): boolean => /^-?\d+$/.test(String(value));
const isOneOf =
  (words: readonly string[]) =>
  (value: unknown): boolean =>
    words.includes(String(value));
const isSorting = (value: unknown): boolean => isMap(value);
const text = (description: string): Arg => of('string', description);
const day = (description: string): Arg => checked(text(description), isDay);

const listArgs: Args = {
  local_job_ids: text('Numbers of jobs, separated by commas.'),
  scope: checked(text('Who translates.'), isOneOf(['local', 'remote', 'all', 'ate'])),
  id: checked(of('integer', 'Number of a job.'), isWhole),
  title: text('Parts of titles, separated by commas.'),
  source_language: text('Code of the language of the original.'),
  target_language: text('Codes of languages, separated by commas.'),
  status: text('Numbers of statuses, separated by commas.'),
  needs_update: checked(text('Whether the original has changed since.'), isOneOf(['include', 'exclude'])),
  limit: checked(of('integer', 'How many.'), isWhole),
  offset: checked(of('integer', 'How many are left out before.'), isWhole),
  // Declared as a string, but only a map is accepted, as recorded.
  sorting: { ...checked(text('Columns and their directions.'), isSorting), coerce: false },
  translated_by: text('Who translates: a user, or a service.'),
  sent_from: day('Ordered on this day or later.'),
  sent_to: day('Ordered on this day or earlier.'),
  deadline_from: day('Due on this day or later.'),
  deadline_to: day('Due on this day or earlier.'),
};

export function jobRoutes(context: JobContext): Routes {
  const { site, lookup } = context;
  const eligible = (call: Call, jobId: number) => {
    const found = findJob(context, jobId);
    if (!isEligible(site, call.user, found.job, found.status)) fail('lang_job_forbidden', { job_id: jobId });
    return found;
  };

  function list(call: Call): object {
    const { limit = 0, offset = 0 } = call.params as { readonly limit?: number; readonly offset?: number };
    const rows = listJobs(context, call);
    const shown = limit > 0 ? rows.slice(Math.max(0, offset), Math.max(0, offset) + limit) : rows;
    return { jobs: shown.map((row) => shownJob(context, row)), total: rows.length, last_picked_up_date: false };
  }

  async function assign(call: Call): Promise<object> {
    const { jobId, translatorId } = call.params as { readonly jobId: number; readonly translatorId: number };
    const { job, status } = findJob(context, jobId);
    if (!isManager(call)) {
      // Translators can take unassigned jobs, and return their own.
      const own = call.user?.id ?? 0;
      const isTaking = translatorId === own && job.translator === 0;
      const isResigning = translatorId === 0 && job.translator === own;
      if ((!isTaking && !isResigning && job.translator !== translatorId) || !hasPair(site, own, status.source, status.target))
        fail('lang_job_forbidden', { job_id: jobId });
    }
    if (status.job !== job.id || !isAssignable(status)) fail('lang_job_not_open', { job_status: status.status });
    if (translatorId !== 0 && !hasPair(site, translatorId, status.source, status.target))
      fail(
        'rest_invalid_param',
        { params: { translatorId: 'Does not translate between these languages.' }, details: [] },
        'Invalid parameter(s): translatorId',
      );
    await site.translationJobs.assign(jobId, translatorId, call.user);
    return { assigned: true };
  }

  async function cancel(call: Call): Promise<readonly object[]> {
    const wanted = sentList(call).flatMap((one): { readonly id: number; readonly type: JobType }[] => {
      if (!isMap(one) || !isWhole(one.id)) return [];
      const type = jobTypes.find((name) => name === one.type);
      return type && lookup.status(Number(one.id))?.type === type ? [{ id: Number(one.id), type }] : [];
    });
    const cancelled = await site.translationJobs.cancel(
      wanted.map(({ id }) => id),
      call.user,
    );
    return cancelled.map(({ id, type }) => ({ id, type }));
  }

  function fetchDocument(call: Call): Answer | object {
    const { jobId } = call.params as { readonly jobId: number };
    const version = undeclared<XliffVersion | undefined>(call, 'version', [undefined, ...xliffVersions]);
    const format = undeclared(call, 'format', [undefined, 'json', 'xml']);
    const { status } = eligible(call, jobId);
    const document = site.translationJobs.xliff(jobId, version);
    if (format !== 'xml')
      return {
        content: Buffer.from(document).toString('base64'),
        sourceLang: status.source,
        targetLang: status.target,
      };
    return answer(Buffer.from(document), {
      headers: {
        'Content-Type': 'application/x-xliff+xml; charset=UTF-8',
        'Content-Disposition': `attachment; filename="job-${jobId}.xliff"`,
      },
    });
  }

  return [
    {
      path: '/lang/tm/v1/xliff/fetch/(?P<jobId>\\d+)',
      endpoints: [
        {
          methods: READ,
          args: {
            jobId: of('integer', 'Number of the attempt.'),
          },
          allow: mayTranslate,
          handle: fetchDocument,
        },
      ],
    },
    { path: '/lang/tm/v1/jobs', endpoints: [{ methods: READ, args: listArgs, allow: mayTranslate, handle: list }] },
    {
      path: '/lang/tm/v1/jobs/assign',
      endpoints: [
        {
          methods: CREATE,
          args: {
            jobId: checked(of('integer', 'Number of the attempt.', { required: true }), isWhole),
            type: { ...text('What kind of job it is.'), enum: [...jobTypes], default: 'post' },
            translatorId: checked(of('integer', 'Who translates; 0: nobody.', { required: true }), isWhole),
          },
          allow: mayTranslate,
          handle: assign,
        },
      ],
    },
    { path: '/lang/tm/v1/jobs/cancel', endpoints: [{ methods: CREATE, args: {}, allow: mayCancel, handle: cancel }] },
  ];
}

/** A parameter that the specification does not name. @throws RestError rest_invalid_param */
function undeclared<T extends string | undefined>({ params }: Call, name: string, known: readonly T[]): T {
  const value: unknown = params[name];
  if (known.some((one) => one === value)) return value as T;
  const why = `${name} is one of ${known.filter((one) => one !== undefined).join(', ')}.`;
  return fail('rest_invalid_param', { params: { [name]: why }, details: [] }, `Invalid parameter(s): ${name}`);
}

const mayCancel: AccessRule = (call) => (isManager(call) ? null : 'rest_forbidden');

/** The body as a list; members of a map count as one too. */
function sentList({ request }: Call): readonly unknown[] {
  if (!request.raw || request.form) return Object.values(request.form ?? {});
  const value: unknown = JSON.parse(Buffer.from(request.raw).toString('utf8'));
  return Array.isArray(value) ? value : [];
}
