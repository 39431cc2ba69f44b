/** The status of media, which clients send back as they have it. */
import { expect, it } from 'vitest';
import { startSite } from '../../../support/site.ts';

it('may be sent again as it is, and be no other than those of the list', async () => {
  const at = await startSite({
    files: { 'media/2026/01/cat.png': 'x', 'media/2026/01/cat.png.yaml': 'id: 50\ntitle: Cat\n' },
  });
  try {
    const write = (status: string) => at.ask('PUT', '/cms/v2/media/50', { as: 'admin', body: { status, title: 'Tom' } });
    const { status, body } = await at.ask('GET', '/cms/v2/media/50');
    expect([status, body.status]).toEqual([200, 'inherit']);
    expect(await write('inherit')).toMatchObject({ status: 200, body: { status: 'inherit', title: { raw: 'Tom' } } });
    expect(await write('wip')).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  } finally {
    await at.close();
  }
});
