/**
 * Bodies made to cost as much as they can, sent to a server with a small heap: it lives, refuses them in the contract's shape, and
 * answers everybody else meanwhile.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSite } from '../../cli/run.ts';
import { exchange, type Got, type Sent, send } from './http.ts';
import { until } from '../../support/site.ts';
import { buildProgram, type Program, type Served } from './program.ts';

const MB = 1024 * 1024;
/** On a machine that does much else. Without the limits it is 7 s on an idle one. */
const maxTurnMs = 5000;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
const fill = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / unit.length));
const field = (name: string, value = '') => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What costs much more than its bytes. */
const costly: readonly (readonly [string, Record<string, string>, (bytes: number) => string | Buffer])[] = [
  ['a list of empty objects', json, (bytes) => `[${fill('{},', bytes)}{}]`],
  ['a member with such a list', json, (bytes) => `{"title":[${fill('{},', bytes)}{}]}`],
  ['a list of lists', json, (bytes) => `{"include":[${fill('[],', bytes)}[]]}`],
  ['a list of numbers', json, (bytes) => `{"categories":[${fill('1,', bytes)}1]}`],
  ['members of many names', json, (bytes) => `{${Array.from({ length: bytes / 12 }, (_, at) => `"m${at}":1`).join(',')}}`],
  ['one name again and again', json, (bytes) => `{${fill('"a":{},', bytes)}"a":1}`],
  ['open brackets', json, (bytes) => fill('[', bytes)],
  ['open objects', json, (bytes) => fill('{"a":', bytes)],
  ['pairs', form, (bytes) => fill('a[]=1&', bytes)],
  ['pairs of many names', form, (bytes) => Array.from({ length: bytes / 8 }, (_, at) => `m${at}=`).join('&')],
  ['deep names', form, (bytes) => fill(`${fill('a[x]', 400)}=1&`, bytes)],
  ['one name of brackets', form, (bytes) => `a${fill('[', bytes)}`],
  ['broken escapes', form, (bytes) => `content=${fill('%ff%zz', bytes)}`],
  ['parts', multipart, (bytes) => `${fill(field('a[]'), bytes)}--x--\r\n`],
  ['parts that are files', multipart, (bytes) => `${fill(field('a"; filename="b'), bytes)}--x--\r\n`],
  ['one long name', multipart, (bytes) => `${field(fill('a', bytes))}--x--\r\n`],
  ['headers of a part', multipart, (bytes) => `--x\r\n${fill('a: b\r\n', bytes)}\r\n\r\n--x--\r\n`],
];

/** Tells on a signal how long the longest turn of its event loop took since the last one. */
const longestTurn = `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const turns = monitorEventLoopDelay({ resolution: 5 });
  turns.enable();
  process.on('SIGUSR2', () => {
    console.error('longest turn: ' + Math.round(turns.max / 1e6) + ' ms');
    turns.reset();
  });
`;

