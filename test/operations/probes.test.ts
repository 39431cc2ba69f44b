/** Health, readiness and metrics: what they say, and whom they say it to. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families, Histogram, lastingPart, mergeReports, printMetrics, seriesOf } from '../../src/operations/metrics.ts';
import { type ServedSite, serveSite } from './served.ts';

let open: ServedSite;
let guarded: ServedSite;
beforeAll(async () => {
  open = await serveSite(['--ops-port', '0']);
  guarded = await serveSite([], { CMS_METRICS_TOKEN: 'let-me-in', CMS_OPS_PORT: '0' });
});
afterAll(async () => {
  expect([await open.close(), await guarded.close()]).toEqual([0, 0]);
});

/** Series → value. */
async function metricsOf({ probes }: ServedSite): Promise<Record<string, number>> {
  const text = await (await fetch(`${probes}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
}

describe('probes', () => {
  it('report on either port that the process responds and the index equals the disk', async () => {
    for (const at of [open.url, open.probes]) {
      expect(await (await fetch(`${at}/healthz`)).text()).toBe('ok\n');
      const ready = await fetch(`${at}/readyz`);
      expect([ready.status, ready.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await ready.json()).toMatchObject({
        ready: true,
        workers: 1,
        behind: { changes: 0, ms: 0 },
        folder: 'readable',
        faults: [],
      });
      const head = await fetch(`${at}/readyz`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
  });

  it('have the security headers of all responses, on the port of the site', async () => {
    const secure = await serveSite(
      [],
      { CMS_METRICS_TOKEN: 'let-me-in' },
      { 'site.yaml': 'name: A\nurl: https://example.com\n' },
    );
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const { headers } = await secure.ask(path);
      const own = ['x-content-type-options', 'strict-transport-security'].map((name) => headers.get(name));
      expect([path, ...own]).toEqual([path, 'nosniff', 'max-age=15552000']);
    }
    expect(await secure.close()).toBe(0);
    expect((await open.ask('/healthz')).headers.get('strict-transport-security')).toBeNull();
  });

  it('allow only GET, and their port serves nothing else', async () => {
    expect((await fetch(`${open.probes}/healthz`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${open.probes}/cms-json/`)).status).toBe(404);
  });

  it('are not ready while the folder is missing, and ready again when it is back', async () => {
    const away = `${open.dir}-away`;
    await rename(open.dir, away);
    await expect.poll(async () => (await open.ask('/readyz')).status).toBe(503);
    expect(await (await open.ask('/readyz')).json()).toMatchObject({ ready: false, folder: 'unreadable' });
    expect((await open.ask('/healthz')).status).toBe(200);
    await rename(away, open.dir);
    await expect.poll(async () => (await open.ask('/readyz')).status).toBe(200);
    expect((await open.post('After')).status).toBe(201);
  });
});

