/**
 * Commits of what clients write: the setting that asks for them, and what other parts of the program may ask of them.
 */
import { of } from '../../../kernel/model/schema.ts';
import type { Setting } from '../../../kernel/model/settings.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Null where nothing is written, or there are no files. */
    readonly commits: Commits | null;
  }
}

export interface Commits {
  /** Whether the settings ask for commits now. */
  isOn(): boolean;
  /** Commits what is pending without waiting for its minute to end. Resolves when nothing more can be committed now. */
  flush(): Promise<void>;
  /** Why pending writes are not committed or pushed now; null: they are. */
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

/** Author of a commit. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/** Paths of a write, as its commit needs them. */
export interface WrittenFile {
  readonly path: string;
  /** Where the file was before it moved. */
  readonly from?: string;
  /** Etag that the file had, null when there was none; absent: whatever was there. */
  readonly was?: string | null;
}

/** Id of a user, null for a visitor; undefined: the server itself. */
export type WriterId = number | null | undefined;

/** Nothing can be committed now, and why. */
export class Held extends Error {}

/** What is over in a moment. */
export const atWork = 'git is at work in the repository';
export const branchMoved = 'the branch has moved';
