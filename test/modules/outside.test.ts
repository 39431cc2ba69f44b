import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';
import { outside } from './outside.ts';

describe('a module from outside', () => {
  let site: TestSite;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    site = await startSite({ modules: [outside] });
    for (const mood of ['glad', 'furious', '']) {
      const { status, body } = await site.ask('POST', '/cms/v2/posts', {
        as: 'admin',
        body: { title: `T ${mood}`, mood, status: 'publish' },
      });
      expect(status).toBe(201);
      ids[mood] = body.id;
    }
  });
  afterAll(() => site.close());

  it('has its field served, written, in the file and found', async () => {
    const { body } = await site.ask('GET', `/cms/v2/posts/${ids.glad}`);
    expect(body.mood).toBe('glad');
    expect(body._links.mood).toEqual([{ embeddable: true, href: `${site.url}/cms-json/moods/v1/moods/glad` }]);
    expect(await site.read(site.site.posts.get(ids.glad as number)!.path)).toContain('\nmood: glad\n');
    const list = await site.ask('GET', '/cms/v2/posts?mood=glad');
    expect(list.body.map(({ id }: { id: number }) => id)).toEqual([ids.glad]);
    expect(list.headers.get('x-cms-total')).toBe('1');
    const wrong = await site.ask('GET', '/cms/v2/posts?mood=A9');
    expect(wrong.body.code).toBe('rest_invalid_param');
    const options = await site.ask('OPTIONS', '/cms/v2/posts');
    expect(options.body.schema.properties.mood).toMatchObject({ type: 'string', description: 'How its author felt.' });
    expect(options.body.schema.links).toContainEqual({
      rel: 'mood',
      title: 'The mood of the item.',
      href: `${site.url}/cms-json/moods/v1/moods/{slug}`,
    });
    expect(options.body.endpoints[0].args.mood.pattern).toBe('^[a-z-]+$');
    expect(options.body.endpoints[1].args.mood.type).toBe('string');
  });
});
