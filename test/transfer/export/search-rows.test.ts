/** Search metadata in an export: pictures by their addresses, whichever way a file names them. */
import { expect, it } from 'vitest';
import type { PostRecord } from '../../../src/modules/content/posts/record.ts';
import type { WithSeo } from '../../../src/modules/seo/metadata/record.ts';
import { withSearchRows } from '../../../src/transfer/export/wxr/search-rows.ts';
import { startSite } from '../../support/site.ts';

it('has pictures that are named by a path, an id or an address', async () => {
  const post = (id: number, image: string) => `---\nid: ${id}\nseo:\n  image: ${image}\n---\nText\n`;
  const at = await startSite({
    files: {
      'site.yaml': 'name: Quay\ndeployment: extended\n',
      'media/2026/01/cat.png': 'x',
      'media/2026/01/cat.png.yaml': 'id: 50\ntitle: Cat\n',
      'posts/a.md': post(60, '2026/01/cat.png'),
      'posts/b.md': post(61, '50'),
      'posts/c.md': post(62, 'https://elsewhere.example/dog.png'),
    },
  });
  try {
    const rowsOf = (record: PostRecord) => withSearchRows(at.site, record, { seo: {}, mood: 'calm' });
    const [a, ...others] = [60, 61, 62].map((id) => at.site.posts.get(id) as PostRecord);
    // A file that was read before the picture was there has its path.
    const early = { ...a, seo: { ...(a as WithSeo).seo, image: '2026/01/cat.png' } } as PostRecord;
    const rows = [a as PostRecord, early, ...others].map(rowsOf);
    const cat = { '_seo_opengraph-image': `${at.url}/uploads/2026/01/cat.png`, '_seo_opengraph-image-id': '50', mood: 'calm' };
    expect(rows).toEqual([cat, cat, cat, { '_seo_opengraph-image': 'https://elsewhere.example/dog.png', mood: 'calm' }]);
  } finally {
    await at.close();
  }
});
