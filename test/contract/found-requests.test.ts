/** Small requests of many kinds, each as the reference answers it: texts of blocks, uploads, accounts, comments, rights. */
import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
const who: Record<string, { id: number; as: string }> = {};
beforeAll(async () => {
  site = await startSite({ writing: 'markup', clock: () => Date.parse('2027-03-01T10:00:00Z') });
  for (const role of ['editor', 'author', 'subscriber']) who[role] = await signUp(site, role, role);
  const parent = await send('POST', '/cms/v2/pages', { title: 'Above', status: 'publish' });
  await send('POST', '/cms/v2/pages', { title: 'Below', status: 'publish', parent: parent.body.id });
});
afterAll(() => site.close());

const send = (method: string, path: string, body?: unknown, as = 'admin') =>
  site.ask(method, path, { as: who[as]?.as ?? as, ...(body === undefined ? {} : { body }) });

/** What a published text becomes. */
async function shown(content: string): Promise<{ content: string; excerpt: string }> {
  const body = { title: 't', status: 'publish', date: '2009-01-01T10:00:00', content: content.replaceAll('{b}', site.url) };
  const answer = await send('POST', '/cms/v2/posts', body);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(201);
  const list = await send('GET', '/cms/v2/posts');
  expect(list.status).toBe(200);
  await send('DELETE', `/cms/v2/posts/${answer.body.id}?force=true`);
  const { content: made, excerpt } = answer.body;
  return { content: made.rendered.replaceAll(site.url, '{b}'), excerpt: excerpt.rendered };
}

describe('texts', () => {
  it.each([
    ['an excerpt within its own text', '<!-- wp:post-excerpt /--><p>words</p>', 'words'],
    [
      'excerpts of the newest within one of them',
      '<p>w</p><!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"excerpt"} /-->',
      'wp-block-latest-posts',
    ],
    [
      'how long ago',
      '<!-- wp:post-date {"format":"human-diff"} /-->',
      '<div class="wp-block-post-date"><time datetime="2009-01-01T10:00:00+01:00">18 years ago</time></div>',
    ],
    ['pages of a text', 'One\n\n<!--nextpage-->\n\nTwo', '<p>One</p>\n<p><!--nextpage--></p>\n<p>Two</p>\n'],
    ['the picture of a person', '<!-- wp:avatar {"userId":1} /-->', "height='96' width='96' /></div>"],
    [
      'two colours of a picture',
      '<!-- wp:image {"style":{"color":{"duotone":["#000000","#ffffff"]}}} --><figure class="wp-block-image"><img src="x.jpg" alt=""/></figure><!-- /wp:image -->',
      /wp-duotone-000000-ffffff-\d+/,
    ],
    [
      'a picture behind a group',
      '<!-- wp:group {"style":{"background":{"backgroundImage":{"url":"{b}/x.jpg"},"backgroundSize":"cover"}}} --><div class="wp-block-group">x</div><!-- /wp:group -->',
      '<div style="background-image:url(&apos;{b}/x.jpg&apos;);background-size:cover;" class="wp-block-group is-layout-flow wp-block-group-is-layout-flow has-background">x</div>',
    ],
    [
      'a menu in the middle',
      '<!-- wp:navigation {"overlayMenu":"never","layout":{"type":"flex","justifyContent":"center"}} --><!-- wp:navigation-link {"label":"A","url":"/a"} /--><!-- /wp:navigation -->',
      /<nav class="[^"]*items-justified-center[^"]*".*<ul class="[^"]*items-justified-center/s,
    ],
    [
      'a caption in a block of codes',
      '<!-- wp:shortcode -->\n[caption width="100"]<img src="x.jpg"> cap[/caption]\n<!-- /wp:shortcode -->',
      /(?<!<p>)<figure style="width: 100px" class="wp-caption alignnone">/,
    ],
    [
      'a caption of long ago',
      '[caption width="300" caption="An old caption"]<a href="x"><img src="x.jpg" /></a>[/caption]',
      '<figure style="width: 300px" class="wp-caption alignnone"><a href="x"><img decoding="async" src="x.jpg" /></a><figcaption class="wp-caption-text">An old caption</figcaption></figure>\n',
    ],
    ['switches of a player', '[audio src="http://example.org/a.mp3" autoplay="on" loop="1"]', /loop autoplay preload="none"/],
    [
      'a wide line',
      '<!-- wp:separator {"className":"is-style-wide"} --><hr class="wp-block-separator is-style-wide"/><!-- /wp:separator -->',
      /is-style-wide is-style-wide--\d+/,
    ],
    [
      'a round picture',
      '<!-- wp:image {"className":"is-style-rounded"} --><figure class="wp-block-image is-style-rounded"><img src="x.jpg" alt=""/></figure><!-- /wp:image -->',
      /class="wp-block-image is-style-rounded"/,
    ],
    [
      'pages below others',
      '<!-- wp:page-list /-->',
      /<ul class="wp-block-navigation__submenu-container"><li class="wp-block-pages-list__item ">/,
    ],
    [
      'weeks',
      '<!-- wp:archives {"type":"weekly"} /-->',
      /<li><a href='\{b\}\/\?m=2009&#038;w=1'>December 29, 2008&#8211;January 4, 2009<\/a>/,
    ],
  ])('%s', async (_, content, wanted) => {
    const { content: made } = await shown(content);
    if (typeof wanted === 'string') expect(made).toContain(wanted);
    else expect(made).toMatch(wanted);
  });

  it('hidden content is never shown', async () => {
    const hidden = '<!-- wp:paragraph {"metadata":{"blockVisibility":false}} --><p>hidden</p><!-- /wp:paragraph -->';
    expect(await shown(hidden)).toEqual({ content: '', excerpt: '' });
  });

  it('an excerpt ends with the first page', async () => {
    expect((await shown('One\n\n<!--nextpage-->\n\nTwo')).excerpt).toBe('<p>One</p>\n');
  });
});

