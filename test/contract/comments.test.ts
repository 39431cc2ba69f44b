import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, type AskOptions, signUp, startSite, type TestSite } from '../support/site.ts';

const START = Date.UTC(2026, 2, 10, 12);

interface Stage {
  readonly site: TestSite;
  /** Moves the site's clock on. */
  wait(seconds: number): void;
  /** Ids of posts and comments by name. */
  readonly ids: Record<string, number>;
  /** One request; `:name` in the path is the id of that name. */
  ask(as: string | undefined, method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answered>;
  /** A comment, kept under a name. */
  comment(name: string, as: string | undefined, body: Record<string, unknown>): Promise<Answered>;
}

/** A site with one user of each role and posts `open`, `shut`, `draft`, `locked`, `private`; `au` has written them. */
async function stage(yaml = ''): Promise<Stage> {
  let now = START;
  const site = await startSite({ clock: () => now, writing: 'markup' });
  if (yaml) await site.write('site.yaml', `${await site.read('site.yaml')}${yaml}\n`);
  if (yaml) await site.site.reload();
  const logins: Record<string, string> = { admin: `admin:${site.password}` };
  for (const [login, role] of [
    ['ed', 'editor'],
    ['au', 'author'],
    ['co', 'contributor'],
    ['sub', 'subscriber'],
    ['sub2', 'subscriber'],
  ] as const) {
    logins[login] = (await signUp(site, login, role)).as;
  }
  const ids: Record<string, number> = {};
  const made: Stage = {
    site,
    ids,
    wait(seconds) {
      now += seconds * 1000;
    },
    ask: (as, method, path, body, options = {}) =>
      site.ask(
        method,
        path.replace(/:([a-z]\w*)/g, (_, name) => String(ids[name])),
        { ...options, ...(as ? { as: logins[as] as string } : {}), ...(body === undefined ? {} : { body }) },
      ),
    async comment(name, as, body) {
      const { post = 'open', ...rest } = body;
      const answered = await made.ask(as, 'POST', '/cms/v2/comments', { post: ids[post as string] ?? post, ...rest });
      if (answered.body.id) ids[name] = answered.body.id;
      return answered;
    },
  };
  const author = site.site.accounts.byLogin('au')?.id;
  const posts = {
    open: { status: 'publish' },
    shut: { status: 'publish', comment_status: 'closed' },
    draft: {},
    locked: { status: 'publish', password: 'pw' },
    private: { status: 'private' },
  };
  for (const [name, more] of Object.entries(posts)) {
    ids[name] = (
      await made.ask('admin', 'POST', '/cms/v2/posts', { title: `Post ${name}`, author, content: `canary-body-${name}`, ...more })
    ).body.id;
  }
  ids.page = (
    await made.ask('admin', 'POST', '/cms/v2/pages', { title: 'Page', status: 'publish', comment_status: 'open' })
  ).body.id;
  return made;
}

describe('creating comments', () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage();
    await on.comment('first', 'admin', { content: 'First' });
    await on.comment('gone', 'admin', { post: 'shut' });
  });
  afterAll(() => on.site.close());

  it.each<[string, string | undefined, Record<string, unknown>, number, string]>([
    [
      'visitors need to sign in',
      undefined,
      { content: 'x', author_name: 'N', author_email: 'n@example.org' },
      401,
      'rest_comment_login_required',
    ],
    ['notes are for users', undefined, { content: 'x', type: 'note' }, 401, 'rest_comment_login_required'],
    ['in the name of another', 'sub', { content: 'x', author: 1 }, 403, 'rest_comment_invalid_author'],
    ['from another address', 'sub', { content: 'x', author_ip: '10.9.8.7' }, 403, 'rest_comment_invalid_author_ip'],
    ['approved by oneself', 'sub', { content: 'x', status: 'approved' }, 403, 'rest_comment_invalid_status'],
    ['on nothing', 'admin', { content: 'x', post: 0 }, 403, 'rest_comment_invalid_post_id'],
    ['on what is not there', 'admin', { content: 'x', post: 99999 }, 403, 'rest_comment_invalid_post_id'],
    ['on a draft', 'admin', { content: 'x', post: 'draft' }, 403, 'rest_comment_draft_post'],
    ['on a private post one may not read', 'sub', { content: 'x', post: 'private' }, 403, 'rest_cannot_read_post'],
    ['on a locked post without its password', 'sub', { content: 'x', post: 'locked' }, 403, 'rest_cannot_read_post'],
    ['where comments are closed', 'admin', { content: 'x', post: 'shut' }, 403, 'rest_comment_closed'],
    ['without a word', 'admin', { content: '  ' }, 400, 'rest_comment_content_invalid'],
    ['without content', 'admin', {}, 400, 'rest_comment_content_invalid'],
    ['by nobody', 'admin', { content: 'x', author: 0 }, 400, 'rest_comment_author_invalid'],
    ['by a guest without an address', 'admin', { content: 'x', author_name: 'N' }, 400, 'rest_comment_author_data_required'],
    [
      'by a guest without a name',
      'admin',
      { content: 'x', author_email: 'n@example.org' },
      400,
      'rest_comment_author_data_required',
    ],
    ['of a strange kind', 'admin', { content: 'x', type: 'pingback' }, 400, 'rest_invalid_comment_type'],
    ['with an id', 'admin', { content: 'x', id: 7 }, 400, 'rest_comment_exists'],
    ['said before', 'admin', { content: 'first' }, 409, 'comment_duplicate'],
    [
      'with too long a name',
      'admin',
      { content: 'x', author_name: 'n'.repeat(246), author_email: 'n@example.org' },
      400,
      'comment_author_column_length',
    ],
    [
      'with too long an address',
      'admin',
      { content: 'x', author_name: 'N', author_email: `n@${'e'.repeat(60)}.${'e'.repeat(60)}.org` },
      400,
      'comment_author_email_column_length',
    ],
    [
      'with too long a link',
      'admin',
      { content: 'x', author_name: 'N', author_email: 'n@example.org', author_url: `http://e.org/${'e'.repeat(200)}` },
      400,
      'comment_author_url_column_length',
    ],
    ['with too much to say', 'admin', { content: 'x'.repeat(65526) }, 400, 'comment_content_column_length'],
    ['with an address that is none', 'admin', { content: 'x', author_email: 'nope' }, 400, 'rest_invalid_param'],
    ['notes by readers', 'sub', { content: 'x', type: 'note' }, 403, 'rest_cannot_create_note'],
    ['with a note state by readers', 'sub', { content: 'x', meta: { _cms_note_status: 'resolved' } }, 403, 'rest_cannot_update'],
    ['with a note state that is none', 'admin', { content: 'x', meta: { _cms_note_status: 'maybe' } }, 400, 'rest_not_in_enum'],
  ])('%s: refused', async (_, as, body, status, code) => {
    const answered = await on.comment('none', as, body);
    expect([answered.status, answered.body.code]).toEqual([status, code]);
  });

  it('the same words are accepted again once the first comment is in the trash', async () => {
    const say = () => on.comment('twice', 'admin', { content: 'Said twice' });
    const { body: comment } = await say();
    expect((await say()).body.code).toBe('comment_duplicate');
    await on.ask('admin', 'DELETE', `/cms/v2/comments/${comment.id}`);
    const second = await say();
    expect(second.status).toBe(201);
    for (const id of [comment.id, second.body.id]) await on.ask('admin', 'DELETE', `/cms/v2/comments/${id}?force=true`);
  });

  it('leaves nothing behind after a refusal', async () => {
    const { body } = await on.ask('admin', 'GET', '/cms/v2/comments?status=any&type=all');
    expect(body.map(({ id }: { id: number }) => id)).toEqual([on.ids.first]);
  });

  it.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
    ['by the author of the post: approved', 'au', { content: 'Mine' }, { status: 'approved' }],
    ['by somebody new: held', 'sub', { content: 'New here' }, { status: 'hold', author_name: 'sub' }],
    ['with a parent that is not there', 'admin', { content: 'Lost', parent: 4321 }, { parent: 4321 }],
    [
      'markup of those who may not',
      'co',
      { content: '<p>a <script>b</script> <b onclick="x">c</b></p>' },
      { content: { rendered: '<p>a b <b>c</b></p>\n' } },
    ],
    [
      'links are marked as a visitor’s',
      'admin',
      { content: '<a href="http://x.example/">x</a>' },
      { content: { raw: '<a href="http://x.example/" rel="nofollow ugc">x</a>' } },
    ],
    ['content as an object', 'admin', { content: { raw: 'Raw' } }, { content: { raw: 'Raw' } }],
    [
      'a date in GMT',
      'admin',
      { content: 'Late', date_gmt: '2024-07-01T10:00:00' },
      { date: '2024-07-01T12:00:00', date_gmt: '2024-07-01T10:00:00' },
    ],
    [
      'a name with signs',
      'admin',
      { content: 'Signs', author_name: 'O’Neil & <b>Co</b>', author_email: 'o@example.org' },
      { author_name: 'O’Neil &amp; Co', author: 0 },
    ],
    ['in the spam', 'admin', { content: 'Buy', status: 'spam' }, { status: 'spam' }],
    ['with a word that is no state', 'admin', { content: 'Word', status: 'loved' }, { status: 'approved' }],
  ])('%s', async (_, as, body, expected) => {
    on.wait(60);
    const answered = await on.comment('last', as, body);
    expect(answered.status).toBe(201);
    expect(answered.headers.get('location')).toBe(`${on.site.url}/cms-json/cms/v2/comments/${on.ids.last}`);
    expect(answered.body).toMatchObject(expected);
  });

  it('returns the view context to writers without rights, and no personal data', async () => {
    on.wait(60);
    const { body } = await on.comment('own', 'sub2', { content: 'Hi' });
    expect(Object.keys(body).filter((key) => ['author_email', 'author_ip', 'author_user_agent'].includes(key))).toEqual([]);
    expect(body.content).toEqual({ rendered: '<p>Hi</p>\n' });
    expect(body._links.self[0].targetHints).toEqual({ allow: ['GET'] });
  });

  it('reveals nothing about a comment that its writer may not edit', async () => {
    on.wait(60);
    const named = { content: 'For a friend', author_name: 'Friend', author_email: 'friend@example.org' };
    const { body } = await on.comment('friend', 'sub2', named);
    expect(body).toMatchObject({ author: 0, status: 'hold' });
    expect(Object.keys(body._links.self[0])).toEqual(['href']);
  });

  it('holds comments with two links, and those that come too fast', async () => {
    on.wait(60);
    await on.ask('admin', 'POST', '/cms/v2/comments/:own', { status: 'approve' });
    expect((await on.comment('known', 'sub2', { content: 'Known now' })).body.status).toBe('approved');
    on.wait(14);
    const soon = await on.comment('none', 'sub2', { content: 'And more' });
    expect([soon.status, soon.body.code]).toEqual([400, 'comment_flood']);
    on.wait(1);
    expect((await on.comment('links', 'sub2', { content: 'http://a.example http://b.example' })).body.status).toBe('hold');
  });

  it('accepts only one of two identical comments at the same time', async () => {
    const both = await Promise.all(
      [1, 2].map(() => on.ask('admin', 'POST', '/cms/v2/comments', { post: on.ids.page, content: 'Twice' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('comments of guests', () => {
  let on: Stage;
  const guest = { author_name: 'Gus', author_email: 'Gus@Example.net', author_url: 'http://gus.example' };
  beforeAll(async () => {
    on = await stage('anonymous_comments: true');
  });
  afterAll(() => on.site.close());

  it('need a name and an email address, are held at first, and keep the email address private', async () => {
    expect((await on.comment('none', undefined, { content: 'x' })).body.code).toBe('rest_comment_author_data_required');
    const made = await on.comment('gus', undefined, { ...guest, content: 'Hello' });
    expect([made.status, made.body.status, made.body.author]).toEqual([201, 'hold', 0]);
    const file = await on.site.read(`comments/${on.ids.open}/${on.ids.gus}.html`);
    expect(file).toBe(
      `---\nid: ${on.ids.gus}\nname: Gus\nurl: http://gus.example\ndate: 2026-03-10T13:00:00\nstatus: hold\n---\nHello\n`,
    );
    const hidden = await readFile(join(on.site.dir, '.cms/private/comments/0.json'), 'utf8');
    expect(JSON.parse(hidden)[on.ids.gus as number]).toMatchObject({ email: 'Gus@Example.net', ip: '127.0.0.1' });
  });

  it('are trusted after the first approval, and limited in number', async () => {
    expect((await on.comment('none', undefined, { ...guest, content: 'Again' })).body.code).toBe('comment_flood');
    await on.ask('ed', 'POST', '/cms/v2/comments/:gus', { status: 'approved' });
    on.wait(20);
    expect((await on.comment('gus2', undefined, { ...guest, content: 'Third' })).body.status).toBe('approved');
  });

  it('can be searched by email address by moderators only', async () => {
    const found = await on.ask('admin', 'GET', '/cms/v2/comments?author_email=gus@example.net');
    expect(found.body.map(({ id }: { id: number }) => id)).toEqual([on.ids.gus2, on.ids.gus]);
    expect((await on.ask('ed', 'GET', '/cms/v2/comments?search=gus@ex')).body).toHaveLength(2);
    for (const as of [undefined, 'sub', 'co']) {
      const { headers } = await on.ask(as, 'GET', '/cms/v2/comments?search=gus@ex');
      expect(headers.get('x-cms-total')).toBe('0');
    }
  });

  it('leave no private data behind when deleted', async () => {
    await on.ask('admin', 'DELETE', '/cms/v2/comments/:gus?force=true');
    const hidden = await readFile(join(on.site.dir, '.cms/private/comments/0.json'), 'utf8');
    expect(Object.keys(JSON.parse(hidden))).toEqual([String(on.ids.gus2)]);
    await on.ask('admin', 'DELETE', '/cms/v2/posts/:open?force=true');
    expect(existsSync(join(on.site.dir, '.cms/private/comments/0.json'))).toBe(false);
    expect(on.site.site.comments.size).toBe(0);
  });
});

describe('states of a comment', () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage();
    await on.comment('a', 'admin', { content: 'One' });
  });
  afterAll(() => on.site.close());

  it('follow the status names of clients', async () => {
    const ways: [string, string][] = [
      ['hold', 'hold'],
      ['approve', 'approved'],
      ['0', 'hold'],
      ['1', 'approved'],
      ['spam', 'spam'],
      ['unspam', 'approved'],
      ['trash', 'trash'],
      ['untrash', 'approved'],
      ['unapprove', 'approved'],
      ['spam', 'spam'],
      ['trash', 'trash'],
      ['untrash', 'spam'],
      ['hold', 'hold'],
      ['unspam', 'hold'],
      ['approved', 'approved'],
      ['untrash', 'hold'],
    ];
    for (const [word, state] of ways) {
      const { status, body } = await on.ask('admin', 'POST', '/cms/v2/comments/:a', { status: word });
      expect([word, status, body.status]).toEqual([word, 200, state]);
    }
  });

  it('change one line of the file', async () => {
    const before = await on.site.read(`comments/${on.ids.open}/${on.ids.a}.html`);
    await on.ask('ed', 'POST', '/cms/v2/comments/:a', { status: 'approve' });
    expect(await on.site.read(`comments/${on.ids.open}/${on.ids.a}.html`)).toBe(before.replace('status: hold\n', ''));
  });

  it('go to the trash and come back with the post', async () => {
    await on.comment('b', 'admin', { content: 'Two', status: 'hold' });
    await on.ask('admin', 'DELETE', '/cms/v2/posts/:open');
    const states = async () =>
      (await on.ask('admin', 'GET', '/cms/v2/comments?status=any&orderby=id&order=asc')).body.map(
        ({ status }: { status: string }) => status,
      );
    expect(await states()).toEqual(['post-trashed', 'post-trashed']);
    expect((await on.ask('admin', 'GET', '/cms/v2/comments?status=all')).body).toEqual([]);
    expect((await on.ask('admin', 'GET', '/cms/v2/comments?status=post-trashed')).body).toHaveLength(2);
    await on.ask('admin', 'POST', '/cms/v2/posts/:open', { status: 'publish' });
    expect(await states()).toEqual(['approved', 'hold']);
  });

  it('move replies up one level when a comment is deleted', async () => {
    await on.comment('child', 'admin', { content: 'Child', parent: on.ids.a });
    await on.comment('grandchild', 'admin', { content: 'Grandchild', parent: on.ids.child });
    expect((await on.ask('admin', 'DELETE', '/cms/v2/comments/:child?force=true')).body.previous._links).toBeUndefined();
    expect((await on.ask('admin', 'GET', '/cms/v2/comments/:grandchild')).body.parent).toBe(on.ids.a);
  });

  it('can be changed by users who may edit the post', async () => {
    const tries = { sub: 403, co: 403, au: 200, ed: 200 };
    for (const [as, status] of Object.entries(tries))
      expect((await on.ask(as, 'POST', '/cms/v2/comments/:a', { content: `By ${as}` })).status).toBe(status);
    expect((await on.ask(undefined, 'POST', '/cms/v2/comments/:a', { content: 'x' })).body.code).toBe('rest_cannot_edit');
  });

  it('reject invalid changes', async () => {
    const tries: [string, Record<string, unknown>, number, string][] = [
      ['/cms/v2/comments/99999', { content: 'x' }, 404, 'rest_comment_invalid_id'],
      ['/cms/v2/comments/:a', { content: '' }, 400, 'rest_comment_content_invalid'],
      ['/cms/v2/comments/:a', { post: 99999 }, 403, 'rest_comment_invalid_post_id'],
      ['/cms/v2/comments/:a', { author: 99999 }, 400, 'rest_comment_author_invalid'],
      ['/cms/v2/comments/:a', { type: 'note' }, 404, 'rest_comment_invalid_type'],
    ];
    for (const [path, body, status, code] of tries) {
      const answered = await on.ask('admin', 'POST', path, body);
      expect([answered.status, answered.body.code]).toEqual([status, code]);
    }
  });

  it('move with their post', async () => {
    const { body } = await on.ask('admin', 'POST', '/cms/v2/comments/:a', { post: on.ids.page });
    expect([body.post, body._links.up[0].post_type]).toEqual([on.ids.page, 'page']);
    expect(await on.site.read(`comments/${on.ids.page}/${on.ids.a}.html`)).toContain(`id: ${on.ids.a}\n`);
    expect((await on.ask('admin', 'GET', '/cms/v2/comments?post=:page')).body).toHaveLength(1);
  });
});

describe('comments and users', () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage();
    await on.comment('a', 'sub', { content: 'I was here' });
    await on.ask('admin', 'POST', '/cms/v2/comments/:a', { status: 'approve' });
  });
  afterAll(() => on.site.close());

  it('keep the name that the user had, unless the file leaves it to the profile', async () => {
    const file = `comments/${on.ids.open}/${on.ids.a}.html`;
    expect(await on.site.read(file)).toContain('author: sub\nname: sub\n');
    const id = on.site.site.accounts.byLogin('sub')?.id;
    await on.ask('admin', 'POST', `/cms/v2/users/${id}`, { name: 'Sub Marine' });
    expect((await on.ask(undefined, 'GET', '/cms/v2/comments?search=marine')).body).toEqual([]);
    await on.site.write(file, (await on.site.read(file)).replace('name: sub\n', ''));
    await on.site.site.reload();
    expect((await on.ask(undefined, 'GET', '/cms/v2/comments?search=marine')).body[0].author_name).toBe('Sub Marine');
  });

  it('lose name, URL and email address when those are cleared', async () => {
    const { id } = (await on.comment('b', 'ed', { content: 'Nobody said this' })).body;
    const { body } = await on.ask('admin', 'POST', `/cms/v2/comments/${id}`, {
      author_name: '',
      author_email: '',
      author_url: '',
    });
    expect([body.author_name, body.author_email, body.author_url]).toEqual(['', '', '']);
    await on.site.site.reload();
    const again = await on.ask('admin', 'GET', `/cms/v2/comments/${id}?context=edit`);
    expect([again.body.author_name, again.body.author_email]).toEqual(['', '']);
  });

  it('keep the author name when the user is deleted', async () => {
    const id = on.site.site.accounts.byLogin('sub')?.id;
    await on.ask('admin', 'DELETE', `/cms/v2/users/${id}?force=true&reassign=1`);
    expect((await on.ask('admin', 'GET', '/cms/v2/comments/:a?context=edit')).body).toMatchObject({
      author: id,
      author_name: 'Sub Marine',
      author_email: 'sub@example.org',
    });
    expect(await on.site.read(`comments/${on.ids.open}/${on.ids.a}.html`)).toContain(`author: ${id}\nname: Sub Marine\n`);
  });
});

