/**
 * What a command has of the process it runs in. Commands get it passed in, so tests run them without one.
 */
import { styleText } from 'node:util';

export interface Io {
  /** A line on standard output: results, for people and scripts. */
  out(line: string): void;
  /** A line on standard error: everything that is only for people. */
  err(line: string): void;
  /** Text on standard error without a line end, for lines that are written over. */
  draw(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether a person looks at the stream. */
  readonly terminal: Readonly<Record<Stream, boolean>>;
  /** Everything on standard input. */
  input(): Promise<string>;
  /** Resolves when the process is asked to stop; when asked a second time it ends at once. */
  stopped(): Promise<void>;
}

export type Stream = 'out' | 'err';
export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

export const processIo: Io = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  draw: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  terminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
  async input() {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8');
  },
  stopped: () =>
    new Promise((resolve) => {
      let asked = false;
      for (const [signal, status] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const) {
        process.on(signal, () => {
          if (asked) process.exit(status);
          asked = true;
          // Connections that clients keep open must not hold the process.
          setTimeout(() => process.exit(0), 2000).unref();
          resolve();
        });
      }
    }),
};

/** Text in a colour, where a person sees it and has not said NO_COLOR. */
export function paint(io: Io, stream: Stream, style: Style, text: string): string {
  return io.terminal[stream] && !io.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;
}

/** The work under way as one line that counts, for people, when it takes longer than a second. */
export interface Progress {
  update(done: number, total: number): void;
  /** Takes the line away. */
  end(): void;
}

const patienceMs = 1000;
const redrawMs = 100;

export function createProgress(io: Io, what: string, clock: () => number = Date.now): Progress {
  let next = clock() + patienceMs;
  let drawn = false;
  return {
    update(done, total) {
      if (!io.terminal.err || clock() < next) return;
      next = clock() + redrawMs;
      drawn = true;
      io.draw(`\r\u001b[K${what}: ${done} of ${total}`);
    },
    end() {
      if (drawn) io.draw('\r\u001b[K');
      drawn = false;
    },
  };
}
