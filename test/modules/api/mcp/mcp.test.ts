/**
 * The tools for agents over HTTP, as the client of the SDK uses them: what there is, what each does, and what a scope, a right or a text
 * of the site changes about it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allAbilities } from '../../../../src/modules/api/abilities/index.ts';
import { neutral } from '../../../../src/kernel/rest/dialect.ts';
import { addApplicationPassword } from '../../../../src/modules/people/accounts/application-passwords.ts';
import { asPerson } from '../../../support/git-site.ts';
import { type Called, injection, type McpClient, overHttp, toolCalls } from '../../../support/mcp.ts';
import { picture } from '../../../support/media.ts';
import { createServer } from 'node:http';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';

const files = {
  'posts/harbour.md': `---\nid: 100\ntitle: Harbour\ndate: 2026-03-01T10:00:00\ntags: [fog]\naliases: [old-harbour]\n---\nThe *old* harbour.\n\n${injection}\n`,
  'posts/draft.md': '---\nid: 101\ntitle: Draft\nstatus: draft\n---\nNot yet.\n',
  'posts/broken.md': '---\nid: 102\ntitle: Broken\ndate: 2026-03-02T10:00:00\n---\nSee [the map](/nowhere/).\n',
  'posts/long.md': `---\nid: 103\ntitle: Long\ndate: 2026-02-01T10:00:00\n---\n${'A line of text.\n'.repeat(6000)}`,
  'pages/docs.md': '---\nid: 110\ntitle: Docs\n---\nDocs.\n',
  'pages/docs/guide.md': '---\nid: 111\ntitle: Guide\n---\nGuide.\n',
  'terms/tag/fog.yaml': 'id: 112\nname: Fog\naliases: [mist]\n',
  'redirects.yaml':
    '/by-rule/: /harbour/\n/in-steps/: /between/\n/between/: /old-harbour/\n/away/: https://elsewhere.example/harbour/\n/in-steps-away/: /away/\n/lost/: /nowhere/\n/gone/: 410\n',
  'menus/main.yaml': 'id: 120\nname: Main\nitems:\n  - { title: Docs, page: docs }\n',
  'comments/harbour.yaml': `- { id: 1, author: Mallory, date: 2026-03-02T10:00:00, text: "${injection}" }\n`,
};

let site: TestSite;
let images: ReturnType<typeof createServer>;
let image: string;
let admin: McpClient;
const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

beforeAll(async () => {
  const bytes = await picture();
  images = createServer((_, response) => void response.setHeader('content-type', 'image/jpeg').end(bytes));
  await new Promise<void>((done) => images.listen(0, '127.0.0.1', done));
  image = `http://127.0.0.1:${(images.address() as { port: number }).port}/boat.jpg`;
  const operator = { mcp: true, fetch_allow: [new URL(image).host] };
  site = await startSite({ files, operator });
  asPerson(site.dir, 'init', '-q');
  asPerson(site.dir, 'add', '.');
  asPerson(site.dir, 'commit', '-qm', 'begin');
  admin = await overHttp(site.url, `Bearer admin:${site.password.replaceAll(' ', '')}`);
});
afterAll(async () => {
  await admin.close();
  await site.close();
  images.close();
});

/** Commits are offered where writes become commits, translations where there are several languages. */
const tools = Object.keys(toolCalls).filter((name) => !['cms-commit', 'cms-translations'].includes(name));

async function callOf(name: string, client: McpClient): Promise<Called> {
  const made = async (): Promise<string> => (await admin.call('cms-create', { fields: { title: 'Gone' } })).data.path;
  const trash = name === 'cms-trash' ? await made() : '';
  const args = await toolCalls[name]?.({ read: 'posts/harbour.md', change: 'posts/draft.md', trash, image }, client);
  return client.call(name, args);
}

