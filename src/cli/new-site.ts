/**
 * What a new site consists of: its settings, the default category, its administrator with profile, account and password.
 */
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { now } from '../kernel/model/dates.ts';
import { basicSettings } from '../deployments.ts';
import { fileNameOf, slugify } from '../kernel/model/slugs.ts';
import { makeFolder } from '../kernel/store/folders.ts';
import { temporaryPrefix } from '../kernel/store/paths.ts';
import { createStore } from '../kernel/store/store.ts';
import type { FileChange } from '../kernel/store/types.ts';
import { printMap } from '../kernel/yaml/print.ts';
import { defaultCategories, languageBlock } from './new-languages.ts';
import { type Accounts, createAccounts } from '../modules/people/accounts/accounts.ts';
import { blankAccount } from '../modules/people/users/record.ts';
import { writePrivate } from '../kernel/site/settings.ts';
import { addApplicationPassword } from '../modules/people/accounts/application-passwords.ts';

interface ScaffoldOptions {
  /** The folder of the site; made when it is not there. What is in it stays as it is. */
  readonly dir: string;
  readonly title: string;
  readonly description?: string | undefined;
  /** Public address; without one the site is where its server listens. */
  readonly url?: string | undefined;
  readonly timezone?: string | undefined;
  readonly language?: string | undefined;
  /** Locales of the languages of its content, the default one first; of the extended deployment alone. */
  readonly languages?: readonly string[] | undefined;
  readonly deployment?: string | undefined;
  readonly writing?: string | undefined;
  /** More of `site.yaml`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Login of the administrator. */
  readonly admin: string;
  /** What readers call the administrator (default: the login). */
  readonly name?: string | undefined;
  /** Their number: 1, unless that is somebody else's. */
  readonly adminId?: number;
  readonly email?: string | undefined;
}

/** Lines of an ignore file for git: what the server keeps for itself, files that are being written, and former versions. */
export const ignored: readonly string[] = ['.cms/', `${temporaryPrefix}*`, 'revisions/'];

/**
 * Makes a site in an empty folder. When something fails, everything it made is taken away again.
 * @returns the administrator's application password, in six groups of four, which is kept nowhere
 */
export async function scaffoldSite(options: ScaffoldOptions): Promise<string> {
  const { dir, admin, adminId = 1, email = '' } = options;
  const before = new Set(existsSync(dir) ? await readdir(dir) : []);
  // The topmost folder that was not there.
  const [made] = makeFolder(dir);
  try {
    const store = await createStore({ dir });
    try {
      await store.commit(filesOf(options));
      if (!before.has('.gitignore')) await writeFile(join(dir, '.gitignore'), `${ignored.join('\n')}\n`, { flag: 'wx' });
      await writePrivate(store.private, { email });
      return await makeAdministrator(await createAccounts(store.private), {
        id: adminId,
        login: admin,
        email,
        passwordName: 'cms init',
      });
    } finally {
      await store.close();
    }
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    else
      for (const name of await readdir(dir)) if (!before.has(name)) await rm(join(dir, name), { recursive: true, force: true });
    throw error;
  }
}

interface Administrator {
  /** Id of the user. */
  readonly id: number;
  readonly login: string;
  readonly email: string;
  /** What the password is listed under. */
  readonly passwordName: string;
}

/** Makes an account without a profile. @returns its application password */
export async function makeAdministrator(accounts: Accounts, { id, login, email, passwordName }: Administrator): Promise<string> {
  await accounts.save({ ...blankAccount(id, login, now('UTC', Date.now()).gmt), email, roles: ['administrator'] });
  const { password } = await addApplicationPassword({ accounts, clock: Date.now }, id, passwordName);
  return password;
}

function filesOf({ admin, adminId = 1, name = admin, ...options }: ScaffoldOptions): readonly FileChange[] {
  return [
    { path: 'site.yaml', bytes: Buffer.from(siteFile(options)) },
    { path: 'terms/category/uncategorized.yaml', expect: null, data: { id: 1, name: 'Uncategorized' }, order: ['id', 'name'] },
    ...(options.deployment === 'extended' ? defaultCategories(options.languages) : []),
    {
      path: `users/${fileNameOf(slugify(admin))}.yaml`,
      expect: null,
      data: { id: adminId, name, url: '/' },
      order: ['id', 'name', 'url'],
    },
  ];
}

/** `site.yaml` with what differs from the defaults, and why it is there for those who open the file first. */
export function siteFile(options: Omit<ScaffoldOptions, 'dir' | 'admin' | 'adminId' | 'name' | 'email'>): string {
  const { title, description, url, timezone, language, deployment, writing } = options;
  const rows: readonly [key: string, value: string | undefined, remark?: string][] = [
    ['name', title],
    ['description', description],
    ['url', url, 'Public URL of the site.'],
    ['language', language],
    ['timezone', timezone, 'Time zone of all dates in this folder.'],
    ['deployment', deployment, 'basic, or extended: languages, search metadata, media folders …'],
    ['writing', writing, 'Format of texts that are created over REST: auto, markdown or markup.'],
  ];
  const defaults = new Map(basicSettings.map(({ key, default: value }) => [key, value]));
  const lines = ['# Site settings. Keys that are not here have their defaults; docs/content.md of cms lists all of them.'];
  for (const [key, value, remark] of rows) {
    if (value === undefined || value === '' || value === defaults.get(key)) continue;
    if (remark !== undefined) lines.push('', `# ${remark}`);
    lines.push(...printMap({ [key]: value }));
  }
  if (options.languages) {
    lines.push('', '# Languages of the content, in the order of display; docs/languages.md has all keys.');
    lines.push(...printMap({ lang: languageBlock(options.languages) }));
  }
  for (const [key, value] of Object.entries(options.settings ?? {})) lines.push(...printMap({ [key]: value }));
  return `${lines.join('\n')}\n`;
}