describe('hand-written comments', () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage();
    await on.site.write(`comments/${on.ids.open}/hello.md`, '---\nname: Eve\ndate: 2026-03-01 10:00\n---\nA *word* by hand.\n');
    await on.site.site.reload();
  });
  afterAll(() => on.site.close());

  it('get an id and are served, as Markdown too', async () => {
    const { body } = await on.ask(undefined, 'GET', '/cms/v2/comments?post=:open');
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      author_name: 'Eve',
      author: 0,
      date: '2026-03-01T10:00:00',
      content: { rendered: '<p>A <em>word</em> by hand.</p>\n' },
    });
    expect(await on.site.read(`comments/${on.ids.open}/hello.md`)).toBe(
      `---\nid: ${body[0].id}\nname: Eve\ndate: 2026-03-01 10:00\n---\nA *word* by hand.\n`,
    );
  });

  it('are replies to their post', async () => {
    const { body } = await on.ask(undefined, 'GET', '/cms/v2/posts/:open?_embed=replies');
    expect(body._embedded.replies[0][0].author_name).toBe('Eve');
  });
});

describe('names in both dialects', () => {
  it('spell the status of a note', async () => {
    const on = await stage();
    try {
      const note = { post: on.ids.draft, type: 'note', content: '', meta: { _wp_note_status: 'resolved' } };
      const made = await on.ask('au', 'POST', '/wp/v2/comments', note, { root: '/wp-json' });
      expect([made.status, made.body.status, made.body.meta]).toEqual([201, 'approved', { _wp_note_status: 'resolved' }]);
      const neutral = await on.ask('au', 'GET', `/cms/v2/comments/${made.body.id}?context=edit`);
      expect([neutral.body.meta, neutral.body.type]).toEqual([{ _cms_note_status: 'resolved' }, 'note']);
      const { body } = await on.ask(undefined, 'OPTIONS', '/wp/v2/comments', undefined, { root: '/wp-json' });
      expect(Object.keys(body.endpoints[1].args.meta.properties)).toEqual(['_wp_note_status']);
      expect(Object.keys(body.schema.properties.meta.properties)).toEqual(['_wp_note_status']);
    } finally {
      await on.site.close();
    }
  });
});