describe('a server with a heap of 512 MB', () => {
  let program: Program;
  let served: Served;
  let admin: Record<string, string>;
  beforeAll(async () => {
    program = await buildProgram(longestTurn);
    const { dir, password } = await newSite();
    served = await program.serve([dir], { flags: ['--max-old-space-size=512'] });
    admin = { authorization: `Basic ${btoa(`admin:${password}`)}` };
  }, 60_000);
  afterAll(() => program.close());

  it.each(costly)('refuses %s of 31 MB from a visitor, and serves others meanwhile', async (_, headers, make) => {
    const body = make(31 * MB);
    const bodies = [1, 2, 3, 4].map((at) => ({
      method: 'POST',
      url: '/cms-json/cms/v2/posts',
      headers,
      body,
      sized: at % 2 === 0,
    }));
    const { answers, longest } = await meanwhile(bodies);
    for (const { status, text } of answers) {
      expect([400, 401, 413], text).toContain(status);
      expect(JSON.parse(text)).toMatchObject({ code: expect.stringMatching(/^rest_/), data: { status } });
    }
    expect(longest).toBeLessThan(maxTurnMs);
  });

  it.each(costly)('survives a visitor who sends %s of just under 1 MB', async (_, headers, make) => {
    const bodies = ['posts', 'comments', 'nowhere', 'settings', 'media'].map((route) => ({
      method: 'POST',
      url: `/cms-json/cms/v2/${route}`,
      headers,
      body: make(MB - 2000),
    }));
    const { answers, longest } = await meanwhile([...bodies, ...bodies]);
    for (const { status, text } of answers) expect(status, text).toSatisfy((code: number) => code >= 400 && code < 500);
    expect(longest).toBeLessThan(maxTurnMs);
  });

  it.each(costly)('survives a writer who sends four times %s of 31 MB', async (_, headers, make) => {
    const body = make(31 * MB - 100);
    // Nothing is stored: what that costs is another matter.
    const sent = { method: 'POST', url: '/cms-json/cms/v2/posts/999999', headers: { ...headers, ...admin }, body };
    const { answers, longest } = await meanwhile([sent, sent, sent, sent]);
    for (const { status, text } of answers) expect([400, 404, 413, 503], text.slice(0, 500)).toContain(status);
    expect(longest).toBeLessThan(maxTurnMs);
  });

  it('closes the connection of a refused body', async () => {
    const { status, headers } = await send(served.url, {
      method: 'POST',
      url: '/cms-json/cms/v2/posts',
      headers: json,
      body: fill(' ', 2 * MB),
    });
    expect([status, headers.connection]).toEqual([401, 'close']);
    const comment = await send(served.url, {
      method: 'POST',
      url: '/cms-json/cms/v2/comments',
      headers: json,
      body: fill(' ', 2 * MB),
    });
    expect([comment.status, JSON.parse(comment.text).code]).toEqual([413, 'rest_body_too_large']);
  });

  it('reports a missing route or right before it reads a large body', async () => {
    const body = fill(' ', 20 * MB);
    const ask = async (url: string, headers = {}) =>
      (await send(served.url, { method: 'POST', url, headers: { ...json, ...headers }, body, sized: true })).status;
    expect(await ask('/cms-json/cms/v2/nowhere')).toBe(404);
    expect(await ask('/cms-json/cms/v2/settings')).toBe(401);
    expect(await ask('/cms-json/cms/v2/nowhere', admin)).toBe(404);
    const file = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
    expect(await ask('/cms-json/cms/v2/media', file)).toBe(401);
  });

  it('does not wait for a body that it refuses anyway', async () => {
    const head =
      `POST /cms-json/cms/v2/nowhere HTTP/1.1\r\nHost: x\r\nAuthorization: ${admin.authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${20 * MB}\r\n\r\n`;
    // It never comes: what is read ends for that, with 408.
    expect(await exchange(served.url, head)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('rejects compressed bodies', async () => {
    const headers = { ...json, ...admin, 'content-encoding': 'gzip' };
    const { status, text } = await send(served.url, {
      method: 'POST',
      url: '/cms-json/cms/v2/posts',
      headers,
      body: gzipSync('{"title":"x"}'),
    });
    expect([status, JSON.parse(text).code]).toEqual([415, 'rest_body_encoding']);
  });

  it('accepts several long texts of an author at once', async () => {
    const content = fill('A line of text with "quotes" and ümlauts.\n', 5 * MB);
    const bodies = Array.from({ length: 4 }, (_, at) => ({
      method: 'POST',
      url: '/cms-json/cms/v2/posts?_fields=id',
      headers: { ...json, ...admin },
      body: JSON.stringify({ title: `Long ${at}`, content }),
    }));
    const { answers } = await meanwhile(bodies);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  }, 60_000);

  /** Sends all at once. @returns the answers, and the milliseconds of the longest turn the server took meanwhile */
  async function meanwhile(bodies: readonly Sent[]): Promise<{ readonly answers: readonly Got[]; readonly longest: number }> {
    await longest();
    const answers = await Promise.all(bodies.map((sent) => send(served.url, sent)));
    const took = await longest();
    expect((await send(served.url, { url: '/cms-json/cms/v2/posts?_fields=id' })).status).toBe(200);
    expect(served.process.exitCode).toBeNull();
    return { answers, longest: took };
  }

  async function longest(): Promise<number> {
    const said = served.said.length;
    served.process.kill('SIGUSR2');
    const line = await until(() => served.said.slice(said).find((one) => one.startsWith('longest turn')));
    return Number(/\d+/.exec(line)?.[0]);
  }
}, 120_000);
