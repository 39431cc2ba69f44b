/** User preferences for folders, private: `folders/preferences/<id>.yaml`. */
import { table } from '../../../kernel/model/maps.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { parseYaml } from '../../../kernel/yaml/parse.ts';
import { printMap } from '../../../kernel/yaml/print.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { CounterType } from './counts.ts';
import type { FolderTrees } from './folder-index.ts';
import { shared } from './record.ts';
import { readSwitch } from './site-settings.ts';

export interface Sorting {
  readonly orderby: string;
  readonly order: 'asc' | 'desc';
}

export interface Preferences {
  /** Initial folder: an id, -1 all files, 0 unfiled, -2 the last one. */
  readonly DEFAULT_FOLDER: number;
  readonly FOLDER_STARTUP: number;
  readonly DEFAULT_SORT_FILES: Sorting | null;
  readonly DEFAULT_SORT_FOLDERS: Sorting | null;
  readonly FOLDER_COUNTER_TYPE: CounterType;
  readonly THEME: { readonly name: string };
  readonly SHOW_BREAD_CRUMB: boolean;
}

type Key = keyof Preferences;

/** Parses a value; undefined if invalid. */
const readers: { readonly [K in Key]: (value: unknown) => Preferences[K] | undefined } = table({
  DEFAULT_FOLDER: readFolder,
  FOLDER_STARTUP: readFolder,
  DEFAULT_SORT_FILES: (value) => readSorting(value, /^[a-z_]{1,40}$/),
  DEFAULT_SORT_FOLDERS: (value) => readSorting(value, /^name$/),
  // An unknown type means the simple one.
  FOLDER_COUNTER_TYPE: (value) =>
    value === 'counter_file_in_folder_and_sub' ? 'counter_file_in_folder_and_sub' : 'counter_file_in_folder',
  THEME(value) {
    const name = typeof value === 'object' && value !== null ? (value as { name?: unknown }).name : undefined;
    return typeof name === 'string' && /^[\w-]{1,40}$/.test(name) ? { name } : undefined;
  },
  SHOW_BREAD_CRUMB: (value) => readSwitch(value) ?? undefined,
});

const usual: Preferences = table({
  DEFAULT_FOLDER: -1,
  FOLDER_STARTUP: -1,
  DEFAULT_SORT_FILES: null,
  DEFAULT_SORT_FOLDERS: null,
  FOLDER_COUNTER_TYPE: 'counter_file_in_folder',
  THEME: { name: 'default' },
  SHOW_BREAD_CRUMB: false,
});

const preferenceKeys = Object.keys(usual) as readonly Key[];

/** Preferences in a request. Undefined if one is invalid. */
export function readPreferences(sent: Readonly<Record<string, unknown>>): Partial<Preferences> | undefined {
  const found: Record<string, unknown> = {};
  for (const key of preferenceKeys) {
    if (!Object.hasOwn(sent, key)) continue;
    const value = readers[key](sent[key]);
    if (value === undefined) return undefined;
    found[key] = value;
  }
  return found;
}

export async function preferencesOf(site: Pick<Site, 'store' | 'folderTrees'>, user: number): Promise<Preferences> {
  const known = { ...usual, ...parse(await site.store.private.get(documentOf(user))) };
  return { ...known, DEFAULT_FOLDER: isOpenable(site.folderTrees, user, known.DEFAULT_FOLDER) ? known.DEFAULT_FOLDER : -1 };
}

/** Changes some of them; defaults are not stored. */
export async function setPreferences(site: Pick<Site, 'store'>, user: number, changes: Partial<Preferences>): Promise<void> {
  const { private: documents } = site.store;
  const alter = (bytes: Uint8Array | null): Uint8Array | null | undefined => {
    const before = parse(bytes);
    const after = Object.entries({ ...before, ...changes }).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(usual[key as Key]),
    );
    if (JSON.stringify(after) === JSON.stringify(Object.entries(before))) return undefined;
    return after.length === 0 ? null : Buffer.from(`${printMap(Object.fromEntries(after)).join('\n')}\n`);
  };
  const key = documentOf(user);
  if (documents.update) return documents.update(key, alter);
  const made = alter(await documents.get(key));
  if (made === null) await documents.remove(key);
  else if (made) await documents.set(key, made);
}

function documentOf(user: number): string {
  return `folders/preferences/${user}.yaml`;
}

function parse(bytes: Uint8Array | null): Partial<Preferences> {
  return bytes === null ? {} : (readPreferences(parseYaml(Buffer.from(bytes).toString('utf8'))) ?? {});
}

function readFolder(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  return id === 0 || id === -1 || id === -2 || isId(id) ? id : undefined;
}

function readSorting(value: unknown, keys: RegExp): Sorting | null | undefined {
  if (value === null || value === '') return null;
  const { orderby, order } = (typeof value === 'object' ? value : {}) as Partial<Record<keyof Sorting, unknown>>;
  const direction = String(order).toLowerCase();
  if (typeof orderby !== 'string' || !keys.test(orderby) || (direction !== 'asc' && direction !== 'desc')) return undefined;
  return { orderby, order: direction };
}

/** Whether the initial folder still exists. */
function isOpenable(trees: Pick<FolderTrees, 'of' | 'settings'>, user: number, folder: number): boolean {
  return folder <= 0 || trees.of(trees.settings.USER_MODE ? user : shared).byId.has(folder);
}
