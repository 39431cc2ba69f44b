/**
 * What a command has of the process it runs in. Commands get it passed in, so tests run them without one.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { environment } from '../kernel/environment.ts';
import { createDrawing, inert, takenAway } from './drawing.ts';

export interface Io {
  /** A line on standard output: results, for people and scripts. */
  out(line: string): void;
  /** A line on standard error: everything that is only for people. */
  err(line: string): void;
  /** Text on standard error without a line end, for lines that are written over. */
  draw(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The copy of an engine, for a command that works on files; null: no engine is named. */
  readonly copied?: () => { readonly dir: string; readonly name: string } | null;
  /** Whether a person looks at the stream. */
  readonly terminal: Readonly<Record<Stream, boolean>>;
  /** Everything on standard input. */
  input(): Promise<string>;
  /** A line that is typed and not shown; where nobody types, the first line of standard input. */
  secret(question: string): Promise<string>;
  /** Asks the person at the terminal; absent where nobody sits, or where what is printed goes into a file or program. */
  readonly ask?: (question: string) => Promise<string>;
  /**
   * Resolves when the process is asked to stop; when asked a second time it ends at once.
   * @param patienceMs  after which it ends all the same; usually 2000
   */
  stopped(patienceMs?: number): Promise<void>;
}

export type Stream = 'out' | 'err';
export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

const drawing = createDrawing((text) => void process.stderr.write(text));

export const processIo: Io = {
  out(line) {
    drawing.clear();
    process.stdout.write(`${process.stdout.isTTY ? inert(line) : line}\n`);
  },
  err(line) {
    drawing.clear();
    process.stderr.write(`${process.stderr.isTTY ? inert(line) : line}\n`);
  },
  draw: drawing.draw,
  env: environment,
  cwd: process.cwd(),
  terminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
  async input() {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8');
  },
  async secret(question) {
    if (!process.stdin.isTTY) return (await this.input()).split(/\r?\n/, 1)[0] ?? '';
    process.stderr.write(question);
    // What is typed is echoed into nothing.
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output, terminal: true });
    lines.once('SIGINT', () => process.exit(130));
    try {
      return await lines.question('');
    } finally {
      lines.close();
      process.stderr.write('\n');
    }
  },
  ...(process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY ? { ask } : {}),
  stopped: (patienceMs = 2000) =>
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
          if (Number.isFinite(patienceMs)) setTimeout(() => process.exit(0), patienceMs).unref();
          resolve();
        });
      }
    }),
};

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** Text in a colour, where a person sees it and has not said NO_COLOR. */
export function paint(io: Io, stream: Stream, style: Style, text: string): string {
  return io.terminal[stream] && !io.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;
}

/** The work under way as one line that counts, for people, when it takes longer than a second. */
export interface Progress {
  /** @param more  what else is to be said of it: `12 files` */
  update(done: number, total: number, more?: string): void;
  /** Takes the line away. */
  end(): void;
}

const patienceMs = 1000;
const redrawMs = 100;
/** Before that, how fast it goes says nothing of how long it takes. */
const judgedMs = 3000;

/** With how fast it goes and how long it will take, once that can be said. */
export function createProgress(io: Io, what: string, clock: () => number = Date.now): Progress {
  const started = clock();
  let next = started + patienceMs;
  let drawn = false;
  return {
    update(done, total, more = '') {
      const now = clock();
      if (!io.terminal.err || now < next) return;
      next = now + redrawMs;
      drawn = true;
      const pace = now - started < judgedMs ? '' : paceOf(done, total, (now - started) / 1000);
      io.draw(`${takenAway}${what}: ${compact(done)} of ${compact(total)}${more === '' ? '' : `, ${more}`}${pace}`);
    },
    end() {
      if (drawn) io.draw(takenAway);
      drawn = false;
    },
  };
}

/** `, 512/s, 12 s left` */
function paceOf(done: number, total: number, seconds: number): string {
  const rate = done / seconds;
  if (rate <= 0) return '';
  const left = Math.max(0, total - done) / rate;
  return `, ${compact(Math.round(rate))}/s, ${duration(left)} left`;
}

/** Counts of bytes are long: `105 M`. */
function compact(number: number): string {
  if (number < 1_000_000) return String(number);
  return number < 1_000_000_000 ? `${(number / 1_000_000).toFixed(1)} M` : `${(number / 1_000_000_000).toFixed(2)} G`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Rows in columns; the last column is not padded. @returns the heading, then a line for each row */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd(),
  );
}
