/** Statements that a session keeps, so that it plans them once. */
import { createHash } from 'node:crypto';
import pg from 'pg';

/** Runs a statement with the name that it is kept under, or without one. */
type RunPrepared = <T>(sql: string, run: (name?: string) => Promise<T>) => Promise<T>;

/** @param isKept  false where each statement may meet another session */
export function createPrepared(isKept: boolean): RunPrepared {
  const names = new Map<string, string>();
  let isUsed = isKept;

  /** Of the text alone: whatever else shares a session through a pooler, one name is one statement. */
  function nameOf(sql: string): string {
    const name = names.get(sql) ?? `cms_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    names.set(sql, name);
    return name;
  }

  return async (sql, run) => {
    if (!isUsed) return run();
    try {
      return await run(nameOf(sql));
    } catch (error) {
      if (!isMissed(error)) throw error;
      isUsed = false;
      return run();
    }
  };
}

/** The session does not know the statement, or has kept another state of it: a pooler is between that nobody has told of. */
function isMissed(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(?:26000|42P05|0A000)$/.test(error.code ?? '');
}
