/**
 * Faults of the disk: a full disk, one that became read-only, missing rights, no more file handles. They concern every write, last
 * for a while and end by themselves, so each is logged once when it begins and once when it is over, however many requests meet it.
 *
 * `background` runs what nobody waits for (timers, watchers, cleaning up). Nothing it runs can end the process.
 */

import { EngineAwayError } from './content-engine.ts';

type Fault =
  /** No space left, or none for this user. */
  | 'full'
  /** It cannot be written (or read) now. */
  | 'unavailable';

export interface Faults {
  /** Records an error, and logs it if it begins a fault. @returns null if it is not a disk fault */
  report(error: unknown): Fault | null;
  /** A write has succeeded. */
  succeeded(): void;
  /** Runs work that nobody waits for. Never throws, never rejects; an error is logged, the same one not again and again. */
  background(what: string, work: () => unknown): Promise<void>;
  /** Codes of the faults that there are now. */
  present(): readonly string[];
  /** Where lines go from now on; warnings of the process before. */
  logTo(log: (line: string) => void): void;
}

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const unavailable: ReadonlySet<string> = new Set(
  `EACCES EPERM EROFS EIO EMFILE ENFILE ENOMEM EBUSY ETXTBSY EAGAIN ETIMEDOUT EHOSTDOWN ESTALE ENODEV
  ENXIO ENOTCONN EREMOTEIO ENOLCK EDEADLK EINTR ENOENT ENOTDIR ENOTSUP EBADF`.split(/\s+/),
);
/** Calls of the file system. The network has errors of the same codes. */
const calls =
  /^(?:open|opendir|close|read|write|writev|fsync|fdatasync|rename|unlink|rm|rmdir|mkdir|mkdtemp|stat|lstat|fstat|statx|statfs|scandir|copyfile|realpath|access|ftruncate|f?chmod|link|symlink|readlink|f?utimes?)$/;
/** A fault that has been quiet so long is over with the next success: of several files, only one may be out of reach. */
const quietMs = 1000;
/** The same error of background work is logged again after this. */
const repeatMs = 10 * 60_000;
const maxRemembered = 256;

/** What kind of fault of the disk an error is; null when it is none. */
export function faultOf(error: unknown): Fault | null {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !calls.test(syscall)) return null;
  return full.has(code) ? 'full' : unavailable.has(code) ? 'unavailable' : null;
}

export function createFaults(): Faults {
  /** Code → when it was last met, by the clock of `performance.now`. */
  const present = new Map<string, number>();
  /** Errors of background work → when they were logged. */
  const logged = new Map<string, number>();
  let log = (line: string): void => process.emitWarning(line);

  function report(error: unknown): Fault | null {
    const fault = error instanceof EngineAwayError ? 'unavailable' : faultOf(error);
    if (fault === null) return null;
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isNew = !present.has(code);
    present.set(code, performance.now());
    if (isNew) log(`storage: ${message}; requests that need it are refused until this is over`);
    return fault;
  }

  function logOnce(line: string): void {
    const now = performance.now();
    if (now - (logged.get(line) ?? Number.NEGATIVE_INFINITY) < repeatMs) return;
    if (logged.size >= maxRemembered) logged.clear();
    logged.set(line, now);
    log(line);
  }

  return {
    report,
    succeeded() {
      if (present.size === 0) return;
      const now = performance.now();
      for (const last of present.values()) if (now - last < quietMs) return;
      log(`storage: writing works again (${[...present.keys()].join(', ')} is over)`);
      present.clear();
    },
    async background(what, work) {
      try {
        await work();
      } catch (error) {
        if (report(error) === null) logOnce(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    present: () => [...present.keys()],
    logTo(next) {
      log = next;
    },
  };
}
