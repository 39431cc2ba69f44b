/**
 * The one line at the terminal that is written over. It never stays behind: whatever else is said takes it away, and so do a signal and
 * the end of the process, however that comes.
 */

/** Takes away the line that the cursor is in. */
export const takenAway = '\r\u001b[K';

/**
 * What is said, for a terminal, which obeys control characters: names and texts of files may hold any. Colours stay, each other one shows
 * as one mark; so do characters that turn the direction of what is read.
 */
export function inert(text: string): string {
  return text.replace(/\u001b\[[\d;]*m|[^\P{Cc}\t\n\r]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/gu, (found) =>
    found.length > 1 ? found : '\ufffd',
  );
}

interface Drawing {
  /** @param text  what the line is from now on, after `takenAway`; that alone: nothing */
  draw(text: string): void;
  /** Takes the line away, where there is one. */
  clear(): void;
}

type Host = Pick<NodeJS.Process, 'on' | 'off' | 'listenerCount' | 'kill' | 'pid'>;

const signals = ['SIGINT', 'SIGTERM'] as const;

export function createDrawing(write: (text: string) => void, host: Host = process): Drawing {
  let isDrawn = false;
  return {
    draw(text) {
      if (text === takenAway) return clear();
      write(text);
      if (isDrawn) return;
      isDrawn = true;
      for (const signal of signals) host.on(signal, stop);
      host.on('exit', clear);
    },
    clear,
  };

  function clear(): void {
    if (!isDrawn) return;
    isDrawn = false;
    write(takenAway);
    for (const signal of signals) host.off(signal, stop);
    host.off('exit', clear);
  }

  function stop(signal: NodeJS.Signals): void {
    clear();
    // Where nobody else takes it, the process ends as it does without the line.
    if (host.listenerCount(signal) === 0) host.kill(host.pid, signal);
  }
}