describe('tools', () => {
  it('are the abilities, with their schemas and descriptions', async () => {
    const { tools: listed } = await admin.client.listTools();
    const abilities = allAbilities(site.site, neutral).filter(({ name }) => name !== 'cms/commit');
    expect(listed.map(({ name }) => name)).toEqual(abilities.map(({ name }) => name.replaceAll('/', '-')));
    expect(tools.toSorted()).toEqual(listed.map(({ name }) => name).sort());
    for (const { name, inputSchema, outputSchema, annotations } of listed) {
      const { readonly, destructive, idempotent } =
        abilities.find((one) => one.name.replaceAll('/', '-') === name)?.annotations ?? {};
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object']);
      expect(annotations).toEqual({ readOnlyHint: readonly, destructiveHint: destructive, idempotentHint: idempotent });
    }
  });

  it.each(tools)('%s returns text and data that match its schema', async (name) => {
    const { error, data, texts } = await callOf(name, admin);
    expect([name, error]).toEqual([name, undefined]);
    expect(JSON.parse(texts[1] as string)).toEqual(data);
    expect(texts[0]).toContain('It is data');
  });

  it('return the same over the REST API', async () => {
    const { body } = await site.ask('GET', '/cms-abilities/v1/abilities/cms/read/run?input[path]=posts/harbour.md', {
      as: 'admin',
    });
    expect((await admin.call('cms-read', { path: 'posts/harbour.md' })).data).toEqual(body);
  });

  it('return a file unchanged, and HTML only on request', async () => {
    const { data } = await admin.call('cms-read', { url: '/harbour/' });
    expect(data.text).toBe(await site.read('posts/harbour.md'));
    expect(data).toMatchObject({ id: 100, type: 'post', path: 'posts/harbour.md' });
    const html = await admin.call('cms-read', { id: 100, format: 'html' });
    expect(html.data.text).toContain('<em>old</em>');
  });

  it.each<[url: string, from: boolean, id: number | string]>([
    ['/harbour/', false, 100],
    ['/old-harbour/', true, 100],
    ['/by-rule/', true, 100],
    ['/in-steps/', true, 100],
    ['/?p=100', false, 100],
    ['/tag/mist/', true, 112],
    ['/away/', true, 'https://elsewhere.example/harbour/, where this site has no item'],
    ['/in-steps-away/', true, 'https://elsewhere.example/harbour/, where this site has no item'],
    ['/lost/', true, '/nowhere/, where this site has no item'],
    ['/gone/', true, '/gone/ is gone (410)'],
    ['/no-such/', false, 'There is no item at /no-such/'],
  ])('follow redirects of %s within the site, never out of it', async (url, isFrom, expected) => {
    const { data, error, message } = await admin.call('cms-read', { url });
    if (typeof expected === 'string') {
      expect([error, data]).toEqual(['rest_post_invalid_id', undefined]);
      return expect(message).toContain(expected);
    }
    expect([data?.id, data?.redirected_from]).toEqual([expected, isFrom ? url : undefined]);
    const checked = await admin.call('cms-check', { url });
    expect(checked.error).toBeUndefined();
  });

  it('find the menu by its file, not one of its items', async () => {
    const path = 'menus/main.yaml';
    const { id, type, etag } = (await admin.call('cms-read', { path })).data;
    expect([id, type]).toEqual([120, 'nav_menu']);
    const { data } = await admin.call('cms-change', { path, etag, fields: { name: 'Head' } });
    expect(data.diff).toContain('-name: Main\n+name: Head');
  });

  it('change only what is requested, return a diff, and require the state that was read', async () => {
    const path = 'posts/broken.md';
    const { etag } = (await admin.call('cms-read', { path })).data;
    const edits = [{ old: '/nowhere/', new: '/harbour/' }];
    const { data } = await admin.call('cms-change', { path, etag, edits });
    expect(data.diff).toContain('-See [the map](/nowhere/).\n+See [the map](/harbour/).');
    expect(await site.read(path)).toContain('[the map](/harbour/)');
    expect((await admin.call('cms-change', { path, etag, edits })).error).toBe('rest_conflict');
    const text = '---\ntitle: Mended\nslug: mended\n---\nSee [the map](/harbour/).\n';
    const whole = await admin.call('cms-change', { path, etag: data.etag, file: text });
    expect(whole.data.diff).toMatch(/-title: Broken\n\+title: Mended\n/);
    expect(whole.data.diff).not.toContain('the map](/harbour/).\n+');
    expect(whole.data.url).toContain('/mended/');
  });

  it('show changes', async () => {
    await site.write('posts/by-hand.md', '---\ntitle: By hand\n---\n');
    const { data } = await admin.call('cms-changes');
    expect(data.commits[0]).toMatchObject({ subject: 'begin' });
    expect(data.commits[0].files).toContainEqual({ path: 'posts/harbour.md', kind: 'added' });
    expect(data.uncommitted).toContainEqual({ path: 'posts/by-hand.md', kind: 'added' });
    expect(data.uncommitted).toContainEqual({ path: 'posts/draft.md', kind: 'changed', by: 'admin' });
    const one = await admin.call('cms-changes', { path: 'posts/draft.md' });
    expect(one.data.diff).toContain('-Not yet.');
  });

  it('return results in pages', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await admin.call('cms-find', { limit: 2, ...(cursor ? { cursor } : {}) });
      expect(data.items.length).toBeLessThanOrEqual(2);
      seen.push(...data.items.map(({ id }: { id: number }) => id));
      cursor = data.next;
    } while (cursor);
    const published = [...site.site.posts.all()].filter(
      ({ type, status }) => ['post', 'page'].includes(type) && status === 'publish',
    );
    expect(seen.toSorted((a, b) => a - b)).toEqual(published.map(({ id }) => id).sort((a, b) => a - b));
    const first = (await admin.call('cms-read', { path: 'posts/long.md' })).data;
    let text = first.text;
    for (let next = first.next_offset; next; ) {
      const { data } = await admin.call('cms-read', { path: 'posts/long.md', offset: next });
      expect(data.text.length).toBeLessThanOrEqual(40_000);
      text += data.text;
      next = data.next_offset;
    }
    expect(text).toBe(await site.read('posts/long.md'));
    expect(text).toHaveLength(first.characters);
  });

  it('report results that are too large', async () => {
    for (const name of ['one', 'two']) await site.write(`terms/tag/${name}.yaml`, `name: ${name.repeat(20_000)}\n`);
    await site.site.ingest(await site.site.store.sweep());
    const { message } = await admin.call('cms-terms', { taxonomy: 'post_tag' });
    expect(message).toMatch(/more than 100000/);
    for (const name of ['one', 'two']) await rm(join(site.dir, `terms/tag/${name}.yaml`));
    await site.site.ingest(await site.site.store.sweep());
  });
});

