/** Letters about comments, the link to decide on one, and words that hold or trash it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUser } from '../../../src/modules/people/users/plan.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';

let server: MailServer;
let site: TestSite;
let post: number;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(async () => {
  await site.close();
  await server.close();
});

async function serve(settings: string, withMail = true): Promise<void> {
  site = await startSite({
    files: { 'site.yaml': `name: Harbour\nanonymous_comments: true\n${settings}` },
    operator: withMail ? { mail: server.settings } : {},
  });
  const author = await createUser(site.site, { login: 'ida', email: 'ida@example.org', roles: ['editor'] });
  const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Tides', status: 'publish', author } });
  post = made.body.id;
}

const comment = (content: string, more: object = {}) =>
  site.ask('POST', '/cms/v2/comments', {
    body: { post, content, author_name: 'Bo', author_email: 'bo@example.net', ...more },
  });
const statusOf = (id: number) => site.site.comments.get(id)?.status;

describe('a comment that waits', () => {
  it('is sent to moderators and the author, with a link that decides once, and only when confirmed', async () => {
    await serve('');
    const { body } = await comment('Nice <b>page</b>\nBcc: x');
    await until(() => server.received.length === 2);
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual(['admin@example.com', 'ida@example.org']);
    const [{ text, headers }] = server.received as [MailServer['received'][number]];
    expect(headers).toMatch(/^Subject: A comment on Tides awaits approval\r?$/m);
    expect(text).toContain('Bo <bo@example.net>');
    const path = /\/cms-comments-moderate\.php\S+/.exec(text)?.[0] ?? '';
    const shown = await site.ask('GET', path, { raw: true });
    expect([shown.status, statusOf(body.id)]).toEqual([200, 'hold']);
    expect(String(shown.body)).toContain('Approve');
    const decide = (decision: string, at = path) =>
      site.ask('POST', at, {
        raw: true,
        body: `decision=${decision}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect(
      (
        await decide(
          'approve',
          path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        )
      ).status,
    ).toBe(410);
    await decide('explode');
    expect(statusOf(body.id)).toBe('hold');
    expect((await decide('approve')).status).toBe(200);
    expect(statusOf(body.id)).toBe('approved');
    expect((await decide('trash')).status).toBe(410);
    expect(statusOf(body.id)).toBe('approved');
    // The author hears that it is published.
    await until(() => server.received.length === 3);
    expect(server.received[2]).toMatchObject({
      to: ['ida@example.org'],
      text: expect.stringContaining('There is a new comment'),
    });
  });

  it('is sent to nobody if the settings say so, or without a mail server', async () => {
    await serve('moderation_notify: false\ncomments_notify: false\n');
    const { body } = await comment('Quiet');
    await site.ask('POST', `/cms/v2/comments/${body.id}`, { as: 'admin', body: { status: 'approved' } });
    expect([site.site.mail.counts().waiting, server.received.length]).toEqual([0, 0]);
  });
});

it('a published comment is sent to the author of the post, not to the commenter', async () => {
  await serve('moderation: none\n');
  await comment('Published');
  await until(() => server.received.length === 1);
  expect(server.received[0]).toMatchObject({ to: ['ida@example.org'] });
});

it('words and links hold a comment or send it to the trash', async () => {
  await serve(
    'moderation: none\ncomment_max_links: 1\nmoderation_keys: |\n  casino\n  203.0.113.\ndisallowed_keys: |\n  Evil\n',
    false,
  );
  let now = Date.now();
  site.site.clock = () => (now += 60_000);
  const made = async (content: string, more?: object) => statusOf((await comment(content, more)).body.id);
  expect(await made('Fine words')).toBe('approved');
  expect(await made('My CASINOS')).toBe('hold');
  expect(await made('<a href="https://example.com">one</a>')).toBe('hold');
  expect(await made('<b>ev</b>il', { author_email: 'bo2@example.net' })).toBe('trash');
  expect(await made('Kind', { author_name: 'evil bo' })).toBe('trash');
});
