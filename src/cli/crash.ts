/**
 * What becomes of a server when something is thrown that nobody catches: no request does that, so nobody knows what state the process is
 * in. It says what, with its cause, takes no new requests, finishes those under way, and ends with status 1, for a supervisor (or the
 * primary of its workers) to start it anew.
 */
import { describe } from '../kernel/http/connections.ts';

interface CrashWatch {
  /** Resolves when something was thrown. */
  readonly crashed: Promise<void>;
  /** Whether something was. */
  hasCrashed(): boolean;
  /** Leaves such errors to node again. */
  end(): void;
}

/** @param limitMs  the process ends after that, finished or not */
export function watchCrash(log: (line: string) => void, limitMs: number): CrashWatch {
  let crash: () => void = () => undefined;
  let hasCrashed = false;
  const crashed = new Promise<void>((resolve) => {
    crash = resolve;
  });
  const take = (error: unknown): void => {
    log(`uncaught: ${describe(error)}`);
    if (hasCrashed) return;
    hasCrashed = true;
    log('the server cannot continue: finishing requests in progress, then exiting with status 1');
    setTimeout(() => process.exit(1), limitMs).unref();
    crash();
  };
  process.on('uncaughtException', take).on('unhandledRejection', take);
  return {
    crashed,
    hasCrashed: () => hasCrashed,
    end: () => void process.off('uncaughtException', take).off('unhandledRejection', take),
  };
}
