/** The operator's service against spam: what it is sent, what becomes of a comment, and what moderators teach it. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environment } from '../../../src/kernel/environment.ts';
import { createSpam } from '../../../src/modules/comments/spam/index.ts';
import { readSpam } from '../../../src/modules/comments/spam/settings.ts';
import { signUp, startSite, type TestSite, until } from '../../support/site.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';

environment.CMS_TEST_SPAM_KEY = 'key-of-the-site';

type Answer = (response: ServerResponse) => unknown;
interface Sent {
  readonly call: string;
  readonly fields: Readonly<Record<string, string>>;
}

const say =
  (body: string, status = 200, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

let service: Upstream;
let sent: Sent[];
let answer: Answer;
let site: TestSite;
let post: number;
let now: number;

beforeEach(async () => {
  now = Date.now();
  sent = [];
  answer = say('false');
  const take = (call: string) => async (request: IncomingMessage, response: ServerResponse) => {
    sent.push({ call, fields: Object.fromEntries(new URLSearchParams(await text(request))) });
    answer(response);
  };
  const calls = ['comment-check', 'submit-spam', 'submit-ham', 'elsewhere'];
  service = await startUpstream(() => Object.fromEntries(calls.map((call) => [`/1.1/${call}`, take(call)])));
});
afterEach(async () => {
  await site.close();
  await service.close();
});

async function serve(settings: string, operator: object = {}, more: Parameters<typeof startSite>[0] = {}): Promise<void> {
  const spam = { endpoint: `${service.url}/1.1/`, key_env: 'CMS_TEST_SPAM_KEY', blog: 'https://harbour.example' };
  site = await startSite({
    files: { 'site.yaml': `name: Harbour\nlanguage: de_DE\nanonymous_comments: true\n${settings}` },
    operator: { fetch_allow: ['127.0.0.1'], spam, ...operator },
    // No visitor is too fast.
    clock: () => (now += 60_000),
    ...more,
  });
  post = (await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Tides', status: 'publish' } })).body.id;
}

const comment = (content: string, more: object = {}, options: object = {}) =>
  site.ask('POST', '/cms/v2/comments', {
    body: { post, content, author_name: 'Bo', author_email: 'bo@example.net', ...more },
    ...options,
  });
const made = async (content: string, more?: object): Promise<number> => {
  const { status, body } = await comment(content, more);
  expect(status).toBe(201);
  return body.id;
};
const statusOf = (id: number) => site.site.comments.get(id)?.status;
const decide = (id: number, status: string) =>
  site.ask('POST', `/cms/v2/comments/${id}`, { as: 'admin', body: { status }, headers: { 'user-agent': 'of the moderator' } });
const reports = () => sent.filter(({ call }) => call !== 'comment-check');

describe('a comment of a visitor', () => {
  it('is sent with what the service asks for', async () => {
    await serve('moderation: none\n');
    const { body } = await comment(
      'Nice page',
      { author_url: 'https://bo.example' },
      { headers: { 'user-agent': 'Browser/1', referer: 'https://harbour.example/tides/' } },
    );
    const [{ call, fields }] = sent as [Sent];
    expect(call).toBe('comment-check');
    expect(fields).toEqual({
      api_key: 'key-of-the-site',
      blog: 'https://harbour.example/',
      blog_lang: 'de_de',
      blog_charset: 'UTF-8',
      user_ip: '127.0.0.1',
      user_agent: 'Browser/1',
      referrer: 'https://harbour.example/tides/',
      permalink: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/.*tides/),
      comment_type: 'comment',
      comment_author: 'Bo',
      comment_author_email: 'bo@example.net',
      comment_author_url: 'https://bo.example',
      comment_content: 'Nice page',
      comment_date_gmt: `${site.site.comments.get(body.id)?.dateGmt}Z`,
    });
  });

  it('is spam if the service says so, also where it advises to discard it; else the rules decide', async () => {
    await serve('moderation: none\nmoderation_keys: casino\ndisallowed_keys: evil\n');
    expect(statusOf(await made('Fine'))).toBe('approved');
    expect(statusOf(await made('My casino'))).toBe('hold');
    answer = say('true');
    const spam = await made('Buy');
    expect(statusOf(spam)).toBe('spam');
    expect(await site.read(`comments/${post}/${spam}.html`)).toMatch(/^status: spam$/m);
    answer = say('true', 200, { 'X-akismet-pro-tip': 'discard' });
    expect(statusOf(await made('Buy more'))).toBe('spam');
    expect(sent.length).toBe(4);
    // The rules have already decided: nothing leaves.
    expect(statusOf(await made('Evil'))).toBe('trash');
    expect(sent.length).toBe(4);
  });

  it('works the same with the form of the theme', async () => {
    await serve('moderation: none\n');
    answer = say('true');
    const form = { comment_post_ID: String(post), comment: 'Buy', author: 'Bo', email: 'bo@example.net' };
    const { status, headers } = await site.ask('POST', '/cms-comments-post.php', {
      raw: true,
      body: String(new URLSearchParams(form)),
      headers: { 'content-type': 'application/x-www-form-urlencoded', referer: `${site.url}/tides/`, 'user-agent': 'Browser/1' },
    });
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('commented=waits')]);
    expect([...site.site.comments.all()].map((one) => one.status)).toContain('spam');
    expect(sent[0]?.fields).toMatchObject({ referrer: `${site.url}/tides/`, user_agent: 'Browser/1', comment_content: 'Buy' });
  });

  it('waits for approval while the service is away or odd, which is logged once', async () => {
    await serve('moderation: none\n');
    const said = () => site.log.filter((line) => line.startsWith('spam: '));
    const faults: readonly Answer[] = [
      say('error', 500),
      say('true', 500),
      say('invalid'),
      say(''),
      say('truely'),
      say('x'.repeat(100_000)),
      say('', 302, { location: `${service.url}/1.1/elsewhere` }),
      (response) => response.destroy(),
    ];
    for (const [count, fault] of faults.entries()) {
      answer = fault;
      expect(statusOf(await made(`Number ${count}`))).toBe('hold');
    }
    expect(said()).toEqual([expect.stringContaining('answered 500; until it answers, comments of visitors wait')]);
    expect(sent.filter(({ call }) => call === 'elsewhere')).toEqual([]);
    answer = say('false');
    expect(statusOf(await made('Well'))).toBe('approved');
    expect(said()[1]).toBe('spam: the service answers again');
    expect(site.log.join()).not.toContain('key-of-the-site');
  });

  it('waits no longer for a slow service than the time limit', async () => {
    await serve('moderation: none\n');
    const said: string[] = [];
    const quick = createSpam(site.site, { log: (line) => said.push(line), timeoutMs: 50 });
    const stop = quick.start();
    (site.site as { spam: unknown }).spam = quick;
    answer = () => undefined;
    expect(statusOf(await made('Slow'))).toBe('hold');
    expect(said).toEqual([expect.stringContaining('could not be reached; until it answers')]);
    await stop();
  });

  it('is not overruled after a moderator has decided', async () => {
    await serve('moderation: none\n');
    let respond = (): void => undefined;
    answer = (response) => {
      respond = () => response.end('true');
    };
    const sending = made('Quick');
    await until(() => sent.length === 1);
    const [id] = [...site.site.comments.with('post', post)] as [number];
    expect(statusOf(id)).toBe('hold');
    await decide(id, 'approved');
    respond();
    expect(await sending).toBe(id);
    expect(statusOf(id)).toBe('approved');
  });
});

it('private networks are not asked unless the operator allows it', async () => {
  await serve('moderation: none\n', { fetch_allow: [] });
  expect(statusOf(await made('Inside'))).toBe('hold');
  expect([sent.length, site.log.some((line) => line.includes('spam: ') && line.includes('refused'))]).toEqual([0, true]);
});

it('nothing is sent without a service, whatever the content says, nor of comments by users', async () => {
  await serve(
    `moderation: none\nspam: {endpoint: "${service.url}/1.1", key_env: CMS_TEST_SPAM_KEY, blog: "https://a.example"}\n`,
    { spam: {} },
  );
  const id = await made('Nobody asks');
  expect(statusOf(id)).toBe('approved');
  await decide(id, 'spam');
  expect(sent).toEqual([]);
  await site.close();
  await serve('moderation: none\n');
  for (const as of ['admin', (await signUp(site, 'ada', 'subscriber')).as]) {
    const { body } = await site.ask('POST', '/cms/v2/comments', { as, body: { post, content: `By ${as}` } });
    await decide(body.id, 'spam');
  }
  expect(sent).toEqual([]);
  await decide(await made('By a visitor'), 'spam');
  await until(() => reports().length > 0);
  expect(sent.map(({ fields }) => fields.comment_content)).toEqual(['By a visitor', 'By a visitor']);
});

describe('a moderator', () => {
  it('teaches the service by moving a comment into or out of spam, not by trash and restoring', async () => {
    await serve('moderation: none\n');
    const id = await made('Hm');
    const count = (wanted: number) => until(() => reports().length === wanted);
    await decide(id, 'spam');
    await count(1);
    await decide(id, 'trash');
    await decide(id, 'untrash');
    await decide(id, 'approved');
    await count(2);
    await decide(id, 'trash');
    await decide(id, 'untrash');
    await decide(id, 'spam');
    await count(3);
    expect(reports().map(({ call }) => call)).toEqual(['submit-spam', 'submit-ham', 'submit-spam']);
    const { referrer: _, user_agent: __, ...checked } = (sent[0] as Sent).fields;
    for (const { fields } of reports()) expect(fields).toEqual(checked);
    // The operator sees them as metrics.
    await until(() => site.site.spam.counts().sent === 3);
    expect(site.site.spam.counts()).toEqual({ sent: 3, failed: 0, waiting: 0, dead: 0 });
  });

  it('waits for no service; the last decision is sent when it is back, also after a restart', async () => {
    await serve('moderation: none\n');
    const [id, gone] = [await made('Hm'), await made('Ha')];
    answer = say('', 503);
    for (const status of ['spam', 'approved', 'spam']) expect((await decide(id, status)).status).toBe(200);
    await until(() => reports().length > 0 && site.log.some((line) => line.startsWith('spam reports: answered 503')));
    await decide(gone, 'spam');
    await site.ask('DELETE', `/cms/v2/comments/${gone}?force=true`, { as: 'admin' });
    const { dir } = site;
    await site.server.close();
    await site.site.close();
    answer = say('Thanks');
    sent = [];
    await serve('', {}, { from: dir });
    await until(() => reports().length === 1);
    expect(reports()[0]).toMatchObject({ call: 'submit-spam', fields: { comment_content: 'Hm' } });
    await rm(dir, { recursive: true });
  });
});

it('settings are checked, and neither the key nor data of people go in the clear', () => {
  const fine = { endpoint: 'https://rest.akismet.com/1.1/', key_env: 'CMS_TEST_SPAM_KEY', blog: 'https://harbour.example' };
  expect(readSpam({})).toBeNull();
  expect(readSpam(fine)).toEqual({
    endpoint: 'https://rest.akismet.com/1.1',
    key: 'key-of-the-site',
    blog: 'https://harbour.example/',
  });
  for (const [wrong, why] of [
    [{ ...fine, endpoint: 'http://rest.akismet.com/1.1' }, 'spam.endpoint must use HTTPS'],
    [{ ...fine, endpoint: 'https://a:b@rest.akismet.com' }, 'spam.endpoint'],
    [{ ...fine, endpoint: 'file:///etc' }, 'spam.endpoint'],
    [{ ...fine, blog: 'harbour' }, 'spam.blog'],
    [{ ...fine, key: 'x' }, 'spam.key is not one of'],
    [{ endpoint: fine.endpoint, blog: fine.blog }, 'spam.key_env'],
    [{ ...fine, key_env: 'CMS_TEST_NONE' }, 'CMS_TEST_NONE, which is not set'],
  ] as const)
    expect(() => readSpam(wrong)).toThrow(why);
});
