/**
 * The audit log: one JSON line per event, append-only. When full it is rotated, and the oldest file is deleted.
 *
 *     {"time":"2026-05-04T10:00:00.000Z","event":"sign-in","by":1,"ip":"192.0.2.7"}
 *
 * Each event opens the file again, so that several processes can write to it and follow rotations.
 */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { siteState, stateDirectory } from '../../../kernel/store/state.ts';
import type { AuditEvent } from './record.ts';

export interface AuditLog {
  /** Resolves when it is being written. @throws NodeJS.ErrnoException */
  append(event: AuditEvent): Promise<void>;
  /** Resolves when everything appended is written, or has failed. */
  settle(): Promise<void>;
}

const auditLimits = { bytes: 1024 * 1024, files: 5 };
const longest = 300;

/**
 * @param named   the operator's path; '' for the site's own in the state directory
 * @param folder  absolute path of the content folder; other engines have no log
 * @returns null for none
 */
export function auditPath(named: string, folder: string): string | null {
  if (named !== '') return named === 'none' ? null : resolve(named);
  return isAbsolute(folder) ? join(siteState(stateDirectory(), folder), 'audit.log') : null;
}

/** The log of failed attempts: `audit.attempts.log`. */
export function attemptsPath(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.attempts${ext}`);
}

/** @param clock  milliseconds since the epoch */
export function createAuditLog(path: string, clock: () => number, { bytes, files } = auditLimits): AuditLog {
  let last: Promise<void> = Promise.resolve();
  return {
    append(event) {
      const line = `${JSON.stringify({ time: new Date(clock()).toISOString(), ...event }, shortened)}\n`;
      last = last.catch(() => undefined).then(() => write(line));
      return last;
    },
    settle: () => last.catch(() => undefined),
  };

  async function write(line: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const size = await stat(path).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size + line.length > bytes) await rotate();
    await appendFile(path, line, { mode: 0o600 });
  }

  async function rotate(): Promise<void> {
    const at = (number: number): string => (number === 0 ? path : `${path}.${number}`);
    for (let number = files - 2; number >= 0; number--) {
      await rename(at(number), at(number + 1)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
}

/** Names given by users are cut. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, longest) : value;
}

/** The user of the command line. */
export function systemUser(): string {
  return `cli:${userInfo().username}`;
}
