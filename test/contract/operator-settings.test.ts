/** Rights and limits are the operator's: a content folder that names them changes nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';
import { startUpstream } from '../support/upstream.ts';

const wishes =
  'default_role: administrator\nallow_svg: true\nupload_limit: 100000\nfetch_allow: [127.0.0.1]\nenvironment: local\n';
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><a href="javascript:x"><path d="M0 0"/></a><rect fill="url(https://evil.example/)" width="1"/></svg>';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files: { 'site.yaml': `name: Harbour\n${wishes}` }, operator: { upload_limit: 1 } });
});
afterAll(() => site.close());

const upload = (to: TestSite, name: string, type: string, body: string) =>
  to.ask('POST', '/cms/v2/media', {
    as: 'admin',
    body,
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  });

const newcomer = { username: 'ben', email: 'ben@example.org', password: 'low tide 1' };

describe('operator settings in site.yaml', () => {
  it('cannot make anyone an administrator', async () => {
    expect((await site.ask('POST', '/cms/v2/users', { as: 'admin', body: newcomer })).body.roles).toEqual(['subscriber']);
  });

  it('allow no SVG and lift no upload limit', async () => {
    expect((await upload(site, 'a.svg', 'image/svg+xml', svg)).status).toBe(500);
    expect((await upload(site, 'a.txt', 'text/plain', 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
  });

  it('open no network', async () => {
    const neighbour = await startUpstream(() => ({ '/': '<title>Inside</title>' }));
    const { status, body } = await site.ask('GET', `/cms-block-editor/v1/url-details?url=${encodeURIComponent(neighbour.url)}`, {
      as: 'admin',
    });
    await neighbour.close();
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });

  it('are reported', () => {
    const told = site.site.problems().filter(({ rule }) => rule === 'operator-setting');
    expect(told.map(({ keys }) => keys?.[0])).toEqual([
      'default_role',
      'allow_svg',
      'upload_limit',
      'fetch_allow',
      'environment',
    ]);
  });
});

it('operator settings come from the environment', async () => {
  const open = await startSite({ operator: { default_role: 'author', allow_svg: true } });
  try {
    expect((await open.ask('POST', '/cms/v2/users', { as: 'admin', body: newcomer })).body.roles).toEqual(['author']);
    const { status, body } = await upload(open, 'a.svg', 'image/svg+xml', svg);
    expect(status).toBe(201);
    const shown = await fetch(body.source_url);
    expect(await shown.text()).toBe('<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"></rect></svg>\n');
    expect(shown.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    );
  } finally {
    await open.close();
  }
});
