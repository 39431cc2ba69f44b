/** Notes: comments of those who edit, on types that have them. */
import { expect, it } from 'vitest';
import { startSite } from '../../support/site.ts';

it('are taken for posts, and refused for types without them', async () => {
  const at = await startSite({
    files: {
      'site.yaml': 'name: Quay\ntypes:\n  walk: {label: Walks, folder: walks, public: true}\n',
      'posts/a.md': '---\nid: 60\n---\nText\n',
      'walks/b.md': '---\nid: 61\n---\nText\n',
    },
  });
  try {
    const write = (post: number, as?: string) =>
      at.ask('POST', '/cms/v2/comments', { ...(as ? { as } : {}), body: { type: 'note', post, content: `Look at ${post}` } });
    expect(await write(60, 'admin')).toMatchObject({ status: 201, body: { type: 'note', post: 60 } });
    expect(await write(61, 'admin')).toMatchObject({ status: 403, body: { code: 'rest_comment_not_supported_post_type' } });
    expect(await write(60)).toMatchObject({ status: 401, body: { code: 'rest_comment_login_required' } });
  } finally {
    await at.close();
  }
});
