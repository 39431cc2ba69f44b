/**
 * A server that is killed while it takes a result of the editor, or cancels a job there: the site has all of it afterwards or nothing,
 * and whatever it has, the editor hears of it in the end.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import type { Site } from '../../../../src/kernel/site/site.ts';
import { poll } from '../../../../src/modules/translation/editor/background.ts';
import { newSite } from '../../../cli/run.ts';
import { type Traced, trace } from '../../../support/crash-steps.ts';
import { type EditorJobState, type EditorService, startEditor } from '../../../support/editor-service.ts';
import { until } from '../../../support/site.ts';
import { ordered } from '../jobs/site.ts';

let service: EditorService;
let dir = '';
let password = '';
let job: EditorJobState;
const servicesOf = (pollSeconds: number) => ({ editor: { ate_url: service.url, poll_s: pollSeconds } });
const open = (): Promise<Site> => openSite(dir, { operator: { translation_services: servicesOf(0) } });

beforeEach(async () => {
  service = await startEditor();
  ({ dir, password } = await newSite());
  const files = {
    'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\n',
    'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nHello\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  const site = await open();
  const id = await ordered(site, 10, 'page', { editor: 'ate' });
  await site.translationEditor.send(
    [site.translationJobs.job(id)].flatMap((one) => one ?? []),
    null,
    'manual',
  );
  await site.close();
  job = service.jobs.get(9001) as EditorJobState;
});
afterEach(() => service.close());

function serve(pollSeconds: number): Promise<Traced> {
  const env = { CMS_TRANSLATION_SERVICES: JSON.stringify(servicesOf(pollSeconds)) };
  return trace(dir, ['serve', dir, '--port', '0'], env);
}

async function ended(server: Traced): Promise<void> {
  server.process.kill('SIGTERM');
  expect([await server.ended, server.said()]).toEqual([0, expect.stringContaining('http://')]);
}

/** Status, whether its attempt is completed, and the titles of the translations. */
function stateOf({ translationJobs: jobs, posts }: Site): string {
  const status = jobs.statusOf('post_page', 10, 'de');
  const others = [...posts.all()].filter(({ id }) => id !== 10).map(({ title }) => title);
  return JSON.stringify([status?.status, jobs.job(status?.job ?? 0)?.completed !== '', others]);
}

it('a killed server applies a result completely or not at all, and confirms it', async () => {
  service.translate(job.id, (text) => text.toUpperCase());
  const server = await serve(1);
  await until(() => job.status === 8);
  await ended(server);
  const seen = new Set<string>();
  await server.each(async () => {
    // The editor has not heard yet.
    job.status = 6;
    const site = await open();
    seen.add(stateOf(site));
    await poll(site);
    expect(stateOf(site)).toBe('[10,true,["ABOUT"]]');
    await until(() => job.status === 8);
    await until(async () => (await site.translationUpstream.outbox.pending()).length === 0);
    await site.close();
  });
  expect([...seen].sort()).toEqual(['[1,false,[]]', '[10,true,["ABOUT"]]', '[2,false,[]]']);
}, 180_000);

it('a killed server cancels here and there, or neither', async () => {
  const server = await serve(0);
  const [url = ''] = await until(() => /http:\/\/[\w.:]+/.exec(server.said()));
  const cancelled = await fetch(`${url}/cms-json/lang/tm/v1/jobs/cancel`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ id: job.rid, type: 'post' }]),
  });
  expect(await cancelled.json()).toEqual([{ id: job.rid, type: 'post' }]);
  await until(() => job.status === 20);
  await ended(server);
  const seen = new Set<string>();
  await server.each(async () => {
    job.status = 1;
    const site = await open();
    const isCancelled = site.translationJobs.status(job.rid)?.status === 0;
    seen.add(stateOf(site));
    await until(async () => (await site.translationUpstream.outbox.flush()) === 0);
    if (isCancelled) await until(() => job.status === 20);
    expect(job.status).toBe(isCancelled ? 20 : 1);
    await site.close();
  });
  expect([...seen].sort()).toEqual(['[0,false,[]]', '[1,false,[]]']);
}, 180_000);
