/**
 * How a command says no: one line that names the flag or file, a hint below it, and an exit status.
 */
import { table } from '../kernel/model/maps.ts';

export const status = { fine: 0, failed: 1, misused: 2 } as const;

export class Failure extends Error {
  readonly status: number;
  readonly hint: string | undefined;
  constructor(status: number, message: string, hint?: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.hint = hint;
  }
}

/** The command was called in a way that cannot work. @throws Failure with status 2 */
export function misuse(message: string, hint?: string): never {
  throw new Failure(status.misused, message, hint);
}

/** The command was right and the work did not succeed. @throws Failure with status 1 */
export function failed(message: string, hint?: string, cause?: unknown): never {
  throw new Failure(status.failed, message, hint, cause);
}

const systemErrors: Readonly<Record<string, string>> = table({
  EACCES: 'no permission',
  EPERM: 'not permitted',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ENOENT: 'does not exist',
  ENOTDIR: 'not a folder',
  EMFILE: 'too many open files',
});

/** Why the system did not let a file be read or written, in words; undefined for every other error. */
export function refusalOf(error: unknown): string | undefined {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  return ['EACCES', 'EPERM', 'EROFS'].includes(code) ? systemErrors[code] : undefined;
}

/** One line for any error; for those of the system, the file and the reason in words. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' && syscall === 'mkdir' ? 'cannot be created here' : systemErrors[code ?? ''];
  // What of its own the server could not write says nothing to a person; the folder does.
  if (reason !== undefined && path !== undefined)
    return `${path.replace(/([\\/]\.cms)[\\/].*$|[\\/]\.cms-tmp-[^\\/]*$/s, '$1')}: ${reason}`;
  return error.message.split('\n')[0] || error.name;
}
