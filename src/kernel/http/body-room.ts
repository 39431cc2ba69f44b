/**
 * The memory that request bodies share. Each claims what it keeps before it keeps it; visitors have a part of their own, so that they
 * cannot take what those who write need. Large bodies are parsed and answered one at a time: a body of 30 MB becomes several times
 * as much while it is worked on.
 */
import { table } from '../model/maps.ts';
import type { BodyClaim } from '../rest/body.ts';
import { BodyError } from '../rest/body-error.ts';

interface BodyRoom {
  /** @param isTrusted  whether its sender may write */
  open(isTrusted: boolean): OpenClaim;
}

interface OpenClaim extends BodyClaim {
  /** Gives everything back: the request is answered. */
  close(): void;
}

const maxBytes = table({ trusted: 128 * 1024 * 1024, others: 32 * 1024 * 1024 });
/** Large bodies that wait for their turn. */
const maxWaiting = 16;

export function createBodyRoom(): BodyRoom {
  const kept = { trusted: 0, others: 0 };
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    open(isTrusted) {
      const part = isTrusted ? 'trusted' : 'others';
      let own = 0;
      let hasTurn = false;
      let isOpen = true;
      return {
        take(bytes) {
          if (kept[part] + bytes > maxBytes[part]) throw new BodyError(503, 'Too many request bodies at once.');
          kept[part] += bytes;
          own += bytes;
        },
        async turn() {
          if (isTaken) {
            if (waiting.length >= maxWaiting) throw new BodyError(503, 'Too many large request bodies at once.');
            await new Promise<void>((resolve) => void waiting.push(resolve));
          }
          isTaken = true;
          hasTurn = true;
        },
        close() {
          if (!isOpen) return;
          isOpen = false;
          kept[part] -= own;
          if (!hasTurn) return;
          // Handed on rather than given back: nobody comes in between.
          const next = waiting.shift();
          isTaken = next !== undefined;
          next?.();
        },
      };
    },
  };
}
