/**
 * Who may what: every route of the specification's sections 4.9, 4.13 and 4.14, on a site without services and jobs, for every role.
 * What a role may not leaves every file as it was.
 *
 * Source: reference on languages, 1.1; decisions, "Who may".
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn } from '../../../cli/run.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const tm = '/lang/tm/v1';
const proxy = '/lang/ate/v1/ate/proxy';
const roles = ['subscriber', 'author', 'editor', 'translator', 'translation_manager'] as const;
const administrators = ['administrator'];
const managers = [...administrators, 'translation_manager'];
const translators = [...managers, 'translator'];
const everybody = ['visitor', ...translators, 'subscriber', 'author', 'editor'];

/** Route and body, who may, and what they get. */
const rows: readonly (readonly [does: string, body: unknown, may: readonly string[], gets: number])[] = [
  ['GET /lang/v1/custom-xml-config', undefined, administrators, 200],
  ['POST /lang/v1/custom-xml-config', { content: '' }, administrators, 200],
  ['POST /lang/v1/custom-xml-config/validate', { content: '' }, administrators, 200],
  [`POST ${tm}/ate/jobs/store`, { lang_job_id: '1', ate_job_data: [{ ate_job_id: 1 }] }, managers, 404],
  [`GET ${tm}/xliff/fetch/1`, undefined, translators, 404],
  [`POST ${tm}/ams/register_manager`, {}, managers, 200],
  [`GET ${tm}/ams/synchronize/translators`, undefined, managers, 200],
  [`GET ${tm}/ams/synchronize/managers`, undefined, managers, 200],
  [`GET ${tm}/ams/status`, undefined, managers, 200],
  [`GET ${tm}/ams/console`, undefined, managers, 200],
  [`GET ${tm}/ams/engines`, undefined, managers, 200],
  [`POST ${tm}/ams/engines`, [{ engine: 'deep' }], managers, 400],
  [`POST ${tm}/ate/jobs`, {}, managers, 400],
  [`GET ${tm}/ate/jobs/1`, undefined, translators, 503],
  [`GET ${tm}/jobs`, undefined, translators, 200],
  [`POST ${tm}/jobs/assign`, { jobId: 1, translatorId: 1 }, translators, 404],
  [`POST ${tm}/jobs/cancel`, [], managers, 200],
  [`GET ${tm}/tp/xliff/download/1/post`, undefined, translators, 404],
  [`POST ${tm}/tp/apply-translations`, [], translators, 200],
  [`POST ${tm}/tp/batches/sync`, { batchId: [1] }, translators, 503],
  [`GET ${tm}/tp/batches/status`, undefined, translators, 503],
  [`POST ${tm}/ate/jobs/sync`, {}, translators, 503],
  [`POST ${tm}/ate/jobs/download`, {}, translators, 200],
  [`POST ${tm}/ate/jobs/retry`, {}, translators, 503],
  [`GET ${tm}/ate/jobs/receive/1`, undefined, everybody, 200],
  [`GET ${tm}/ate/jobs/1/fix`, undefined, translators, 503],
  [`GET ${proxy}`, undefined, managers, 400],
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [`${method} ${proxy}`, {}, managers, 400] as const),
  ['POST /lang/st/v1/import_mo_strings', {}, administrators, 200],
  ['POST /lang/st/v1/pre_generate_mo_files', {}, administrators, 200],
  ['POST /lang/st/v1/settings', { group: 'g', key: 'k', data: 1 }, administrators, 200],
];

let on: TestSite;
const who = new Map<string, string>([['administrator', 'admin']]);
beforeAll(async () => {
  on = await startSite({ files: { 'site.yaml': 'name: Harbour\ndeployment: extended\n' } });
  for (const role of roles) who.set(role, (await signUp(on, role, role)).as);
});
afterAll(() => on.close());

describe.each(['visitor', ...roles, 'administrator'])('for %s', (role) => {
  it.each(rows)('%s', async (does, body, may, gets) => {
    const [method = '', path = ''] = does.split(' ');
    const as = who.get(role);
    const isAllowed = may.includes(role);
    const before = isAllowed ? {} : await filesIn(on.dir);
    const answer = await on.ask(method, path, { ...(as ? { as } : {}), ...(body === undefined ? {} : { body }) });
    if (isAllowed) expect(answer.status).toBe(gets);
    else {
      const refused = role === 'visitor' ? 401 : 403;
      expect(answer).toMatchObject({ status: refused, body: { code: 'rest_forbidden', data: { status: refused } } });
      expect(await filesIn(on.dir)).toEqual(before);
    }
  });
});

it('every route has a row for roles', async () => {
  const found: string[] = [];
  for (const namespace of ['lang/v1', 'lang/tm/v1', 'lang/ate/v1', 'lang/st/v1']) {
    const { routes } = (await on.ask('GET', `/${namespace}`)).body as { routes: Record<string, { methods: readonly string[] }> };
    for (const [path, { methods }] of Object.entries(routes))
      if (path !== `/${namespace}`) found.push(...methods.map((method) => `${method} ${path}`));
  }
  const isShown = (route: string): boolean => rows.some(([does]) => new RegExp(`^${route.replaceAll('?P<', '?<')}$`).test(does));
  expect(found.filter((route) => !isShown(route))).toEqual([]);
  expect(found).toHaveLength(rows.length);
});
