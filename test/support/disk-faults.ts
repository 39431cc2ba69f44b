/**
 * A disk that fails: `node:fs` with a switch. To be imported before anything of `src`, which takes functions of `node:fs` over.
 *
 * What the test itself does beside it goes through `real`.
 */
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => unknown;

const mutable = createRequire(import.meta.url)('node:fs') as Record<string, Call> & { promises: Record<string, Call> };
const writing = ['write', 'fsync', 'fdatasync', 'rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'copyFile', 'fchmod', 'ftruncate'];
const reading = ['open', 'stat', 'lstat', 'fstat', 'read', 'readFile', 'readdir', 'realpath', 'access', 'close'];
/** Calls of the system, as they are named in errors, where Node calls them otherwise. */
const systemNames: Readonly<Record<string, string>> = {
  readdir: 'scandir',
  rm: 'unlink',
  copyFile: 'copyfile',
  readFile: 'open',
};

/**
 * The code with which a call fails; undefined: it goes on. `path` is that of the file, also for open ones. Of a write also `short`:
 * half of it is written before the disk is full; and `parts`: half of it is written, which is no error.
 */
export type Failing = (call: string, path: string, flags: unknown) => string | undefined;
/** Is told of each call that has been made, with what it returned; an open file by its number. */
export type Noting = (call: string, args: readonly unknown[], result: unknown) => void;

let failing: Failing = () => undefined;
let noting: Noting | undefined;
const paths = new Map<number, string>();
export const real: typeof fs = { ...fs };

for (const name of [...writing, ...reading, 'writeFile']) {
  wrap(mutable, name, 'later');
  wrap(mutable, `${name}Sync`, 'now');
  wrap(mutable.promises, name, 'promise');
}
syncBuiltinESMExports();

/** From now on calls fail as `next` says. @returns ends that */
export function failDisk(next: Failing): () => void {
  failing = next;
  return () => {
    failing = () => undefined;
  };
}

/** From now on `next` is told of calls. @returns ends that */
export function noteDisk(next: Noting): () => void {
  noting = next;
  return () => {
    noting = undefined;
  };
}

/** Whether a call changes something on the disk. */
export function isWriting(call: string, flags: unknown): boolean {
  if (call !== 'open') return writing.includes(call) || call === 'writeFile';
  const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants;
  return typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0 : /[wa+]/.test(String(flags ?? 'r'));
}

function wrap(owner: Record<string, Call>, name: string, kind: 'now' | 'later' | 'promise'): void {
  const original = owner[name];
  if (original === undefined) return;
  const call = name.replace(/Sync$/, '');
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    const error = errorOf(call, args);
    if (call === 'write' && (error?.code === 'short' || error?.code === 'parts')) {
      const written = writeHalf(args);
      if (error.code === 'parts') return kind === 'later' ? void process.nextTick(args.at(-1) as Call, null, written) : written;
      error.code = 'ENOSPC';
    }
    if (error === undefined)
      return noted(call, args, kind === 'later' ? later(this, original, call, args) : original.apply(this, args));
    if (kind === 'now') throw error;
    if (kind === 'promise') return Promise.reject(error);
    process.nextTick(args.at(-1) as Call, error);
    return undefined;
  };
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'prototype') continue;
    Object.defineProperty(wrapped, key, Object.getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  }
  owner[name] = wrapped;
}

/** @returns how many bytes it has written */
function writeHalf([file, bytes, offset, length, position]: readonly unknown[]): number {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : (bytes as Uint8Array);
  // A text is written from a position, bytes from an offset.
  const isText = typeof bytes === 'string' || typeof offset !== 'number';
  const [from, count, at] = isText ? [0, all.length, offset] : [offset, length ?? all.length - (offset as number), position];
  const half = Math.ceil((count as number) / 2);
  return real.writeSync(file as number, all, from as number, half, typeof at === 'number' ? at : null);
}

function errorOf(call: string, args: readonly unknown[]): NodeJS.ErrnoException | undefined {
  const [target, second] = args;
  const path = typeof target === 'number' ? (paths.get(target) ?? '') : String(target);
  const code = failing(call, path, second);
  if (code === undefined) return undefined;
  const syscall = systemNames[call] ?? call;
  return Object.assign(new Error(`${code}: made by the test, ${syscall} '${path}'`), { code, errno: -1, syscall, path });
}

/** Remembers which file an open handle stands for. */
function noted(call: string, args: readonly unknown[], result: unknown): unknown {
  if (call === 'open' && typeof result === 'number') paths.set(result, String(args[0]));
  if (typeof args.at(-1) !== 'function' && !(result instanceof Promise)) noting?.(call, args, result);
  return result;
}

/** A call that is answered later has been made then. */
function later(self: unknown, original: Call, call: string, args: readonly unknown[]): unknown {
  const answered = args.at(-1);
  if (noting === undefined || typeof answered !== 'function') return original.apply(self, [...args]);
  return original.call(self, ...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
    if (!error) noting?.(call, args.slice(0, -1), results[0]);
    (answered as Call)(error, ...results);
  });
}
