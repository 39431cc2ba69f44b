/** Findings of one item of a site in service, as the ability gives them. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { signUp, startSite, type TestSite, until } from '../support/site.ts';

const odd = `---
id: 7
title: Odd
date: 2026-03-01T10:00:00
categroies: [notes]
featured_media: gone.jpg
---
See [the quay](/quay/), [nothing](/nothing-there/), [a draft](/draft/) and ![a picture](/uploads/none.jpg).
`;

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'posts/odd.md': odd,
      'posts/quay.md': '---\nid: 8\ntitle: Quay\ndate: 2026-03-01T10:00:00\n---\nText.\n',
      'posts/draft.md': '---\nid: 9\ntitle: Draft\nstatus: draft\ndate: 2026-03-01T10:00:00\n---\nText.\n',
    },
  });
  await until(async () => (await site.ask('GET', '/cms/v2/posts')).body.length === 2);
});
afterAll(() => site.close());

const check = (id: number, as: 'admin' | string) =>
  site.ask('GET', `/cms-abilities/v1/abilities/cms/check/run?input[id]=${id}`, { as: as as 'admin' });

it('says what is wrong, with the key it is about, and nothing of what is right', async () => {
  const { status, body } = await check(7, 'admin');
  expect(status).toBe(200);
  expect(
    body.findings.map(({ keys, rule }: { keys: readonly string[]; rule: string }) => `${keys.join('.')} ${rule}`).sort(),
  ).toEqual([
    ' broken-link',
    ' missing-upload',
    ' unpublished-link',
    'categroies unknown-key',
    'featured_media unknown-reference',
  ]);
  expect((await check(8, 'admin')).body).toEqual({ findings: [] });
});

it('says so as the file is now, whoever has changed it', async () => {
  await site.write('posts/quay.md', '---\nid: 8\ntitle: Quay two\ndate: 2026-03-01T10:00:00\ntagz: [a]\n---\nText.\n');
  expect((await check(8, 'admin')).body.findings).toMatchObject([{ keys: ['tagz'], rule: 'unknown-key' }]);
  // Nobody else is told of the change any more.
  expect((await site.ask('GET', '/cms/v2/posts/8')).body.title.rendered).toBe('Quay two');
});

it('says the same to clients in both deployments', async () => {
  const { body } = await site.ask('GET', '/cms/v2/findings?id=7', { as: 'admin' });
  expect(body).toEqual((await check(7, 'admin')).body);
  expect((await site.ask('GET', '/cms/v2/findings?id=7')).status).toBe(401);
  expect((await site.ask('GET', '/cms/v2/findings?id=999', { as: 'admin' })).status).toBe(404);
  const files = { 'site.yaml': 'name: Harbour\ndeployment: extended\n', 'pages/a.md': '---\nid: 7\ntitel: A\n---\n' };
  const extended = await startSite({ files });
  onTestFinished(() => extended.close());
  const found = await extended.ask('GET', '/cms/v2/findings?id=7', { as: 'admin' });
  expect(found.body.findings[0]).toMatchObject({ keys: ['titel'], rule: 'unknown-key' });
});

it('is for those who may edit the item', async () => {
  const { as } = await signUp(site, 'carla', 'contributor');
  expect((await site.ask('GET', '/cms-abilities/v1/abilities/cms/check/run?input[id]=7', { as })).status).toBe(403);
  expect((await site.ask('GET', '/cms-abilities/v1/abilities/cms/check/run?input[id]=7')).status).toBe(401);
});
