/** Pages that are switched off, and the marks of pages. */
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite } from '../../../support/site.ts';

const site = 'name: Harbour\ntimezone: UTC\ndeployment: extended\n';
const files = {
  'site.yaml': site,
  'pages/off.md': '---\nid: 10\ntitle: Off\nstatus: acf-disabled\ndate: 2026-03-01\n---\nText\n',
  'pages/on.md': '---\nid: 11\ntitle: On\ndate: 2026-03-01\n---\nText\n',
  'posts/one.md': '---\nid: 12\ntitle: One\ndate: 2026-03-01\n---\nText\n',
};
const off = 'acf-disabled' as const;

describeApi('disabled pages', { files, users: ['editor', 'author', 'subscriber'] }, [
  {
    name: 'are not listed',
    who: 'admin',
    does: 'GET /cms/v2/pages?_fields=id',
    gets: [200, [{ id: 11 }]],
    headers: { 'X-CMS-Total': '1' },
  },
  { name: 'are hidden from visitors', does: 'GET /cms/v2/pages/10', gets: [401, 'rest_forbidden'] },
  { name: 'are hidden from subscribers', who: 'subscriber', does: 'GET /cms/v2/pages/10', gets: [403, 'rest_forbidden'] },
  { name: 'cannot be requested by visitors', does: `GET /cms/v2/pages?status=${off}`, gets: [400, 'rest_invalid_param'] },
  {
    name: 'are listed for editors on request',
    who: 'editor',
    does: `GET /cms/v2/pages?status=${off}&_fields=id,status`,
    gets: [200, [{ id: 10, status: off }]],
  },
  {
    name: 'can be created with a slug by users who may publish',
    who: 'editor',
    does: 'POST /cms/v2/pages',
    body: { title: 'Away', status: off },
    gets: [201, { status: off, slug: 'away' }],
    writes: ['pages/away.md'],
  },
  {
    name: 'exist only for pages',
    who: 'admin',
    does: 'POST /cms/v2/posts/12',
    body: { status: off },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'are unknown to lists of posts',
    who: 'admin',
    does: `GET /cms/v2/posts?status=${off}`,
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'cannot be created without the right to edit pages',
    who: 'author',
    does: 'POST /cms/v2/pages',
    body: { status: off },
    gets: [403, 'rest_cannot_create'],
  },
  ...(['subscriber', 'author', undefined] as const).map((who) => ({
    name: `cannot be enabled by ${who ?? 'visitors'}`,
    ...(who ? { who } : {}),
    does: 'POST /cms/v2/pages/10',
    body: { status: 'publish' },
    gets: [who ? 403 : 401, 'rest_cannot_edit'] as const,
  })),
  {
    name: 'are listed among all statuses for editors',
    who: 'editor',
    does: 'GET /cms/v2/pages?status=any&include=10&_fields=id,status',
    gets: [200, [{ id: 10, status: off }]],
  },
  {
    name: 'can be enabled by editors',
    who: 'editor',
    does: 'POST /cms/v2/pages/10',
    body: { status: 'publish' },
    gets: [200, { status: 'publish', link: '{url}/en/off/' }],
    writes: ['pages/off.md', 'revisions/10/14.md'],
  },
  { name: 'are public once enabled', does: 'GET /cms/v2/pages/10?_fields=status', gets: [200, { status: 'publish' }] },
  {
    name: 'can be disabled by administrators',
    who: 'admin',
    does: 'POST /cms/v2/pages/10',
    body: { status: off },
    gets: [200, { status: off }],
    writes: ['pages/off.md'],
  },
]);

describeApi('page flags', { files, users: ['editor', 'author', 'subscriber'] }, [
  ...(['subscriber', 'author', undefined] as const).map((who) => ({
    name: `cannot be changed by ${who ?? 'visitors'}`,
    ...(who ? { who } : {}),
    does: 'POST /cms/v2/pages/11',
    body: { meta: { _acf_changed: true } },
    gets: [who ? 403 : 401, 'rest_cannot_edit'] as const,
  })),
  {
    name: 'are booleans',
    who: 'editor',
    does: 'POST /cms/v2/pages/11',
    body: { meta: { _acf_changed: 'maybe' } },
    gets: [400, 'rest_invalid_type'],
  },
  {
    name: 'default to false',
    does: 'GET /cms/v2/pages/11?_fields=meta',
    gets: [200, { meta: { footnotes: '', _acf_changed: false, inline_featured_image: false } }],
  },
  {
    name: 'can be changed',
    who: 'admin',
    does: 'POST /cms/v2/pages/11',
    body: { meta: { inline_featured_image: true } },
    gets: [200, { meta: { inline_featured_image: true, _acf_changed: false } }],
    writes: ['pages/on.md', /* the state before and after */ 'revisions/11/13.md'],
  },
  {
    name: 'are removed from the file when false',
    who: 'admin',
    does: 'POST /cms/v2/pages/11',
    body: { meta: { inline_featured_image: false } },
    gets: [200, { meta: { inline_featured_image: false } }],
    writes: ['pages/on.md', 'revisions/11/14.md'],
  },
  {
    name: 'can be changed by editors, with a revision even if no text changes',
    who: 'editor',
    does: 'POST /cms/v2/pages/11',
    body: { meta: { _acf_changed: true } },
    gets: [200, { meta: { _acf_changed: true } }],
    writes: ['pages/on.md', 'revisions/11/15.md'],
  },
  { name: 'exist only for pages', does: 'GET /cms/v2/posts/12?_fields=meta', gets: [200, { meta: { footnotes: '' } }] },
]);

describe('a site that shows disabled pages', () => {
  it('returns them by id to everybody, and lists them for nobody', async () => {
    const shown = { ...files, 'site.yaml': `${site}statuses:\n  acf-disabled: { public: true }\n` };
    const open = await startSite({ files: shown });
    expect((await open.ask('GET', '/cms/v2/pages/10?_fields=status')).body).toEqual({ status: off });
    expect((await open.ask('GET', '/cms/v2/pages?_fields=id')).body).toEqual([{ id: 11 }]);
    await open.close();
  });
});

describe('page extras', () => {
  it('follow hand edits, and are the same after a restart', async () => {
    const on = await startSite({ files });
    const page = async () => (await on.ask('GET', '/cms/v2/pages/11?_fields=status,meta')).body;
    await on.write(
      'pages/on.md',
      '---\nid: 11\ntitle: On\ndate: 2026-03-01\nmeta: { _acf_changed: true, inline_featured_image: true }\n---\nText\n',
    );
    await expect.poll(page).toMatchObject({ meta: { _acf_changed: true, inline_featured_image: true } });
    await on.write('pages/one.md', '---\nid: 14\ntitle: Third\nstatus: acf-disabled\ndate: 2026-03-01\n---\nText\n');
    const listed = async () =>
      (await on.ask('GET', `/cms/v2/pages?status=${off}&_fields=id&orderby=id&order=asc`, { as: 'admin' })).body;
    await expect.poll(listed).toEqual([{ id: 10 }, { id: 14 }]);
    const again = await openSite(on.dir, { readOnly: true });
    expect([10, 14].map((id) => again.posts.get(id)?.status)).toEqual([off, off]);
    expect(again.posts.get(11)?.meta).toMatchObject({ _acf_changed: true });
    await again.close();
    await on.close();
  });
});
