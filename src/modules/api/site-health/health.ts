/**
 * Checks of the running server: each really tests what it reports.
 *
 * Checks that clients request keep the reference's names; those without a meaning here (self-updates, vendor services) are replaced.
 */
import { table } from '../../../kernel/model/maps.ts';
import { access, constants, lstat, readdir, statfs } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Fetcher, FetchError, ownOrigins } from '../../../http-client/fetch.ts';
import type { Site } from '../../../kernel/site/site.ts';

type HealthStatus = 'good' | 'recommended' | 'critical';

interface HealthReport {
  readonly label: string;
  readonly status: HealthStatus;
  readonly badge: { readonly label: string; readonly color: 'blue' | 'orange' | 'red' | 'green' | 'purple' | 'gray' };
  /** Markup: paragraphs. */
  readonly description: string;
  /** Markup: what to do; '' for nothing. */
  readonly actions: string;
  readonly test: string;
}

/** The request, as far as checks need it. */
interface Asked {
  readonly site: Site;
  readonly fetcher: Fetcher;
  /** URL of the REST root. */
  readonly root: string;
  readonly authorization: string | undefined;
}

type Outcome = readonly [status: HealthStatus, label: string, description: string, action?: string];

const leastFreeBytes = 64 * 1024 * 1024;

/** Name → check. The name is the last part of its route. */
export const checks: Readonly<Record<string, (asked: Asked) => Promise<HealthReport>>> = table({
  'background-updates': checked('Security', 'background_updates', storage),
  'loopback-requests': checked('Performance', 'loopback_requests', loopback),
  'https-status': checked('Security', 'https_status', https),
  'dotorg-communication': checked('Security', 'dotorg_communication', outside),
  'authorization-header': checked('Security', 'authorization_header', authorization),
  'page-cache': checked('Performance', 'page_cache', pageCache),
});

function checked(
  badge: string,
  test: string,
  check: (asked: Asked) => Promise<Outcome> | Outcome,
): (asked: Asked) => Promise<HealthReport> {
  return async (asked) => {
    const [status, label, description, action = ''] = await check(asked);
    return {
      label,
      status,
      badge: { label: badge, color: 'blue' },
      description: paragraph(description),
      actions: action && paragraph(action),
      test,
    };
  };
}

/** Background updates here mean writing files; the program never changes itself. */
async function storage({ site }: Asked): Promise<Outcome> {
  const { store } = site;
  const own = 'The server does not update itself: new versions come with its package. ';
  if (store.readOnly)
    return ['recommended', 'The content is served read-only', `${own}Nothing can be saved while the site is served read-only.`];
  const key = `health-${process.pid}.json`;
  const written = Buffer.from(String(site.clock()));
  try {
    // Flushed like content.
    await store.cache.set(key, written);
    const read = await store.cache.get(key);
    await store.cache.remove(key);
    if (!read || Buffer.compare(read, written) !== 0) throw new Error('what was written reads back otherwise');
    if (isAbsolute(store.name)) await access(store.name, constants.W_OK);
  } catch (error) {
    return [
      'critical',
      'Content cannot be saved',
      `${own}Writing failed: ${error instanceof Error ? plain(error.message) : 'unknown reason'}.`,
      'Let the server write to the content folder.',
    ];
  }
  const free = await freeBytes(store.name);
  if (free < leastFreeBytes)
    return [
      'critical',
      'The disk is almost full',
      `${own}${sizeText(free)} are left for content.`,
      'Make room on the disk of the content folder.',
    ];
  return ['good', 'Content is saved durably', `${own}A test file was written, synchronised to disk and read back.`];
}

async function loopback({ site, fetcher, root }: Asked): Promise<Outcome> {
  const reach = 'Checks, link details and previews ask the site at its own address.';
  try {
    const { status } = await fetcher.get(`${root}/?_fields=name`, { maxBytes: 4096, own: ownOrigins(site) });
    if (status === 200) return ['good', 'The site can reach itself', reach];
    return [
      'recommended',
      'The site answers itself with an error',
      `${reach} It answered with status ${status}.`,
      'See that the address of the site leads to this server.',
    ];
  } catch (error) {
    return [
      'critical',
      'The site cannot reach itself',
      `${reach} ${reason(error)}`,
      'See that the address of the site leads to this server, and list it in CMS_FETCH_ALLOW when it is on a private network.',
    ];
  }
}

