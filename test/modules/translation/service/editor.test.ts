/** Jobs and the external editor: who may, orders, both ways in which results come, and everything that goes wrong on the way. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { poll } from '../../../../src/modules/translation/editor/background.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { type EditorService, startEditor } from '../../../support/editor-service.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';
import { answered, ordered, siteFiles } from '../jobs/site.ts';

const base = '/lang/tm/v1/ate/jobs';
const users = ['editor', 'author', 'subscriber'];
const bodies: Readonly<Record<string, object>> = {
  [`POST ${base}/store`]: { lang_job_id: '1', ate_job_data: [{ ate_job_id: 1 }] },
  [`POST ${base}`]: {},
  [`GET ${base}/1`]: {},
  [`POST ${base}/sync`]: {},
  [`POST ${base}/download`]: {},
  [`POST ${base}/retry`]: {},
  [`GET ${base}/1/fix`]: {},
};
const refusals = [undefined, ...users].flatMap((who) =>
  Object.entries(bodies).map(
    ([does, body]): ApiRow => ({
      name: `${does} is not for ${who ?? 'visitors'}`,
      ...(who === undefined ? {} : { who }),
      does,
      ...(does.startsWith('GET') ? {} : { body }),
      gets: [who === undefined ? 401 : 403, 'rest_forbidden'],
    }),
  ),
);
const admin = (name: string, does: string, body: object | undefined, gets: ApiRow['gets']): ApiRow => ({
  name,
  who: 'admin',
  does,
  ...(body === undefined ? {} : { body }),
  gets,
});
const element = { id: 12, type: 'page', targets: ['de'] };
const wrongOrders: readonly (readonly [string, object])[] = [
  ['no elements', {}],
  ['elements that are no list', { elements: 'x' }],
  ['an empty list', { elements: [] }],
  ['too many elements', { elements: Array.from({ length: 101 }, () => element) }],
  ['an element without an id', { elements: [{ type: 'page', targets: ['de'] }] }],
  ['an element without a type', { elements: [{ id: 12, targets: ['de'] }] }],
  ['an element without targets', { elements: [{ id: 12, type: 'page', targets: [] }] }],
  ['targets that are no texts', { elements: [{ id: 12, type: 'page', targets: [1] }] }],
  ['strings that are not there', { elements: [{ type: 'string', ids: [1], targets: ['de'] }] }],
  ['a deadline that is no day', { elements: [element], deadline: '2026-02-30' }],
  ['another editor', { elements: [element], editor: 'other' }],
  ['automatic jobs without the editor', { elements: [element], automatic: true }],
  ['translators that are no map', { elements: [element], translators: [5] }],
  ['a name that is no text', { elements: [element], batch_name: 7 }],
];

describeApi('jobs without an editor', { files: siteFiles, users }, [
  ...refusals,
  {
    name: 'report missing parameters before missing rights',
    does: `POST ${base}/store`,
    body: {},
    gets: [400, 'rest_missing_callback_param'],
  },
  admin('letters are no job of the editor', `GET ${base}/abc`, undefined, [404, 'rest_no_route']),
  admin('nothing is known of jobs there', `GET ${base}/1`, undefined, [503, 'lang_editor_not_configured']),
  admin('nothing is synchronised', `POST ${base}/sync`, {}, [503, 'lang_editor_not_configured']),
  admin('nothing is tried again', `POST ${base}/retry`, {}, [503, 'lang_editor_not_configured']),
  admin('nothing is repaired', `GET ${base}/1/fix`, undefined, [503, 'lang_editor_not_configured']),
  admin('nothing is fetched', `POST ${base}/download`, {}, 200),
  admin('documents are a list', `POST ${base}/download`, { jobs: 'x' }, [400, 'rest_invalid_param']),
  admin('a job that is not there gets no id', `POST ${base}/store`, { lang_job_id: '1', ate_job_data: [{ ate_job_id: 5 }] }, [
    404,
    'lang_job_not_found',
  ]),
  admin('an id is above 0', `POST ${base}/store`, { lang_job_id: '1', ate_job_data: { ate_job_id: 0 } }, [
    400,
    'rest_invalid_param',
  ]),
  ...wrongOrders.map(([name, body]) =>
    admin(`nothing is ordered for ${name}`, `POST ${base}`, body, [400, 'rest_invalid_param']),
  ),
  admin('nothing is ordered of an editor that is not there', `POST ${base}`, { elements: [element], editor: 'ate' }, [
    503,
    'lang_editor_not_configured',
  ]),
  admin('nothing is ordered of an agency that is not there', `POST ${base}`, { elements: [element], editor: 'tp' }, [
    503,
    'lang_tp_not_configured',
  ]),
  admin('nothing is forwarded', `POST ${base}`, { jobs: [] }, [503, 'lang_editor_not_configured']),
  { name: 'reveal nothing to a callback without a token', does: `GET ${base}/receive/1`, gets: 200 },
  { name: 'refuse a callback with a wrong token', does: `GET ${base}/receive/1?t=abc`, gets: [403, 'lang_job_forbidden'] },
]);

describe('editor jobs', () => {
  let service: EditorService;
  let on: TestSite;
  let clock = 0;
  beforeEach(async () => {
    clock = Date.parse('2026-03-05T10:00:00Z');
    service = await startEditor();
    const translation_services = { editor: { ate_url: service.url, timeout_ms: 500, poll_s: 0 } };
    on = await startSite({ files: siteFiles, clock: () => clock, operator: { translation_services } });
  });
  afterEach(async () => {
    await on.close();
    await service.close();
  });
  const post = async (path: string, body: object = {}, as = 'admin') => (await on.ask('POST', path, { as, body })).body;
  const order = (more: object = {}) =>
    post(base, { batch_name: 'Spring', elements: [{ id: 10, type: 'page', targets: ['de'] }], editor: 'ate', ...more });
  const sync = (more: object = {}) => post(`${base}/sync`, more);
  const german = async () =>
    (
      await on.ask('GET', '/cms/v2/pages?slug=about&_fields=title,status&context=edit&status=any', {
        as: 'admin',
        root: '/de/cms-json',
      })
    ).body;
  const upper = (text: string): string => text.toUpperCase();

  it('are ordered here, and the report lists what was skipped and why', async () => {
    const body = {
      batch_name: 'Spring',
      deadline: '2026-05-01',
      elements: [
        { id: 10, type: 'page', targets: ['de', 'en', 'fr'] },
        { id: 999, type: 'page', targets: ['de'] },
      ],
    };
    const answer = await post(base, body);
    const { rid, job_id: jobId } = answer.created[0];
    expect(answer).toEqual({
      batch: { id: expect.any(Number), name: 'Spring' },
      jobs: { [rid]: null },
      created: [{ rid, job_id: jobId, original_element_id: 10, target: 'de', type: 'post' }],
      skipped: expect.arrayContaining([
        { id: 10, target: 'en', reason: 'same_language' },
        { id: 10, target: 'fr', reason: 'unknown_language' },
        { id: 999, target: 'de', reason: 'unknown_item' },
      ]),
    });
    expect(service.asked).toEqual([]);
    expect(on.site.translationJobs.status(rid)).toMatchObject({ status: 1, job: jobId });
  });

  it('are sent to the editor, returned on request, and confirmed', async () => {
    const { created, jobs } = await order();
    const { rid, job_id: jobId } = created[0];
    const [id] = [...service.jobs.keys()] as [number];
    expect(jobs).toEqual({ [rid]: id });
    expect(on.site.translationJobs.byEditorId(id)?.id).toBe(jobId);
    const packed = JSON.parse(service.asked[0]?.body ?? '').jobs[0];
    expect(packed).toMatchObject({
      id: jobId,
      source_id: rid,
      source_language: { code: 'en', name: 'English' },
      target_language: { code: 'de' },
      notify_enabled: true,
    });
    expect(packed.notify_url).toMatch(new RegExp(`^${on.url}/cms-json/lang/tm/v1/ate/jobs/receive/${jobId}\\?t=[0-9a-f]{64}$`));

    const first = await sync();
    expect(first).toEqual({
      lockKey: expect.any(String),
      ateToken: null,
      nextPage: null,
      numberOfPages: null,
      downloadQueueSize: 0,
      jobs: [{ ateJobId: id, url: '', ateStatus: 0, jobId, status: 1 }],
    });
    service.translate(id, upper);
    const { lockKey, jobs: found } = await sync({ lockKey: first.lockKey });
    expect(found).toEqual([{ ateJobId: id, url: `${service.url}/files/${id}.xliff`, ateStatus: 6, jobId, status: 2 }]);
    // An address in the request is nobody's business.
    const done = await post(`${base}/download`, { lockKey, jobs: [{ ...found[0], url: 'http://127.0.0.1:9/' }] });
    expect(done).toMatchObject([
      { ateJobId: id, jobId, status: 10, needsReview: false, automatic: false, language_code: 'de', original_element_id: 10 },
    ]);
    expect(service.jobs.get(id)?.status).toBe(8);
    expect(await german()).toMatchObject([{ title: { raw: 'ABOUT *US*' } }]);
    expect(on.site.translationJobs.status(rid)).toMatchObject({ status: 10 });
    expect(await on.site.translationUpstream.outbox.pending()).toEqual([]);
  });

  it('are locked during synchronization', async () => {
    await order();
    const { lockKey } = await sync();
    expect(await sync()).toMatchObject({ lockKey: null, jobs: [] });
    expect(await sync({ lockKey: 'other' })).toMatchObject({ lockKey: null });
    expect(await post(`${base}/download`, { lockKey: 'other', jobs: [{ ateJobId: 9001 }] })).toEqual([]);
    expect(await sync({ lockKey })).toMatchObject({ lockKey });
    clock += 31_000;
    expect((await sync()).lockKey).not.toBeNull();
  });

  it('are paged', async () => {
    service.pageSize = 1;
    await order({ elements: [10, 12].map((id) => ({ id, type: 'page', targets: ['de'] })) });
    const first = await sync();
    expect(first).toMatchObject({ ateToken: 'p-1', nextPage: 1, numberOfPages: 1 });
    service.answers.set('/api/lang/sync/page', {
      body: JSON.stringify({ items: [{ id: 0, ate_id: 9002, status: 1, download_link: null }] }),
    });
    const { lockKey, ateToken, nextPage, numberOfPages } = first;
    const second = await sync({ lockKey, ateToken, nextPage, numberOfPages });
    expect(second).toMatchObject({ ateToken: null, nextPage: null, jobs: [{ ateJobId: 9002, status: 2 }] });
    expect(service.asked.at(-1)?.path).toBe('/api/lang/sync/page?pagination_token=p-1&page=0');
  });

  it("follow the editor's state: cancelled, hidden; jobs of others are ignored", async () => {
    await order({ elements: [10, 12].map((id) => ({ id, type: 'page', targets: ['de'] })) });
    Object.assign(service.jobs.get(9001) ?? {}, { status: 20 });
    Object.assign(service.jobs.get(9002) ?? {}, { status: 42 });
    expect((await sync()).jobs.map(({ status }: { status: number }) => status)).toEqual([0, 42]);
    service.answers.set('/api/lang/sync/all', {
      body: JSON.stringify({ items: [{ id: 777, ate_id: 5, status: 6, download_link: 'x' }] }),
    });
    expect((await sync({ includeManualAndLongstandingJobs: true })).jobs).toEqual([]);
  });

  it.each([
    ['a document of another job', (text: string) => text.replace(/original="\d+/, 'original="424242'), 2],
    ['what is no document', () => '<html></html>', 2],
    ['a damaged document', (text: string) => text.slice(0, -30), 2],
  ])('stay unchanged for %s, and the others continue', async (_name, damage, status) => {
    await order({ elements: [10, 12].map((id) => ({ id, type: 'page', targets: ['de'] })) });
    for (const id of [9001, 9002]) service.translate(id, upper);
    Object.assign(service.jobs.get(9001) ?? {}, { translated: damage(service.jobs.get(9001)?.translated ?? '') });
    const { lockKey, jobs } = await sync();
    expect((await post(`${base}/download`, { lockKey, jobs })).map(({ ateJobId }: { ateJobId: number }) => ateJobId)).toEqual([
      9002,
    ]);
    const job = on.site.translationJobs.byEditorId(9001);
    expect(on.site.translationJobs.status(job?.rid ?? 0)?.status).toBe(status);
  });

  it('come only from allowed origins', async () => {
    await order();
    service.answers.set('/api/lang/sync/all', {
      body: JSON.stringify({ items: [{ id: 0, ate_id: 9001, status: 6, download_link: 'http://127.0.0.1:9/x.xliff' }] }),
    });
    const { lockKey, jobs } = await sync();
    expect(await post(`${base}/download`, { lockKey, jobs })).toEqual([]);
    await until(() => on.log.some((line) => line.includes('lang_destination_denied')));
  });

  it('can be submitted without an editor, each by itself', async () => {
    const jobId = await ordered(on.site, 10, 'page');
    const content = Buffer.from(answered(on.site, jobId, { change: upper })).toString('base64');
    const done = await post(`${base}/download`, {
      jobs: [
        { jobId: 4711, content },
        { jobId, content: 'eA==' },
        { jobId, content },
      ],
    });
    expect(done).toMatchObject([
      { jobId: 4711, error: { code: 'lang_job_not_found' } },
      { jobId, status: 1, error: { code: 'lang_xliff_malformed' } },
      { jobId, status: 10, language_code: 'de', original_element_id: 10 },
    ]);
    expect(service.asked).toEqual([]);
  });

  it('can be submitted only by translators of their languages', async () => {
    const jobId = await ordered(on.site, 10, 'page');
    const content = Buffer.from(answered(on.site, jobId)).toString('base64');
    const { as } = await signUp(on, 'tess', 'translator');
    expect(await post(`${base}/download`, { jobs: [{ jobId, content }] }, as)).toMatchObject([
      { error: { code: 'lang_job_forbidden' } },
    ]);
    expect((await on.ask('POST', base, { as, body: { elements: [element] } })).status).toBe(403);
    const { as: manager } = await signUp(on, 'mia', 'translation_manager');
    expect(await post(`${base}/download`, { jobs: [{ jobId, content }] }, manager)).toMatchObject([{ jobId, status: 10 }]);
  });

  it('that are automatic are retried when sending fails', async () => {
    service.failure = 'error';
    const { created, jobs } = await order({ automatic: true });
    const { rid, job_id: jobId } = created[0];
    expect(jobs).toEqual({ [rid]: null });
    expect(on.site.translationJobs.status(rid)?.status).toBe(40);
    expect(await post(`${base}/retry`)).toEqual({ jobsToProcess: [], processed: [jobId] });
    expect(on.site.translationJobs.status(rid)).toMatchObject({ status: 40, retryCount: 1 });
    service.failure = null;
    expect(await post(`${base}/retry`)).toEqual({ jobsToProcess: [], processed: [] });
    expect(await post(`${base}/retry`, { jobsToProcess: [jobId, 999] })).toEqual({ jobsToProcess: [], processed: [jobId] });
    expect(on.site.translationJobs.status(rid)).toMatchObject({ status: 1 });
    expect(on.site.translationJobs.current(rid)?.editorJobId).toBe(9001);
    clock += 601_000;
    expect(await post(`${base}/retry`, { jobsToProcess: 'x' })).toMatchObject({ code: 'rest_invalid_param' });
  });

  it('that are manual wait for another attempt', async () => {
    service.failure = 'slow';
    const { created } = await order();
    expect(on.site.translationJobs.status(created[0].rid)?.status).toBe(1);
  });

  it("get the editor's id once, and no other job gets it", async () => {
    const [one, two] = [await ordered(on.site, 10, 'page'), await ordered(on.site, 12, 'page')];
    const store = (jobId: number, data: unknown) =>
      post(`${base}/store`, { lang_job_id: String(jobId), ate_job_data: data } as object);
    expect(await store(one, [{ ate_job_id: '77' }])).toBe(true);
    expect(await store(one, { ate_job_id: 77 })).toBe(true);
    expect(await store(two, { ate_job_id: 77 })).toMatchObject({ code: 'lang_job_not_open' });
    expect(on.site.translationJobs.byEditorId(77)?.id).toBe(one);
  });

  it('are found only by their own ids, and only managers see the URL', async () => {
    await order();
    service.translate(9001, upper);
    const get = async (id: number, as: string) => (await on.ask('GET', `${base}/${id}`, { as })).body;
    expect(await get(9001, 'admin')).toEqual({ 9001: { status_id: 6, translated_xliff: `${service.url}/files/9001.xliff` } });
    const { as } = await signUp(on, 'tess', 'translator');
    expect(await get(9001, as)).toEqual({ 9001: { status_id: 6 } });
    expect(await get(0, 'admin')).toBeNull();
    expect(await get(9002, 'admin')).toMatchObject({ code: 'lang_job_not_found' });
    service.failure = 'html';
    expect(await get(9001, 'admin')).toMatchObject({ code: 'lang_upstream_error' });
  });

  it('can be repaired', async () => {
    const { created } = await order();
    const fix = async (query = '') => (await on.ask('GET', `${base}/9001/fix${query}`, { as: 'admin' })).body;
    expect(await fix()).toEqual({ completed: false, error: false });
    service.translate(9001, upper);
    expect(await fix('?jobId=4711')).toEqual({ completed: false, error: true });
    service.failure = 'error';
    expect(await fix()).toEqual({ completed: false, error: true });
    service.failure = null;
    expect(await fix(`?jobId=${created[0].job_id}`)).toEqual({ completed: true, error: false });
    expect(await fix()).toEqual({ completed: true, error: false });
    expect((await on.ask('GET', `${base}/1/fix`, { as: 'admin' })).body).toMatchObject({ code: 'lang_job_not_found' });
  });

  describe('with a callback', () => {
    const call = async (jobId: number, url?: string) => {
      const path = url ?? service.jobs.get(9001)?.notifyUrl.slice(on.url.length) ?? '';
      const answer = await on.ask('GET', path, { raw: true });
      clock += 6000;
      void jobId;
      return [answer.status, answer.body, answer.headers.get('retry-after')];
    };

    it('are applied, and a repeated one changes nothing', async () => {
      const { created } = await order();
      const { job_id: jobId } = created[0];
      expect(await call(jobId)).toEqual([
        425,
        { code: 'xliff_not_ready', message: expect.any(String), data: { status: 425 }, jobId, retry_after: 60 },
        '60',
      ]);
      service.translate(9001, upper);
      expect(await call(jobId)).toEqual([200, null, null]);
      expect(await german()).toMatchObject([{ title: { raw: 'ABOUT *US*' } }]);
      expect(await call(jobId)).toEqual([200, null, null]);
      expect(await german()).toHaveLength(1);
      expect(service.jobs.get(9001)?.status).toBe(8);
    });

    it('are received one at a time', async () => {
      const { created } = await order();
      const { job_id: jobId } = created[0];
      service.failure = 'slow';
      const first = call(jobId);
      await until(() => service.asked.some(({ path }) => path === '/api/lang/jobs/statuses'));
      clock += 6000;
      expect(await call(jobId)).toMatchObject([423, { code: 'lang_locked', data: { status: 423 } }, '30']);
      expect(await first).toMatchObject([503, { code: 'apply_failed' }, '300']);
    });

    it('are refused with another token, too often, or when no result is expected', async () => {
      const { created } = await order();
      const { job_id: jobId, rid } = created[0];
      service.translate(9001, upper);
      const url = service.jobs.get(9001)?.notifyUrl ?? '';
      expect(
        await call(
          jobId,
          url.slice(on.url.length).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        ),
      ).toMatchObject([403, { code: 'lang_job_forbidden' }, null]);
      clock -= 6000;
      service.failure = 'error';
      expect(await call(jobId)).toMatchObject([503, { code: 'apply_failed', jobId }, '300']);
      service.failure = null;
      clock -= 5000;
      expect(await call(jobId)).toMatchObject([429, { code: 'lang_rate_limited' }, '4']);
      await on.site.translationJobs.cancel([rid], null);
      expect(await call(jobId)).toMatchObject([422, { code: 'lang_job_cancelled', jobId }, null]);
      await order();
      expect(await call(jobId)).toMatchObject([422, { code: 'lang_job_superseded', jobId }, null]);
    });
  });

  it('cancelled here are cancelled there, even if it is unreachable at first', async () => {
    const { created } = await order();
    service.failure = 'error';
    await on.site.translationJobs.cancel([created[0].rid], null);
    await until(async () => (await on.site.translationUpstream.outbox.pending()).some(({ tries }) => tries === 1));
    const again = await openSite(on.dir, { readOnly: true, operator: on.site.operator });
    expect(await again.translationUpstream.outbox.pending()).toMatchObject([{ kind: 'cancel', id: 9001, tries: 1 }]);
    await again.close();
    service.failure = null;
    expect(await on.site.translationUpstream.outbox.flush()).toBe(1);
    clock += 31_000;
    expect(await on.site.translationUpstream.outbox.flush()).toBe(0);
    expect(service.jobs.get(9001)?.status).toBe(20);
  });

  it('that are finished are fetched automatically', async () => {
    await order({ automatic: true });
    await poll(on.site);
    service.translate(9001, upper);
    service.failure = 'cut';
    await poll(on.site);
    service.failure = null;
    await poll(on.site);
    clock += 31_000;
    await poll(on.site);
    expect(await german()).toMatchObject([{ title: { raw: 'ABOUT *US*' } }]);
    expect(service.jobs.get(9001)?.status).toBe(8);
  });

  it("packed by a client keep the server's callback", async () => {
    const jobId = await ordered(on.site, 10, 'page');
    const rid = on.site.translationJobs.job(jobId)?.rid;
    const packed = {
      id: jobId,
      source_id: rid,
      notify_url: 'https://evil.example/',
      site_identifier: 'x',
      job_sender: { id: 7 },
      file: { content: '' },
    };
    expect(await post(base, { jobs: [{ ...packed, source_id: 4711 }] })).toMatchObject({ code: 'lang_job_not_found' });
    expect(service.asked).toEqual([]);
    expect(await post(base, { jobs: [packed], auto_translate: true, job_type: 3 })).toMatchObject({
      code: 200,
      jobs: { [String(rid)]: 9001 },
    });
    const sent = JSON.parse(service.asked[0]?.body ?? '');
    expect(sent).toMatchObject({ auto_translate: true, job_type: 3 });
    expect(sent.jobs[0].notify_url).toContain(`${on.url}/cms-json/`);
    expect(sent.jobs[0].site_identifier).not.toBe('x');
    expect(on.site.translationJobs.job(jobId)).toMatchObject({ editorJobId: 9001, editor: 'ate', automatic: true });
  });

  it('of strings write the files of their text domains', async () => {
    const ids = [...on.site.translationStrings.all().values()]
      .filter(({ domain }) => domain === 'site' || domain === 'labels')
      .map(({ id }) => id);
    const { created } = await post(base, { elements: [{ type: 'string', ids, targets: ['de'] }] });
    expect(created).toMatchObject([{ target: 'de', type: 'st-batch_strings' }]);
    const jobId = created[0].job_id;
    const content = Buffer.from(answered(on.site, jobId, { change: upper })).toString('base64');
    expect(await post(`${base}/download`, { jobs: [{ jobId, content }] })).toMatchObject([{ jobId, status: 10 }]);
    expect((await on.ask('GET', '/?_fields=name', { root: '/de/cms-json' })).body.name).toBe('HARBOUR');
    expect(await on.read('lang/strings/site.de.yaml')).toContain('original: Harbour');
  });
});
