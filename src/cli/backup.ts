/**
 * `cms backup`: content and private data as one archive, beside a running server. Each backup is read back before older ones go.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { slugify } from '../kernel/model/slugs.ts';
import { flushDirectory } from '../kernel/store/durable.ts';
import { createStore } from '../kernel/store/store.ts';
import { type Archived, writeArchive } from '../transfer/archive/archive.ts';
import { encryptFile } from '../transfer/archive/encryption.ts';
import { readMembers } from '../transfer/archive/reading.ts';
import { SourceError } from '../transfer/import/items.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import { createProgress, type Io } from './io.ts';
import { bucketOf } from './operator.ts';

interface Options {
  readonly out: string;
  readonly keep?: number;
  readonly encrypt?: true;
  readonly passphraseFile?: string;
  readonly json?: true;
}

/** `my-site-20260305T101500Z.tar.gz`, `….tar.gz.enc` */
const stamp = String.raw`\d{8}T\d{6}Z`;

export function defineBackup(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .requiredOption('--out <folder>', 'folder for the backup; created if missing')
    .option('--keep <number>', 'keep this many backups of the site in the folder, and remove older ones', atLeastOne)
    .option('--encrypt', 'encrypt with a passphrase: $CMS_BACKUP_PASSPHRASE, or --passphrase-file')
    .option('--passphrase-file <file>', 'file whose first line is the passphrase')
    .option('--json', 'print JSON')
    .action((named: string | undefined, options: Options) => backup(contentFolder(named, io), options, io));
  examples(command, 'cms backup my-site --out /var/backups/cms --keep 7', 'cms backup my-site --out /mnt/offsite --encrypt');
}

async function backup(dir: string, options: Options, io: Io): Promise<void> {
  const passphrase = options.encrypt ? await passphraseOf(options, io) : null;
  const bucket = bucketOf(dir, io);
  const out = resolve(io.cwd, options.out);
  await mkdir(out, { recursive: true, mode: 0o700 });
  const site = slugify(basename(dir)) || 'site';
  const time = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  const file = join(out, `${site}-${time}.tar.gz${passphrase === null ? '' : '.enc'}`);
  if (await stat(file).catch(() => null)) failed(`${relative(io.cwd, file)} already exists`, 'wait a second and try again');
  // In clear it is never where the encrypted one goes, which may be anybody's.
  const work = passphrase === null ? null : await mkdtemp(join(tmpdir(), 'cms-backup-'));
  const plain = work === null ? file : join(work, 'backup.tar.gz');
  try {
    const written = await write(dir, plain, io).catch(refused);
    await readBack(plain, io).catch(refused);
    if (passphrase !== null) {
      const sealed = join(out, `.${basename(file)}.part`);
      try {
        await encryptFile(plain, sealed, passphrase);
        await rename(sealed, file);
      } finally {
        await rm(sealed, { force: true });
      }
      await flushDirectory(out);
    }
    const removed = options.keep === undefined ? [] : await removeOld(out, site, options.keep);
    tell({ file, written, size: (await stat(file)).size, encrypted: passphrase !== null, removed, bucket }, options, io);
    // Each file is whole, and the archive is of more than one moment.
    if (written.unsteady.length > 0) throw new Failure(status.failed, '');
  } finally {
    if (work !== null) await rm(work, { recursive: true, force: true });
  }
}

async function write(dir: string, out: string, io: Io): Promise<Archived> {
  const store = await createStore({ dir });
  const progress = createProgress(io, 'archiving bytes');
  const stop = new AbortController();
  void io.stopped(Number.POSITIVE_INFINITY).then(() => stop.abort(new Failure(status.failed, 'stopped', 'nothing was kept')));
  try {
    const { alone } = store;
    return await writeArchive({ store, out, private: true, alone, progress: progress.update, signal: stop.signal });
  } finally {
    progress.end();
    await store.close();
  }
}

/** Goes through the archive as a restore does, digest by digest. */
async function readBack(file: string, io: Io): Promise<void> {
  const progress = createProgress(io, 'reading back bytes');
  try {
    await readMembers(file, {
      begin: () => undefined,
      async take(_, bytes) {
        for await (const _piece of bytes);
      },
      progress: progress.update,
    });
  } finally {
    progress.end();
  }
}

/** Removes all but the newest. @returns names of those that are gone */
async function removeOld(out: string, site: string, keep: number): Promise<readonly string[]> {
  const own = new RegExp(`^${site}-${stamp}\\.tar\\.gz(?:\\.enc)?$`);
  const entries = await readdir(out, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && own.test(entry.name)).map(({ name }) => name);
  const old = names.sort().reverse().slice(keep);
  for (const name of old) await rm(join(out, name));
  return old;
}

interface Told {
  readonly file: string;
  readonly written: Archived;
  readonly size: number;
  readonly encrypted: boolean;
  readonly removed: readonly string[];
  /** Where media lie that are no part of it; null: they are in the folder. */
  readonly bucket: string | null;
}

function tell({ file, written, size, encrypted, removed, bucket }: Told, { json }: Options, io: Io): void {
  const { files, bytes, private: documents, leftOut, unsteady } = written;
  if (json) {
    io.out(
      JSON.stringify({ file, files, bytes, private: documents, size, encrypted, removed, bucket, leftOut, unsteady }, null, 2),
    );
    return;
  }
  const sizeText = `${(size / 1024 / 1024).toFixed(1)} MB`;
  io.out(
    `${relative(io.cwd, file)}: ${files} files, ${documents} private documents, ${sizeText}${encrypted ? ', encrypted' : ''}`,
  );
  for (const name of removed) io.out(`removed ${name}`);
  if (bucket !== null)
    io.err(`  media are in the bucket ${bucket}, not in the backup: turn on versioning there (docs/media-store.md)`);
  for (const { path, reason } of leftOut) io.err(`  skipped ${path}: ${reason}`);
  if (unsteady.length > 0) io.err(`  changed during the backup, so not from one moment: ${unsteady.slice(0, 5).join(', ')}`);
}

/** @throws Failure with status 2 when there is none */
export async function passphraseOf({ passphraseFile }: Pick<Options, 'passphraseFile'>, io: Io): Promise<string> {
  const text =
    passphraseFile === undefined
      ? (io.env.CMS_BACKUP_PASSPHRASE ?? '')
      : (await readFile(resolve(io.cwd, passphraseFile), 'utf8')).split(/\r?\n/, 1)[0];
  return text || misuse('no passphrase', 'set CMS_BACKUP_PASSPHRASE, or name a file with --passphrase-file');
}

function refused(error: unknown): never {
  if (error instanceof SourceError) failed(error.message, error.hint, error);
  throw error;
}

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number from 1.');
}
