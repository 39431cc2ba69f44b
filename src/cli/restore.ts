/**
 * `cms restore`: an item as it was in a commit, or, where a folder is named as well, that folder from a backup.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { misuse } from './failure.ts';
import { examples } from './flags.ts';
import type { Io } from './io.ts';
import { type BackupOptions, restoreBackup } from './restore-backup.ts';
import { type ItemOptions, restoreItem } from './restore-item.ts';

/** By where they belong. */
const ofItems = ['dir', 'at', 'dryRun'] as const;
const ofBackups = ['force', 'adopt', 'passphraseFile'] as const;

export function defineRestore(command: Command, io: Io): void {
  command
    .argument('<what>', 'id or file of an item; or a file that cms backup wrote, followed by a folder')
    .argument('[folder]', 'of a backup: folder to restore into: new, empty, or with --force an existing one')
    .option('--dir <dir>', 'of an item: content folder (default: the current folder, or ./content)')
    .option('--at <rev>', 'of an item: commit, revision id or day (default: the last commit with another version)')
    .option('--dry-run', 'of an item: show the changes, without writing them')
    .option('--force', 'of a backup: replace an existing folder, which is kept next to it. Stop its server first')
    .option('--adopt', 'of a backup: adopt its accounts and keys on this machine')
    .option('--passphrase-file <file>', 'of a backup: file whose first line is the passphrase (default: $CMS_BACKUP_PASSPHRASE)')
    .option('--json', 'print JSON')
    .action((what: string, folder: string | undefined, options: ItemOptions & BackupOptions) => run(what, folder, options, io));
  examples(
    command,
    'cms restore posts/hello.md',
    'cms restore 7 --at 2026-03-01',
    'cms restore my-site-20260305T101500Z.tar.gz my-site',
    'cms restore my-site.tar.gz.enc my-site --force --adopt',
  );
}

async function run(what: string, folder: string | undefined, options: ItemOptions & BackupOptions, io: Io): Promise<void> {
  const strange = (folder === undefined ? ofBackups : ofItems).find((name) => options[name] !== undefined);
  if (strange !== undefined || (folder === undefined && /\.tar\.gz(\.enc)?$/.test(what)))
    misuse(
      folder === undefined ? `"${what}" is restored as an item of the site` : `"${what}" is restored as a backup`,
      folder === undefined
        ? 'to restore a backup, name the folder as well: cms restore BACKUP FOLDER'
        : 'to restore an item, name the site with --dir: cms restore ITEM --dir FOLDER',
    );
  if (folder === undefined) return restoreItem(what, options, io);
  return restoreBackup(resolve(io.cwd, what), resolve(io.cwd, folder), options, io);
}
