/** The form for comments: what visitors send with it goes the way of the interface, and nobody else sends it for them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { updateUser } from '../../../../src/modules/people/users/plan.ts';
import { hiddenFields, signInAt } from '../../../support/forms.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { files, settings } from './sample.ts';

let now = Date.parse('2026-04-01T10:00:00Z');
const open = {
  ...files,
  'site.yaml': `${settings.replace('has_archive: boats', 'supports: [title, editor]')}anonymous_comments: true\n`,
  'posts/shut.md': '---\nid: 130\ntitle: Shut\ndate: 2026-02-01T10:00:00\ncomments: closed\n---\nText\n',
  'posts/hidden.md': '---\nid: 131\ntitle: Hidden\ndate: 2026-02-01T10:00:00\ncomments: open\npassword: tide\n---\nText\n',
  'boats/raft.md': '---\nid: 133\ntitle: Raft\ndate: 2026-02-01T10:00:00\ncomments: open\n---\nText\n',
  'posts/later.md': '---\nid: 132\ntitle: Later\nstatus: draft\ncomments: open\n---\nText\n',
};

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files: open, clock: () => now });
});
afterAll(() => site.close());
// Nobody is to be too fast by chance.
beforeEach(() => {
  now += 60_000;
});

const page = async (path: string): Promise<string> => (await site.ask('GET', path, { raw: true })).body;
const words = {
  author: 'Ida',
  email: 'ida@example.com',
  url: '',
  comment: 'A word',
  comment_post_ID: '109',
  comment_parent: '0',
};
const send = (fields: object, headers: Record<string, string> = {}, at = site, path = '/cms-comments-post.php') =>
  at.ask('POST', path, {
    raw: true,
    body: String(new URLSearchParams({ ...words, ...fields })),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const count = (): number => site.site.comments.size;

describe('the comment form', () => {
  it('is shown where visitors may comment, and nowhere else', async () => {
    expect(await page('/post-9/')).toContain('<form class="comment-form" method="post" action="/cms-comments-post.php">');
    for (const path of ['/shut/', '/hidden/', '/about/', '/boat/raft/']) expect(await page(path)).not.toContain('comment-form');
    expect(await page('/boat/raft/')).toContain('<h1>Raft</h1>');
    const closed = await startSite({ files });
    onTestFinished(() => closed.close());
    const { body } = await closed.ask('GET', '/post-9/', { raw: true });
    expect(body).not.toContain('<form class="comment-form"');
    expect(body).toContain(
      'You must be signed in to comment. <a rel="nofollow" href="/cms-login.php?redirect_to=%2Fpost-9%2F%23respond">',
    );
    expect((await send({}, {}, closed)).status).toBe(401);
    expect(closed.site.comments.size).toBe(3);
  });

  it('is shown to signed-in users, sends comments from their account, and cannot be forged', async () => {
    const closed = await startSite({ files, clock: () => now });
    onTestFinished(() => closed.close());
    await updateUser(closed.site, 1, { password: 'low water' });
    const { cookie } = await signInAt(closed, 'admin', 'low water');
    const look = (headers = {}) => closed.ask('GET', '/post-9/', { raw: true, headers });
    await look();
    const shown = await look({ cookie });
    expect([shown.headers.get('cache-control'), shown.body.includes('You are signed in as')]).toEqual(['no-store', true]);
    expect(shown.body).not.toContain('name="email"');
    expect((await look()).body).not.toContain('signed in as');
    const { proof = '' } = hiddenFields(shown.body);
    const said = { comment: 'By account', author: 'Mallory', email: 'm@example.org' };
    expect((await send({ ...said }, { cookie }, closed)).status).toBe(401);
    expect((await send({ ...said, proof: 'x' }, { cookie }, closed)).status).toBe(403);
    expect((await send({ ...said, proof }, {}, closed)).status).toBe(403);
    expect((await send({ ...said, proof }, { cookie, origin: 'https://evil.example' }, closed)).status).toBe(403);
    const sent = await send({ ...said, proof }, { cookie }, closed);
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/post-9\/#comment-\d+$/)]);
    const { body } = await closed.ask('GET', '/cms/v2/comments?search=account', { as: 'admin' });
    expect(body).toMatchObject([{ author: 1, author_name: closed.site.users.get(1)?.name }]);
  });

  it('sends a comment, which is held, and says so', async () => {
    const { status, headers } = await send({ comment: 'First *line*\r\nsecond' });
    expect([status, headers.get('location')]).toEqual([303, '/post-9/?commented=waits#respond']);
    expect(headers.get('set-cookie')).toBeNull();
    expect(await page('/post-9/?commented=waits')).toContain('Your comment is shown once it has been approved.');
    expect(await page('/post-9/')).not.toContain('once it has been approved');
    expect(await page('/post-9/')).not.toContain('second');
    const made = [...site.site.comments.all()].find(({ name }) => name === 'Ida');
    expect(made).toMatchObject({ status: 'hold', post: 109, author: 0, content: 'First *line*\nsecond' });
    expect(site.site.commenters.get(made?.id as number)).toMatchObject({ email: 'ida@example.com', ip: '127.0.0.1' });
    // Nothing of what is nobody's business is in the folder.
    expect(await readFile(join(site.dir, made?.path as string), 'utf8')).not.toContain('ida@example.com');
  });

  it('sends a reply, published at once for known commenters, in either dialect', async () => {
    const waiting = [...site.site.comments.all()].find(({ name }) => name === 'Ida');
    await site.ask('PUT', `/cms/v2/comments/${waiting?.id}`, { as: 'admin', body: { status: 'approved' } });
    const asked = await page('/post-9/?replytocom=1');
    expect(asked).toContain('Reply to Ben <small>');
    expect(asked).toContain('name="comment_parent" value="1"');
    expect(asked).toContain('<meta name="robots" content="noindex">');
    const { status, headers } = await send({ comment: 'To Ben', comment_parent: '1' }, {}, site, '/wp-comments-post.php');
    const made = [...site.site.comments.all()].find(({ content }) => content === 'To Ben');
    expect([status, headers.get('location')]).toEqual([303, `/post-9/#comment-${made?.id}`]);
    expect(made?.parent).toBe(1);
    expect(await page('/post-9/')).toContain('<p>To Ben</p>');
    // Neither one that waits nor one of another post is answered.
    for (const id of [3, 999]) expect(await page(`/post-9/?replytocom=${id}`)).toContain('name="comment_parent" value="0"');
  });

  it.each([
    ['no name', { author: ' ' }, 400, 'Please enter your name and email address.', 'author'],
    ['no address', { email: '' }, 400, 'Please enter your name and email address.', 'author'],
    ['no email address', { email: 'ida' }, 400, 'Please enter a valid email address.', 'email'],
    ['no text', { comment: ' \r\n ' }, 400, 'Please write something.', 'comment'],
    ['too long a name', { author: 'x'.repeat(246) }, 400, 'This is too long.', 'author'],
    ['too long a text', { comment: 'é'.repeat(33_000) }, 400, 'This is too long.', 'comment'],
    ['the same again', { comment: 'To Ben', comment_parent: '1' }, 409, 'You have already said that.', 'comment'],
    ['a post without comments', { comment_post_ID: '130' }, 403, '', ''],
    ['the field that nobody sees', { subject: 'Buy' }, 400, 'The comment could not be saved.', ''],
  ])('rejects %s, and keeps the input', async (_name, fields, wanted, error, wrong) => {
    const before = count();
    const { status, body, headers } = await send({ comment: 'Kept <b>words</b>', ...fields });
    expect([status, count()]).toEqual([wanted, before]);
    expect(headers.get('cache-control')).toBe('no-store');
    if (error === '') return expect(body).toBe('Comments are closed here.\n');
    expect(body).toContain(`<p class="notice" role="alert" id="comment-error">${error}</p>`);
    if (wrong !== '')
      expect(body).toMatch(new RegExp(`name="${wrong}"[^>]* aria-invalid="true" aria-describedby="comment-error" autofocus`));
    if (!('comment' in fields)) expect(body).toContain('>\nKept &lt;b&gt;words&lt;/b&gt;</textarea>');
  });

  it('limits comments per person and per network', async () => {
    expect((await send({ comment: 'One' })).status).toBe(303);
    now += 5000;
    const { status, body } = await send({ comment: 'Two', author: 'Max', email: 'max@example.com' });
    expect(status).toBe(400);
    expect(body).toContain('Please wait a moment before you comment again.');
    now += 15_000;
    expect((await send({ comment: 'Two' })).status).toBe(303);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['what a browser calls another site', { 'sec-fetch-site': 'cross-site' }],
  ])('accepts nothing of %s', async (_name, headers) => {
    const before = count();
    expect((await send({ comment: 'Forged' }, headers)).status).toBe(403);
    expect(count()).toBe(before);
  });

  it('accepts forms of this site, and ignores session cookies', async () => {
    const { status } = await send(
      { comment: 'Own', author: 'Zoe', email: 'zoe@example.com' },
      { origin: site.url, 'sec-fetch-site': 'same-origin' },
    );
    expect(status).toBe(303);
    const unnamed = await send({ comment: 'Nobody', author: '', email: '' }, { authorization: `Basic ${btoa('admin:x')}` });
    expect(unnamed.status).toBe(400);
  });

  it('stores nothing active', async () => {
    const attack = '<script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)" onclick="x()">y</a>';
    await send({ comment: attack, author: `<b>"'${attack}`, url: 'javascript:alert(4)' });
    now += 60_000;
    const { status } = await send({ comment: `${attack} fine`, author: 'Ida' });
    expect(status).toBe(303);
    for (const comment of site.site.comments.all()) {
      expect(comment.content).not.toMatch(/<script|<img|onerror|onclick|javascript:/);
      if (comment.status !== 'approved')
        await site.ask('PUT', `/cms/v2/comments/${comment.id}`, { as: 'admin', body: { status: 'approved' } });
    }
    const body = await page('/post-9/');
    expect(body).toContain(' fine');
    expect(body).not.toMatch(/<script|<img src=x|onclick|href="javascript:/);
  });

  it('is shown to readers with the post password, and only they can comment', async () => {
    expect((await send({ comment_post_ID: '131', comment: 'Locked' })).status).toBe(401);
    const opened = await site.ask('POST', '/hidden/', {
      raw: true,
      body: 'post_password=tide',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] as string;
    const { body } = await site.ask('GET', '/hidden/', { raw: true, headers: { cookie } });
    expect(body).toContain('name="comment_post_ID" value="131"');
    expect((await send({ comment_post_ID: '131', comment: 'Opened' }, { cookie })).status).toBe(303);
  });

  it('reveals nothing unpublished, and accepts only forms', async () => {
    for (const id of ['132', '9999', 'x']) expect((await send({ comment_post_ID: id })).status).toBe(404);
    expect((await site.ask('GET', '/cms-comments-post.php', { raw: true })).status).toBe(405);
    expect((await send({ comment: 'x'.repeat(400_000) })).status).toBe(413);
  });

  it('is in no file of a static export', async () => {
    const { html = '' } = (await site.site.theme.print('/post-9/')) ?? {};
    expect(html).toContain('<p>To Ben</p>');
    expect(html).not.toMatch(/comment-form|replytocom|comments-post|id="respond"/);
  });
});
