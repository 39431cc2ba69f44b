/**
 * A site in two languages, 100 pages in each, on two branches at once: on each, people write files by hand while two clients write over
 * HTTP. After the merge its groups are whole, or reported with file and line and mended.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import { translationOverview } from '../../../src/modules/translation/items/index.ts';
import { createRepository } from '../../support/git.ts';
import { signUp, startSite, type TestSite, until } from '../../support/site.ts';

const settings = 'name: Quay\nurl: https://quay.example\ntimezone: UTC\ndeployment: extended\n';
const front = (title: string, ...lines: string[]): string =>
  ['---', `title: ${title}`, 'date: 2026-03-05T10:00:00', ...lines, '---', 'Text', ''].join('\n');

/** Pairs of the common state; on each branch, pairs that people write and pairs that clients write. */
const [common, byHand, byClients] = [40, 15, 15];

/** An English page and its German one as people write them, in four ways. */
function pair(name: string, n: number, id?: number): Readonly<Record<string, string>> {
  const english = `pages/${name}-${n}.md`;
  const ids = id === undefined ? [] : [`id: ${id}`];
  const german = id === undefined ? [] : [`id: ${id + 1000}`];
  switch (n % 4) {
    case 0:
      return { [english]: front(`${name} ${n}`, ...ids), [`pages/${name}-${n}.de.md`]: front(`${name} ${n} deutsch`, ...german) };
    case 1:
      return {
        [english]: front(`${name} ${n}`, ...ids),
        [`pages/de-${name}-${n}.md`]: front(`${name} ${n} deutsch`, ...german, 'lang: de', `translation_of: ${name}-${n}`),
      };
    case 2:
      // The German one is the original; both in folders.
      return {
        [`pages/${name}-${n}/index.md`]: front(`${name} ${n}`, ...ids, `translation_of: de-${name}-${n}`),
        [`pages/de-${name}-${n}/index.md`]: front(`${name} ${n} deutsch`, ...german, 'lang: de'),
      };
    default:
      return {
        [english]: front(`${name} ${n}`, ...ids),
        [`pages/de-${name}-${n}.md`]: front(
          `${name} ${n} deutsch`,
          ...german,
          'lang: de',
          `translation_of: ${id ?? `/pages/${name}-${n}`}`,
        ),
      };
  }
}

/** Findings of groups and ids: `path:line:column severity message`. */
async function findings(dir: string): Promise<readonly string[]> {
  const { out } = await run(['validate', dir]);
  return out.split('\n').filter((line) => /^\S+:\d+:\d+ (?:error|warning) /.test(line));
}

