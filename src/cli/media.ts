/**
 * `cms media`: files of attachments. `fetch` brings those that are still elsewhere, `list` tells what there is, `sizes` makes
 * what would otherwise be made when it is first asked for.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { openSite } from '../open-site.ts';
import { createSettings } from '../kernel/site/settings.ts';
import { mimeOf, pictures } from '../modules/media/files/types.ts';
import { createOperatorFetcher } from '../http-client/fetch.ts';
import { fetchKey, isAttachment } from '../modules/content/attachments/record.ts';
import { mediaFolder, originalOf } from '../kernel/store/paths.ts';
import { basicSettings } from '../deployments.ts';
import { openContent } from '../open-content.ts';
import { StaleWriteError, type Entry, type FileChange, type Store } from '../kernel/store/types.ts';
import { createMediaImport, rulesOf } from '../transfer/import/media.ts';
import { Failure, misuse, status } from './failure.ts';
import { each, jobs } from './each.ts';
import { contentFolder, examples } from './flags.ts';
import { defineMoves } from './media-moves.ts';
import { createProgress, type Io, paint, printTable } from './io.ts';
import { operatorOf } from './operator.ts';

interface FetchFlags {
  readonly media?: string;
  readonly from?: readonly Mirror[];
  readonly jobs: number;
  readonly dryRun?: true;
  readonly json?: true;
}

interface ListFlags {
  readonly missing?: true;
  readonly orphans?: true;
  readonly json?: true;
}

interface Mirror {
  readonly prefix: string;
  readonly dir: string;
}

/** An attachment as its files tell. */
interface AttachmentFile {
  /** Media file and its sidecar, below the content folder. */
  readonly path: string;
  readonly sidecar: Entry | null;
  /** Bytes; null while the file is not here. */
  readonly size: number | null;
  /** Address it can be fetched from; '' for none. */
  readonly address: string;
}

interface Failed {
  readonly path: string;
  readonly address: string;
  readonly reason: string;
  readonly hint?: string;
}

interface Noted {
  readonly path: string;
  readonly note: string;
}

export function defineMedia(command: Command, io: Io): void {
  const dir = ['[dir]', 'content folder (default: the current folder, or ./content)'] as const;
  const fetch = command
    .command('fetch')
    .argument(...dir)
    .description('download missing media files')
    .option('--media <dir>', 'local copy of the old uploads, searched first')
    .option('--from <prefix=dir>', 'use a local folder for everything below a URL; may be repeated', mirror)
    .option('--jobs <n>', 'parallel downloads, 1 to 16', jobs, 4)
    .option('--dry-run', 'list the files that would be fetched')
    .option('--json', 'print JSON')
    .action((named: string | undefined, flags: FetchFlags) => runFetch(contentFolder(named, io), flags, io));
  examples(fetch, 'cms media fetch my-site', 'cms media fetch my-site --media ~/backup/uploads');
  const list = command
    .command('list')
    .argument(...dir)
    .description('list attachments and their files')
    .option('--missing', 'only those whose files are missing')
    .option('--orphans', 'list files in the media store that belong to no attachment instead')
    .option('--json', 'print JSON')
    .action((named: string | undefined, flags: ListFlags) => runList(contentFolder(named, io), flags, io));
  examples(list, 'cms media list my-site --missing');
  const sizes = command
    .command('sizes')
    .argument(...dir)
    .description('create the missing sizes of all images')
    .option('--json', 'print JSON')
    .action((named: string | undefined, flags: { json?: true }) => runSizes(contentFolder(named, io), flags, io));
  examples(sizes, 'cms media sizes my-site');
  defineMoves(command, io);
  examples(command, 'cms media fetch my-site');
}

