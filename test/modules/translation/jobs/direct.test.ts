/** Translations that are made without a job: what says what they are of, and when they are behind it. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../../../src/kernel/site/site.ts';
import { openSite } from '../../../../src/open-site.ts';
import { translationOverview } from '../../../../src/modules/translation/items/index.ts';
import { translateLinks } from '../../../../src/modules/translation/items/links.ts';
import { filesIn, run } from '../../../cli/run.ts';
import { upload } from '../../../support/media.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { ordered } from './site.ts';

const page = (id: number, title: string, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: ${title}`, 'date: 2026-03-05T10:00:00', 'author: admin', ...lines, '---', 'Text', ''].join('\n');
const languages = 'lang: { languages: { en: {}, de: {}, fr: {} } }\n';
const files = {
  'site.yaml': `name: Quay\ntimezone: UTC\ndeployment: extended\nrevisions: 0\n${languages}`,
  'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
  'terms/tag/sea.yaml': 'id: 2\nname: Sea\n',
  ...Object.fromEntries(
    ['about', 'team', 'harbour', 'boats', 'ropes', 'tides', 'moon', 'wind', 'rain'].map((name, at) => [
      `pages/${name}.md`,
      page(20 + at, name),
    ]),
  ),
  ...Object.fromEntries(
    ['plain', 'edited', 'pulled'].flatMap((name, at) => [
      [`pages/${name}.md`, page(40 + at, name)],
      [`pages/${name}.de.md`, page(50 + at, `${name} de`)],
    ]),
  ),
};

let at: TestSite;
beforeAll(async () => {
  at = await startSite({ files });
});
afterAll(() => at.close());

const core = '/cms/v2';
async function send(method: string, path: string, body?: object): Promise<any> {
  const answer = await at.ask(method, core + path, { as: 'admin', ...(body ? { body } : {}) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const statusOf = async (id: number, kind = 'pages') => (await send('GET', `/${kind}/${id}?context=edit`)).translation_status;
const german = async (of: number, kind = 'pages', more: object = {}): Promise<number> =>
  (await send('POST', `/${kind}`, { title: `of ${of}`, lang: 'de', status: 'publish', translation_of: of, ...more })).id;
const records = async () => Object.keys(await filesIn(at.dir)).filter((path) => path.startsWith('lang/status/'));
const state = (id: number, target = 'de') =>
  translationOverview(at.site, [target]).find(({ item, type }) => item === id && type === 'page')?.state;
const complete = (needs_update = false) => ({ status: 10, needs_update, review_status: null, job_id: 0 });

it('lead on in their own language, with the query and the part that a link names', async () => {
  const [english, other] = [(await send('GET', '/pages/40')).link, (await send('GET', '/pages/50')).link];
  expect(other).not.toBe(english);
  const linked = (link: string) => `<a href="${link}?a=1#part">x</a> [y](${link})`;
  expect(translateLinks(at.site, linked(english), 'de')).toBe(linked(other));
  expect(translateLinks(at.site, linked(english), 'fr')).toBe(linked(english));
});

it('show pictures in their language, and keep ids of what is none', () => {
  const posts = new Map([7, 8].map((id) => [id, { type: id === 7 ? 'attachment' : 'post' }]));
  const site = { posts, translations: { idIn: (_: string, id: number) => id + 100 } } as unknown as Site;
  const text = (id: number) =>
    `<!-- wp:image {"id":${id}} --><img class="wp-image-${id}"/><!-- /wp:image --><!-- wp:query {"id":7} /--><!-- wp:image {"id":8} /-->`;
  expect(translateLinks(site, text(7), 'de')).toBe(text(107));
});

it('a translation record starts with its source, and detects changes of it', async () => {
  const de = await german(20);
  const record = await at.read('lang/status/pages/about.de.yaml');
  expect(record).toMatch(
    /^id: 1\nelement: post_page\nitem: \/pages\/about\nsource: en\ntarget: de\nstatus: 10\nhash: '?[0-9a-f]{32}'?\n$/,
  );
  expect(await statusOf(20)).toEqual({ de: complete() });
  expect(await statusOf(de)).toEqual({ de: complete() });
  // What no reader sees of the original does not count.
  await send('PUT', '/pages/20', { menu_order: 4, slug: 'about' });
  expect(await statusOf(20)).toEqual({ de: complete() });
  await send('PUT', '/pages/20', { title: 'About the quay' });
  expect(await statusOf(20)).toEqual({ de: complete(true) });
  expect(state(20)).toBe('outdated');
  const { body } = await at.ask('GET', '/lang/tm/v1/jobs?needs_update=include', { as: 'admin' });
  expect(body.jobs).toMatchObject([{ id: 1, original_element_id: '20', status: 10, needs_update: true, sent_date: '' }]);
  expect(body.jobs[0].element).toMatchObject({ name: 'About the quay', status: 'publish' });
  const told = await run(['translate', 'status', '--dir', at.dir, '--to', 'de', '--type', 'page', '--list']);
  expect(told.out).toMatch(/de +outdated +20 +pages\/about\.md/);
  expect(await at.read('lang/status/pages/about.de.yaml')).toBe(record);
  // Whoever edits the translation has seen the original as it is.
  await send('PUT', `/pages/${de}`, { content: 'Neuer Text' });
  expect(await statusOf(20)).toEqual({ de: complete() });
  expect((await at.read('lang/status/pages/about.de.yaml')).split('\n').length).toBe(record.split('\n').length);
});

it('a refused direct translation leaves no trace', async () => {
  const before = await filesIn(at.dir);
  for (const body of [
    { title: 'A', lang: 'de', translation_of: 20 },
    { title: 'A', lang: 'en', translation_of: 21 },
    { title: 'A', lang: 'de', translation_of: 999 },
    { title: 'A', lang: 'de', translation_of: 2 },
  ])
    expect((await at.ask('POST', `${core}/pages`, { as: 'admin', body })).status).toBeGreaterThanOrEqual(400);
  expect(await filesIn(at.dir)).toEqual(before);
});

it('a term and an upload have a record too', async () => {
  const meer = (await send('POST', '/tags', { name: 'Meer', lang: 'de', translation_of: 2 })).id;
  expect(await statusOf(2, 'tags')).toEqual({ de: complete() });
  await send('PUT', '/tags/2', { description: 'Salt water' });
  expect(await statusOf(meer, 'tags')).toEqual({ de: complete(true) });
  await send('PUT', '/tags/2', { slug: 'salt' });
  expect(await statusOf(meer, 'tags')).toEqual({ de: complete(true) });
  expect(await at.read('lang/status/terms/tag/sea.de.yaml')).toContain('item: terms/tag:salt\n');
  const before = await records();
  const { id } = await upload(at, 'quay.jpg');
  await send('PUT', `/media/${id}`, { alt_text: 'A quay' });
  expect(await records()).toEqual(before);
});

it('a minor edit does not make translations outdated, and an earlier change still does', async () => {
  const de = await german(28);
  const { id: tag } = await send('POST', '/tags', { name: 'Kai', lang: 'en' });
  const { id: post } = await send('POST', '/posts', { title: 'Kept', content: 'Text', status: 'publish' });
  await german(post, 'posts');
  for (const body of [
    { title: 'Tidy' },
    { content: 'Tidied\n' },
    { excerpt: 'Short' },
    { tags: [tag] },
    { title: 'A', content: 'B' },
  ]) {
    await send('PUT', `/posts/${post}`, { ...body, minor_edit: true });
    expect(await statusOf(post, 'posts'), JSON.stringify(body)).toEqual({ de: complete() });
  }
  await send('PUT', '/pages/28', { title: 'Rain', minor_edit: true });
  expect(await statusOf(de)).toEqual({ de: complete() });
  await send('PUT', '/pages/28', { title: 'Hail' });
  await send('PUT', '/pages/28', { title: 'Snow', minor_edit: true });
  expect(await statusOf(de)).toEqual({ de: complete(true) });
  // Of a translation, it says that nothing more is needed, and writes nothing of it.
  const text = await at.read('pages/tide.de.md').catch(() => '');
  await send('PUT', `/pages/${de}`, { minor_edit: true });
  expect(await statusOf(de)).toEqual({ de: complete() });
  expect(await at.read('pages/tide.de.md').catch(() => '')).toBe(text);
  // One that nobody ordered or recorded is of the original as it is now.
  await send('PUT', '/pages/42', { title: 'pulled up', minor_edit: true });
  expect(await statusOf(42)).toEqual({ de: complete() });
  await send('PUT', '/tags/2', { name: 'The sea', minor_edit: true });
  expect((await statusOf(2, 'tags')).de.needs_update).toBe(true);
});

it('a record survives a job, which starts from it', async () => {
  const de = await german(21);
  await send('PUT', '/pages/21', { title: 'The team' });
  expect(await ordered(at.site, 21, 'page')).toBeGreaterThan(0);
  expect(await statusOf(21)).toMatchObject({ de: { status: 1, needs_update: false } });
  const { id } = at.site.translationJobs.statusOf('post_page', 21, 'de') ?? { id: 0 };
  await at.site.translationJobs.cancel([id], null);
  expect(await statusOf(de)).toEqual({ de: complete(true) });
});

describe('a changed group', () => {
  it('drops the record of a leaving member, and gets one for a new member', async () => {
    const de = await german(22);
    await send('PUT', `/pages/${de}`, { translation_of: 0 });
    expect(await statusOf(22)).toBeUndefined();
    expect(await records()).not.toContain('lang/status/pages/harbour.de.yaml');
    await send('PUT', '/pages/22', { translations: { de } });
    expect(await statusOf(22)).toEqual({ de: complete() });
    await send('PUT', '/pages/22', { translations: { de: 0 } });
    expect(await statusOf(de)).toBeUndefined();
    expect(await records()).not.toContain('lang/status/pages/harbour.de.yaml');
  });

  it('uses the new texts if both change at once', async () => {
    const de = (await send('POST', '/pages', { title: 'Allein', lang: 'de', status: 'publish' })).id;
    await send('PUT', '/pages/22', { title: 'The harbour', translations: { de } });
    expect(state(22)).toBe('translated');
    await send('PUT', '/pages/22', { title: 'The old harbour' });
    expect(await statusOf(22)).toEqual({ de: complete(true) });
  });

  it('is one after a merge, with a record per translation', async () => {
    const de = await german(23);
    const fr = (await send('POST', '/pages', { title: 'Cordes', lang: 'fr', status: 'publish', translation_of: 24 })).id;
    await send('PUT', `/pages/${fr}`, { translation_of: de });
    expect(await statusOf(23)).toEqual({ de: complete(), fr: complete() });
    expect(await statusOf(24)).toBeUndefined();
    await send('PUT', '/pages/23', { content: 'Changed' });
    expect(await statusOf(fr)).toEqual({ de: complete(true), fr: complete(true) });
    // The original goes: the others are of the next one.
    await send('DELETE', '/pages/23?force=true');
    expect(await statusOf(fr)).toEqual({ fr: complete() });
    expect(await statusOf(de)).toEqual({ fr: complete() });
    await send('DELETE', `/pages/${fr}?force=true`);
    expect(await statusOf(de)).toBeUndefined();
    expect((await records()).filter((path) => /boats|ropes|of-23/.test(path))).toEqual([]);
  });

  it('keeps its records in the trash', async () => {
    const de = await german(25);
    await send('DELETE', `/pages/${de}`);
    await send('PUT', '/pages/25', { title: 'The tides' });
    await send('PUT', `/pages/${de}`, { status: 'publish' });
    expect(await statusOf(25)).toEqual({ de: complete(true) });
  });

  it('moves its record to another language', async () => {
    const de = await german(26);
    await send('PUT', `/pages/${de}`, { lang: 'fr' });
    expect(await statusOf(26)).toEqual({ fr: complete() });
  });

  it('follows a renamed original, renamed by a client or by hand', async () => {
    const de = await german(27);
    await send('PUT', '/pages/27', { slug: 'breeze' });
    expect(await at.read('lang/status/pages/wind.de.yaml')).toContain('item: /pages/breeze\n');
    await rename(join(at.dir, 'pages/breeze.md'), join(at.dir, 'pages/gale.md'));
    await until(async () =>
      (await at.read('lang/status/pages/wind.de.yaml')).includes('item: /pages/gale\n') ? true : undefined,
    );
    await send('PUT', '/pages/27', { title: 'Gale' });
    expect(await statusOf(de)).toEqual({ de: complete(true) });
  });
});

describe('a hand-written translation', () => {
  it('gets a record when its original changes, with the former source', async () => {
    expect(await records()).not.toContain('lang/status/pages/plain.de.yaml');
    expect(await statusOf(40)).toBeUndefined();
    expect(state(40)).toBe('translated');
    await send('PUT', '/pages/40', { title: 'Not so plain' });
    expect(await statusOf(50)).toEqual({ de: complete(true) });
    expect(state(40)).toBe('outdated');
  });

  it('gets one after a hand edit of the original too, until it is edited itself', async () => {
    await at.write('pages/edited.md', page(41, 'edited again'));
    await until(() => state(41) === 'outdated');
    expect(await statusOf(41)).toEqual({ de: complete(true) });
    await at.write('pages/edited.de.md', page(51, 'wieder bearbeitet'));
    await until(() => state(41) === 'translated');
  });

  it('has no record once its file is gone', async () => {
    await rm(join(at.dir, 'pages/edited.de.md'));
    await until(() => state(41) === 'missing');
    expect(await statusOf(41)).toBeUndefined();
    const { body } = await at.ask('GET', '/lang/tm/v1/jobs', { as: 'admin' });
    expect(body.jobs.map((job: { original_element_id: string }) => job.original_element_id)).not.toContain('41');
  });
});

it('records are the same after a restart, in a valid folder', async () => {
  const overview = (site: typeof at.site) => translationOverview(site, ['de', 'fr']);
  const before = overview(at.site);
  const { out } = await run(['validate', at.dir]);
  expect(out.split('\n').filter((line) => /^lang\//.test(line))).toEqual([]);
  const again = await openSite(at.dir, { readOnly: true });
  expect(overview(again)).toEqual(before);
  await again.close();
  expect(at.log).toEqual([]);
});
