/**
 * Media folders: virtual, shared or per user, with their attachments. Each tree is one short file; the folder of an attachment is in its sidecar, so
 * that moving one file changes one small file.
 *
 * Source: specification 4.15; reference of media folders, 1 and 11.
 */
import { FieldProblem, type Fields, type Scalar } from '../../../kernel/model/field.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Identified } from '../../../kernel/records/types.ts';
import type { FileRecord } from '../../../kernel/site/file-kind.ts';
import { plainText } from '../../../render/text.ts';

/** The owner of a tree: 0 for the shared one, else a user id. */
export type Scope = number;

export const shared: Scope = 0;

export interface FolderRecord extends Identified {
  readonly scope: Scope;
  readonly name: string;
  /** 0 at the top. */
  readonly parent: number;
  /** Position among siblings, ascending. */
  readonly ord: number;
  /** `#rgb` or `#rrggbb`; '' for none. */
  readonly color: string;
}

/** The folder keys of a sidecar. */
export interface Filed extends FileRecord {
  /** In the shared tree; 0: unfiled. */
  readonly folder: number;
  /** User → folder of that user's tree. */
  readonly userFolders: Readonly<Record<string, number>>;
  /** Bytes of its file, once measured; 0: not yet. */
  readonly fileBytes: number;
}

export const folderSpace = 'mediaFolders';
export const mostLevels = 100;
export const longestName = 250;

const folderRoot = 'media-folders/';
export const settingsFile = `${folderRoot}settings.yaml`;

export function treePath(scope: Scope): string {
  return scope === shared ? `${folderRoot}shared.yaml` : `${folderRoot}users/${scope}.yaml`;
}

/** Null if it is not a tree file. */
export function scopeOfPath(path: string): Scope | null {
  if (path === treePath(shared)) return shared;
  const id = Number(/^media-folders\/users\/([1-9]\d{0,9})\.yaml$/.exec(path)?.[1]);
  return isId(id) ? id : null;
}

/** A name as plain text on one line; '' if nothing is left. Must not start a spreadsheet formula. */
export function cleanName(text: string): string {
  return plainText(text)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/^[\s=+\-@|]+/, '')
    .trim();
}

/** The same, shortened. */
export function folderName(text: string): string {
  const name = cleanName(text);
  return name.length <= longestName ? name : [...name].slice(0, longestName).join('').trim();
}

/** Equal for names that are duplicates among siblings. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A valid color; '' otherwise. */
export function colorOf(value: unknown): string {
  return typeof value === 'string' && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value) ? value : '';
}

/** The folder of a tree in a sidecar; 0: none. */
export function folderOf(media: Filed, scope: Scope): number {
  return (scope === shared ? media.folder : media.userFolders?.[scope]) ?? 0;
}

export function inFolder<M extends Filed>(media: M, scope: Scope, folder: number): M {
  if (scope === shared) return { ...media, folder };
  const { [scope]: _, ...others } = media.userFolders ?? {};
  return { ...media, userFolders: folder === 0 ? others : { ...others, [scope]: folder } };
}

/** Key of the index `folder` of attachments. */
export function memberKey(scope: Scope, folder: number): string {
  return `${scope}:${folder}`;
}

/** The same for trashed ones, which are not counted. */
export function trashedKey(scope: Scope, folder: number): string {
  return `trash ${scope}:${folder}`;
}

function memberKeys(media: Filed & { readonly status?: string }): readonly string[] {
  const keyOf = media.status === 'trash' ? trashedKey : memberKey;
  const own = Object.entries(media.userFolders ?? {}).map(([user, folder]) => keyOf(Number(user), folder));
  return media.folder > 0 ? [keyOf(shared, media.folder), ...own] : own;
}

const folderForm = of('integer', 'Id of a folder of the shared tree.', { minimum: 0 });
const personForm = of('object', 'Id of a person → id of a folder of theirs.', {
  additionalProperties: { type: 'integer', minimum: 0 },
});

const number: Scalar<number> = {
  parse(raw, key) {
    if (raw === null || raw === 0) return 0;
    if (isId(raw)) return raw;
    throw new FieldProblem(key, `${key} must be the id of a folder, not ${JSON.stringify(raw)}`);
  },
  print: (value) => value,
};

const perUser: Scalar<Filed['userFolders']> = {
  parse(raw, key) {
    if (raw === null) return {};
    if (typeof raw !== 'object' || Array.isArray(raw))
      throw new FieldProblem(key, `${key} must be a map of people and folders`, `${key}: { 2: 9 }`);
    const pairs = Object.entries(raw as object).map(([user, folder]) => [user, number.parse(folder, key)] as const);
    const stranger = pairs.find(([user]) => !isId(Number(user)));
    if (stranger) throw new FieldProblem(key, `${key} must name people by their ids, not ${JSON.stringify(stranger[0])}`);
    return Object.fromEntries(pairs.filter(([, folder]) => folder > 0));
  },
  print: (value) => value,
};

/** Additional sidecar keys, not returned with attachments. */
export const filedFields: Fields<Filed, unknown> = {
  _folder: {
    file: {
      key: 'folder',
      form: folderForm,
      read(raw, draft) {
        draft.folder = raw === undefined ? 0 : number.parse(raw, 'folder');
      },
      print: ({ folder }) => folder || undefined,
    },
    index: { equal: (media) => (media.folder === undefined ? undefined : memberKeys(media)) },
  },
  _user_folders: {
    file: {
      key: 'user_folders',
      form: personForm,
      read(raw, draft) {
        draft.userFolders = raw === undefined ? {} : perUser.parse(raw, 'user_folders');
      },
      print: ({ userFolders }) => (userFolders && Object.keys(userFolders).length > 0 ? userFolders : undefined),
    },
  },
  _filesize: {
    file: {
      key: 'filesize',
      form: of('integer', 'Bytes of the file.', { minimum: 0 }),
      read(raw, draft) {
        // An invalid size has not been measured.
        draft.fileBytes = typeof raw === 'number' && raw > 0 ? raw : 0;
      },
      print: ({ fileBytes }) => fileBytes || undefined,
    },
  },
};