describe('metrics', () => {
  it('are private: without a token the port of the site has none', async () => {
    expect((await open.ask('/metrics')).status).toBe(404);
    expect((await fetch(`${open.probes}/metrics`)).status).toBe(200);
  });

  it('require the token, on either port', async () => {
    for (const at of [guarded.url, guarded.probes]) {
      const without = await fetch(`${at}/metrics`);
      expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      for (const authorization of ['Bearer let-me-i', 'Bearer', guarded.admin])
        expect((await fetch(`${at}/metrics`, { headers: { authorization } })).status).toBe(401);
      expect((await fetch(`${at}/metrics`, { headers: { authorization: 'Bearer let-me-in' } })).status).toBe(200);
    }
  });

  it('count requests by route and status, not by URL', async () => {
    await open.ask('/cms-json/cms/v2/posts/987?_fields=id');
    await open.ask('/cms-json/cms/v2/posts/988');
    await open.ask('/cms-json/nowhere/v9/x');
    await open.ask('/?rest_route=/cms/v2/types');
    await open.ask('/no-such-page');
    await open.ask('/uploads/2026/none.png');
    await open.ask('/cms-json/cms/v2/posts', { method: 'PROPFIND' });
    const series = await metricsOf(open);
    const count = (method: string, route: string, status: number) =>
      series[seriesOf('cms_http_requests_total', { method, route, status })];
    expect(count('GET', '/cms/v2/posts/{id}', 404)).toBe(2);
    expect(count('GET', 'none', 404)).toBe(1);
    expect(count('GET', '/cms/v2/types', 200)).toBe(1);
    expect(count('GET', 'page', 404)).toBeGreaterThanOrEqual(1);
    expect(count('GET', '/uploads/', 404)).toBe(1);
    expect(count('other', '/cms/v2/posts', 404)).toBe(1);
    expect(series[seriesOf('cms_http_request_duration_seconds_count', { route: '/cms/v2/posts/{id}' })]).toBe(2);
    expect(series[seriesOf('cms_http_request_duration_seconds_bucket', { route: '/cms/v2/posts/{id}', le: '+Inf' })]).toBe(2);
  });

  it('count commits, scans, files, cache hits and memory', async () => {
    const before = await metricsOf(open);
    await open.post('Counted');
    for (let asked = 0; asked < 4; asked++) await open.ask('/cms-json/cms/v2/posts?_fields=slug');
    const after = await metricsOf(open);
    const rise = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
    expect(rise('cms_commits_total{result="saved"}')).toBe(1);
    expect(rise('cms_commit_duration_seconds_count')).toBe(1);
    expect(rise('cms_committed_files_total')).toBeGreaterThanOrEqual(1);
    expect(rise('cms_index_files')).toBe(1);
    expect(rise('cms_front_cache_hits_total')).toBeGreaterThanOrEqual(2);
    expect(after.cms_sweeps_total).toBeGreaterThan(0);
    expect(after).toMatchObject({ cms_commits_pending: 0, cms_workers: 1, cms_watching: 1, cms_http_requests_in_progress: 0 });
    expect(after.process_resident_memory_bytes).toBeGreaterThan(10_000_000);
  });

  it('report a hand edit until it is ingested', async () => {
    await writeFile(join(open.dir, 'posts/by-hand.md'), '---\ntitle: By hand\n---\nx\n');
    await expect
      .poll(async () => (await (await open.ask('/cms-json/cms/v2/posts?slug=by-hand')).text()).length)
      .toBeGreaterThan(2);
    await expect.poll(async () => (await metricsOf(open)).cms_index_behind_seconds).toBe(0);
  });
});

describe('metrics of several processes', () => {
  it('are added up, except for values per process', () => {
    const report = { cms_commits_pending: 1, 'cms_commits_total{result="saved"}': 2, process_resident_memory_bytes: 10 };
    const merged = mergeReports([
      [1, report],
      [2, { ...report, process_resident_memory_bytes: 20 }],
    ]);
    expect(merged).toEqual({
      cms_commits_pending: 2,
      'cms_commits_total{result="saved"}': 4,
      'process_resident_memory_bytes{worker="1"}': 10,
      'process_resident_memory_bytes{worker="2"}': 20,
    });
    // Of a process that has ended, what it counted stays.
    expect(lastingPart(report)).toEqual({ 'cms_commits_total{result="saved"}': 2 });
  });

  it('are valid Prometheus text', () => {
    const report: Record<string, number> = { unknown: 1, [seriesOf('cms_http_requests_total', { route: 'a"b\\c\nd' })]: 3 };
    const histogram = new Histogram();
    for (const seconds of [0.0004, 0.003, 99]) histogram.observe(seconds);
    histogram.into(report, 'cms_commit_duration_seconds', {});
    const text = printMetrics(report);
    expect(text).toContain('# TYPE cms_http_requests_total counter\ncms_http_requests_total{route="a\\"b\\\\c\\nd"} 3\n');
    expect(text).toContain('cms_commit_duration_seconds_bucket{le="0.0005"} 1\n');
    expect(text).toContain('cms_commit_duration_seconds_bucket{le="0.005"} 2\n');
    expect(text).toContain('cms_commit_duration_seconds_bucket{le="+Inf"} 3\n');
    expect(text).toContain('cms_commit_duration_seconds_count 3\n');
    expect(text).not.toContain('unknown');
  });

  it('have the families listed in the docs', async () => {
    const page = await readFile(resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    const items = Object.entries(families).map(([name, { help }]) => `- \`${name}\`: ${help}`);
    const [, part = ''] = page.split('\n## Metrics\n');
    expect(part.split('\n## ', 1)[0]?.match(/^- .*$/gm)).toEqual(items);
  });
});
