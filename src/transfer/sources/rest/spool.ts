/**
 * What a live site has answered, kept between runs: one file of JSON lines per list. A line counts when it is whole, so an
 * interruption at any place costs one answer. Both passes of an import read here; an interrupted run goes on from here.
 *
 * Drafts and addresses of people are in it, so it is for its owner alone. Credentials are not.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createDisk } from '../../../kernel/store/durable.ts';

export interface Spool {
  /** Lines of a list in the order they were added; what follows a broken one is dropped. */
  lines(name: string): AsyncGenerator<unknown>;
  add(name: string, line: unknown): Promise<void>;
  /** The whole import is done: nothing is kept, the next one asks the source again. */
  finish(): Promise<void>;
}

const version = 1;
/** Answers of an interrupted run that are older are not gone on with. */
const freshMs = 24 * 60 * 60_000;
const newline = 10;

/**
 * @param scratch  folder that stays between runs
 * @param identity  what the answers depend on: the root, and who asks
 */
export async function openSpool(scratch: string, identity: string, clock: () => number = Date.now): Promise<Spool> {
  const folder = join(scratch, `rest-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`);
  const stateFile = join(folder, 'state.json');
  const begun = await readBeginning(stateFile);
  if (begun === null || clock() - begun > freshMs) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await createDisk().write(stateFile, Buffer.from(JSON.stringify({ version, begun: clock() })), 0o600);
  }

  /** Readable, and its own for every name. */
  const fileOf = (name: string): string => {
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
    return join(folder, `${name.replace(/[^\w-]+/g, '-').slice(-60)}-${digest}.jsonl`);
  };
  return {
    async *lines(name) {
      const path = fileOf(name);
      if (!existsSync(path)) return;
      let good = 0;
      for await (const bytes of linesOf(path)) {
        const line = parse(bytes);
        if (line === undefined) break;
        good += bytes.length + 1;
        yield line;
      }
      await truncate(path, good);
    },
    async add(name, line) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await appendFile(fileOf(name), `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
    finish: () => rm(folder, { recursive: true, force: true }),
  };
}

/** When it was begun; null when there is nothing that can be read here. */
async function readBeginning(path: string): Promise<number | null> {
  try {
    const state = JSON.parse(await readFile(path, 'utf8')) as { version?: unknown; begun?: unknown };
    return state.version === version && typeof state.begun === 'number' ? state.begun : null;
  } catch {
    return null;
  }
}

/** Lines that have their end, without it. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, at)]);
      pieces = [];
      from = at + 1;
    }
    pieces.push(chunk.subarray(from));
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
