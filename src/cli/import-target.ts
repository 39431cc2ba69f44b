/**
 * The folder that a site is brought into. One that is to become a site takes note of it first, so that an import that is killed can be
 * run again by the same command: it goes on, and its last line is a password that counts.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { mapOf } from '../kernel/model/maps.ts';
import { writePrivate } from '../kernel/site/settings.ts';
import { createDisk, readOwn } from '../kernel/store/durable.ts';
import { createStore, refuseLinks } from '../kernel/store/store.ts';
import { createAccounts } from '../modules/people/accounts/accounts.ts';
import type { SiteItem, UserItem } from '../transfer/import/items.ts';
import { administratorId, beginningOf } from '../transfer/import/settings.ts';
import { misuse } from './failure.ts';
import { bothNamed, contentFolder } from './flags.ts';
import { contentsOf } from './init.ts';
import type { Io } from './io.ts';
import { makeAdministrator, scaffoldSite } from './new-site.ts';

/** What may be said of a new site. */
interface NewSite {
  readonly url?: string;
  readonly timezone?: string;
  readonly admin: string;
  readonly email?: string;
}

export interface ImportTarget {
  readonly dir: string;
  /** As the user called it. */
  readonly shown: string;
  /** It is to become a site, or was being made one by a run that was killed. */
  readonly isNew: boolean;
  /** What such a run, or one that was stopped, noted. */
  readonly begun: Begun | null;
}

interface Begun {
  readonly site: Required<NewSite>;
  /** The administrator's password was told to somebody. */
  readonly isTold: boolean;
}

/** @throws Failure with status 2 */
export async function targetOf(into: string | undefined, site: NewSite, io: Io): Promise<ImportTarget> {
  const copied = io.copied?.() ?? null;
  if (copied !== null && into !== undefined) bothNamed(into);
  const dir = copied?.dir ?? (into === undefined ? contentFolder(undefined, io) : resolve(io.cwd, into));
  const shown = into ?? copied?.name ?? dir;
  const isSite = existsSync(join(dir, 'site.yaml'));
  // Before the store is opened, which refuses them: notes and what is fetched lie there.
  refuseLinks(dir);
  const begun = readBegun(dir);
  if (begun && JSON.stringify(begun.site) !== JSON.stringify(whole(site)))
    misuse(
      `an earlier import into "${shown}" was interrupted, and used other options for the new site`,
      'run the same command again, or start over in another folder',
    );
  if (!isSite && !begun && !(await holdsOnlyCache(dir))) await contentsOf(dir, into as string);
  const isAsked = [site.url, site.timezone, site.email].some((given) => given !== undefined) || site.admin !== 'admin';
  if (isSite && !begun && isAsked)
    misuse(`"${shown}" is already a site`, '--url, --timezone, --admin and --email apply to new sites only');
  return { dir, shown, isNew: isSite && begun ? !begun.isTold : !isSite, begun };
}

/**
 * A new site with what the source says of itself.
 * @param dir  where to make it; that of the target, except in a dry run
 * @returns the administrator's application password
 */
export async function makeSite(
  dir: string,
  target: ImportTarget,
  site: NewSite,
  about: SiteItem | null,
  people: readonly UserItem[],
): Promise<string> {
  const { url, timezone, admin, email = '' } = site;
  const adminId = administratorId(admin, people);
  if (dir === target.dir) await note(dir, { site: whole(site), isTold: false });
  // A run that was killed has left commits to be ended, perhaps the files of the site, and a password that nobody has seen.
  if (target.begun) await (await createStore({ dir })).close();
  if (existsSync(join(dir, 'site.yaml'))) {
    const store = await createStore({ dir });
    try {
      await writePrivate(store.private, { email });
      const accounts = await createAccounts(store.private);
      return await makeAdministrator(accounts, { id: adminId, login: admin, email, passwordName: 'cms init' });
    } finally {
      await store.close();
    }
  }
  return scaffoldSite({
    dir,
    title: basename(target.dir),
    timezone: 'UTC',
    language: 'en_US',
    ...beginningOf(about),
    ...(timezone === undefined ? {} : { timezone }),
    url,
    admin,
    adminId,
    email,
  });
}

/** The password of a new site was told; what was begun is done, or goes on later. */
export async function noteTold({ dir, begun }: ImportTarget, site: NewSite, isComplete: boolean): Promise<void> {
  if (!begun && !existsSync(noteOf(dir))) return;
  if (isComplete) await rm(noteOf(dir), { force: true });
  else await note(dir, { site: whole(site), isTold: true });
}

const noteOf = (dir: string): string => join(dir, '.cms', 'cache', 'import-begun.json');

function whole({ url = '', timezone = '', admin, email = '' }: NewSite): Required<NewSite> {
  return { url, timezone, admin, email };
}

function note(dir: string, begun: Begun): Promise<void> {
  return createDisk().write(noteOf(dir), Buffer.from(JSON.stringify(begun)), 0o600);
}

/** What is no note is passed over: the folder is then judged by what is in it. */
function readBegun(dir: string): Begun | null {
  try {
    const { site, isTold } = mapOf(JSON.parse(String(readOwn(noteOf(dir)))));
    const { url, timezone, admin, email } = mapOf(site);
    const texts = [url, timezone, admin, email].every((text) => typeof text === 'string');
    return texts && typeof isTold === 'boolean' ? ({ site: { url, timezone, admin, email }, isTold } as Begun) : null;
  } catch {
    return null;
  }
}

/** What a live site has said so far, of a run that came no further: the folder is as good as empty. */
async function holdsOnlyCache(dir: string): Promise<boolean> {
  if (!existsSync(join(dir, '.cms'))) return false;
  const names = [...(await readdir(dir)), ...(await readdir(join(dir, '.cms')))];
  return names.every((name) => ['.cms', 'cache', '.git', '.gitignore'].includes(name));
}
