/**
 * Work with the external editor: jobs go out, what it says of them comes in, and documents are applied.
 *
 * Source: reference on languages, 5, 11; 13.9 for where documents may come from.
 */
import { table } from '../../../kernel/model/maps.ts';
import { fail, RestError } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { linkOf } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { JobRecord, StatusRecord } from '../jobs/record.ts';
import { type JobEvent, jobStatus, outsider } from '../jobs/index.ts';
import { type EditorJob, editorStatus } from '../upstream/record.ts';
import { createLock } from './lock.ts';
import { type SendKind, sendKinds, type SyncAnswer, type SyncedJob, type SyncRequest, type TranslationEditor } from './record.ts';

/** Words that one call may hold. */
const wordsPerCall = 2000;
/** Automatic jobs that were asked for so often wait for somebody to ask for all. */
const mostSyncs = 100;

export function createEditor(site: Site): TranslationEditor {
  const lock = createLock(() => site.clock());
  const seen = new Map<number, SyncedJob>();
  const { editor, identity, outbox } = site.translationUpstream;

  async function packageOf(job: JobRecord, status: StatusRecord, by: Actor | null) {
    const xliff = site.translationJobs.xliff(job.id, '1.2');
    const language = (code: string) => ({ code, name: site.languages.of(code)?.name ?? code });
    const sender = site.users.get(by?.id ?? job.manager);
    const token = await identity.receiveToken(job.id);
    return {
      id: job.id,
      source_id: status.id,
      source_language: language(status.source),
      target_language: language(status.target),
      deadline: job.deadline === '' ? false : Date.parse(`${job.deadline}T00:00:00Z`) / 1000,
      apply_memory: true,
      job_sender: sender
        ? { id: sender.id, email: sender.account?.email ?? '', username: sender.account?.login ?? '', displayName: sender.name }
        : null,
      notify_enabled: true,
      notify_url: `${site.url}${neutral.root}/lang/tm/v1/ate/jobs/receive/${job.id}?t=${token}`,
      site_identifier: await identity.uuid(),
      permalink: permalinkOf(site, status),
      characters: job.parts.reduce((sum, { text }) => sum + text.length, 0),
      file: {
        type: 'data:application/x-xliff;base64',
        name: `${job.title}.xliff`,
        content: Buffer.from(xliff).toString('base64'),
      },
    };
  }

  async function send(jobs: readonly JobRecord[], by: Actor | null, kind: SendKind): Promise<Map<number, number | null>> {
    const sent = new Map<number, number | null>();
    for (const part of inCalls(jobs)) {
      const ids = await attempt(part, by, kind);
      for (const job of part) {
        const id = ids?.get(job.rid) ?? null;
        sent.set(job.rid, id);
        if (id !== null) await site.translationJobs.note(job.id, { editorJobId: id, editor: 'ate' });
      }
    }
    return sent;
  }

  /** Null: the editor took none of them. */
  async function attempt(part: readonly JobRecord[], by: Actor | null, kind: SendKind) {
    try {
      const jobs: Readonly<Record<string, unknown>>[] = [];
      for (const job of part) {
        const status = site.translationJobs.status(job.rid);
        if (status) jobs.push(await packageOf(job, status, by));
      }
      const isAutomatic = part.some(({ automatic }) => automatic);
      const order = { jobs, existing_jobs: [], auto_translate: isAutomatic, preview: false, job_type: sendKinds[kind] };
      return (await editor.create(order)).ids;
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      log(site, `jobs ${part.map(({ id }) => id).join(', ')} could not be sent to the editor: ${error.code}`);
      return null;
    }
  }

  async function take(rid: number, said: EditorJob): Promise<SyncedJob | null> {
    const job = site.translationJobs.byEditorId(said.id);
    // Only jobs of this site, under their local number.
    if (job === undefined || (rid !== 0 && job.rid !== rid)) return null;
    const event = eventOf(said.status);
    const status = site.translationJobs.status(job.rid);
    if (event && status?.job === job.id && status.status !== statusOf[event])
      await site.translationJobs.setStatus(job.rid, event, null).catch(unlessRefused);
    const after = site.translationJobs.status(job.rid)?.status ?? 0;
    const synced = { ateJobId: said.id, url: said.url, ateStatus: said.status, jobId: job.id, status: after };
    seen.set(said.id, synced);
    return synced;
  }

  async function sync({ lockKey, token, page, numberOfPages, withManual }: SyncRequest): Promise<SyncAnswer> {
    const key = lock.take(lockKey);
    if (key === null) return { ...nothing, lockKey: null };
    const isFirst = token === '' || page < 1;
    const jobs = isFirst ? openJobs(site).filter((job) => withManual || (job.automatic && job.syncCount < mostSyncs)) : [];
    if (isFirst && jobs.length === 0) return { ...nothing, lockKey: key };
    const answer = isFirst
      ? await editor.sync(jobs.map(({ editorJobId }) => editorJobId))
      : await editor.syncPage(token, page - 1);
    for (const job of jobs) if (job.automatic) await site.translationJobs.note(job.id, { syncCount: job.syncCount + 1 });
    const found: SyncedJob[] = [];
    for (const { rid, job } of answer.items) {
      const one = await take(rid, job);
      if (one) found.push(one);
    }
    const pages = isFirst ? (answer.next?.pages ?? 0) : numberOfPages;
    const next = isFirst ? 1 : page + 1;
    const more =
      pages >= next ? { ateToken: isFirst ? (answer.next?.token ?? null) : token, nextPage: next, numberOfPages: pages } : {};
    return { ...nothing, ...more, lockKey: key, jobs: found };
  }

  return {
    lock,
    send,
    packageOf,
    sync,
    seen: (id) => seen.get(id),
    async fetch(job, url, by) {
      const xliff = await editor.download(url);
      const said = site.translationJobs.identify(xliff);
      if (said?.jobId !== job.id) fail('lang_xliff_mismatch', { job_id: job.id });
      return site.translationJobs.applyResult(job.id, xliff, outsider(by?.id));
    },
    async confirm(ids) {
      if (ids.length === 0) return;
      await outbox.add('confirm', ids);
      await outbox.flush();
    },
  };
}