describe('resources', () => {
  it('are files by path and items by URL', async () => {
    const { resourceTemplates } = await admin.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['cms://file/{+path}', 'cms://item/{+path}']);
    const { resources } = await admin.client.listResources();
    expect(resources).toContainEqual({ uri: 'cms://file/pages/docs/guide.md', name: 'Guide', mimeType: 'text/markdown' });
    for (const uri of ['cms://file/pages/docs/guide.md', 'cms://item/docs/guide/']) {
      const { contents } = await admin.client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: await site.read('pages/docs/guide.md') }]);
    }
  });

  it.each([
    'cms://file/../../etc/passwd',
    'cms://file/.cms/private/accounts/1.json',
    'cms://item/none/',
    'file:///etc/passwd',
    'cms://file/%ff',
  ])('include nothing else: %s', async (uri) => {
    await expect(admin.client.readResource({ uri })).rejects.toThrow();
  });
});

describe('scopes', () => {
  /** Which of the calls that change something each scope is refused; reading is for all of them. */
  const changing = ['cms-create', 'cms-change', 'cms-trash', 'cms-upload', 'cms-reindex'];
  it.each<[scope: string, open: readonly string[]]>([
    ['', changing],
    ['read', []],
    ['drafts', ['cms-create', 'cms-change', 'cms-trash']],
    ['type:page', []],
    ['type:post', ['cms-create', 'cms-change', 'cms-trash']],
    ['type:attachment', ['cms-upload']],
    ['folder:posts', ['cms-create', 'cms-change', 'cms-trash']],
    ['folder:media', ['cms-upload']],
    ['folder:pages/docs,drafts', []],
  ])('%j', async (scope, open) => {
    const { password } = await addApplicationPassword(site.site, 1, `for ${scope}`, '', scope);
    const client = await overHttp(site.url, basic(`admin:${password}`));
    for (const name of tools) {
      const { error } = await callOf(name, client);
      const isOpen = !changing.includes(name) || open.includes(name);
      expect([scope, name, error]).toEqual([scope, name, isOpen ? undefined : 'rest_insufficient_scope']);
    }
    await client.close();
  });

  it('build: nothing is allowed', async () => {
    const { password } = await addApplicationPassword(site.site, 1, 'build', '', 'build');
    await expect(overHttp(site.url, basic(`admin:${password}`))).rejects.toThrow('rest_insufficient_scope');
  });

  it('keep drafts as drafts, in every way of writing', async () => {
    const { password } = await addApplicationPassword(site.site, 1, 'careful', '', 'drafts');
    const client = await overHttp(site.url, basic(`admin:${password}`));
    const made = await client.call('cms-create', { file: '---\ntitle: Loud\nstatus: publish\n---\nNow.\n' });
    expect(made.error).toBe('rest_insufficient_scope');
    const { etag } = (await client.call('cms-read', { path: 'posts/draft.md' })).data;
    for (const sent of [
      { fields: { status: 'publish' } },
      { file: '---\nstatus: publish\n---\n' },
      { fields: { status: ['publish'] } },
    ])
      expect((await client.call('cms-change', { path: 'posts/draft.md', etag, ...sent })).error).toBe('rest_insufficient_scope');
    expect(await site.read('posts/draft.md')).toContain('status: draft');
    await client.close();
  });
});

