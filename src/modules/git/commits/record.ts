/** Commits of client writes: the setting, and the interface for other modules. */
import { of } from '../../../kernel/model/schema.ts';
import type { Setting } from '../../../kernel/model/settings.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Null if nothing is written, or there are no files. */
    readonly commits: Commits | null;
  }
}

export interface Commits {
  /** Whether commits are enabled. */
  isOn(): boolean;
  /** Commits pending writes at once. Resolves when nothing more can be committed now. */
  flush(): Promise<void>;
  /** Who has written files that wait to be committed. */
  writers(): ReadonlyMap<string, WriterId>;
  /**
   * Commits pending writes as they are, and then files as they are now, whoever has changed them.
   * @returns the id of that commit; null if nothing of them differs from the last. @throws Held, GitError
   */
  commit(paths: readonly string[], by: number, subject: string): Promise<string | null>;
  /** Why pending writes are not committed or pushed; null: they are. */
  held(): string | null;
}

export const gitSetting: Setting = {
  key: 'git',
  group: 'writing',
  schema: of('string', 'Changes made over REST become only files, commits, or commits that are pushed', {
    enum: ['off', 'commit', 'push'],
  }),
  default: 'off',
};

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface CommittedFile {
  readonly path: string;
  /** Previous path of a moved file. */
  readonly from?: string;
  /** Previous etag, null for none; absent: any. */
  readonly was?: string | null;
}

/** Id of a user, null for a visitor; undefined: the server itself. */
export type WriterId = number | null | undefined;

/** Nothing can be committed now, with the reason. */
export class Held extends Error {}

/** A temporary reason. */
export const atWork = 'git is at work in the repository';
export const branchMoved = 'the branch has moved';
