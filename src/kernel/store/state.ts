/**
 * The state directory: what this machine knows of its sites, outside every content folder. Whoever writes content, by a merge, an
 * archive or an import, cannot reach it. It holds one key, and for each content folder the private documents that count there
 * (`trusted.ts`).
 *
 *     <state>/key             32 random bytes
 *     <state>/sites/<name>/   of the content folder whose path hashes to <name>: where it is, and `private/`
 */

import { createCipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { environment } from '../environment.ts';
import { hash } from './bytes.ts';
import { realPath } from './disk-paths.ts';
import type { Documents } from './types.ts';

/** The state directory cannot be used; `hint` says what to do. */
export class StateError extends Error {
  readonly hint = 'CMS_STATE_DIR names another folder for it, outside the content';
}

/** Codes under the key of this machine: they say that it wrote something itself. */
export interface Seal {
  /** Of `parts` under a name, URL-safe base 64. */
  of(name: string, ...parts: readonly (Uint8Array | string)[]): string;
  matches(code: string, name: string, ...parts: readonly (Uint8Array | string)[]): boolean;
  /** The same for much data, faster than any hash. `name` must never stand for two states: it is random, or holds something that is. */
  quick(name: string, bytes: Uint8Array): Buffer;
}

/** Length of a quick code, bytes. */
const quickBytes = 16;

const keyBytes = 32;
const saltBytes = 12;

/** `$CMS_STATE_DIR`, else `$XDG_STATE_HOME/cms`, else `~/.local/state/cms`. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>> = environment): string {
  if (env.CMS_STATE_DIR) return resolve(env.CMS_STATE_DIR);
  const base = env.XDG_STATE_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.local', 'state'), 'cms');
}

/**
 * Where the state of one content folder is; there or not.
 * @throws StateError when it would be inside the content folder, which others write
 */
export function siteState(root: string, folder: string): string {
  const real = realPath(root);
  const inside = relative(realPath(folder), real);
  if (inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)))
    throw new StateError(`the state directory ${root} is inside the content folder`);
  return join(real, 'sites', hash(Buffer.from(realPath(folder))).slice(0, 22));
}

/**
 * The seal of this machine, made on first use.
 * @param readOnly  nothing is made; without a key nothing matches
 * @throws StateError when the key cannot be made or read
 */
export function openSeal(root: string, readOnly = false): Seal {
  const key = readKey(join(root, 'key')) ?? (readOnly ? randomBytes(keyBytes) : makeKey(root));
  const of: Seal['of'] = (name, ...parts) => {
    const code = createHmac('sha256', key).update(`${name}\0`);
    for (const part of parts) code.update(part);
    return code.digest('base64url');
  };
  const quickKey = createHmac('sha256', key).update('quick').digest();
  return {
    of,
    quick(name, bytes) {
      // The code of a cipher that enciphers nothing (GMAC).
      const nonce = createHmac('sha256', quickKey).update(name).digest().subarray(0, 12);
      const cipher = createCipheriv('aes-256-gcm', quickKey, nonce, { authTagLength: quickBytes }).setAAD(bytes);
      cipher.final();
      return cipher.getAuthTag();
    },
    matches(code, name, ...parts) {
      const [given, expected] = [Buffer.from(code), Buffer.from(of(name, ...parts))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** Makes a folder of the state directory, for its owner alone. @throws StateError */
export function makeStateFolder(dir: string): void {
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(dir, error);
  }
}

function readKey(file: string): Buffer | null {
  try {
    const key = fs.readFileSync(file);
    if (key.length === keyBytes) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error);
  }
  throw new StateError(`${file} is not a key of ${keyBytes} bytes`);
}

/** Several processes may make it at once: the first one's counts. */
function makeKey(root: string): Buffer {
  makeStateFolder(root);
  const file = join(root, 'key');
  const temporary = `${file}.${randomBytes(9).toString('base64url')}`;
  try {
    const handle = fs.openSync(temporary, 'wx', 0o600);
    fs.writeSync(handle, randomBytes(keyBytes));
    fs.fsyncSync(handle);
    fs.closeSync(handle);
    try {
      fs.linkSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  } catch (error) {
    throw unusable(root, error);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
  return readKey(file) as Buffer;
}

function unusable(path: string, error: unknown): StateError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new StateError(`the state directory cannot be used: ${path}: ${code ?? message}`, { cause: error });
}

/** Documents that count only as this machine has written them; others are as if they were not there. They can be made again. */
export function sealedDocuments(documents: Documents, seal: Seal): Documents {
  const codeOf = (key: string, salt: Uint8Array, bytes: Uint8Array): Buffer =>
    seal.quick(`${key} ${Buffer.from(salt).toString('base64url')}`, bytes);
  return {
    ...documents,
    async get(key) {
      const stored = await documents.get(key);
      const end = (stored?.length ?? 0) - saltBytes - quickBytes;
      if (stored === null || end < 0) return null;
      const [bytes, salt] = [stored.subarray(0, end), stored.subarray(end, end + saltBytes)];
      return timingSafeEqual(codeOf(key, salt, bytes), stored.subarray(end + saltBytes)) ? bytes : null;
    },
    async set(key, bytes) {
      const salt = randomBytes(saltBytes);
      await documents.set(key, Buffer.concat([bytes, salt, codeOf(key, salt, bytes)]));
    },
  };
}
