/**
 * What became of every address that the old site had: where it leads now, and how. What is not led on by an alias of its item
 * becomes a line of `redirects.yaml`.
 */
import { pathKey } from '../../modules/content/permalinks/aliases.ts';
import { type Entry, type FileChange, StaleWriteError, type Store } from '../../kernel/store/types.ts';
import { parseEntry } from '../../kernel/yaml/codec.ts';
import { printMap } from '../../kernel/yaml/print.ts';
import { mediaFolder } from '../../kernel/store/paths.ts';
import { linkOf, termLink } from '../../modules/content/permalinks/record.ts';
import { authorPath } from '../../modules/people/users/record.ts';
import { readRedirects, redirectsFile, redirectsKey, safeTarget } from '../../modules/content/permalinks/redirects-file.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import { uploadAddress } from './links.ts';
import type { ImportPlan } from './plan.ts';
import type { PlannedItem } from './planned-item.ts';
import type { PlannedSite } from './planned-site.ts';
import type { AddressRow, ImportLog } from './report.ts';
import type { SourceScan } from './source-scan.ts';
import { mediaFileOf } from './target-paths.ts';
import { formerPathOf, hostsOf } from './url-map.ts';

export interface PlannedAddress extends AddressRow {
  /** A line of `redirects.yaml` leads on: this path, of something that is new here. */
  readonly rule?: string;
}

/** Everything that was public and had an address, in the order of the plan. To be asked while the plan has its headers. */
export function addressTable(sourceScan: SourceScan, plan: ImportPlan, plannedSite: PlannedSite): readonly PlannedAddress[] {
  const table = [...addresses(sourceScan, plan, plannedSite)];
  const present = new Set(table.map(({ to }) => pathKey(to)));
  return table.map((row) =>
    row.rule !== undefined && present.has(pathKey(row.rule))
      ? { what: row.what, from: row.from, to: row.to, outcome: 'lost' }
      : row,
  );
}

function* addresses(sourceScan: SourceScan, plan: ImportPlan, plannedSite: PlannedSite): Generator<PlannedAddress> {
  const hosts = hostsOf(sourceScan);
  const isPublic = (status: string): boolean => plannedSite.statuses.some((one) => one.name === status && one.public);
  const ruled = (what: string, from: string, to: string, planned: PlannedItem): PlannedAddress => {
    const path = formerPathOf(from, hosts, plannedSite);
    if (path !== '' && pathKey(path) === pathKey(to)) return { what, from, to, outcome: 'same' };
    const rule = path.replaceAll(' ', '%20');
    const isRule = path !== '' && pathKey(path) !== '' && !path.includes('*') && safeTarget(rule) !== null;
    if (!isRule) return { what, from, to, outcome: 'lost' };
    return { what, from, to, outcome: 'redirected', ...(planned.existing === null ? { rule } : {}) };
  };
  const [uploads = ''] = sourceScan.site?.uploads ?? [];
  for (const planned of plan.posts.values()) {
    const { header, of, id, isGone, formerPath } = planned;
    if (!header || isGone) continue;
    if (of === 'attachment') {
      if (uploads !== '' && header.media !== '')
        yield ruled(
          'media',
          fileAddress(header.guid, uploads, header.media),
          uploadAddress(mediaFileOf(planned).slice(mediaFolder.length)),
          planned,
        );
      continue;
    }
    if (header.link === '' || plannedSite.types.get(of)?.viewable !== true || !isPublic(header.status)) continue;
    const to = linkOf(plannedSite, plannedSite.posts.get(id) as PostRecord, true);
    const isSame = pathKey(formerPathOf(header.link, hosts, plannedSite)) === pathKey(to);
    // `/?p=7` is followed by the number.
    const isFollowed = formerPath !== '' || (/[?&](?:p|page_id)=\d+$/.test(header.link) && header.id === id);
    yield { what: of, from: header.link, to, outcome: isFollowed ? 'redirected' : isSame ? 'same' : 'lost' };
  }
  for (const { key, link = '' } of sourceScan.terms) {
    const planned = plan.terms.get(key);
    const term = planned && !planned.isGone ? plannedSite.terms.get(planned.id) : undefined;
    if (link === '' || !planned || !term || !plannedSite.taxonomies.get(planned.of)?.base) continue;
    yield ruled(planned.of, link, termLink(plannedSite, term), planned);
  }
  for (const { key, link = '' } of sourceScan.users) {
    const planned = plan.users.get(key);
    if (link !== '' && planned && !planned.isGone) yield ruled('author', link, authorPath(planned), planned);
  }
}

/** Adds the lines that are not there yet; what people have written stays as it is. */
export async function writeRedirects(
  store: Store,
  table: Iterable<Pick<PlannedAddress, 'rule' | 'to'>>,
  report: Pick<ImportLog, 'remark'>,
): Promise<void> {
  const wanted = [...table].filter(({ rule }) => rule !== undefined);
  if (wanted.length === 0) return;
  for (let tries = 0; ; tries++) {
    const change = withLines(await store.readBytes(redirectsFile), wanted);
    if (change === 'unreadable') {
      const message = `${redirectsFile} cannot be read, so ${wanted.length} redirects were not added`;
      const hint = 'add those that --report lists';
      report.remark({ severity: 'lost', rule: 'redirects', message, hint, what: 'redirects', place: null });
      return;
    }
    if (change === null) return;
    try {
      await store.commit([change]);
      return;
    } catch (error) {
      if (!(error instanceof StaleWriteError) || tries === 5) throw error;
    }
  }
}

/** What has to be written; null when everything is there. A file that is a list stays one. */
function withLines(
  bytes: Uint8Array | null,
  wanted: readonly Pick<PlannedAddress, 'rule' | 'to'>[],
): FileChange | 'unreadable' | null {
  const present = bytes === null ? null : read(bytes);
  if (present === undefined) return 'unreadable';
  const known = new Set(readRedirects(present?.data ?? {}).redirects.map(({ key }) => key));
  const lines: [from: string, to: string][] = [];
  for (const { rule = '', to } of wanted) {
    if (known.has(pathKey(rule))) continue;
    known.add(pathKey(rule));
    lines.push([rule, to]);
  }
  if (lines.length === 0) return null;
  if (!Array.isArray(present?.data[redirectsKey])) {
    const data = Object.fromEntries(lines);
    return { path: redirectsFile, expect: present?.etag ?? null, data, order: Object.keys(data) };
  }
  const text = Buffer.from(bytes as Uint8Array).toString('utf8');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const added = lines.map(([from, to]) => `- ${printMap({ from, to }).join(`${eol}  `)}${eol}`);
  const longer = Buffer.from([text.trimEnd() + eol, ...added].join(''));
  // Not where the list is written in another way, or stands below a key.
  return read(longer) === undefined ? 'unreadable' : { path: redirectsFile, bytes: longer };
}

function read(bytes: Uint8Array): Entry | undefined {
  const parsed = parseEntry(redirectsFile, bytes, { size: bytes.length, mtimeMs: 0 });
  return 'entry' in parsed ? parsed.entry : undefined;
}

/** The guid of a file is its address, unless it was made otherwise. */
function fileAddress(guid: string, uploads: string, path: string): string {
  return /^https?:\/\//.test(guid) && guid.endsWith(`/${path}`) ? guid : `${uploads}/${path}`;
}
