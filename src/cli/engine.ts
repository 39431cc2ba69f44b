/**
 * `cms engine`: the database that several nodes serve. Its schema, and content on its way in and out, byte for byte.
 */
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createFolderEngine } from '../engines/folder-engine.ts';
import { privateFolder } from '../engines/shared-documents.ts';
import type { PostgresEngine } from '../engines/postgres/postgres-engine.ts';
import { createStore } from '../kernel/store/store.ts';
import { notedPrefix } from '../modules/git/commits/index.ts';
import { baseKey, placeOf, readBase, readState, stateKey } from '../modules/git-remote/record.ts';
import { openSite } from '../open-site.ts';
import { claimAll, copy, etagsIn, withEngine } from './engine-copy.ts';
import { failed } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';

interface MoveOptions {
  readonly replace?: true;
}

export function defineEngine(command: Command, io: Io): void {
  const migrate = command
    .command('migrate')
    .description('create the tables, or bring them to this version; run it before new nodes start')
    .action(() =>
      withEngine(io, async (engine) => {
        const made = await engine.migrate();
        for (const what of made) io.err(`migration ${what}`);
        io.err(made.length === 0 ? `${engine.name} is up to date` : `${engine.name} is ready`);
      }),
    );
  examples(migrate, 'cms engine migrate --engine postgres://cms@localhost/cms');
  const push = command
    .command('push')
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .description('copy a content folder into the database, with accounts and other private files')
    .option('--replace', 'also change and remove what is there')
    .action((named: string | undefined, options: MoveOptions) =>
      withEngine(io, (engine) => pushFolder(engine, named, options, io)),
    );
  examples(push, 'cms engine push my-site --engine postgres://cms@localhost/cms');
  const pull = command
    .command('pull')
    .argument('<dir>', 'content folder; a new or an empty one unless --replace is given')
    .description('copy the content of the database into a folder, with accounts and other private files')
    .option('--replace', 'also change and remove what is there')
    .action((named: string, options: MoveOptions) => withEngine(io, (engine) => pullFolder(engine, named, options, io)));
  examples(pull, 'cms engine pull backup --engine postgres://cms@localhost/cms');
  const status = command
    .command('status')
    .description('show whether the database can be used, and what is in it')
    .action(() =>
      withEngine(io, async (engine) => {
        await engine.checkSchema();
        let [files, bytes, waiting] = [0, 0, 0];
        const seq = await engine.list((some) => {
          for (const { path, size } of some) {
            if (path.startsWith(privateFolder + notedPrefix)) waiting++;
            if (path.startsWith(privateFolder)) continue;
            files++;
            bytes += size;
          }
        });
        io.out(`${engine.name}: ${files} files, ${bytes} bytes, ${seq} commits`);
        for (const line of await remoteLines(engine, waiting)) io.out(line);
      }),
    );
  examples(status, 'cms engine status --engine postgres://cms@localhost/cms');
}

/** What is known of the git remote; nothing where no node has followed one. */
async function remoteLines(engine: PostgresEngine, waiting: number): Promise<string[]> {
  const [base, state] = [baseKey, stateKey].map((key) => privateFolder + key) as [string, string];
  const found = await engine.read([base, state]);
  if (!found.has(base)) return [];
  const { commit, unmerged } = readBase(found.get(base)?.bytes ?? null);
  const held = readState(found.get(state)?.bytes ?? null);
  return [
    `git: ${commit === null ? 'nothing pushed yet' : `at ${commit.slice(0, 8)}`}, ${waiting} write${waiting === 1 ? '' : 's'} not committed yet`,
    ...(held?.held ? [`git: not followed since ${held.since}: ${held.held}`] : []),
    ...unmerged.map((one) => `git: ${one.path} is not merged: ${one.reason} (${placeOf(one)})`),
  ];
}

async function pushFolder(engine: PostgresEngine, named: string | undefined, options: MoveOptions, io: Io): Promise<void> {
  const dir = contentFolder(named, io);
  await engine.checkSchema();
  const present = await etagsIn(engine);
  if (present.size > 0 && !options.replace) failed(`${engine.name} has content`, '--replace makes it the same as the folder');
  // Ids that files do not have are given once, here, rather than by every node.
  const site = await openSite(dir, { operator: { ...operatorOf(dir, io), media_store: {}, plugins: false } });
  const [unread] = await site.close().then(() => site.store.private.inspect?.() ?? []);
  if (unread !== undefined)
    failed(`${unread.path} ${unread.message}`, 'to take it along: cms adopt, without CMS_ENGINE; else delete it');
  const folder = await createFolderEngine(await createStore({ dir, readOnly: true }));
  try {
    const { written, gone } = await copy(folder, engine, present, io);
    await claimAll(engine);
    io.err(`${engine.name}: ${written} files written, ${gone} removed`);
  } finally {
    await folder.close();
  }
}

async function pullFolder(engine: PostgresEngine, named: string, options: MoveOptions, io: Io): Promise<void> {
  const dir = resolve(io.cwd, named);
  await engine.checkSchema();
  const isEmpty = !existsSync(dir) || readdirSync(dir).length === 0;
  if (!isEmpty && !options.replace) failed(`"${named}" is not empty`, '--replace makes it the same as the database');
  const folder = await createFolderEngine(await createStore({ dir }));
  try {
    const { written, gone } = await copy(engine, folder, await etagsIn(folder), io);
    io.err(`${named}: ${written} files written, ${gone} removed`);
  } finally {
    await folder.close();
  }
}
