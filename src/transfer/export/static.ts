/**
 * The static export: the website and the public interface as files, for any host that serves files.
 *
 * Every answer is made by the dispatcher, for a visitor, and written by the server's own printer, so that a file holds what the
 * server would have answered, byte for byte. Beside the answers: media with all sizes, feeds, a sitemap, and what hosts read.
 * What a run does not change stays untouched on disk, what is gone goes.
 */
import type { Site } from '../../kernel/site/site.ts';
import { type Dialect, neutral } from '../../kernel/rest/dialect.ts';
import type { Registry } from '../../kernel/rest/types.ts';
import { headerOf, type Written } from '../../kernel/http/respond.ts';
import type { Omission } from './omissions.ts';
import { writeDocuments } from './static/documents.ts';
import { openFolder, type FolderChanges } from './static/folder.ts';
import { createHosting } from './static/hosting.ts';
import { byId } from './static/by-id.ts';
import { copyMedia, makeSizes, mediaIn } from './static/media.ts';
import { createNames } from './static/names.ts';
import { writeMarkdown, writePages } from './static/pages.ts';
import { crawl, type Group, printRequest, type PublicRequest } from './static/requests.ts';
import { treesOf } from './static/trees.ts';
import { isProtected } from '../../modules/content/posts/record.ts';
import { isPublic } from '../../modules/types/record.ts';

export interface StaticOptions {
  readonly site: Site;
  readonly registry: Registry;
  /** Absolute path of the folder; made when it is not there. */
  readonly out: string;
  readonly dialect?: Dialect;
  /** Requests that are left out. */
  readonly without?: Iterable<Group>;
  /** Writes over files that no export wrote. */
  readonly force?: boolean;
  /** Says what would change, and changes nothing. */
  readonly dryRun?: boolean;
  /** Items that are written, of all there may be. */
  readonly progress?: (done: number, total: number) => void;
}

export interface StaticReport extends FolderChanges {
  /** Requests that have a file. */
  readonly requests: number;
  readonly left: readonly Omission[];
}

/** Which file answers which request. */
export const manifestFile = '_requests.json';
/** Answers between two looks at the outside world. */
const stride = 32;

/**
 * Writes the site into a folder.
 * @throws Error when a request fails; files that are already there stay, and nothing is removed
 */
export async function exportStatic(options: StaticOptions): Promise<StaticReport> {
  const { site, registry, out, dialect = neutral, without = [], progress } = options;
  const folder = openFolder(out, { force: options.force ?? false, dryRun: options.dryRun ?? false });
  const spell = (route: string): string => dialect.root + dialect.spellRoute(route);
  const names = createNames(spell, site.url);
  const trees = treesOf(site);
  const hosting = createHosting(site, trees, dialect.root, dialect.header);
  const media = new Set<string>();
  let steps = 0;
  let requests = 0;
  let items = 0;
  const total = site.posts.size + site.terms.size + site.users.size + site.comments.size;
  const step = async (): Promise<void> => {
    if (++steps % stride > 0) return;
    progress?.(Math.min(items, total), total);
    await new Promise((resolve) => setImmediate(resolve));
  };

  await makeSizes(site, step);
  const manifest = folder.open(manifestFile);
  manifest.write(`{"version":1,"url":${JSON.stringify(site.url)},"requests":{`);
  const take = async (request: PublicRequest, answer: Written): Promise<void> => {
    const file = names.of(request);
    const body = answer.body ?? '';
    folder.put(file, body);
    if (typeof body === 'string') for (const path of mediaIn(body)) media.add(path);
    hosting.note(request, file, answer);
    const key = JSON.stringify(printRequest({ ...request, route: spell(request.route) }));
    manifest.write(`${requests++ === 0 ? '' : ','}\n${key}:${JSON.stringify(entryOf(file, answer, dialect))}`);
    await step();
  };
  const left = new Set(without);
  for (const tree of trees) await crawl({ site, registry, dialect, tree, without: left, take, passed: () => void items++ });
  manifest.write('\n}}\n');
  manifest.close();
  const pages = left.has('pages') ? 0 : await writePages(site, folder, media, step);
  if (!left.has('pages')) await writeMarkdown(site, folder, hosting, step);
  await copyMedia(site, media, folder, step);
  await writeDocuments(site, folder, step);
  hosting.write(folder, { hasPages: pages > 0 });
  return { requests, ...folder.finish(), left: leftOut(site) };
}

/** What a client that knows the manifest needs beside the body. */
function entryOf(file: string, { status, headers }: Written, dialect: Dialect): Record<string, unknown> {
  const told = ['Content-Type', 'Content-Language', dialect.header('Total'), dialect.header('TotalPages'), 'Link'];
  const kept = told.flatMap((name) => {
    const value = headerOf(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return { file: `/${file}`, status, headers: Object.fromEntries(kept) };
}

/** What visitors do not see, and so is in no file. */
function leftOut(site: Site): Omission[] {
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const post of byId(site.posts.all())) {
    const { type, status } = post;
    if (!site.types.get(type)?.viewable) continue;
    if (!isPublic(site.statuses, status) && status !== 'inherit') count(`${type}: ${status}`);
    else if (isProtected(post)) count(`${type}: protected by a password`);
  }
  for (const { status } of site.comments.all()) if (status !== 'approved') count(`comment: ${status}`);
  return [...counts].map(([what, number]) => ({
    what,
    count: number,
    reason: what.endsWith('password') ? 'static files cannot ask for a password' : 'not public',
  }));
}
