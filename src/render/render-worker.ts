/**
 * Long texts are rendered in a thread beside the one that answers: five megabytes of Markdown take seconds, in which nobody
 * else would be answered. The thread comes with the first of them, and goes when none has come for a while.
 */
import { Worker } from 'node:worker_threads';
import type { RenderedTexts, Wanted } from './render-worker-thread.ts';

interface Thread {
  readonly worker: Worker;
  /** What waits for an answer, by the number of its question. */
  readonly waiting: Map<number, (shown: RenderedTexts | null) => void>;
}

/** Renders texts in a thread of its own. */
export interface RenderWorker {
  /** @returns null where it could not be done: whoever needs the text renders it in place, and meets what is wrong with it */
  render(wanted: Wanted): Promise<RenderedTexts | null>;
  /** Ends the thread; those who wait get null. */
  close(): void;
}

/** Texts of so many characters take longer to render than others should wait. */
export const longText = 32 * 1024;

const idleMs = 30_000;

export function createRenderWorker(): RenderWorker {
  let thread: Thread | null = null;
  /** The source itself, which no build has gone over, has no thread that could be run. */
  let isMissing = false;
  let asked = 0;

  function start(): Thread {
    // Options of the command line are for the program, not for this.
    const worker = new Worker(new URL('./render-worker-thread.js', import.meta.url), { execArgv: [] });
    const waiting: Thread['waiting'] = new Map();
    const idle = setTimeout(end, idleMs).unref();
    worker.on('message', ({ number, shown }: { readonly number: number; readonly shown: RenderedTexts }) => {
      waiting.get(number)?.(shown);
      waiting.delete(number);
      idle.refresh();
      // A thread with nothing to do keeps no process alive.
      if (waiting.size === 0) worker.unref();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      isMissing ||= error.code === 'ERR_MODULE_NOT_FOUND';
    });
    worker.on('exit', () => {
      clearTimeout(idle);
      if (thread?.worker === worker) thread = null;
      for (const give of waiting.values()) give(null);
    });
    return { worker, waiting };

    function end(): void {
      if (waiting.size > 0) return void idle.refresh();
      thread = null;
      void worker.terminate();
    }
  }

  return {
    render(wanted) {
      if (isMissing) return Promise.resolve(null);
      try {
        thread ??= start();
      } catch {
        // No memory or no handles for a thread just now.
        return Promise.resolve(null);
      }
      const { worker, waiting } = thread;
      worker.ref();
      const number = asked++;
      worker.postMessage({ number, wanted });
      return new Promise((resolve) => waiting.set(number, resolve));
    },
    close() {
      void thread?.worker.terminate();
      thread = null;
    },
  };
}
