/** Pages that are switched off, and the marks of pages. */
import { describe, expect, it } from 'vitest';
import { describeApi } from '../../support/describe-api.ts';
import { startSite } from '../../support/site.ts';

const site = 'name: Harbour\ntimezone: UTC\ndeployment: extended\n';
const files = {
  'site.yaml': site,
  'pages/off.md': '---\nid: 10\ntitle: Off\nstatus: acf-disabled\ndate: 2026-03-01\n---\nText\n',
  'pages/on.md': '---\nid: 11\ntitle: On\ndate: 2026-03-01\n---\nText\n',
  'posts/one.md': '---\nid: 12\ntitle: One\ndate: 2026-03-01\n---\nText\n',
};
const off = 'acf-disabled' as const;

describeApi('pages that are switched off', { files, users: ['editor', 'author', 'subscriber'] }, [
  {
    name: 'are not listed',
    who: 'admin',
    does: 'GET /cms/v2/pages?_fields=id',
    gets: [200, [{ id: 11 }]],
    headers: { 'X-CMS-Total': '1' },
  },
  { name: 'are not for visitors', does: 'GET /cms/v2/pages/10', gets: [401, 'rest_forbidden'] },
  { name: 'nor for readers', who: 'subscriber', does: 'GET /cms/v2/pages/10', gets: [403, 'rest_forbidden'] },
  { name: 'are not asked for by visitors', does: `GET /cms/v2/pages?status=${off}`, gets: [400, 'rest_invalid_param'] },
  {
    name: 'are listed for editors who ask for them',
    who: 'editor',
    does: `GET /cms/v2/pages?status=${off}&_fields=id,status`,
    gets: [200, [{ id: 10, status: off }]],
  },
  {
    name: 'are made with a slug, by whoever may publish',
    who: 'editor',
    does: 'POST /cms/v2/pages',
    body: { title: 'Away', status: off },
    gets: [201, { status: off, slug: 'away' }],
    writes: ['pages/away.md'],
  },
  {
    name: 'are for pages alone',
    who: 'admin',
    does: 'POST /cms/v2/posts/12',
    body: { status: off },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'nor do lists of posts know them',
    who: 'admin',
    does: `GET /cms/v2/posts?status=${off}`,
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'are not made by those without pages',
    who: 'author',
    does: 'POST /cms/v2/pages',
    body: { status: off },
    gets: [403, 'rest_cannot_create'],
  },
]);

describeApi('marks of pages', { files, users: [] }, [
  {
    name: 'are false where nothing says otherwise',
    does: 'GET /cms/v2/pages/11?_fields=meta',
    gets: [200, { meta: { footnotes: '', _acf_changed: false, inline_featured_image: false } }],
  },
  {
    name: 'are written',
    who: 'admin',
    does: 'POST /cms/v2/pages/11',
    body: { meta: { inline_featured_image: true } },
    gets: [200, { meta: { inline_featured_image: true, _acf_changed: false } }],
    writes: ['pages/on.md', /* the state before and after */ 'revisions/11/13.md'],
  },
  {
    name: 'leave the file when they are false again',
    who: 'admin',
    does: 'POST /cms/v2/pages/11',
    body: { meta: { inline_featured_image: false } },
    gets: [200, { meta: { inline_featured_image: false } }],
    writes: ['pages/on.md', 'revisions/11/14.md'],
  },
  { name: 'are of pages alone', does: 'GET /cms/v2/posts/12?_fields=meta', gets: [200, { meta: { footnotes: '' } }] },
]);

describe('a site that shows what is switched off', () => {
  it('lets everybody read it by id, and lists it for nobody', async () => {
    const shown = { ...files, 'site.yaml': `${site}statuses:\n  acf-disabled: { public: true }\n` };
    const open = await startSite({ files: shown });
    expect((await open.ask('GET', '/cms/v2/pages/10?_fields=status')).body).toEqual({ status: off });
    expect((await open.ask('GET', '/cms/v2/pages?_fields=id')).body).toEqual([{ id: 11 }]);
    await open.close();
  });
});
