/** Jobs of an agency: who may, a service and a folder, what is ready and what is not, and failures of each. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environment } from '../../../../src/kernel/environment.ts';
import { createDropFolder } from '../../../../src/modules/translation/agency/drop-folder.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { type EditorService, startEditor } from '../../../support/editor-service.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered, siteFiles } from '../jobs/site.ts';

const base = '/lang/tm/v1/tp';
const users = ['editor', 'author', 'subscriber'];
const bodies: Readonly<Record<string, object>> = {
  [`GET ${base}/xliff/download/1/post`]: {},
  [`POST ${base}/apply-translations`]: {},
  [`POST ${base}/batches/sync`]: { batchId: [1] },
  [`GET ${base}/batches/status`]: {},
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

describeApi('jobs without an agency', { files: siteFiles, users }, [
  ...refusals,
  {
    name: 'reports missing batches before missing rights',
    does: `POST ${base}/batches/sync`,
    body: {},
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'requires a list of batches',
    who: 'admin',
    does: `POST ${base}/batches/sync`,
    body: { batchId: 'x' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'checks no batches',
    who: 'admin',
    does: `POST ${base}/batches/sync`,
    body: { batchId: [1] },
    gets: [503, 'lang_tp_not_configured'],
  },
  { name: 'has no waiting batches', who: 'admin', does: `GET ${base}/batches/status`, gets: [503, 'lang_tp_not_configured'] },
  { name: 'applies nothing', who: 'admin', does: `POST ${base}/apply-translations`, body: {}, gets: 200 },
  {
    name: 'cannot fetch an unknown job',
    who: 'admin',
    does: `GET ${base}/xliff/download/1/post`,
    gets: [404, 'lang_job_not_found'],
  },
  {
    name: 'accepts three job types',
    who: 'admin',
    does: `GET ${base}/xliff/download/1/other`,
    gets: [400, 'rest_invalid_param'],
  },
  { name: 'requires a numeric job id', who: 'admin', does: `GET ${base}/xliff/download/x/post`, gets: [404, 'rest_no_route'] },
]);

const upper = (text: string): string => text.toUpperCase();
const order = (on: TestSite, ...ids: number[]) =>
  on.ask('POST', '/lang/tm/v1/ate/jobs', {
    as: 'admin',
    body: { editor: 'tp', elements: ids.map((id) => ({ id, type: 'page', targets: ['de'] })) },
  });
const apply = async (on: TestSite, body: unknown = {}) =>
  (await on.ask('POST', `${base}/apply-translations`, { as: 'admin', body })).body;
const german = async (on: TestSite) =>
  (await on.ask('GET', '/cms/v2/pages?slug=about&_fields=title&context=edit&status=any', { as: 'admin', root: '/de/cms-json' }))
    .body;

describe('a translation agency with a service', () => {
  let service: EditorService;
  let on: TestSite;
  const secret = 'key-of-the-agency';
  beforeEach(async () => {
    environment.AGENCY_TEST_KEY = secret;
    service = await startEditor();
    service.answers.set('/jobs.json', { body: JSON.stringify({ job: { id: 501 } }) });
    const agency = { id: '7', name: 'Agency', base_url: service.url, access_key_env: 'AGENCY_TEST_KEY', timeout_ms: 500 };
    on = await startSite({ files: siteFiles, operator: { translation_services: { agency } } });
  });
  afterEach(async () => {
    delete environment.AGENCY_TEST_KEY;
    await on.close();
    await service.close();
  });
  const says = (state: string) =>
    service.answers.set('/jobs.json', {
      body: JSON.stringify([{ id: 501, job_state: state, batch: { id: 3 }, ts_status: { status: 'x' } }]),
    });
  const download = (rid: number, query = '', as = 'admin') => on.ask('GET', `${base}/xliff/download/${rid}/post${query}`, { as });

  it('gets jobs, reports them, delivers, and gets a confirmation', async () => {
    const { rid, job_id: jobId } = (await order(on, 10)).body.created[0];
    expect(on.site.translationJobs.status(rid)).toMatchObject({ status: 1, tpId: 501, service: '7' });
    expect(service.asked[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(service.asked[0]?.path).not.toContain(secret);
    expect((await download(rid)).body.code).toBe('lang_job_not_ready');
    says('waiting_translation');
    expect(await apply(on, [{ id: rid, type: 'post' }])).toEqual([]);
    expect(on.site.translationJobs.status(rid)?.status).toBe(2);
    says('translation_ready');
    service.answers.set('/batches/sync.json', { body: '{"queued_batches": [3]}' });
    service.answers.set('/batches/sync/status.json', { body: '{"queued_batches": []}' });
    expect((await on.ask('POST', `${base}/batches/sync`, { as: 'admin', body: { batchId: ['3', 'x'] } })).body).toEqual([3]);
    expect(service.asked.find(({ path }) => path === '/batches/sync.json')?.body).toBe('{"batch_id":[3]}');
    expect((await on.ask('GET', `${base}/batches/status`, { as: 'admin' })).body).toEqual([]);
    expect(on.site.translationJobs.status(rid)?.status).toBe(4);
    service.answers.set('/jobs/501/xliff.json', { body: answered(on.site, jobId, { change: upper }) });
    service.answers.set('/jobs/501.json', { body: '{}' });
    const raw = await download(rid);
    expect([raw.headers.get('content-type'), raw.headers.get('content-disposition')]).toEqual([
      'application/x-xliff+xml; charset=UTF-8',
      `attachment; filename=job-${rid}.xliff`,
    ]);
    const { body: texts } = await download(rid, '?json=true');
    expect(texts).toMatchObject({ source_language: 'en', target_language: 'de' });
    expect(texts.translations).toContainEqual({ field: 'title', source: 'About *us*', target: 'ABOUT *US*' });
    expect(await apply(on)).toEqual([{ id: rid, type: 'post', status: 10 }]);
    expect(await german(on)).toMatchObject([{ title: { raw: 'ABOUT *US*' } }]);
    expect(service.asked.at(-1)).toMatchObject({ method: 'PUT', path: '/jobs/501.json', body: '{"job":{"state":"delivered"}}' });
    expect(await apply(on)).toEqual([]);
  });

  it('can cancel, and can fail', async () => {
    const { rid } = (await order(on, 10)).body.created[0];
    service.failure = 'error';
    expect(await apply(on, { original_element_id: 10, element_type: 'post_page' })).toMatchObject({
      code: 'lang_upstream_error',
    });
    service.failure = 'slow';
    expect(await apply(on, [{ id: rid, type: 'post' }])).toMatchObject({ code: 'lang_upstream_timeout' });
    service.failure = null;
    says('cancelled');
    expect(await apply(on, [{ id: rid, type: 'post' }, { id: rid, type: 'package' }, 5])).toEqual([
      { id: rid, type: 'post', status: 0 },
    ]);
    expect(await apply(on, [{ id: 999, type: 'post' }])).toEqual([]);
  });

  it('cannot change jobs of this site, nor translators those in other languages', async () => {
    const jobId = await ordered(on.site, 12, 'page');
    const rid = on.site.translationJobs.job(jobId)?.rid ?? 0;
    expect((await download(rid)).body.code).toBe('lang_job_local_only');
    const { as } = await signUp(on, 'tess', 'translator');
    expect((await download(rid, '', as)).body.code).toBe('lang_job_forbidden');
  });

  it('that refuses a job leaves it here', async () => {
    service.failure = 'error';
    const { rid } = (await order(on, 10)).body.created[0];
    expect(on.site.translationJobs.status(rid)).toMatchObject({ status: 1, tpId: 0 });
  });
});

it('an agency with a folder exchanges files', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cms-agency-'));
  const on = await startSite({ files: siteFiles, operator: { translation_services: { agency: { id: 'desk', drop_dir: dir } } } });
  const { rid, job_id: jobId } = (await order(on, 10)).body.created[0];
  expect(await readFile(join(dir, 'out', `${jobId}.xliff`), 'utf8')).toContain('<source');
  expect(await apply(on, [{ id: rid, type: 'post' }])).toEqual([]);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, `${jobId}.xliff`), answered(on.site, jobId, { change: upper }));
  expect((await on.ask('POST', `${base}/batches/sync`, { as: 'admin', body: { batchId: [] } })).body).toEqual([]);
  expect(on.site.translationJobs.status(rid)?.status).toBe(4);
  expect(await apply(on)).toEqual([{ id: rid, type: 'post', status: 10 }]);
  expect(await german(on)).toMatchObject([{ title: { raw: 'ABOUT *US*' } }]);
  expect(await readFile(join(dir, 'done', `${jobId}.xliff`), 'utf8')).toContain('ABOUT');
  await on.close();
  await rm(dir, { recursive: true });
});

it('a folder gives no file that is larger than a job may be, and none that has not come', async () => {
  const dropFolder = await mkdtemp(join(tmpdir(), 'cms-agency-'));
  const { fetch } = createDropFolder({ id: 'desk', dropFolder } as Parameters<typeof createDropFolder>[0]);
  await expect(fetch(1)).rejects.toMatchObject({ code: 'lang_job_not_ready' });
  const most = 5 * 1024 * 1024;
  await writeFile(join(dropFolder, '1.xliff'), 'x'.repeat(most));
  expect(await fetch(1)).toHaveLength(most);
  await writeFile(join(dropFolder, '1.xliff'), 'x'.repeat(most + 1));
  await expect(fetch(1)).rejects.toMatchObject({ code: 'lang_too_large' });
  await rm(dropFolder, { recursive: true });
});
