/**
 * A reader: follows the writer and answers what only reads from its own memory, once that has come to the position. Whatever else comes, and
 * everything while it does not follow, it hands on to the writer. While there is no writer nothing can be written, so its last state
 * still holds.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startJobs } from '../../jobs.ts';
import type { Site } from '../../site/site.ts';
import type { Registry } from '../../rest/types.ts';
import { createServer, type Server, warmSearch } from '../server.ts';
import { filesAt, pathBelow } from '../uploads.ts';
import { introduction } from './channel.ts';
import type { Message, Report } from './log-messages.ts';
import { createForwarder } from './forward.ts';
import { frameOf, readFrames } from './frames.ts';
import type { Position } from './position.ts';
import { createIsReading, type IsReading } from './routing.ts';
import { follow, type OpenReplica, openReplica } from './replica.ts';
import { createWriterAddress, deferred } from './writer-address.ts';

export interface Reader {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** A writer has opened its listener at this base path. */
  follow(base: string): void;
  /** Resolves when it has been in step for the first time, with the address the server listens at. */
  readonly ready: Promise<string>;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly token: string;
  readonly position: Position;
  readonly open: OpenReplica;
  readonly compose: (site: Site) => Registry;
  readonly log: (line: string) => void;
  /** How long a request waits for a writer. */
  readonly patienceMs?: number;
  /** Told of each server that it answers with. */
  readonly serving?: ((server: Server) => void) | undefined;
}

interface Serving {
  readonly site: Site;
  readonly server: Server;
  readonly isReading: IsReading;
  readonly stop: () => void;
}

/** Why following has ended: there is more to read than to be told, or it went wrong. */
type Ending = 'renew' | 'again';

const pauseMs = { first: 100, longest: 5000 };
/** A request waits so long for what was told to come. */
const behindMs = 5000;

export function createReader({ token, position, open, compose, log, patienceMs = 30_000, serving: tell }: ReaderOptions): Reader {
  const writer = createWriterAddress();
  const progress = createProgress(position);
  const forwarder = createForwarder({ token, writer: (not) => writer.next(not, patienceMs) });
  let serving: Serving | null = null;
  let isClosed = false;
  let followed: Socket | null = null;
  const { promise: ready, resolve: announce } = deferred<string>();
  const running = run();

  return {
    ready,
    handle(incoming, outgoing) {
      const now = serving;
      if (!now?.isReading(incoming)) return forwarder.forward(incoming, outgoing);
      if (progress.isThere()) return answer(now, incoming, outgoing);
      void progress
        .arrival(behindMs)
        .then((isThere) => (isThere ? answer(now, incoming, outgoing) : forwarder.forward(incoming, outgoing)));
    },
    follow: writer.set,
    async close() {
      isClosed = true;
      writer.close();
      followed?.destroy();
      await running;
      await retire();
      forwarder.close();
    },
  };

  function answer({ site, server }: Serving, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const files = filesAt(site, incoming);
    if (!files) server.handle(incoming, outgoing);
    else
      void files
        .isMade(pathBelow(files.root, incoming.url ?? ''), incoming)
        .catch(() => false)
        .then((made) => (made ? server.handle(incoming, outgoing) : forwarder.forward(incoming, outgoing)));
  }

  async function run(): Promise<void> {
    let last: string | undefined;
    let restMs = pauseMs.first;
    while (!isClosed) {
      const at = await writer.next(last, Number.POSITIVE_INFINITY);
      if (at === null) continue;
      const socket = await reach(`${at}.log`);
      if (!socket) {
        last = at;
        writer.gone(at);
        continue;
      }
      await retire();
      // It was closed while it reached the writer: nobody else ends this connection.
      if (isClosed) return void socket.destroy();
      const ending = await listen(socket).catch((error: unknown): Ending => {
        log(`following the writer: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return 'again';
      });
      socket.destroy();
      followed = null;
      if (serving !== null || ending === 'renew') restMs = pauseMs.first;
      if (ending === 'renew' || isClosed) continue;
      await pause(restMs);
      restMs = Math.min(restMs * 2, pauseMs.longest);
    }
  }

  /** Follows the replication log until it ends. */
  async function listen(socket: Socket): Promise<Ending> {
    followed = socket;
    const inbox = createInbox(socket);
    socket.write(introduction(token));
    let site: Site | null = null;
    let address = '';
    try {
      for (;;) {
        const message = await inbox.next();
        // What has come before still counts.
        if (message === null) return 'again';
        if (message.kind === 'snapshot') {
          site = await openReplica(open, message, token);
          if (!site) return 'again';
          // The writer counts for all workers.
          for (const { name, report } of site.replicated) report?.((said) => say({ name, report: said }));
          address = message.address;
        } else if (message.kind === 'renew') {
          await retire();
          return 'renew';
        } else {
          await follow(site as Site, message);
        }
        progress.reach(message.seq);
        if (serving || !progress.isThere()) continue;
        serving = serve(site as Site);
        announce(address);
      }
    } catch (error) {
      await retire();
      throw error;
    } finally {
      if (site && (serving as Serving | null)?.site !== site) await site.close();
    }

    function say(report: Report): void {
      if (!socket.destroyed) socket.write(frameOf(report));
    }
  }

  function serve(site: Site): Serving {
    const registry = compose(site);
    const server = createServer({ site, registry, log, forward: forwarder.ask });
    tell?.(server);
    const ends = [startJobs(site), warmSearch(site.records)];
    return { site, server, isReading: createIsReading(registry, site), stop: () => void ends.map((end) => end()) };
  }

  async function retire(): Promise<void> {
    const before = serving;
    serving = null;
    progress.reset();
    before?.stop();
    await before?.site.close().catch((error: unknown) => log(`closing: ${String(error)}`));
  }
}

/** How far memory has come, and who waits for it to come further. */
function createProgress(position: Position) {
  const waiting = new Set<(isThere: boolean | undefined) => void>();
  let reached = Number.NaN;
  const isThere = (): boolean => reached === position.read();
  return {
    isThere,
    reach(seq: number): void {
      reached = seq;
      for (const look of waiting) look(undefined);
    },
    /** Memory is given up. */
    reset(): void {
      reached = Number.NaN;
      for (const look of waiting) look(false);
    },
    /** @returns whether it has come to where the position is now */
    arrival(limitMs: number): Promise<boolean> {
      const wanted = position.read();
      return new Promise((resolve) => {
        const timer = setTimeout(() => look(false), limitMs);
        const look = (known = reached >= wanted ? true : undefined): void => {
          if (known === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(known);
        };
        waiting.add(look);
        look();
      });
    },
  };
}

async function reach(path: string): Promise<Socket | null> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}

/** What has come and was not yet taken. */
function createInbox(socket: Socket) {
  const messages: Message[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  readFrames(socket, (message) => {
    messages.push(message as Message);
    wake();
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    isOver = true;
    wake();
  });
  return {
    /** Null when nothing will come any more. */
    async next(): Promise<Message | null> {
      while (messages.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return messages.shift() ?? null;
    },
  };
}
