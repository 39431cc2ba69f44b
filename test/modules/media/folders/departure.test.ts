/** What becomes of the tree of somebody who goes. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { files } from './site.ts';

let site: TestSite;
let id = 0;
const sidecar = 'media/2026/03/c.txt.yaml';
beforeEach(async () => {
  site = await startSite({ files: { ...files, 'media-folders/settings.yaml': 'USER_MODE: true\n' } });
  const writer = await signUp(site, 'writer', 'author');
  id = writer.id;
  const post = (path: string, body: object) => site.ask('POST', `/folders/v1/${path}`, { as: writer.as, body });
  const { body } = await post('new-folder', { title: 'Drafts', parent: 0 });
  await post('new-folder', { title: 'Old', parent: body.id });
  await post('assign-folder', { folderId: body.id, ids: [62] });
});
afterEach(() => site.close());

describe('the folder tree of a deleted user', () => {
  it('is deleted if nobody gets their content', async () => {
    const before = await site.read(sidecar);
    expect(before).toContain('user_folders');
    expect((await site.ask('DELETE', `/cms/v2/users/${id}?force=true&reassign=false`, { as: 'admin' })).status).toBe(200);
    expect(existsSync(`${site.dir}/media-folders/users/${id}.yaml`)).toBe(false);
    expect(await site.read(sidecar)).toBe(before.replace(/user_folders:\n.*\n/, ''));
  });

  it('goes to the user who gets their content', async () => {
    await site.ask('POST', '/folders/v1/new-folder', { as: 'admin', body: { title: 'drafts', parent: 0 } });
    expect((await site.ask('DELETE', `/cms/v2/users/${id}?force=true&reassign=1`, { as: 'admin' })).status).toBe(200);
    expect(existsSync(`${site.dir}/media-folders/users/${id}.yaml`)).toBe(false);
    const { body } = await site.ask('GET', '/folders/v1/get-folders', { as: 'admin' });
    expect(body.tree).toMatchObject([
      { title: 'drafts' },
      { title: 'Drafts (2)', 'data-count': 1, children: [{ title: 'Old' }] },
    ]);
  });
});
