/** Heads follow whatever they show, at once, and are no new ones while nothing of that has changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, type TestSite, until } from '../../../support/site.ts';
import { base, startHarbour } from './harbour.ts';

describe('head tags of items', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startHarbour({ 'redirects.yaml': '/former/: /full/\n' });
  });
  afterAll(() => site.close());

  const idOf = (slug: string): number => site.site.posts.lowest('slug', slug) as number;
  const headAt = async (path: string) => {
    const { status, body } = await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(base + path)}`);
    return { status, ...body.json, graph: body.json.schema['@graph'] };
  };
  const change = async (path: string, body: unknown) => {
    const answer = await site.ask('POST', path, { as: 'admin', body });
    expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBeLessThan(300);
    return answer.body;
  };

  it.each(['view', 'embed', 'edit'])('are in the %s context those of their URLs', async (context) => {
    const { body } = await site.ask('GET', `/cms/v2/posts/${idOf('full')}?context=${context}`, { as: 'admin' });
    const head = await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(`${base}/full/`)}`);
    expect([body.seo_head, body.seo_head_json]).toEqual([head.body.html, head.body.json]);
  });

  it('are part of embedded items', async () => {
    const { body } = await site.ask('GET', `/cms/v2/posts/${idOf('full')}?_embed=author,cms:term,wp:term`);
    expect(body._embedded.author[0].seo_head_json.title).toBe('Ada Pier, Author at Harbour Notes');
    expect(body._embedded['cms:term'][0][0].seo_head_json.og_url).toBe(`${base}/category/harbour/`);
  });

  it('use the names of the original dialect', async () => {
    const { body } = await site.ask('GET', `/posts/${idOf('full')}?_fields=yoast_head_json.title`, { root: '/wp-json/wp/v2' });
    expect(body).toEqual({ yoast_head_json: { title: 'Tide tables - Harbour Notes' } });
    const head = await site.ask('GET', `/get_head?url=${encodeURIComponent(`${base}/full/`)}`, { root: '/wp-json/yoast/v1' });
    expect(head.body.json.title).toBe('Tide tables - Harbour Notes');
  });

  it('are empty for media, for authors without posts, and for types without an archive', async () => {
    const media = await site.ask('GET', '/cms/v2/media?_fields=seo_head,seo_head_json');
    expect(media.body[0]).toEqual({ seo_head: null, seo_head_json: null });
    expect((await site.ask('GET', '/cms/v2/users/22?_fields=seo_head_json', { as: 'admin' })).body).toEqual({
      seo_head_json: null,
    });
    const typeOf = (name: string) => site.ask('GET', `/cms/v2/types/${name}?_fields=slug,seo_head_json.title`);
    expect((await typeOf('post')).body).toEqual({ slug: 'post', seo_head_json: { title: 'Harbour Notes - Words by the sea' } });
    expect((await typeOf('page')).body).toEqual({ slug: 'page' });
  });

  it('of drafts are visible to users who see them', async () => {
    const draft = idOf('draft');
    const { body } = await site.ask('GET', `/cms/v2/posts/${draft}?_fields=seo_head_json`, { as: 'admin' });
    expect(body.seo_head_json.canonical).toBe(`${base}/?p=${draft}`);
  });

  it('keep their ETag while nothing they show changes', async () => {
    const target = { kind: 'post', post: site.site.posts.get(idOf('full')) } as never;
    const before = site.site.heads.answerTo(target);
    await change('/cms/v2/posts', { title: 'Another', status: 'publish' });
    expect(site.site.heads.answerTo(target)).toBe(before);
    await change('/cms/v2/users/20', { name: 'Ada Quay' });
    expect(site.site.heads.answerTo(target)).not.toBe(before);
    await change('/cms/v2/users/20', { name: 'Ada Pier' });
  });

  it.each([
    ['the name of the author', '/cms/v2/users/20', { name: 'Ada Lock' }, '/full/', 'author', 'Ada Lock'],
    ['the name of the site', '/cms/v2/settings', { title: 'Quay Notes' }, '/full/', 'og_site_name', 'Quay Notes'],
    ['the title', 'full', { title: 'Tables' }, '/full/', 'title', 'Tables - Quay Notes'],
  ])('follow %s', async (_, route, body, path, name, wanted) => {
    await headAt(path);
    await change(route.startsWith('/') ? route : `/cms/v2/posts/${idOf(route)}`, body);
    expect((await headAt(path))[name]).toBe(wanted);
  });

  it('follow options, names of terms, captions and comments', async () => {
    await headAt('/full/');
    await site.site.write(() => ({ changes: site.site.seo.planOptions({ company_name: 'Quay Press' }), result: null }));
    const term = site.site.terms.lowest('slug', 'post_tag:tide');
    await change(`/cms/v2/tags/${term}`, { name: 'Flood' });
    const medium = site.site.posts.get(idOf('full'))?.featuredMedia;
    await change(`/cms/v2/media/${medium}`, { caption: 'Another caption' });
    await change('/cms/v2/comments', { post: idOf('full'), content: 'Fine.', status: 'approved' });
    const { graph } = await headAt('/full/');
    const piece = (type: string) => graph.find((one: Record<string, unknown>) => one['@type'] === type);
    expect([
      piece('Organization').name,
      piece('Article').keywords,
      piece('ImageObject').caption,
      piece('Article').commentCount,
    ]).toEqual(['Quay Press', ['Flood'], 'Another caption', 1]);
  });

  it('are found at new URLs at once, of child pages too, and no longer at old ones', async () => {
    await change(`/cms/v2/pages/${idOf('dock')}`, { slug: 'pier', title: 'Pier' });
    const child = await headAt('/pier/berth/');
    expect([child.status, child.canonical]).toEqual([200, `${base}/pier/berth/`]);
    expect(child.graph[1].itemListElement[1]).toMatchObject({ name: 'Pier', item: `${base}/pier/` });
    expect((await headAt('/dock/berth/')).status).toBe(404);
    expect((await headAt('/former/')).status).toBe(404);
  });

  it('follow a hand edit', async () => {
    const text = await site.read('posts/plain.html');
    await site.write('posts/plain.html', text.replace('author: ada', 'author: ada\nseo: { title: By hand }'));
    await until(async () => (await headAt('/plain/')).title === 'By hand');
  });

  it('use the static front page and posts page', async () => {
    const [front, posts] = [idOf('pier'), idOf('cleat')];
    await change('/cms/v2/settings', { show_on_front: 'page', page_on_front: front, page_for_posts: posts });
    expect(await headAt('/')).toMatchObject({
      title: 'Pier - Quay Notes',
      og_type: 'website',
      google_site_verification: 'g-123',
    });
    expect((await headAt('/pier/')).status).toBe(404);
    const [page] = (await headAt('/pier/berth/cleat/')).graph;
    expect(page['@type']).toEqual(['WebPage', 'CollectionPage']);
    const { graph } = await headAt('/full/');
    const trail = graph.find((one: Record<string, unknown>) => one['@type'] === 'BreadcrumbList');
    expect(trail.itemListElement.map(({ name }: { name: string }) => name)).toEqual(['Home', 'Cleat', 'Tables']);
    await change('/cms/v2/settings', { show_on_front: 'posts', page_on_front: 0, page_for_posts: 0 });
  });

  it('contain the person that the site represents once', async () => {
    await site.site.write(() => ({
      changes: site.site.seo.planOptions({ company_or_person: 'person', company_or_person_user_id: 20 }),
      result: null,
    }));
    const people = (await headAt('/full/')).graph.filter((one: Record<string, unknown>) =>
      [one['@type']].flat().includes('Person'),
    );
    expect(people).toHaveLength(1);
    expect(people[0]).toMatchObject({ '@type': ['Person', 'Organization'], url: `${base}/author/ada/` });
    const others = (await headAt('/by-bo/')).graph.filter((one: Record<string, unknown>) =>
      [one['@type']].flat().includes('Person'),
    );
    expect(others).toHaveLength(2);
    expect((await headAt('/full/')).article_publisher).toBe('https://network-a.example/ada');
  });

  it('have the same Twitter card when Open Graph is off', async () => {
    await site.site.write(() => ({ changes: site.site.seo.planOptions({ opengraph: false }), result: null }));
    const head = await headAt('/full/');
    expect(Object.keys(head).filter((name) => name.startsWith('og_'))).toEqual([]);
    expect([head.twitter_title, head.twitter_image]).toEqual(['Tables - Quay Notes', `${base}/uploads/2026/quay.png`]);
    await site.site.write(() => ({ changes: site.site.seo.planOptions({ opengraph: true, twitter: false }), result: null }));
    expect(Object.keys(await headAt('/full/')).filter((name) => name.startsWith('twitter_'))).toEqual([]);
  });

  it.each(['subscriber', 'author', 'editor'])(
    'of private items are hidden from users who may not read them: %s',
    async (role) => {
      const { as } = await signUp(site, role, role);
      const { status } = await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(`${base}/private/`)}`, { as });
      expect(status).toBe(role === 'editor' ? 200 : 404);
    },
  );

  it.each([
    ['no address', '', 'rest_missing_callback_param'],
    ['an empty one', '?url=', 'rest_invalid_param'],
    ['a path', '?url=/full/', 'rest_invalid_param'],
    ['words', '?url=not%20a%20url', 'rest_invalid_param'],
    ['a list', '?url[]=https://harbour.example/', 'rest_invalid_param'],
    ['an address of a file', '?url=file:///etc/passwd', 'rest_invalid_param'],
  ])('are refused for %s', async (_, query, code) => {
    const { status, body } = await site.ask('GET', `/seo/v1/get_head${query}`);
    expect([status, body.code]).toEqual([400, code]);
  });
});
