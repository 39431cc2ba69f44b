/** Several processes are watched over as one: each of them answers for all, and what one had counted outlives it. */
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSite } from '../cli/run.ts';
import { buildProgram, type Program } from '../kernel/http/program.ts';
import { picture } from '../support/media.ts';
import { askPlainly } from '../support/plain-http.ts';
import { until } from '../support/site.ts';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
}, 60_000);
afterAll(() => program.close());

it('metrics include all workers, from any of them and from the probe port, even after one has died', async () => {
  const { dir, password } = await newSite();
  const env = { CMS_METRICS_TOKEN: 'token', CMS_DEBUG: '1' };
  const served = await program.serve([dir, '--workers', '2', '--ops-port', '0', '--log-requests'], { env });
  const lines = () => served.said.join('\n');
  await until(() => lines().includes('all 2 workers answer'));
  const url = /serving \S+ at (http:\/\/[\d.:]+)/.exec(lines())?.[1] as string;
  const probes = /probes and metrics at (http:\/\/[\d.:]+)/.exec(lines())?.[1] as string;
  const headers = { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' };
  // A connection each, which the workers take in turn.
  const own = { connection: 'close' };
  let firstId: number | undefined;
  for (let made = 0; made < 4; made++) {
    const body = JSON.stringify({ title: `Post ${made}`, status: 'publish' });
    const posted = await fetch(`${url}/cms-json/cms/v2/posts`, { method: 'POST', headers: { ...headers, ...own }, body });
    expect(posted.status).toBe(201);
    firstId ??= ((await posted.json()) as { id: number }).id;
  }
  for (let asked = 0; asked < 4; asked++) await (await fetch(`${url}/cms-json/cms/v2/types`, { headers: own })).text();

  const metrics = async (at: string) => {
    const text = await (await fetch(`${at}/metrics`, { headers: { authorization: 'Bearer token', ...own } })).text();
    const value = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')
          .at(-1),
      );
    return {
      posts: value('cms_http_requests_total{method="POST",route="/cms/v2/posts",status="201"}'),
      reads: value('cms_http_requests_total{method="GET",route="/cms/v2/types",status="200"}'),
      commits: value('cms_commits_total{result="saved"}'),
      workers: value('cms_workers'),
      isOwn: text.includes('process_resident_memory_bytes{worker="2"}'),
    };
  };
  const whole = { posts: 4, reads: 4, commits: 4, workers: 2, isOwn: true };
  for (const at of [probes, url, url, url]) expect(await metrics(at)).toMatchObject(whole);

  // One line a write, by the writer, with the id under which the request came in, wherever that was.
  const ids = [...lines().matchAll(/^saved \S+ by admin, .* \[(\S+)\]$/gm)].map(([, id]) => id);
  expect(ids).toHaveLength(4);
  for (const id of ids) expect(lines()).toMatch(new RegExp(`^POST \\S+ 201, .*\\[${id}\\]$`, 'm'));

  const reader = await until(async () => {
    const answer = await fetch(`${url}/cms-json/cms/v2/types`, { headers: own });
    return /^2 (\d+)$/.exec(answer.headers.get('x-worker') ?? '')?.[1];
  });
  const before = await metrics(probes);
  process.kill(Number(reader), 'SIGKILL');
  await until(async () => (await metrics(probes)).workers === 2 && lines().match(/worker 2 has ended/));
  const after = await metrics(probes);
  expect([after.posts, after.commits]).toEqual([4, 4]);
  expect(after.reads).toBeGreaterThanOrEqual(before.reads);
  expect((await fetch(`${probes}/readyz`)).status).toBe(200);
  // Whichever worker answers, from its own memory or with what the writer says, it is compressed where it goes out.
  const shorter = { ...own, 'accept-encoding': 'br' };
  const compressed = new Map<string, string>();
  await until(async () => {
    const { headers: told, text } = await askPlainly(`${url}/cms-json/cms/v2/posts`, shorter);
    const worker = String(told['x-worker']).slice(0, 1);
    compressed.set(worker, `${told['content-encoding']} ${told.etag?.endsWith(':br"')} ${JSON.parse(text).length}`);
    return compressed.size === 2;
  });
  expect([...compressed.values()]).toEqual(['br true 4', 'br true 4']);
  const written = { ...headers, ...shorter };
  for (let made = 0; made < 2; made++) {
    const sent = { method: 'POST', body: JSON.stringify({ excerpt: `Short ${made}` }) };
    const answer = await askPlainly(`${url}/cms-json/cms/v2/posts/${firstId}`, written, sent);
    expect([answer.status, answer.headers['content-encoding'], JSON.parse(answer.text).excerpt.raw]).toEqual([
      200,
      'br',
      `Short ${made}`,
    ]);
  }

  // A picture on demand is made by the writer, once, and read by whoever is asked.
  await appendFile(join(dir, 'site.yaml'), 'images: {allow: [50]}\n');
  await mkdir(join(dir, 'media'), { recursive: true });
  await writeFile(join(dir, 'media/harbour.jpg'), await picture(200, 100));
  const pictures = new Map<string, string>();
  await until(async () => {
    const { headers: told } = await askPlainly(`${url}/uploads/harbour.jpg?w=50`, own);
    // Until all of them know the file and the setting it is the whole, or nothing.
    if (told['cache-control']?.includes('immutable')) pictures.set(String(told['x-worker']).slice(0, 1), String(told.etag));
    return pictures.size === 2;
  });
  expect(new Set(pictures.values()).size).toBe(1);
  expect(await readdir(join(dir, '.cms/cache/transformed'))).toHaveLength(1);

  served.process.kill('SIGTERM');
  expect(await served.ended).toBe(0);
}, 120_000);
