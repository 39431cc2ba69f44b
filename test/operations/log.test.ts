/** What a server logs: each write, each request where that is wished, and never a secret. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, printEvent } from '../../src/operations/lines.ts';
import { readOperations } from '../../src/cli/operations.ts';
import { pretend, run } from '../cli/run.ts';
import { type ServedSite, serveSite } from './served.ts';

let plain: ServedSite;
let wordy: ServedSite;
beforeAll(async () => {
  plain = await serveSite(['--log', 'writes']);
  wordy = await serveSite(['--log-requests', '--log-format', 'json']);
});
afterAll(async () => {
  await plain.close();
  await wordy.close();
});

describe('a log of writes', () => {
  it('has one line per write, and nothing else', async () => {
    const before = plain.said.length;
    const posted = await plain.post('First words');
    const { id } = (await posted.json()) as { id: number };
    expect(posted.headers.get('x-request-id')).toBeNull();
    for (const path of ['/cms-json/', '/cms-json/cms/v2/posts', '/nowhere', '/healthz']) await plain.ask(path);
    expect((await plain.ask('/cms-json/cms/v2/posts', { method: 'POST' })).status).toBe(401);
    const headers = { authorization: plain.admin, 'x-request-id': 'from-the-proxy:7' };
    const gone = await plain.ask(`/cms-json/cms/v2/posts/${id}?force=true`, { method: 'DELETE', headers });
    expect(gone.headers.get('x-request-id')).toBe('from-the-proxy:7');
    const lines = plain.said.slice(before);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^saved posts\/\d{4}\/\d{2}\/first-words\.md by admin, [\d.]+ ms \[[\w-]+\]$/);
    expect(lines[1]).toMatch(/^removed posts\/\d{4}\/\d{2}\/first-words\.md by admin, [\d.]+ ms \[from-the-proxy:7\]$/);
  });

  it('includes what the server wrote itself', async () => {
    await mkdir(join(plain.dir, 'posts'), { recursive: true });
    await writeFile(join(plain.dir, 'posts/by-hand.md'), '---\ntitle: By hand\n---\nx\n');
    await expect.poll(() => plain.said.join('\n')).toMatch(/saved posts\/by-hand\.md by the server, [\d.]+ ms$/m);
  });
});

describe('a log of requests, as JSON', () => {
  it('has one object per line, and one line per request', async () => {
    await wordy.ask('/cms-json/cms/v2/types?_fields=post');
    const answer = await wordy.post('Logged');
    const id = answer.headers.get('x-request-id');
    await answer.text();
    await expect.poll(() => wordy.said.filter((line) => line.includes(`"${id}"`)).length).toBe(2);
    const events = wordy.said.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.find(({ path }) => path === '/cms-json/cms/v2/types')).toMatchObject({
      event: 'request',
      method: 'GET',
      status: 200,
    });
    const [write, request] = events.filter((event) => event.request === id);
    expect(write).toMatchObject({ event: 'write', user: 'admin', saved: [expect.stringContaining('logged.md')], removed: [] });
    expect(request).toMatchObject({ event: 'request', method: 'POST', status: 201, user: 'admin', ms: expect.any(Number) });
    for (const { time } of events) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(events[0]).toMatchObject({ event: 'message', message: expect.stringContaining('serving') });
  });

  it('replaces an invalid request id', async () => {
    const answer = await wordy.ask('/cms-json/', { headers: { 'x-request-id': 'a b"c' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-\w+$/);
  });

  it('contains nothing from Authorization, cookies, queries or bodies', async () => {
    const canary = 'c4n4ry';
    const json = { 'content-type': 'application/json' };
    const sent: [string, RequestInit][] = [
      [`/cms-json/cms/v2/posts?password=${canary}&_cms_nonce=${canary}`, { headers: { cookie: `session=${canary}` } }],
      ['/cms-json/cms/v2/posts', { headers: { authorization: `Basic ${btoa(`admin:${canary}`)}` } }],
      ['/cms-json/cms/v2/posts', { headers: { authorization: `Bearer ${canary}`, 'x-cms-nonce': canary } }],
      [
        '/cms-json/cms/v2/posts',
        { method: 'POST', headers: { ...json, authorization: `Basic ${btoa(`${canary}:x`)}` }, body: '{}' },
      ],
      [
        '/cms-json/cms/v2/posts',
        { method: 'POST', headers: { ...json, authorization: wordy.admin }, body: `{"title": ${canary}` },
      ],
      [
        '/cms-json/cms/v2/posts',
        {
          method: 'POST',
          headers: { ...json, authorization: wordy.admin },
          body: JSON.stringify({ password: canary, title: 'With' }),
        },
      ],
      [
        '/cms-json/cms/v2/users',
        {
          method: 'POST',
          headers: { ...json, authorization: wordy.admin },
          body: JSON.stringify({ username: 'otto', email: 'otto@example.org', password: canary }),
        },
      ],
      [`/?rest_route=/cms/v2/posts&password=${canary}`, {}],
      [`/index.php?rest_route=/nowhere&x=${canary}`, { method: 'DELETE' }],
      [`/%zz?token=${canary}`, {}],
      [`/uploads/%zz.png?token=${canary}`, {}],
      [`/cms-admin/authorize-application.php?app_name=${canary}`, { method: 'POST', body: `pass=${canary}` }],
    ];
    for (const [path, init] of sent) await (await wordy.ask(path, init)).text();
    await wordy.post('The last of these');
    await expect.poll(() => wordy.said.join('\n')).toContain('the-last-of-these.md');
    const said = wordy.said.join('\n');
    for (const text of [
      canary,
      encodeURIComponent(canary),
      btoa(canary),
      btoa(`admin:${canary}`),
      btoa(`${canary}:x`),
      wordy.admin.slice(6),
    ])
      expect(said).not.toContain(text);
  });
});

describe('the default log', () => {
  const read = (env: Record<string, string>, isTerminal: boolean) =>
    readOperations({}, pretend({ env, terminal: { out: false, err: isTerminal } }).io).level;

  it('shows writes on a terminal and in JSON, but not in a plain file', () => {
    expect([read({}, true), read({}, false), read({ CMS_LOG_FORMAT: 'json' }, false)]).toEqual(['writes', 'quiet', 'writes']);
    expect([read({ CMS_LOG: 'quiet' }, true), read({ CMS_LOG: 'requests' }, false)]).toEqual(['quiet', 'requests']);
    expect(read({ CMS_LOG_REQUESTS: '1' }, false)).toBe('requests');
    expect(() => read({ CMS_LOG: 'loud' }, true)).toThrow('CMS_LOG=loud is not one of quiet, writes, requests');
  });

  it('has no line for writes when they are not logged', async () => {
    const site = await serveSite();
    try {
      await site.post('Unheard');
      await writeFile(join(site.dir, 'site.yaml'), 'name: [');
      await expect.poll(() => site.said.join('\n')).toContain('site.yaml');
      expect(site.said.join('\n')).not.toContain('saved');
    } finally {
      await site.close();
    }
  });
});

describe('log lines', () => {
  it('name files as a commit leaves them', () => {
    const move = { path: 'b.md', from: 'a.md', expect: 'x', data: {}, order: [] };
    const changes = [move, { remove: 'c.md' }, { path: 'd.png', bytes: new Uint8Array() }];
    expect(filesOf(changes)).toEqual({ saved: ['b.md', 'd.png'], removed: ['a.md', 'c.md'] });
    const event = { event: 'write', ...filesOf(changes), ms: 12.3456 } as const;
    expect(printEvent(event, 'text')).toBe('saved b.md and 1 more, removed a.md and 1 more by the server, 12 ms');
    expect(printEvent({ ...event, user: null, request: 'r' }, 'text')).toMatch(/by a visitor, 12 ms \[r\]$/);
  });

  it('cannot be forged by a name', () => {
    const event = { event: 'write', saved: ['a\nsaved b'], removed: [], ms: 1, user: 'x\u001b[31m\u202e' } as const;
    expect(printEvent(event, 'text')).toBe('saved a?saved b by x?[31m?, 1 ms');
    expect(printEvent(event, 'json', () => 0).split('\n')).toHaveLength(1);
  });

  it('need a valid format', async () => {
    const { status, err } = await run(['serve', '.', '--log-format', 'xml']);
    expect([status, err.includes('xml')]).toEqual([2, true]);
  });
});
