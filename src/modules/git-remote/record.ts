/** What the nodes of a site know of its git remote, in private documents of the engine. */
import { isMap } from '../../kernel/model/maps.ts';
import { isGitName, isPath, kindOf } from '../../kernel/store/paths.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Null without a remote of an engine. */
    readonly gitRemote: { start(): () => Promise<void>; tell(): Promise<void> } | null;
  }
}

export const remotePrefix = 'git/';
/** Where engine and remote have met. Whoever moves it states what it was. */
export const baseKey = 'git/base.json';
/** When somebody last said that there is something new. */
export const toldKey = 'git/told.json';
/** Why the remote is not followed now. */
export const stateKey = 'git/state.json';

export interface RemoteBase {
  /** The last commit of the remote that is in the engine; null: none yet. */
  readonly commit: string | null;
  /** Changes of files after this commit of the engine may be missing in that commit. */
  readonly seq: number;
  /** Commits that a node has made, and may have pushed, each with what the base becomes then. */
  readonly pushing: readonly Pushing[];
  /** What was pushed and is not in the engine. */
  readonly unmerged: readonly Unmerged[];
  /** Files of the commit that the engine does not have as they are there: path → id of the bytes that it last took; null: none. */
  readonly left: Readonly<Record<string, string | null>>;
}

export interface Pushing extends Pick<RemoteBase, 'seq' | 'left'> {
  readonly commit: string;
  /** Keys of the notes that need no commit any more. */
  readonly settled: readonly string[];
}

export interface Unmerged {
  readonly path: string;
  /** Branch of the remote that has it; null where the remote accepts none. */
  readonly branch: string | null;
  readonly commit: string;
  readonly reason: string;
}

/** Where to find what was pushed. */
export const placeOf = ({ branch, commit }: Unmerged): string =>
  branch === null ? `commit ${commit.slice(0, 12)}` : `branch ${branch}`;

/** Whether a file goes to and fro. git refuses names that could be its own, on any system, and a commit with one of them whole. */
export const isExchanged = (path: string): boolean => isPath(path) && kindOf(path) !== null && !path.split('/').some(isGitName);

export interface RemoteState {
  /** Null: all is well. */
  readonly held: string | null;
  /** ISO 8601. */
  readonly since: string;
}

export const noBase: RemoteBase = { commit: null, seq: 0, pushing: [], unmerged: [], left: {} };

export function readBase(bytes: Uint8Array | null): RemoteBase {
  return bytes === null ? noBase : { ...noBase, ...(parsed(bytes) as Partial<RemoteBase>) };
}

export function readState(bytes: Uint8Array | null): RemoteState | null {
  return bytes === null ? null : (parsed(bytes) as unknown as RemoteState);
}

export const printDocument = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString());
  return isMap(value) ? value : {};
}