function https({ site }: Asked): Outcome {
  if (site.url.startsWith('https://'))
    return [
      'good',
      'The site is served over HTTPS',
      'What passes between visitors and the site cannot be read or changed on its way.',
    ];
  return [
    'recommended',
    'The site is not served over HTTPS',
    `The address of the site is ${plain(site.url)}: passwords and content pass in the clear.`,
    'Put a server that speaks HTTPS in front, and set url in site.yaml to its address.',
  ];
}

function outside(): Outcome {
  return [
    'good',
    'No outside service is needed',
    'The server works without calling home: there is no vendor service it has to reach.',
  ];
}

function authorization({ authorization }: Asked): Outcome {
  const why = 'Clients with an application password send it in the Authorization header.';
  if (authorization === undefined)
    return [
      'recommended',
      'The Authorization header is missing',
      `${why} It did not arrive with this request.`,
      'See that proxies in front of the server pass the header on, and that the client sends it.',
    ];
  if (!/^basic\s+\S/i.test(authorization))
    return ['recommended', 'The Authorization header is not understood', `${why} It arrived in another form.`];
  return ['good', 'The Authorization header arrives', why];
}

async function pageCache({ site, fetcher, root }: Asked): Promise<Outcome> {
  const why = 'Answers carry a validator (ETag), so that browsers and proxies need not fetch again what has not changed.';
  const url = `${root}/?_fields=name,description`;
  const own = ownOrigins(site);
  try {
    const first = await fetcher.get(url, { maxBytes: 4096, own });
    const etag = first.headers.etag;
    if (typeof etag !== 'string')
      return [
        'recommended',
        'Answers cannot be cached',
        `${why} The answer came without one.`,
        'See that proxies in front of the server leave the ETag header alone.',
      ];
    const again = await fetcher.get(url, { maxBytes: 4096, own, headers: { 'If-None-Match': etag } });
    if (again.status === 304) return ['good', 'Answers are cached and validated', why];
    return [
      'recommended',
      'Answers are not validated',
      `${why} A second request fetched the whole answer again.`,
      'See that proxies in front of the server pass If-None-Match on.',
    ];
  } catch (error) {
    return ['recommended', 'Caching could not be checked', `${why} ${reason(error)}`];
  }
}

interface DirectorySize {
  readonly size: string;
  readonly debug: string;
  readonly raw?: number;
}

/** Parts of the content folder with their disk usage. */
const parts: readonly (readonly [name: string, owns: (top: string) => boolean])[] = [
  ['uploads_size', (top) => top === 'media'],
  ['revisions_size', (top) => top === 'revisions'],
  ['database_size', (top) => top === '.cms'],
  ['content_size', () => true],
];

/**
 * Sizes of the site's folders. `uploads`: media; `database`: accounts, indexes and derived files; `content`: the rest.
 *
 * @returns null if the content is not in a local folder. Cost: a stat of every file.
 */
export async function directorySizes(site: Site): Promise<Readonly<Record<string, DirectorySize>> | null> {
  const { name } = site.store;
  if (!isAbsolute(name)) return null;
  const sums = new Map(parts.map(([part]) => [part, 0]));
  for (const entry of await readdir(name, { withFileTypes: true })) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    const [part] = parts.find(([, owns]) => owns(entry.name)) as (typeof parts)[number];
    sums.set(part, (sums.get(part) ?? 0) + (await sizeOf(join(name, entry.name))));
  }
  const total = [...sums.values()].reduce((sum, size) => sum + size, 0);
  return Object.fromEntries([...sums, ['total_size', total] as const].map(([part, bytes]) => [part, described(bytes)]));
}

function described(bytes: number): DirectorySize {
  const size = sizeText(bytes);
  return { size, debug: `${size} (${bytes} bytes)`, ...(bytes > 0 ? { raw: bytes } : {}) };
}

/** Links are not followed. */
async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory()) return found?.isFile() ? found.size : 0;
  let sum = 0;
  for (const name of await readdir(path).catch(() => [])) sum += await sizeOf(join(path, name));
  return sum;
}

/** Human-readable: `1.50 MB`. */
function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** at).toFixed(at === 0 ? 0 : 2)} ${units[at]}`;
}

async function freeBytes(folder: string): Promise<number> {
  if (!isAbsolute(folder)) return Number.POSITIVE_INFINITY;
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }));
  return bavail * bsize;
}

function reason(error: unknown): string {
  if (!(error instanceof FetchError)) throw error;
  return `${plain(error.message)}.`;
}

function paragraph(text: string): string {
  return `<p>${text}</p>`;
}

function plain(text: string): string {
  return text.replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`);
}
