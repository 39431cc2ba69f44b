/**
 * The log: a line of text for people, or one JSON object a line for programs. No line has a query, a header but the request's id,
 * or anything of a body.
 */
import type { FileChange } from '../kernel/store/types.ts';

export type LogFormat = 'text' | 'json';

/** A request that has been answered. */
interface RequestEvent {
  readonly event: 'request';
  readonly request: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Login; absent for visitors and where it was not asked. */
  readonly user?: string | undefined;
  /** The client left before the end. */
  readonly aborted?: true;
}

/** A commit to the content folder. */
interface WriteEvent {
  readonly event: 'write';
  /** Absent where no request asked for it. */
  readonly request?: string | undefined;
  readonly saved: readonly string[];
  readonly removed: readonly string[];
  readonly ms: number;
  /** Login of whoever asked; null for a visitor; absent where the server itself wrote. */
  readonly user?: string | null | undefined;
}

/** Anything else the server has to say. */
interface MessageEvent {
  readonly event: 'message';
  readonly message: string;
}

type LogEvent = RequestEvent | WriteEvent | MessageEvent;

/** @param clock  milliseconds since the epoch */
export function printEvent(event: LogEvent, format: LogFormat, clock: () => number = Date.now): string {
  if (format === 'json') {
    const ms = 'ms' in event ? { ms: rounded(event.ms) } : {};
    return JSON.stringify({ time: new Date(clock()).toISOString(), ...event, ...ms });
  }
  if (event.event === 'message') return event.message;
  return event.event === 'write' ? printWrite(event) : printRequest(event);
}

/** Files as a commit leaves them. */
export function filesOf(changes: readonly FileChange[]): Pick<WriteEvent, 'saved' | 'removed'> {
  const [saved, removed]: [string[], string[]] = [[], []];
  for (const change of changes) {
    if ('remove' in change) removed.push(change.remove);
    else saved.push(change.path);
    if ('from' in change && change.from !== undefined) removed.push(change.from);
  }
  return { saved, removed };
}

/** `saved posts/a.md and 1 more by anna, 3 ms [id]` */
function printWrite({ saved, removed, user, ms, request }: WriteEvent): string {
  const parts = [
    ...(saved.length > 0 ? [`saved ${listOf(saved)}`] : []),
    ...(removed.length > 0 ? [`removed ${listOf(removed)}`] : []),
  ];
  const who = user === undefined ? 'the server' : user === null ? 'a visitor' : printable(user);
  return `${parts.join(', ')} by ${who}, ${rounded(ms)} ms${request === undefined ? '' : ` [${request}]`}`;
}

/** `GET /cms-json/cms/v2/posts 200, 3 ms, anna [id]` */
function printRequest({ method, path, status, ms, user, aborted, request }: RequestEvent): string {
  const details = [`${rounded(ms)} ms`, ...(user === undefined ? [] : [printable(user)]), ...(aborted ? ['aborted'] : [])];
  return `${printable(method)} ${printable(path)} ${status}, ${details.join(', ')} [${request}]`;
}

function listOf([first = '', ...more]: readonly string[]): string {
  return `${printable(first)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}

function rounded(ms: number): number {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms);
}

/** Names come from clients: what moves the cursor, colours the line or begins another one is shown as `?`. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
