/** Results with markup that nobody may post without the right to: whichever way they come, none of it is served. */
import { Parser } from 'htmlparser2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { poll } from '../../../../src/modules/translation/editor/background.ts';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { environment } from '../../../../src/kernel/environment.ts';
import { type EditorService, startEditor } from '../../../support/editor-service.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered } from '../jobs/site.ts';

const date = 'date: 2026-03-05T10:00:00\nauthor: admin';
const embed = '<iframe src="https://video.example/1"></iframe>';
const files = {
  'site.yaml': `name: Harbour
deployment: extended
lang: {new_translation_status: same}
fields:
  - key: group_a
    title: A
    location: [[{ param: type, operator: "==", value: page }]]
    fields: [{ key: f1, name: lead, type: text }, { key: f2, name: body, type: wysiwyg }]
`,
  'pages/mark.md': `---\nid: 10\ntitle: Mark\n${date}\nexcerpt: Short\nfields: {lead: Plain, body: "<p>Rich</p>"}\nseo: {title: Found, description: Told}\n---\nHello **you**, see <b>it</b> ![cat](/a.png).\n\n${embed}\n\nRun <script>start()</script> now.\n`,
  'pages/blocks.html': `---\nid: 11\ntitle: Blocks\n${date}\n---\n<!-- cms:paragraph -->\n<p>Hello <em>you</em> <img alt="cat" src="/a.png"></p>\n<!-- /cms:paragraph -->\n${embed}\n<!-- cms:search {"label":"Find","buttonText":"Go"} /-->\n`,
  'terms/category/general.yaml': 'id: 31\nname: General\ndescription: All sorts\n',
  'menus/main.yaml': 'id: 41\nname: Main\nitems:\n- {id: 51, label: Start, url: /}\n',
};
const attack = '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>';
const hostile = (text: string): string => `${text}${attack}`;
const jobs: readonly (readonly [id: number, type: string])[] = [
  [10, 'page'],
  [11, 'page'],
  [31, 'category'],
  [41, 'nav_menu'],
];

let service: EditorService;
let on: TestSite;
beforeEach(async () => {
  environment.HOSTILE_KEY = 'key';
  service = await startEditor();
  const editor = { ate_url: service.url, timeout_ms: 5000, poll_s: 0 };
  const agency = { id: '7', name: 'Agency', base_url: service.url, access_key_env: 'HOSTILE_KEY' };
  on = await startSite({ files, operator: { translation_services: { editor, agency } } });
});
afterEach(async () => {
  delete environment.HOSTILE_KEY;
  await on.close();
  await service.close();
});
const ask = async (method: string, path: string, as?: string, body?: unknown) =>
  (await on.ask(method, path, { ...(as ? { as } : {}), ...(body === undefined ? {} : { body }) })).body;
const order = (editor: string) =>
  ask('POST', '/lang/tm/v1/ate/jobs', 'admin', { editor, elements: jobs.map(([id, type]) => ({ id, type, targets: ['de'] })) });
const content = (jobId: number, change = hostile) => Buffer.from(answered(on.site, jobId, { change })).toString('base64');

/** Everything that front ends get of the German site, as texts. */
async function served(): Promise<readonly string[]> {
  const read = async (path: string) => (await on.ask('GET', path, { root: '/de/cms-json' })).body;
  const paths = [
    '/cms/v2/pages?_fields=title,content,excerpt,fields,meta,seo_head',
    '/cms/v2/categories',
    '/menus/v1/menus/main',
  ];
  return (await Promise.all(paths.map(read))).flatMap(textsIn);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What is left of the attack where it could do something: scripts that the original does not have, handlers, addresses that run. */
function dangersIn(texts: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const text of texts) {
    let isScript = false;
    const parser = new Parser({
      onopentag(name, attributes) {
        isScript = name === 'script' && attributes.type !== 'application/ld+json';
        for (const [key, value] of Object.entries(attributes))
          if (key.startsWith('on') || /^javascript:/i.test(value)) found.push(`<${name} ${key}="${value}">`);
      },
      onclosetag() {
        isScript = false;
      },
      ontext(inner) {
        if (isScript && inner.includes('alert')) found.push(inner);
      },
    });
    parser.end(text);
  }
  return found;
}

