import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { planCreate } from '../../../src/modules/content/posts/plan.ts';
import { scaffoldSite } from '../../../src/cli/new-site.ts';
import { createSettings, readPrivate } from '../../../src/kernel/site/settings.ts';
import { writeSettings } from '../../../src/modules/content/settings/plan.ts';
import { readSettings } from '../../../src/modules/content/settings/values.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import { planTermCreate } from '../../../src/modules/content/terms/plan.ts';
import { siteSettings } from '../../../src/kernel/model/settings.ts';
import { settings } from '../../../src/modules/content/settings/index.ts';
import type { Taxonomy } from '../../../src/modules/types/record.ts';

let dir: string;
let site: Site;
const head = '# My site\nname: Tom & Jerry   # the cats\ncolour: red\n\ntimezone: Europe/Berlin\n';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cms-settings-'));
  await scaffoldSite({ dir, title: 'T', timezone: 'UTC', admin: 'admin', email: '', writing: 'auto' });
  await writeFile(join(dir, 'site.yaml'), head);
  site = await openSite(dir);
});
afterEach(async () => {
  await site.close();
  await rm(dir, { recursive: true, force: true });
});

const file = (): Promise<string> => readFile(join(dir, 'site.yaml'), 'utf8');
const entry = (data: Record<string, unknown>) => ({
  path: 'site.yaml',
  kind: 'yaml' as const,
  data,
  body: '',
  etag: '',
  size: 0,
  mtimeMs: 0,
});

const read = async (of: Site, written?: ReadonlySet<string>) => readSettings(of, await readPrivate(of.store.private), written);

describe('settings in use', () => {
  it.each<[Record<string, unknown>, string, unknown]>([
    [{}, 'posts_per_page', 10],
    [{ posts_per_page: null }, 'posts_per_page', 10],
    [{ name: 2024 }, 'name', '2024'],
    [{ name: 'Tom & "Jerry"' }, 'name', 'Tom &amp; &quot;Jerry&quot;'],
    [{ timezone: 'Mars/Base' }, 'timezone', 'UTC'],
    [{ timezone: 'Europe/Paris' }, 'timezone', 'Europe/Paris'],
    [{ front_page: 'about/team' }, 'front_page', 'about/team'],
    [{ default_format: 0 }, 'default_format', '0'],
  ])('%j: %s is %j', (data, key, value) => {
    expect(createSettings(siteSettings([settings]), entry(data)).value(key)).toEqual(value);
  });
});

describe('writing settings', () => {
  it('changes only the lines of changed keys', async () => {
    await writeSettings(site, { posts_per_page: 4, title: 'Tom &amp; Jerry', timezone: 'Europe/Berlin', show_on_front: 'posts' });
    expect(await file()).toBe(`${head}posts_per_page: 4\n`);
    await writeSettings(site, { title: 'Other' });
    expect(await file()).toBe(`${head.replace('Tom & Jerry', 'Other')}posts_per_page: 4\n`);
    expect(site.settings.value('name')).toBe('Other');
  });

  it('stores names by slug and path', async () => {
    const page = await site.write((site) =>
      planCreate(site, { id: 1, roles: ['administrator'] }, 'page', { title: 'Front', status: 'publish' }),
    );
    const category = await site.write((site) =>
      planTermCreate(site, site.taxonomies.get('category') as Taxonomy, { name: 'Standard' }),
    );
    await writeSettings(site, { show_on_front: 'page', page_on_front: page, page_for_posts: 999, default_category: category });
    expect(await file()).toContain('default_category: standard\n');
    expect(await file()).toContain('front_page: front\n');
    expect(await file()).toContain('posts_page: 999\n');
    expect(await read(site)).toMatchObject({ page_on_front: page, page_for_posts: 999, default_category: category });
    expect(site.refs.defaultTerm('category')).toBe(category);
  });

  it("resets a setting with null, which reads as the schema's default", async () => {
    await writeSettings(site, { title: null, posts_per_page: null });
    expect(await file()).toContain('name:   # the cats\n');
    expect(await read(site)).toMatchObject({ title: null, posts_per_page: 10 });
    await expect(writeSettings(site, { title: null })).rejects.toMatchObject({ code: 'rest_invalid_stored_value' });
    await expect(writeSettings(site, { description: 'x', site_logo: null })).rejects.toMatchObject({
      code: 'rest_invalid_stored_value',
    });
    expect(await read(site)).toMatchObject({ description: '' });
  });

  it('returns false if asked by name, otherwise null', async () => {
    await writeSettings(site, { use_smilies: false });
    expect((await read(site, new Set(['use_smilies']))).use_smilies).toBe(false);
    expect((await read(site)).use_smilies).toBeNull();
    await writeSettings(site, { use_smilies: true });
    expect((await read(site)).use_smilies).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['timezone', 'Mars/Base', 'Europe/Berlin'],
    ['timezone', 'Asia/Tokyo', 'Asia/Tokyo'],
    ['posts_per_page', 0, 1],
    ['posts_per_page', -1, -1],
    ['posts_per_page', -7, 7],
    ['page_on_front', -7, 7],
    ['url', 'ftp://example.org', ''],
    ['url', 'https://example.org/', 'https://example.org'],
    ['language', 'de_DE', 'en_US'],
    ['language', '', ''],
    ['language', '<b>', 'en_US'],
    ['date_format', '<b>Y</b>', 'Y'],
    ['title', 'A & B', 'A &amp; B'],
  ])('stores what is valid in %s %j', async (name, given, value) => {
    await writeSettings(site, { [name]: given });
    expect((await read(site))[name]).toBe(value);
  });

  it('keeps private values out of the file', async () => {
    await writeSettings(site, { email: 'tom@example.org' });
    expect(await file()).toBe(head);
    expect(await readPrivate(site.store.private)).toEqual({ email: 'tom@example.org' });
    expect(await read(site)).toMatchObject({ email: 'tom@example.org' });
  });

  it('recomputes dates for another time zone', async () => {
    const id = await site.write((site) =>
      planCreate(site, { id: 1, roles: ['administrator'] }, 'post', { title: 'A', status: 'publish' }),
    );
    const before = site.posts.get(id);
    await writeSettings(site, { timezone: 'Asia/Tokyo' });
    expect(site.zone).toBe('Asia/Tokyo');
    expect(site.posts.get(id)?.dateGmt).not.toBe(before?.dateGmt);
  });
});
