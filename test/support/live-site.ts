/** The sample site as a live site of the original would be (`bench/old-site.mjs`), with accounts. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OldSite, startOldSite } from '../../bench/old-site.mjs';
import { makeAdministrator } from '../../src/cli/new-site.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { createAccounts } from '../../src/modules/people/accounts/accounts.ts';
import { sample } from './sample-site.ts';
import { startSite } from './site.ts';

export interface LiveSite extends OldSite {
  /** Of `admin`. */
  readonly password: string;
}

export const isMedia = (target: string): boolean => target.includes('/wp-content/uploads/');

export async function startLiveSite(files: Readonly<Record<string, string>> = {}): Promise<LiveSite> {
  const old = await startOldSite();
  const folder = await mkdtemp(join(tmpdir(), 'cms-live-'));
  await cp(sample, folder, { recursive: true });
  const store = await createStore({ dir: folder });
  const admin = { id: 90, login: 'admin', email: 'admin@example.com', passwordName: 'test' };
  const password = await makeAdministrator(await createAccounts(store.private), admin);
  await store.close();
  const settings = `${await readFile(join(sample, 'site.yaml'), 'utf8')}url: ${old.url}\n`;
  const site = await startSite({ from: folder, files: { ...files, 'site.yaml': settings } });
  await rm(folder, { recursive: true });
  old.aim(site.url);
  const { close } = old;
  return Object.assign(old, {
    password,
    async close() {
      await close();
      await site.close();
    },
  });
}
