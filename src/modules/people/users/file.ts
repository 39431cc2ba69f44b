/**
 * Users on disk: a public profile in `users/<slug>.yaml`, merged with the account of the same id. A profile without an account is an author who
 * cannot sign in; an account without a profile is a user with the account's name and slug.
 */
import { blankValues } from '../../../kernel/extended.ts';
import { fileKeys, readFields } from '../../../kernel/model/field.ts';
import { slugOfPath } from '../../../kernel/model/logical-path.ts';
import { fileNameOf, slugify } from '../../../kernel/model/slugs.ts';
import { fieldsOfUsers } from './fields.ts';
import { type Account, blankUser, defaultName, type UserRecord } from './record.ts';
import type { RecordChange, Table } from '../../../kernel/records/types.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { contextOf, writeRecord } from '../../../kernel/site/record-file.ts';
import type { FileKind } from '../../../kernel/site/file-kind.ts';
import type { PathRow } from '../../../kernel/site/path-table.ts';

type Extending = Pick<Site, 'modules'>;

export function userPaths(site: Extending): readonly PathRow[] {
  const fields = fieldsOfUsers(site) as PathRow['fields'];
  return [{ pattern: 'users/*.{yaml,yml}', kind: 'user', type: '', space: 'users', fields, scope: () => 'user' }];
}

export function createUserKind(site: Extending & Pick<Site, 'accounts' | 'users'>): FileKind<UserRecord> {
  const { accounts, users } = site;
  const fields = fieldsOfUsers(site);
  return {
    name: 'users',
    table: 'users',
    isNamedByAll: true,
    keys: fileKeys(fields),
    paths: userPaths(site),
    isSlugTaken: ({ id, slug }) => [...users.with('slug', slug)].some((other) => other !== id),
    read(source, id) {
      const { path, etag, data, mtimeMs } = source as Entry;
      const draft = Object.assign(blankUser(id), { path, etag, account: accounts.get(id) ?? null });
      readFields(fields, data, draft, contextOf(nowhere, path, mtimeMs));
      return draft;
    },
  };
}

/**
 * The change of memory for a changed account.
 *
 * @param account  the current one; undefined if deleted
 * @param known  the user's record so far
 */
export function accountChange(
  site: Extending,
  id: number,
  account: Account | undefined,
  known: UserRecord | undefined,
): RecordChange<UserRecord> | null {
  if (known && known.path !== '') return { table: 'users', put: withAccount(known, account ?? null) };
  if (account) return { table: 'users', put: withoutProfile(site, account) };
  return known ? { table: 'users', remove: id } : null;
}

/** The file change from `before` (none: a new file) to `after`, whose `path` is the target. */
export function writeUser(site: Extending, after: UserRecord, before?: UserRecord): Write {
  return writeRecord(nowhere, fieldsOfUsers(site), after, before);
}

/** The path of a profile: its slug, or slug and id if the name is taken. */
export function userPath(users: Pick<Table<UserRecord>, 'with'>, user: Pick<UserRecord, 'id' | 'slug'>): string {
  const path = `users/${fileNameOf(user.slug)}.yaml`;
  const isTaken = [...users.with('place', path)].some((other) => other !== user.id);
  return isTaken ? `users/${fileNameOf(user.slug)}-${user.id}.yaml` : path;
}

export function isUserNamedBySlug(user: UserRecord): boolean {
  return slugOfPath(user.path) === user.slug;
}

/** Values missing in the file follow the account. */
function withAccount(user: UserRecord, account: Account | null): UserRecord {
  const [before, after] = [defaultName(user.path, user.account), defaultName(user.path, account)];
  const renamed = (name: string): string => (name === before ? after : name);
  return { ...user, name: renamed(user.name), nickname: renamed(user.nickname), account };
}

function withoutProfile({ modules }: Extending, account: Account): UserRecord {
  const slug = account.slug || slugify(account.login) || String(account.id);
  const added = blankValues(modules.extension(['user']).fields);
  return { ...blankUser(account.id), ...added, slug, name: account.name, nickname: account.login, account };
}

/** Profiles contain no references or dates. */
const nowhere = { zone: 'UTC', refs: null as never };