const nothing: SyncAnswer = {
  lockKey: null,
  ateToken: null,
  nextPage: null,
  numberOfPages: null,
  downloadQueueSize: 0,
  jobs: [],
};

/** Jobs that somebody works on in the editor. */
export function openJobs({ translationJobs }: Pick<Site, 'translationJobs'>): readonly JobRecord[] {
  return [...translationJobs.statuses()].flatMap(({ id, status }) => {
    const isOpen = status === jobStatus.waiting || status === jobStatus.inProgress;
    const job = isOpen ? translationJobs.current(id) : undefined;
    return job && job.editor === 'ate' && job.editorJobId > 0 ? [job] : [];
  });
}

/** Statuses of the editor in which there is a document to fetch. */
export const fetchable: readonly number[] = [editorStatus.translated, editorStatus.delivering, editorStatus.edited];

function eventOf(status: number): keyof typeof statusOf | null {
  if (status === editorStatus.cancelled) return 'editor_cancelled';
  if (status === editorStatus.hidden) return 'editor_hidden';
  return status === editorStatus.inProgress || fetchable.includes(status) ? 'editor_working' : null;
}

const statusOf = table({
  editor_cancelled: jobStatus.none,
  editor_hidden: jobStatus.hidden,
  editor_working: jobStatus.inProgress,
} as const satisfies Partial<Record<JobEvent, number>>);

/** What was meant for a job that went on meanwhile is passed over. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof RestError)) throw error;
}

/** In the order given, manual and automatic ones apart. */
function inCalls(jobs: readonly JobRecord[]): readonly (readonly JobRecord[])[] {
  const calls: JobRecord[][] = [];
  let words = 0;
  for (const job of jobs) {
    const own = job.parts.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    const last = calls.at(-1);
    const isFull = last === undefined || words + own > wordsPerCall || last[0]?.automatic !== job.automatic;
    if (isFull) calls.push([job]);
    else last.push(job);
    words = isFull ? own : words + own;
  }
  return calls;
}

function permalinkOf(site: Site, { type, element, item }: StatusRecord): string {
  const post = type === 'post' && element.startsWith('post_') ? (site.posts.get(item) as PostRecord | undefined) : undefined;
  return post ? site.url + linkOf(site, post, true) : site.url;
}

/** A line of the log; nothing of what was sent. */
export function log({ store }: Pick<Site, 'store'>, line: string): void {
  void store.faults.background('translation', () => Promise.reject(new Error(line)));
}