interface Row {
  readonly name: string;
  readonly as?: string;
  readonly does: string;
  readonly body?: unknown;
  readonly status: number;
  readonly code?: string;
  readonly has?: unknown;
  /** Of the header; null: there is none. */
  readonly allow?: string | null;
}

const rows: readonly Row[] = [
  {
    name: 'who files posts sees a taxonomy whole',
    as: 'author',
    does: 'GET /cms/v2/taxonomies/category?context=edit',
    status: 200,
    has: { capabilities: { manage_terms: 'manage_categories' }, labels: { name: 'Categories' } },
  },
  {
    name: 'who only reads does not',
    as: 'subscriber',
    does: 'GET /cms/v2/taxonomies/category?context=edit',
    status: 403,
    code: 'rest_forbidden_context',
  },
  {
    name: 'nobody is called 0',
    does: 'POST /cms/v2/users',
    body: { username: '0', email: 'z@example.org', password: 'Sturdy-pass-91' },
    status: 400,
    code: 'rest_invalid_param',
    has: { data: { details: { username: { code: 'rest_user_invalid_username' } } } },
  },
  { name: 'a route has its slash', does: 'GET /?rest_route=cms/v2/posts', status: 404, code: 'rest_no_route' },
  { name: 'a route with its slash', does: 'GET /?rest_route=/cms/v2/posts', status: 200 },
  {
    name: 'the index of another namespace',
    does: 'GET /cms/v2?namespace=oembed/1.0&_fields=namespace',
    status: 200,
    has: { namespace: 'oembed/1.0' },
  },
  { name: 'no index of no namespace', does: 'GET /cms/v2?namespace=nope', status: 404, code: 'rest_invalid_namespace' },
  { name: 'names of authors filter nothing', does: 'GET /cms/v2/posts?author=admin', status: 400, code: 'rest_invalid_param' },
  {
    name: 'nothing may be done with a type of block that is not there',
    does: 'GET /cms/v2/block-types/core/nope',
    status: 404,
    code: 'rest_block_type_invalid',
    allow: null,
  },
  {
    name: 'who may not see blocks is told so before what is wrong with one',
    as: 'subscriber',
    does: 'GET /cms/v2/block-renderer/core/archives?context=edit&attributes[nope]=1',
    status: 403,
    code: 'block_cannot_read',
  },
  {
    name: 'what is wrong with a block is told to others',
    does: 'GET /cms/v2/block-renderer/core/archives?context=edit&attributes[nope]=1',
    status: 400,
    code: 'rest_invalid_param',
    has: { data: { details: { attributes: { code: 'rest_additional_properties_forbidden' } } } },
  },
  { name: 'before the first user is nobody', does: 'GET /cms/v2/users?offset=-1', status: 200, has: [] },
];