async function put(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

interface Branch extends TestSite {
  /** Two clients, each with an account of its own. */
  readonly clients: readonly string[];
}

/** A request of a client that has to succeed. @returns the item */
async function send(branch: Branch, who: number, method: string, path: string, body?: object) {
  const as = branch.clients[who] as string;
  const target = path.startsWith('/') ? path : `/cms-json/cms/v2/${path}`;
  const answer = await branch.ask(method, target, { raw: true, as, ...(body ? { body } : {}) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** What happens on a branch, all of it at once. */
async function work(branch: Branch, name: string): Promise<void> {
  const english: number[] = [];
  const people = async (): Promise<void> => {
    for (let n = 0; n < byHand; n++) await put(branch.dir, pair(`${name}-file`, n));
  };
  const writer = async (): Promise<void> => {
    for (let n = 0; n < byClients; n++) {
      const { id } = await send(branch, 0, 'POST', 'pages', { title: `${name} ${n}`, status: 'publish' });
      english.push(id);
      // What translations share, while the other client may be making one.
      await send(branch, 0, 'PUT', `pages/${id}`, { menu_order: n + 1 });
    }
  };
  const translator = async (): Promise<void> => {
    for (let n = 0; n < byClients; n++) {
      const id = await until(() => english[n]);
      const slug = n % 2 === 0 ? { slug: `${name.toLowerCase()}-${n}` } : {};
      const title = `${name} ${n} deutsch`;
      await send(branch, 1, 'POST', '/de/cms-json/cms/v2/pages', { title, status: 'publish', translation_of: id, ...slug });
    }
  };
  await Promise.all([people(), writer(), translator()]);
}

/** What no merge sees: both sides are right by themselves. */
async function part(left: Branch, right: Branch): Promise<void> {
  const german = (title: string, of: number, more: object = {}) => ({
    ...{ title, lang: 'de', status: 'publish', translation_of: of },
    ...more,
  });
  // Both translate one page, and one tag.
  await send(left, 0, 'POST', 'pages', german('Einsam', 300));
  await send(right, 0, 'POST', 'pages', german('Allein', 300));
  await send(left, 0, 'POST', 'tags', { name: 'Meer', lang: 'de', translation_of: 2 });
  await send(right, 0, 'POST', 'tags', { name: 'See', lang: 'de', translation_of: 2 });
  // One renames a page, the page above it, or deletes it, while the other translates it.
  await send(left, 0, 'PUT', 'pages/301', { slug: 'renamed' });
  await send(right, 0, 'POST', 'pages', german('Spaet', 301));
  await send(left, 0, 'PUT', 'pages/302', { slug: 'beneath' });
  await send(right, 0, 'POST', 'pages', german('Drinnen', 320));
  await send(left, 0, 'DELETE', 'pages/303?force=true');
  await send(right, 0, 'POST', 'pages', german('Verwaist', 303));
  await send(left, 0, 'PUT', 'pages/304', { slug: 'identical' });
  await send(right, 0, 'POST', 'pages', german('Gleich', 304, { slug: 'same' }));
  // Both give out one id by hand, and name their page by it.
  for (const [{ dir }, name] of [
    [left, 'left'],
    [right, 'right'],
  ] as const)
    await put(dir, {
      [`pages/${name}-number.md`]: front(name, 'id: 5000'),
      [`pages/${name}-nummer.md`]: front(name, 'id: 5001', 'lang: de', 'translation_of: 5000'),
    });
}

describe('two branches of a site with 100 pages in each of two languages', () => {
  const sites: Branch[] = [];
  let base = '';
  const start = async (from: string): Promise<Branch> => {
    const site = await startSite({ from });
    const name = sites.length;
    const clients = [
      await signUp(site, `writer-${name}`, 'administrator'),
      await signUp(site, `translator-${name}`, 'administrator'),
    ];
    const branch = { ...site, clients: clients.map(({ as }) => as) };
    sites.push(branch);
    return branch;
  };
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'cms-branches-'));
    await put(base, {
      'site.yaml': settings,
      '.gitignore': '.cms\nrevisions\n',
      'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
      'terms/tag/sea.yaml': 'id: 2\nname: Sea\n',
      ...Object.assign({}, ...Array.from({ length: common }, (_, n) => pair('hand', n, 100 + n))),
      // What nobody has translated.
      ...Object.fromEntries(
        ['lonely', 'plain', 'below', 'gone', 'same'].map((name, at) => [`pages/${name}.md`, front(name, `id: ${300 + at}`)]),
      ),
      'pages/below/inner.md': front('inner', 'id: 320'),
    });
    createRepository(base).commit('Pages');
    for (let n = 0; n < 2; n++) await start(base);
  }, 60_000);
  afterAll(async () => {
    for (const site of sites) await site.close();
    await rm(base, { recursive: true, force: true });
  });

  it('merge completely, or conflicts are reported with file and line and can be fixed', async () => {
    const [left, right] = sites as [Branch, Branch];
    await Promise.all([work(left, 'Left'), work(right, 'Right')]);
    await part(left, right);
    for (const { site, log } of [left, right]) {
      // Whatever was written by hand has been taken in, and has an id.
      await until(() => [...site.posts.with('type', 'page')].length >= 2 * (common + byHand + byClients) + 7);
      await until(() => site.posts.get(5001));
      expect(log).toEqual([]);
    }
    for (const { site } of [left, right]) await site.close();

    const [ours, theirs] = [left, right].map(({ dir }) => createRepository(dir)) as [Repository, Repository];
    ours.run('checkout', '--quiet', '-b', 'left');
    ours.commit('left');
    theirs.run('checkout', '--quiet', '-b', 'right');
    theirs.commit('right');
    ours.run('fetch', '--quiet', right.dir, 'right');
    ours.run('merge', '--quiet', '--no-edit', 'FETCH_HEAD');

    const found = await findings(left.dir);
    // Of two translations, the one with the lower id stays: which one that is depends on who came first.
    const groups = found
      .filter((line) => /translat(?:ed|ion into)/.test(line))
      .map((line) => line.replace(/allein|einsam/g, 'allein'));
    expect(groups.sort()).toEqual([
      'pages/allein.md:7:17 error pages/allein.md is the translation into "de" already',
      'pages/drinnen.md:7:17 error there is nothing called "below/inner" to be translated',
      'pages/same.de.md:1:1 error there is nothing called "same" to be translated',
      'pages/spaet.md:7:17 error there is nothing called "plain" to be translated',
      'pages/verwaist.md:7:17 error there is nothing called "gone" to be translated',
      'terms/tag/see.yaml:4:17 error terms/tag/meer.yaml is the translation into "de" already',
    ]);
    // Of the pages that both made, with their translations, each second one has the id of another.
    expect(found.filter((line) => line.includes('is already used by')).length).toBeGreaterThan(2 * (byHand + byClients));
    const { out } = await run(['validate', left.dir, '--fix']);
    expect(out).toContain('fixed');
    expect(await findings(left.dir)).toEqual([]);

    const merged = await start(left.dir);
    const pages = [...merged.site.posts.with('type', 'page')].map((id) => merged.site.posts.get(id) as never);
    const members = pages.map((page) => merged.site.translations.members(page));
    for (const group of members) expect(new Set(group.map(({ lang }) => lang)).size).toBe(group.length);
    const titles = members
      .filter(({ length }) => length === 2)
      .map((group) =>
        group
          .map(({ id }) => title(merged, id))
          .sort()
          .join(' | '),
      );
    expect(new Set(titles).size).toBe(common + 2 * (byHand + byClients) + 5);
    const total = async (path: string) => (await merged.ask('HEAD', path)).headers.get('x-cms-total');
    expect(await total('/cms/v2/pages')).toBe('107');
    expect(await total('/cms/v2/pages?lang_language=de')).toBe('108');
    expect(merged.log).toEqual([]);
    // Whatever ids the originals have now: each translation that a client has made is of the page that it was made of.
    expect([...merged.site.translationJobs.statuses()].length).toBeGreaterThanOrEqual(2 * byClients);
    expect(translationOverview(merged.site, ['de', 'en']).filter(({ state }) => state === 'outdated')).toEqual([]);
  }, 240_000);
});

type Repository = ReturnType<typeof createRepository>;

function title({ site }: TestSite, id: number): string {
  return site.posts.get(id)?.title ?? '';
}
