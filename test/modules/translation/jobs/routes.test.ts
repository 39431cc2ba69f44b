/**
 * The routes of jobs, by role: visitors, whoever has no right, a translator of the pair, one of another, a manager. The numbers of the
 * job all differ, so that none is taken for another.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readXliff } from '../../../../src/modules/translation/xliff/index.ts';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { filesIn } from '../../../cli/run.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { siteFiles } from './site.ts';

const job = (id: number, rid: number, more = '') => `id: ${id}
rid: ${rid}
title: Plain
created: '2026-03-01T10:00:00'
${more}parts:
  - id: title
    format: html
    text: Plain
    units:
      - { id: title, at: [0, 5]${more.includes('editor: ate') ? ', target: Schlicht, state: translated' : ''} }
  - id: content
    format: html
    text: One
    units:
      - { id: content/1, at: [0, 3] }
`;
const status = (id: number, jobId: number, more: string) =>
  `id: ${id}\nelement: post_post\nitem: ${id === 31 ? 15 : 14}\nsource: en\ntarget: de\njob: ${jobId}\nhash: x\nbatch: 4\nsent: '2026-03-0${id - 30}T10:00:00'\n${more}`;

const files = {
  ...siteFiles,
  'lang/batches/4.yaml': "id: 4\nname: Spring\ncreated: '2026-03-01T10:00:00'\n",
  'lang/status/31.yaml': status(31, 77, 'status: 1\n'),
  'lang/status/32.yaml': status(32, 78, 'status: 2\n'),
  'lang/status/33.yaml': 'id: 33\nelement: post_page\nitem: 10\nsource: en\ntarget: de\nstatus: 0\njob: 79\n',
  'lang/jobs/77.yaml': job(77, 31, "deadline: '2026-05-01'\n"),
  'lang/jobs/78.yaml': job(78, 32, 'editor: ate\neditor_job_id: 501\n'),
  'lang/jobs/79.yaml': job(79, 33),
  'lang/jobs/70.yaml': job(70, 31),
  // A job that nothing is to be translated of.
  'lang/status/34.yaml': 'id: 34\nelement: post_page\nitem: 12\nsource: en\ntarget: de\nstatus: 0\njob: 80\n',
  'lang/jobs/80.yaml': 'id: 80\nrid: 34\ntitle: None\nparts:\n- {id: title, text: ""}\n',
};

let at: TestSite;
const who: Record<string, string> = { admin: 'admin' };
const ids: Record<string, number> = {};
beforeAll(async () => {
  at = await startSite({ files });
  const people = { ada: 'translator', bob: 'translator', eve: 'editor', max: 'translation_manager' };
  for (const [name, role] of Object.entries(people)) {
    const { id, as } = await signUp(at, name, role);
    who[name] = as;
    ids[name] = id;
  }
  const pairs = { ada: { en: ['de'] }, bob: { de: ['en'] } };
  for (const [name, language_pairs] of Object.entries(pairs))
    await updateUser(at.site, ids[name] as number, { privateMeta: { language_pairs } });
});
afterAll(() => at.close());

async function ask(name: string, line: string, body?: unknown) {
  const [method = '', path = ''] = line.split(' ');
  return at.ask(method, `/lang/tm/v1/${path}`, {
    ...(name === '' ? {} : { as: who[name] as string }),
    ...(body === undefined ? {} : { body }),
  });
}

describe('rights and parameters', () => {
  it.each<[string, string, unknown, number, string]>([
    ['', 'GET jobs', undefined, 401, 'rest_forbidden'],
    ['', 'POST jobs/cancel', [], 401, 'rest_forbidden'],
    ['', 'POST jobs/assign', { jobId: 77, translatorId: 1 }, 401, 'rest_forbidden'],
    ['', 'POST jobs/assign', { jobId: 77 }, 400, 'rest_missing_callback_param'],
    ['', 'GET xliff/fetch/77', undefined, 401, 'rest_forbidden'],
    ['eve', 'GET jobs', undefined, 403, 'rest_forbidden'],
    ['eve', 'GET xliff/fetch/77', undefined, 403, 'rest_forbidden'],
    ['ada', 'POST jobs/cancel', [{ id: 31, type: 'post' }], 403, 'rest_forbidden'],
    ['bob', 'GET xliff/fetch/77', undefined, 403, 'lang_job_forbidden'],
    ['bob', 'POST jobs/assign', { jobId: 77, translatorId: 'BOB' }, 400, 'rest_invalid_param'],
    ['admin', 'GET xliff/fetch/31', undefined, 404, 'lang_job_not_found'],
    ['admin', 'GET xliff/fetch/501', undefined, 404, 'lang_job_not_found'],
    ['admin', 'GET xliff/fetch/80', undefined, 422, 'lang_job_no_units'],
    ['admin', 'GET xliff/fetch/77?version=3', undefined, 400, 'rest_invalid_param'],
    ['admin', 'POST jobs/assign', { jobId: 31, translatorId: 1 }, 404, 'lang_job_not_found'],
    ['admin', 'POST jobs/assign', { jobId: 77, translatorId: 9999 }, 400, 'rest_invalid_param'],
    ['admin', 'POST jobs/assign', { jobId: 77, translatorId: 1, type: 'nope' }, 400, 'rest_invalid_param'],
    ['admin', 'POST jobs/assign', { jobId: 70, translatorId: 1 }, 409, 'lang_job_not_open'],
    ['admin', 'POST jobs/assign', { jobId: 79, translatorId: 1 }, 409, 'lang_job_not_open'],
    ['admin', 'GET jobs?scope=bad', undefined, 400, 'rest_invalid_param'],
    ['admin', 'GET jobs?deadline_to=2026-02-30', undefined, 400, 'rest_invalid_param'],
  ])('%s: %s %j', async (name, line, body, code, error) => {
    const before = await filesIn(at.dir);
    const answer = await ask(name, line, body);
    expect([answer.status, answer.body.code, answer.body.data.status]).toEqual([code, error, code]);
    expect(await filesIn(at.dir)).toEqual(before);
  });

  it('a translator cannot take jobs of others', async () => {
    expect((await ask('bob', 'POST jobs/assign', { jobId: 77, translatorId: ids.bob })).status).toBe(403);
    expect((await ask('ada', 'POST jobs/assign', { jobId: 77, translatorId: ids.bob })).status).toBe(403);
    expect((await ask('admin', 'POST jobs/assign', { jobId: 77, translatorId: ids.bob })).status).toBe(400);
  });
});

describe('lists', () => {
  it('contain all ids of a job', async () => {
    const { body } = await ask('admin', 'GET jobs');
    expect([body.total, body.last_picked_up_date, body.jobs.map((one: { id: number }) => one.id)]).toEqual([2, false, [32, 31]]);
    expect(body.jobs[0]).toMatchObject({
      id: 32,
      original_element_id: '14',
      type: 'post',
      tp_id: 0,
      status: 2,
      needs_update: true,
      review_status: null,
      language_codes: { source: 'en', target: 'de' },
      languages: { source: 'English', target: 'German' },
      translation_service_id: 'local',
      sent_date: '2026-03-02',
      deadline: '',
      ts_status: '',
      element: { name: 'Plain', status: null, type: { value: 'post_post', label: 'Post' } },
      translator_name: '',
      translator_id: '',
      is_ate_job: true,
      automatic: false,
      progress: '50% completed',
      batch: { id: 4, name: 'Spring', tp_id: null },
      extra_data: { icl_translate_job_id: 78, editor_job_id: 501 },
      view_url: '',
    });
  });

  it.each<[string, readonly number[]]>([
    ['id=31', [31]],
    ['id=77', []],
    ['local_job_ids=31,99', [31]],
    ['scope=ate', [32]],
    ['scope=remote', []],
    ['title=LAI,x', [32, 31]],
    ['title=nothing', []],
    ['status=1', [31]],
    ['status=1,30', []],
    ['status=0', []],
    ['target_language=fr', []],
    ['target_language=fr,de', [32, 31]],
    ['needs_update=exclude', []],
    ['deadline_from=2026-04-01', [31]],
    ['sent_to=2026-03-01', [31]],
    ['sent_from=2026-03-02&sent_to=2026-03-01', [32, 31]],
    ['sorting[sent_date]=asc', [31, 32]],
    ['sorting[nothing]=asc', [32, 31]],
    ['limit=1&offset=1', [31]],
    ['offset=1', [32, 31]],
    ['limit=0', [32, 31]],
    ['batch_name=spr', [32, 31]],
    ['element_type=post_page', []],
  ])('with %s', async (query, expected) => {
    const { body } = await ask('max', `GET jobs?${query}`);
    expect(body.jobs.map((one: { id: number }) => one.id)).toEqual(expected);
  });

  it('show translators the jobs in their languages', async () => {
    expect((await ask('ada', 'GET jobs')).body.total).toBe(2);
    expect((await ask('bob', 'GET jobs')).body).toMatchObject({ jobs: [], total: 0 });
  });
});

describe('documents', () => {
  it('are base64 or plain', async () => {
    const { body } = await ask('ada', 'GET xliff/fetch/77');
    expect(body).toMatchObject({ sourceLang: 'en', targetLang: 'de' });
    const read = readXliff(Buffer.from(body.content, 'base64').toString());
    expect(read).toMatchObject({ version: '1.2', original: expect.stringMatching(/^77-[\da-f]{32}$/) });
    expect(read.units.map(({ id }) => id)).toEqual(['title', 'content/1']);
    const plain = await ask('ada', 'GET xliff/fetch/77?format=xml&version=2.0');
    expect(plain.headers.get('content-type')).toContain('application/x-xliff+xml');
    expect(plain.headers.get('content-disposition')).toBe('attachment; filename="job-77.xliff"');
    expect(readXliff(String(plain.body))).toMatchObject({ version: '2.0' });
  });
});

describe('the translator of a job', () => {
  it('is the user who takes it, until they return it', async () => {
    const translator = () => at.site.translationJobs.job(77)?.translator;
    expect((await ask('ada', 'POST jobs/assign', { jobId: 77, translatorId: ids.ada })).body).toEqual({ assigned: true });
    expect(await at.read('lang/status/31.yaml')).toContain(`translator: ${ids.ada}\n`);
    expect((await ask('max', 'GET jobs?id=31')).body.jobs[0]).toMatchObject({ translator_id: ids.ada, translator_name: 'ada' });
    expect((await ask('ada', 'POST jobs/assign', { jobId: 77, translatorId: 0 })).body).toEqual({ assigned: true });
    expect(translator()).toBe(0);
    expect((await ask('max', 'POST jobs/assign', { jobId: 77, translatorId: ids.ada })).status).toBe(200);
    const { history } = at.site.translationJobs.job(77) as { history: readonly { event: string; by: number }[] };
    expect(history.map(({ event, by }) => [event, by])).toEqual([
      ['assign', ids.ada],
      ['resign', ids.ada],
      ['assign', ids.max],
    ]);
    // What is given to one is not the other's.
    await updateUser(at.site, ids.bob as number, { privateMeta: { language_pairs: { en: ['de'] } } });
    expect((await ask('bob', 'GET xliff/fetch/77')).body.code).toBe('lang_job_forbidden');
    expect((await ask('bob', 'GET jobs')).body.total).toBe(1);
  });
});

describe('cancelling a job', () => {
  it('affects open jobs of the given kind, once', async () => {
    const list = [
      { id: 31, type: 'post' },
      { id: 32, type: 'string' },
      { id: 77, type: 'post' },
      { id: 33, type: 'post' },
      'x',
      { id: 'a', type: 'post' },
    ];
    expect((await ask('max', 'POST jobs/cancel', list)).body).toEqual([{ id: 31, type: 'post' }]);
    expect((await ask('max', 'POST jobs/cancel', list)).body).toEqual([]);
    expect(at.site.translationJobs.status(31)).toMatchObject({ status: 0 });
    expect((await ask('admin', 'GET jobs')).body.total).toBe(1);
    expect((await ask('admin', 'POST jobs/cancel', { id: 32, type: 'post' })).body).toEqual([]);
  });

  it('survives a restart, and follows a hand edit of the status', async () => {
    await at.write('lang/status/31.yaml', status(31, 77, 'status: 1\n'));
    await expect.poll(() => at.site.translationJobs.status(31)?.status).toBe(1);
    await at.write('lang/status/31.yaml', status(31, 77, 'status: 0\n'));
    await expect.poll(() => at.site.translationJobs.status(31)?.status).toBe(0);
    const again = await startSite({ from: at.dir });
    expect([...again.site.translationJobs.statuses()].map(({ id, status: now }) => [id, now])).toEqual([
      [31, 0],
      [32, 2],
      [33, 0],
      [34, 0],
    ]);
    await again.close();
  });
});

describe('items and users', () => {
  it('show their progress to translators', async () => {
    const item = async (name: string) => (await at.ask('GET', '/cms/v2/posts/14?context=edit', { as: who[name] as string })).body;
    expect((await item('admin')).translation_status).toEqual({
      de: { status: 2, needs_update: true, review_status: null, job_id: 78 },
    });
    expect((await item('eve')).translation_status).toBeUndefined();
    const { body } = await at.ask('GET', `/cms/v2/users/${ids.ada}?context=edit`, { as: 'admin' });
    expect(body).toMatchObject({ roles: ['translator'], language_pairs: { en: ['de'] } });
  });
});