describe('requests', () => {
  it.each(rows.map((row) => [row.name, row] as const))(
    '%s',
    async (_, { as = 'admin', does, body, status, code, has, allow }) => {
      const [method = '', path = ''] = does.split(' ');
      const raw = path.startsWith('/?');
      const answer = await site.ask(method, path, { as: who[as]?.as ?? as, raw, ...(body === undefined ? {} : { body }) });
      expect([answer.status, answer.body?.code]).toEqual([status, code]);
      if (allow !== undefined) expect(answer.headers.get('allow')).toBe(allow);
      if (has !== undefined) expect(answer.body).toMatchObject(has as object);
    },
  );

  it('an invalid email address is reported last', async () => {
    const post = await send('POST', '/cms/v2/posts', { title: 'Talk', status: 'publish' });
    const comment = await send('POST', '/cms/v2/comments', { post: post.body.id, content: 'Said' });
    const change = (body: unknown) => send('POST', `/cms/v2/comments/${comment.body.id}`, body);
    const both = await change({ author_ip: '', author_email: 'ü@example.org' });
    expect([both.status, Object.keys(both.body.data.params)]).toEqual([400, ['author_ip']]);
    const alone = await change({ author_email: 'ü@example.org' });
    expect([alone.status, alone.body.data.details]).toMatchObject([400, { author_email: { code: 'rest_invalid_email' } }]);
    expect((await change({ author_email: '' })).status).toBe(200);
  });

  it('user URLs are escaped as markup', async () => {
    const url = 'http://example.org/?a=1&b=2';
    const shown = 'http://example.org/?a=1&amp;b=2';
    const post = await send('POST', '/cms/v2/posts', { title: 'Whose', status: 'publish' });
    const said = { post: post.body.id, content: 'An <a that', author_name: 'N', author_email: 'n@example.org', author_url: url };
    const comment = await send('POST', '/cms/v2/comments', said);
    expect([comment.body.author_url, comment.body.content.rendered]).toEqual([shown, '<p>An <a that\n</p>\n']);
    const again = await send('POST', `/cms/v2/comments/${comment.body.id}`, { author_url: shown });
    expect(again.body.author_url).toBe(shown);
    expect((await send('POST', `/cms/v2/users/${who.author?.id}`, { url })).body.url).toBe(shown);
  });

  it('a media item accepts its current status', async () => {
    const made = await upload('attachment; filename=UPPER.PNG');
    expect(made.body.source_url).toMatch(/\/UPPER\.png$/);
    expect((await send('POST', `/cms/v2/media/${made.body.id}`, { status: 'inherit' })).status).toBe(200);
    expect((await send('POST', `/cms/v2/media/${made.body.id}`, { status: 'nope' })).status).toBe(400);
  });

  it.each([
    ['attachment; filename="café.png"', /\/cafe\.png$/, 'café'],
    ['attachment; filename="新しい写真.png"', /\/%E6%96%B0.*\.png$|\/新しい写真\.png$/, '新しい写真'],
    ['attachment; filename="plain.png"; filename*=UTF-8\'\'%C3%A4.png', /\/a\.png$/, 'ä'],
  ])('a file name is UTF-8: %s', async (header, address, title) => {
    const { status, body } = await upload(header);
    expect([status, body.title?.raw]).toEqual([201, title]);
    expect(body.source_url).toMatch(address);
  });

  it('totals count every requested status, lists contain only what the user may read', async () => {
    await send('POST', '/cms/v2/posts', { title: 'Mine', status: 'private' });
    const listed = await send('GET', '/cms/v2/posts?status=private', undefined, 'author');
    expect([listed.status, listed.body, listed.headers.get('x-cms-total')]).toEqual([200, [], '1']);
    const searched = await send('GET', '/cms/v2/posts?status=private&search=Mine', undefined, 'author');
    expect([searched.body, searched.headers.get('x-cms-total')]).toEqual([[], '0']);
  });

  it('deleting a revision through another post is allowed by Allow, but a 404', async () => {
    const [one, other] = [
      await send('POST', '/cms/v2/posts', { title: 'One' }),
      await send('POST', '/cms/v2/posts', { title: 'Other' }),
    ];
    await send('POST', `/cms/v2/posts/${other.body.id}`, { content: 'Changed' });
    const [revision] = (await send('GET', `/cms/v2/posts/${other.body.id}/revisions`)).body;
    const { status, body, headers } = await send('GET', `/cms/v2/posts/${one.body.id}/revisions/${revision.id}`);
    expect([status, body.code, headers.get('allow')]).toEqual([404, 'rest_revision_parent_id_mismatch', 'GET, DELETE']);
  });

  it('a name that is too long changes nothing', async () => {
    const tag = await send('POST', '/cms/v2/tags', { name: 'Short' });
    const changed = await send('POST', `/cms/v2/tags/${tag.body.id}`, { name: 'n'.repeat(300), slug: 'other', description: 'd' });
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'Short', slug: 'short', description: 'd' }]);
    const user = await send('POST', `/cms/v2/users/${who.author?.id}`, { name: 'n'.repeat(300), description: 'd' });
    expect([user.status, user.body]).toMatchObject([200, { name: 'author', description: 'd' }]);
  });

  it('links excluded by _fields are not embedded', async () => {
    const { body } = await send('GET', '/cms/v2/posts?_embed&_fields=id,_links.author,_embedded&per_page=1');
    expect([Object.keys(body[0]._links), Object.keys(body[0]._embedded)]).toEqual([['author'], ['author']]);
  });

  it('an autosave of a page draft updates the page', async () => {
    const page = await send('POST', '/cms/v2/pages', { title: 'Draft', status: 'draft' });
    const saved = await send('POST', `/cms/v2/pages/${page.body.id}/autosaves`, { title: 'Better' });
    expect(saved.body.guid.raw).toBe(`${site.url}/?page_id=${page.body.id}`);
    expect(saved.body.preview_link).toContain(`/?page_id=${page.body.id}&`);
  });
});