async function runFetch(dir: string, { media, from = [], jobs: atOnce, dryRun, json }: FetchFlags, io: Io): Promise<void> {
  const folders = [...(media === undefined ? [] : [media]), ...from.map((one) => one.dir)];
  const absent = folders.find((folder) => !existsSync(resolve(io.cwd, folder)));
  if (absent !== undefined) misuse(`"${absent}" does not exist`);
  const operator = operatorOf(dir, io);
  const store = await openContent({ dir, readOnly: dryRun === true }, operator);
  try {
    const { held, settings } = await findMedia(store, io);
    const wanted = held.filter(({ size }) => size === null);
    const done = { fetched: [] as string[], present: [] as string[], missing: [] as Failed[], notes: [] as Noted[] };
    if (dryRun) {
      if (json) return io.out(JSON.stringify({ wanted: wanted.map(({ path, address }) => ({ path, address })) }, null, 2));
      for (const { path, address } of wanted) io.out(`${path}  ${address || 'no known URL'}`);
      return io.err(`${wanted.length} to fetch`);
    }
    const aborted = new AbortController();
    void io.stopped().then(() => aborted.abort());
    const { signal } = aborted;
    const mediaImport = createMediaImport({
      store,
      ...(media === undefined ? {} : { mediaDir: resolve(io.cwd, media) }),
      mirrors: from.map(({ prefix, dir: local }) => ({ prefix, dir: resolve(io.cwd, local) })),
      fetcher: createOperatorFetcher(operator),
      rules: rulesOf(operator, settings),
      limits: { atOnce },
      signal,
    });
    const progress = createProgress(io, 'fetching files');
    let seen = 0;
    const fetchOne = async ({ path, sidecar, address }: AttachmentFile): Promise<void> => {
      const obtained = await mediaImport.obtain(
        { path: path.slice(mediaFolder.length), ...(address ? { url: address } : {}) },
        path,
      );
      if ('missing' in obtained) {
        const { missing: reason, hint } = obtained;
        done.missing.push({ path, address, reason, ...(hint === undefined ? {} : { hint }) });
      } else {
        const isNew = await placeFile(store, 'change' in obtained ? obtained.change : null, sidecar);
        if ('note' in obtained && obtained.note !== undefined) done.notes.push({ path, note: obtained.note });
        (isNew ? done.fetched : done.present).push(path);
      }
      progress.update(++seen, wanted.length);
    };
    try {
      // What is in place, by whatever way, is not asked for any more.
      for (const { size, address, sidecar } of held) if (size !== null && address !== '') await placeFile(store, null, sidecar);
      await each(wanted, atOnce * 2, fetchOne, signal);
    } finally {
      progress.end();
      await mediaImport.close();
    }
    for (const list of [done.fetched, done.present]) list.sort();
    done.missing.sort((a, b) => (a.path < b.path ? -1 : 1));
    if (json) io.out(JSON.stringify({ ...done, stopped: signal.aborted }, null, 2));
    else reportFetch(done, signal.aborted ? wanted.length - seen : 0, io);
    if (done.missing.length > 0 || signal.aborted) throw new Failure(status.failed, '');
  } finally {
    await store.close();
  }
}

function reportFetch(
  done: { fetched: readonly string[]; present: readonly string[]; missing: readonly Failed[]; notes: readonly Noted[] },
  left: number,
  io: Io,
): void {
  for (const { path, reason, hint } of done.missing) {
    io.out(`${paint(io, 'out', 'bold', path)}  ${reason}`);
    if (hint !== undefined) io.out(paint(io, 'out', 'dim', `    ${hint}`));
  }
  for (const { path, note } of done.notes) io.out(`${paint(io, 'out', 'bold', path)}  ${note}`);
  const parts = [`${done.fetched.length} fetched`];
  if (done.present.length > 0) parts.push(`${done.present.length} already present`);
  if (done.missing.length > 0) parts.push(`${done.missing.length} failed`);
  if (left > 0) parts.push(`${left} remaining`);
  io.out(parts.join(', '));
}

async function runList(dir: string, { missing, orphans, json }: ListFlags, io: Io): Promise<void> {
  const store = await openContent({ dir, readOnly: true }, operatorOf(dir, io));
  try {
    if (orphans) return listOrphans(store, json === true, io);
    const { held } = await findMedia(store, io);
    const rows = held.filter(({ size }) => !missing || size === null);
    if (json)
      return io.out(
        JSON.stringify(
          rows.map(({ path, size, address }) => ({ path, size, address })),
          null,
          2,
        ),
      );
    const cells = rows.map(({ path, size, address }) => [path, size === null ? 'missing' : String(size), address]);
    for (const line of printTable(['FILE', 'BYTES', 'URL'], cells)) io.out(line);
  } finally {
    await store.close();
  }
}