describe('hidden comments', () => {
  let on: Stage;
  const roles = [undefined, 'sub', 'co', 'au', 'ed', 'admin'];
  /** Canary → who may see it. `au` has written the posts; the guest's comment is held. */
  const canaries: Record<string, readonly (string | undefined)[]> = {
    'canary-private': ['au', 'ed', 'admin'],
    'canary-locked': ['au', 'ed', 'admin'],
    'canary-draft': ['au', 'ed', 'admin'],
    'canary-binned': ['au', 'ed', 'admin'],
    'canary-held': ['au', 'ed', 'admin'],
    'canary-spam': ['au', 'ed', 'admin'],
    'canary-note': ['au', 'ed', 'admin'],
    'canary-mail': ['ed', 'admin'],
    'canary-agent': ['ed', 'admin'],
    '10.77.66.55': ['ed', 'admin'],
    'canary-open': roles,
  };

  beforeAll(async () => {
    on = await stage();
    await on.comment('open1', 'admin', { content: 'canary-open' });
    await on.comment('private1', 'admin', { post: 'private', content: 'canary-private' });
    await on.comment('locked1', 'admin', { post: 'locked', content: 'canary-locked', parent: on.ids.open1 });
    for (const [name, status] of [
      ['was', 'draft'],
      ['bin', 'trash'],
    ] as const) {
      on.ids[name] = (
        await on.ask('admin', 'POST', '/cms/v2/posts', {
          title: name,
          status: 'publish',
          author: on.site.site.accounts.byLogin('au')?.id,
        })
      ).body.id;
      await on.comment(`${name}1`, 'admin', { post: name, content: name === 'was' ? 'canary-draft' : 'canary-binned' });
      if (status === 'draft') await on.ask('admin', 'POST', `/cms/v2/posts/:${name}`, { status });
      else await on.ask('admin', 'DELETE', `/cms/v2/posts/:${name}`);
    }
    await on.comment('held1', 'admin', { content: 'canary-held', status: 'hold', parent: on.ids.open1 });
    await on.comment('spam1', 'admin', { content: 'canary-spam', status: 'spam' });
    await on.comment('note1', 'au', { content: 'canary-note', type: 'note' });
    await on.comment('guest1', 'admin', {
      content: 'guest',
      author_name: 'Guest',
      author_email: 'canary-mail@example.org',
      author_ip: '10.77.66.55',
      author_user_agent: 'canary-agent',
      status: 'approve',
    });
  });
  afterAll(() => on.site.close());

  const paths = [
    '/cms/v2/comments?per_page=100',
    '/cms/v2/comments?per_page=100&status=any&type=all',
    '/cms/v2/comments?per_page=100&status=any&type=all&context=edit',
    '/cms/v2/comments?per_page=100&context=edit',
    '/cms/v2/comments?per_page=100&type=note&post=:open',
    '/cms/v2/comments?search=canary&_embed',
    '/cms/v2/comments?post=:private,:locked,:was,:bin&password=pw',
    ...['private', 'was', 'bin', 'locked'].map((name) => `/cms/v2/comments?post=:${name}&_embed`),
    ...['open1', 'private1', 'locked1', 'was1', 'bin1', 'held1', 'spam1', 'note1', 'guest1'].flatMap((name) => [
      `/cms/v2/comments/:${name}?_embed`,
      `/cms/v2/comments/:${name}?context=edit&_embed`,
    ]),
    ...['open', 'private', 'locked', 'was', 'bin'].map((name) => `/cms/v2/posts/:${name}?_embed`),
    '/cms/v2/posts?_embed&per_page=100',
    '/cms/v2/comments?parent=:open1&_embed',
  ];

  it.each(roles)('stay hidden from %s', async (role) => {
    const seen = (await Promise.all(paths.map(async (path) => JSON.stringify((await on.ask(role, 'GET', path)).body)))).join(
      '\n',
    );
    for (const [canary, readers] of Object.entries(canaries))
      expect([canary, seen.includes(canary)]).toEqual([canary, readers.includes(role)]);
  });

  it('are not revealed by a count', async () => {
    for (const [word, total] of [
      ['canary-private', '0'],
      ['canary-locked', '0'],
      ['canary-draft', '0'],
      ['canary-open', '1'],
    ]) {
      const { headers } = await on.ask(undefined, 'GET', `/cms/v2/comments?search=${word}`);
      expect([word, headers.get('x-cms-total')]).toEqual([word, total]);
    }
  });

  it('are visible with the password, for one post or comment', async () => {
    expect((await on.ask(undefined, 'GET', '/cms/v2/comments?post=:locked&password=pw')).body[0].content.rendered).toContain(
      'canary-locked',
    );
    expect((await on.ask(undefined, 'GET', '/cms/v2/comments/:locked1?password=pw')).status).toBe(200);
    expect((await on.ask(undefined, 'GET', '/cms/v2/comments/:locked1?password=no')).status).toBe(401);
    expect((await on.ask(undefined, 'GET', '/cms/v2/comments?post=:locked,:open&password=pw')).body.code).toBe(
      'rest_cannot_read_post',
    );
  });
});