describe('URLs', () => {
  it.each(['//cms-json/cms/v2/posts', '//wp-json/wp/v2/posts?per_page=1', '///wp-json/', '//index.php?rest_route=/wp/v2/posts'])(
    '%s has one slash too many',
    async (path) => {
      const answer = await raw('GET', path);
      expect([answer.status, answer.type]).toEqual([200, 'application/json; charset=UTF-8']);
    },
  );

  it('invalid bytes are reported', async () => {
    for (const path of ['/wp-json/wp/v2/posts?search=café', '/日本語/']) {
      const { port } = new URL(site.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      const answer = await text(socket);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 .*content-type: application\/json/is);
      expect(JSON.parse(body)).toMatchObject({ code: 'rest_address_unencoded', data: { status: 400 } });
    }
  });
});

/** The path as it stands: no client tidies it. */
function raw(method: string, path: string): Promise<{ status: number; type: string | undefined }> {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    sendRequest({ hostname, port, method, path }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] });
    })
      .on('error', reject)
      .end();
  });
}

/** A raw body, on a connection of its own: clients have ideas about this header. @param disposition  in UTF-8 */
async function upload(disposition: string): Promise<{ readonly status: number; readonly body: any }> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
  const head = [
    'POST /cms-json/cms/v2/media HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    `Authorization: Basic ${Buffer.from(`admin:${site.password}`).toString('base64')}`,
    'Content-Type: image/png',
    `Content-Disposition: ${disposition}`,
    `Content-Length: ${bytes.length}`,
  ];
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
  // Not ended here: whoever goes away is not answered.
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(bytes);
  const answer = await text(socket);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
  return { status, body: JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) };
}
