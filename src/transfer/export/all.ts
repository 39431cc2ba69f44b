/**
 * Every form a site can leave in, by name: what each can hold, and one report for all.
 */
import { table } from '../../kernel/model/maps.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Site } from '../../kernel/site/site.ts';
import type { Dialect } from '../../kernel/rest/dialect.ts';
import type { Registry } from '../../kernel/rest/types.ts';
import { writeArchive } from '../archive/archive.ts';
import { type AtomicFile, openAtomicFile } from './atomic-file.ts';
import type { Filter } from './filter.ts';
import { exportJson } from './json.ts';
import type { Omission } from './omissions.ts';
import type { FolderChanges } from './static/folder.ts';
import type { Group } from './static/requests.ts';
import { exportStatic } from './static.ts';
import { exportWxr } from './wxr.ts';

export interface ExportRequest {
  readonly site: Site;
  readonly registry: Registry;
  /** Absolute path of a file, or of a folder for `static`. */
  readonly out: string;
  readonly filter: Filter;
  readonly private: boolean;
  readonly dialect: Dialect;
  /** What Markdown goes out as in `wxr`: the HTML it means, or its source. */
  readonly markdown: 'html' | 'source';
  /** Of `static`: requests left out, and whether it may write over files of others. */
  readonly without: readonly Group[];
  readonly force: boolean;
  /** Of `static`: says what would change in the folder, and changes nothing. */
  readonly dryRun?: boolean;
  readonly progress: (done: number, total: number) => void;
}

export interface ExportReport {
  /** Things by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of the file, or of all files. */
  readonly bytes: number;
  /** What the format does not hold. */
  readonly left: readonly Omission[];
  /** Of a folder. */
  readonly files?: Omit<FolderChanges, 'bytes'>;
}

/** What a format makes of the options; naming one that it has no use for is a misuse. */
export type FormatOption = 'filter' | 'private' | 'dialect' | 'markdown' | 'folder';

export interface ExportFormat {
  readonly about: string;
  readonly uses: readonly FormatOption[];
  /** @throws RangeError when the filter names what the site has not */
  write(request: ExportRequest): Promise<ExportReport>;
}

export const formats: Readonly<Record<string, ExportFormat>> = table({
  wxr: {
    about: 'WordPress export (WXR)',
    uses: ['filter', 'private', 'markdown'],
    write: ({ site, ...request }) => inOneFile(request, (file) => exportWxr(site, { ...request, out: streamInto(file) })),
  },
  json: {
    about: 'one document in the format of the REST API',
    uses: ['filter', 'private', 'dialect'],
    write: (request) => inOneFile(request, (file) => exportJson({ ...request, write: file.write })),
  },
  archive: {
    about: 'one file that restores the folder byte for byte',
    uses: ['private'],
    async write({ site, out, progress, ...options }) {
      const { files, bytes, size, leftOut, unsteady, ...counts } = await writeArchive({
        store: site.store,
        out,
        private: options.private,
        progress,
      });
      const left = leftOut.map(({ path, reason }) => ({ what: path, count: 1, reason }));
      const moved = unsteady.map((path) => ({
        what: path,
        count: 1,
        reason: 'changed while it was being read; the archive contains one version of it',
      }));
      return { counts: { files, documents: counts.private }, bytes: size, left: [...left, ...moved] };
    },
  },
  static: {
    about: 'the public REST API as files for any host, with media, feeds and a sitemap',
    uses: ['dialect', 'folder'],
    async write(request) {
      const { requests, left, bytes, ...files } = await exportStatic(request);
      return { counts: { requests }, bytes, left, files };
    },
  },
});

/** What an export would hold; a file is made elsewhere for that, and taken away again. */
export async function rehearse(format: ExportFormat, request: ExportRequest): Promise<ExportReport> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-export-'));
  try {
    return await format.write({
      ...request,
      dryRun: true,
      out: format.uses.includes('folder') ? request.out : join(dir, 'export'),
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function inOneFile(
  request: Pick<ExportRequest, 'out' | 'private'>,
  write: (file: AtomicFile) => Promise<Pick<ExportReport, 'counts' | 'left'>>,
): Promise<ExportReport> {
  const file = openAtomicFile(request.out, request.private ? 0o600 : 0o666);
  try {
    const { counts, left } = await write(file);
    return { counts, bytes: file.done(), left };
  } finally {
    file.undo();
  }
}

function streamInto(file: AtomicFile): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      file.write(text);
      done();
    },
  });
}