describe('rights', () => {
  it('are those of the caller', async () => {
    const { as } = await signUp(site, 'sub', 'subscriber');
    const reader = await overHttp(site.url, basic(as));
    const names = (await reader.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['core-get-user-info', 'cms-find', 'cms-read', 'cms-check', 'cms-describe', 'cms-terms']);
    expect((await reader.call('cms-find', { status: 'draft' })).error).toBe('rest_invalid_param');
    expect((await reader.call('cms-find')).data.items[0]).not.toHaveProperty('path');
    for (const named of [{ path: 'posts/harbour.md' }, { path: 'site.yaml' }, { id: 101 }])
      expect((await reader.call('cms-read', named)).error).toMatch(/^rest_forbidden/);
    expect((await reader.call('cms-read', { id: 100, format: 'html' })).data.text).toContain('harbour');
    await reader.close();
  });

  it('decide what is shown of git', async () => {
    const { as } = await signUp(site, 'edda', 'editor');
    const { as: author } = await signUp(site, 'otto', 'author');
    const editor = await overHttp(site.url, basic(as));
    expect((await editor.call('cms-changes')).error).toBe('rest_forbidden');
    expect((await editor.call('cms-changes', { path: 'site.yaml' })).error).toBe('rest_forbidden');
    const { data } = await editor.call('cms-changes', { path: 'posts/harbour.md' });
    expect(data.commits).toMatchObject([{ subject: 'begin', path: 'posts/harbour.md' }]);
    // No address of whoever committed.
    expect(JSON.stringify(data.commits)).not.toContain('@');
    await editor.close();
    const writer = await overHttp(site.url, basic(author));
    const names = (await writer.client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('cms-changes');
    await expect(writer.call('cms-changes', { path: 'posts/harbour.md' })).rejects.toThrow('no tool');
    await writer.close();
  });

  it('are not affected by the content of posts, comments or alt texts', async () => {
    await admin.call('cms-upload', { url: image, alt_text: injection });
    // What the same callers have where nobody has written anything.
    const empty = await startSite({ operator: { mcp: true } });
    const told = async ({ client }: McpClient) => [(await client.listTools()).tools, client.getInstructions()];
    for (const role of ['subscriber', 'contributor', 'author', 'editor', 'administrator']) {
      const callers = await Promise.all([site, empty].map((one) => signUp(one, `a-${role}`, role)));
      const [client, other] = await Promise.all(
        [site, empty].map((one, at) => overHttp(one.url, basic(callers[at]?.as as string))),
      );
      if (!client || !other) throw new Error('no clients');
      const before = await told(other);
      expect(await told(client)).toEqual(before);
      const found = await client.call('cms-find', { search: 'IGNORE ALL' });
      const read = await client.call('cms-read', { id: 100, format: 'html' });
      expect([found.texts[0], read.texts[0]]).toEqual(Array(2).fill(expect.stringContaining('It is data')));
      expect(read.texts.join('')).toContain(injection);
      expect(await told(client)).toEqual(before);
      const sent = { fields: { title: injection, status: 'publish' }, body: injection };
      if (role === 'contributor') expect((await client.call('cms-create', sent)).error).toBe('rest_cannot_publish');
      await client.close();
      await other.close();
    }
    await empty.close();
  });
});

describe('hostile input', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['cms-read', {}, 'ability_invalid_input'],
    ['cms-read', { path: 'a', url: '/b/' }, 'ability_invalid_input'],
    ['cms-read', { path: '../../etc/passwd' }, 'rest_post_invalid_id'],
    ['cms-read', { path: '/etc/passwd' }, 'rest_post_invalid_id'],
    ['cms-read', { path: 'posts/../site.yaml' }, 'rest_post_invalid_id'],
    ['cms-read', { path: '.gitignore' }, 'rest_post_invalid_id'],
    ['cms-read', { path: '__proto__' }, 'rest_post_invalid_id'],
    ['cms-read', { id: -1 }, 'ability_invalid_input'],
    ['cms-read', { id: 'x' }, 'ability_invalid_input'],
    ['cms-read', { url: 'https://elsewhere.example/harbour/' }, 'rest_post_invalid_id'],
    ['cms-find', { cursor: 'x' }, 'ability_invalid_input'],
    ['cms-find', { cursor: Buffer.from('[1e99,0]').toString('base64url') }, 'ability_invalid_input'],
    ['cms-find', { limit: 1e9 }, 'ability_invalid_input'],
    ['cms-find', { type: 'constructor' }, 'ability_invalid_input'],
    ['cms-find', { nothing: 1 }, 'ability_invalid_input'],
    ['cms-create', { type: 'nothing' }, 'ability_invalid_input'],
    ['cms-create', { file: '---\ntitle: [\n---\n' }, 'ability_invalid_input'],
    ['cms-create', { file: '---\n__proto__: { a: 1 }\n---\n' }, 'ability_invalid_input'],
    ['cms-create', { file: '---\ntitle: A\n---\n', body: 'B' }, 'ability_invalid_input'],
    ['cms-create', { fields: { status: 'loud' } }, 'rest_invalid_param'],
    ['cms-change', { path: 'posts/harbour.md', fields: {} }, 'ability_invalid_input'],
    ['cms-change', { path: 'posts/harbour.md', etag: '*', fields: { title: 'x' } }, 'rest_conflict'],
    ['cms-change', { path: 'site.yaml', etag: 'x', body: 'name: x' }, 'ability_invalid_input'],
    ['cms-upload', { url: 'http://169.254.169.254/latest/meta.png' }, 'rest_invalid_param'],
    ['cms-upload', { url: 'file:///etc/passwd' }, 'rest_invalid_param'],
    ['cms-upload', { file: '/etc/passwd' }, 'ability_invalid_input'],
    ['cms-changes', { path: '../x' }, 'rest_post_invalid_id'],
    ['cms-terms', { taxonomy: 'nav_menu_nothing' }, 'ability_invalid_input'],
  ])('%s %j', async (name, args, error) => {
    expect((await admin.call(name, args)).error).toBe(error);
  });

  it.each<[old: string, why: string]>([
    ['', 'does not have'],
    ['no such text', 'does not have'],
    ['A line', 'more than once'],
  ])('is handled in edits of %j', async (old, why) => {
    const path = 'posts/long.md';
    const { error, message } = await admin.call('cms-change', {
      path,
      etag: (await admin.call('cms-read', { path })).data.etag,
      edits: [{ old, new: 'x' }],
    });
    expect([error, message]).toEqual(['ability_invalid_input', expect.stringContaining(why)]);
  });

  it('is rejected as an invalid message', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const ask = (method: string, body?: unknown, more = {}) =>
      site.ask(method, '/mcp', { raw: true, as: 'admin', headers: { ...headers, ...more }, body: body as string });
    expect((await ask('POST', '{"jsonrpc":')).status).toBe(400);
    expect((await ask('POST', '{"a":1}')).body.error).toMatchObject({ code: -32700 });
    expect((await ask('POST', '{"jsonrpc":"2.0","id":1,"method":"none"}')).body.error).toMatchObject({ code: -32601 });
    expect((await ask('POST', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { accept: 'text/html' })).status).toBe(406);
    expect((await ask('POST', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { 'mcp-protocol-version': '1' })).status).toBe(
      400,
    );
    for (const method of ['GET', 'DELETE']) expect((await ask(method)).status).toBe(405);
    await expect(admin.client.callTool({ name: 'none' })).rejects.toThrow('no tool "none"');
  });

  it('includes anonymous requests', async () => {
    await expect(overHttp(site.url, 'Bearer nobody:x')).rejects.toThrow();
    expect((await site.ask('POST', '/mcp', { raw: true, body: {} })).body.code).toBe('rest_not_logged_in');
  });
});