async function listOrphans(store: Store, json: boolean, io: Io): Promise<void> {
  const { mediaStore } = store;
  if (!mediaStore) misuse('--orphans requires a media store, and none is configured', 'see docs/media-store.md');
  await store.visit(() => undefined);
  const { orphans } = mediaStore.strays();
  if (json) return io.out(JSON.stringify(orphans, null, 2));
  for (const path of orphans) io.out(path);
}

async function runSizes(dir: string, { json }: { json?: true }, io: Io): Promise<void> {
  const site = await openSite(dir, { operator: operatorOf(dir, io) });
  try {
    const aborted = new AbortController();
    void io.stopped().then(() => aborted.abort());
    const media = [...site.posts.all()].filter(isAttachment).filter((one) => pictures.has(one.mime) && site.media.fileOf(one));
    const progress = createProgress(io, 'making sizes');
    const unmade: string[] = [];
    let made = 0;
    let seen = 0;
    await each(
      media,
      2,
      async (one) => {
        await site.media.make(one);
        const facts = site.media.facts(one);
        made += facts?.made.size ?? 0;
        if (!facts?.picture || facts.failed.size > 0) unmade.push(originalOf(one.path));
        progress.update(++seen, media.length);
      },
      aborted.signal,
    );
    progress.end();
    unmade.sort();
    if (json) io.out(JSON.stringify({ pictures: seen, sizes: made, unreadable: unmade }, null, 2));
    else {
      for (const path of unmade) io.out(`${paint(io, 'out', 'bold', path)}  not a readable image`);
      io.out(`${made} sizes available for ${seen} images`);
    }
    if (unmade.length > 0 || aborted.signal.aborted) throw new Failure(status.failed, '');
  } finally {
    await site.close();
  }
}

/** Every attachment that has a sidecar or a file. */
async function findMedia(store: Store, io: Io) {
  const sidecars = new Map<string, Entry>();
  const sizes = new Map<string, number>();
  let site: Entry | undefined;
  const progress = createProgress(io, 'reading files');
  await store.visit((file) => {
    if (file.path === 'site.yaml') site = file as Entry;
    if (!file.path.startsWith(mediaFolder)) return;
    if (!('data' in file)) sizes.set(file.path, file.size);
    else if (/\.ya?ml$/.test(file.path)) sidecars.set(originalOf(file.path), file);
  }, progress.update);
  progress.end();
  const paths = [...new Set([...sidecars.keys(), ...sizes.keys()])].filter((path) => mimeOf(path) !== null).sort();
  const held = paths.map((path): AttachmentFile => {
    const sidecar = sidecars.get(path) ?? null;
    const address = sidecar?.data[fetchKey];
    return { path, sidecar, size: sizes.get(path) ?? null, address: typeof address === 'string' ? address : '' };
  });
  return { held, settings: createSettings(basicSettings, site) };
}

/**
 * Puts a file in place and takes its address out of the sidecar, beside whoever else writes. What a person deleted meanwhile
 * stays deleted, and a file that came by another way stays as it is.
 * @returns  whether it was this that put it there
 */
async function placeFile(store: Store, change: FileChange | null, sidecar: Entry | null): Promise<boolean> {
  let file = change;
  let known = sidecar;
  for (let tries = 0; ; tries++) {
    try {
      await store.commit([...(file ? [file] : []), ...without(known)]);
      return file !== null;
    } catch (error) {
      if (!(error instanceof StaleWriteError) || tries === 8) throw error;
      if (error.path !== sidecar?.path) file = null;
      else {
        known = (await store.reread([error.path])).entries[0] ?? null;
        if (known === null) return false;
      }
    }
  }
}

function without(sidecar: Entry | null): readonly FileChange[] {
  if (sidecar?.data[fetchKey] === undefined) return [];
  return [{ path: sidecar.path, expect: sidecar.etag, data: { [fetchKey]: undefined }, order: [] }];
}

function mirror(text: string, before: readonly Mirror[] = []): readonly Mirror[] {
  const match = /^(https?:\/\/[^=]+)=(.+)$/i.exec(text);
  if (!match) throw new InvalidArgumentError('Use URL=folder: https://example.com/files/=backup/files');
  return [...before, { prefix: match[1] as string, dir: match[2] as string }];
}