async function expectHarmless(): Promise<void> {
  const texts = await served();
  expect(texts.join()).toContain('alert(1)');
  expect(dangersIn(texts)).toEqual([]);
  // What the original has is the original's: only what came is filtered.
  expect(await on.read('pages/mark.de.md')).toMatch(
    /<iframe src="https:\/\/video\.example\/1"><\/iframe>[\s\S]*<script>start\(\)<\/script>/,
  );
  expect(await on.read('pages/blocks.de.html')).toContain(embed);
}

describe('hostile results', () => {
  it('are sanitized when fetched', async () => {
    await order('ate');
    for (const id of service.jobs.keys())
      service.translate(id, (text) => hostile(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    await poll(on.site);
    await expectHarmless();
  });

  it('are sanitized on callback, or when an administrator fetches them', async () => {
    await order('ate');
    const [called, fixed, ...others] = [...service.jobs.values()];
    for (const { id } of service.jobs.values())
      service.translate(id, (text) => hostile(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect((await on.ask('GET', called?.notifyUrl.slice(on.url.length) ?? '', { raw: true })).status).toBe(200);
    expect(await ask('GET', `/lang/tm/v1/ate/jobs/${fixed?.id}/fix`, 'admin')).toEqual({ completed: true, error: false });
    const { lockKey } = await ask('POST', '/lang/tm/v1/ate/jobs/sync', 'admin', {});
    const done = await ask('POST', '/lang/tm/v1/ate/jobs/download', 'admin', {
      lockKey,
      jobs: others.map(({ id }) => ({ ateJobId: id })),
    });
    expect(done).toHaveLength(others.length);
    await expectHarmless();
    const [job] = [...service.jobs.keys()].flatMap((id) => on.site.translationJobs.byEditorId(id) ?? []);
    expect(job?.history.at(-1)).toMatchObject({ event: 'complete', by: 0 });
  });

  it('are sanitized from an agency', async () => {
    service.answers.set('/jobs.json', { body: JSON.stringify({ job: { id: 501 } }) });
    service.answers.set('/jobs/501.json', { body: '{}' });
    for (const [id, type] of jobs) {
      const body = { editor: 'tp', elements: [{ id, type, targets: ['de'] }] };
      const { created } = await ask('POST', '/lang/tm/v1/ate/jobs', 'admin', body);
      service.answers.set('/jobs/501/xliff.json', { body: answered(on.site, created[0].job_id, { change: hostile }) });
      const ready = JSON.stringify([{ id: 501, job_state: 'translation_ready' }]);
      service.answers.set('/jobs.json', { body: ready });
      const rid = created[0].rid;
      expect(await ask('POST', '/lang/tm/v1/tp/apply-translations', 'admin', [{ id: rid, type: 'post' }])).toMatchObject([
        { status: 10 },
      ]);
      service.answers.set('/jobs.json', { body: JSON.stringify({ job: { id: 501 } }) });
      await on.site.translationJobs.note(created[0].job_id, { tpId: 0 });
    }
    await expectHarmless();
  });

  it('submitted by a translator are sanitized, and become a draft', async () => {
    const { id, as } = await signUp(on, 'tess', 'translator');
    await updateUser(on.site, id, { privateMeta: { language_pairs: { en: ['de'] } } });
    for (const [item, type] of jobs) {
      const jobId = await ordered(on.site, item, type);
      const done = await ask('POST', '/lang/tm/v1/ate/jobs/download', as, { jobs: [{ jobId, content: content(jobId) }] });
      expect(done).toMatchObject([{ jobId, status: 10 }]);
    }
    const texts = await ask('GET', '/cms/v2/pages?lang_language=de&status=draft&_fields=title,content,excerpt,fields', 'admin');
    expect(texts).toHaveLength(2);
    expect(dangersIn(textsIn(texts))).toEqual([]);
    expect(await on.read('pages/mark.de.md')).toContain('<script>start()</script>');
  });

  it('are unchanged if the submitter may post unfiltered HTML', async () => {
    const [lead] = [await ordered(on.site, 10, 'page')];
    const done = await ask('POST', '/lang/tm/v1/ate/jobs/download', 'admin', { jobs: [{ jobId: lead, content: content(lead) }] });
    expect(done).toMatchObject([{ status: 10 }]);
    const { fields } = (await ask('GET', '/cms/v2/pages?lang_language=de&_fields=fields', 'admin'))[0];
    expect(fields.lead).toContain('<script>alert(1)</script>');
    expect(dangersIn([fields.lead])).toHaveLength(3);
  });
});