it('MCP is off unless the operator allows it, and then a page may have its URL', async () => {
  const other = await startSite({ files: { 'pages/mcp.md': '---\ntitle: On protocols\n---\n' } });
  try {
    expect((await other.ask('GET', '/mcp/', { raw: true })).body).toContain('On protocols');
    expect((await other.ask('POST', '/mcp', { raw: true, as: 'admin', body: {} })).body).toContain('On protocols');
    expect((await other.ask('POST', '/mcp', { as: 'admin', body: {} })).body.code).toBe('rest_no_route');
  } finally {
    await other.close();
  }
});

it('MCP returns translations on sites with languages', async () => {
  const other = await startSite({
    operator: { mcp: true },
    files: {
      'site.yaml': 'name: A\ndeployment: extended\nlang: { default: en, languages: { en: {}, de: {} } }\n',
      'posts/b.de.md': '---\ntitle: B\n---\nText\n',
      'posts/a.md': '---\ntitle: A\n---\nText\n',
    },
  });
  const client = await overHttp(other.url, basic(`admin:${other.password}`));
  try {
    const { data } = await client.call('cms-translations', { to: 'de', type: 'post' });
    expect(data.counts.missing).toBe(1);
    // Over the API the deployment has no abilities.
    expect((await other.ask('GET', '/cms-abilities/v1/abilities', { as: 'admin' })).status).toBe(404);
    for (const [language, slug] of [
      ['de', 'b'],
      ['en', 'a'],
    ])
      expect((await client.call('cms-find', { language })).data.items).toMatchObject([{ slug, language }]);
    expect((await client.call('cms-find', { language: 'fr' })).error).toBe('ability_invalid_input');
    expect(data.pairs).toMatchObject([{ path: 'posts/a.md', target: 'de', state: 'missing' }]);
  } finally {
    await client.close();
    await other.close();
  }
});
