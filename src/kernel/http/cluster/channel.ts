/**
 * The writer's private listener: a socket where readers follow the replication log, and one where they hand requests on. Both are for the
 * workers of this run alone, who know its token, and take nobody in before the writer is open.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { ReplicationLog } from './replication.ts';
import { passed } from './forward.ts';
import { frameOf, readFrames } from './frames.ts';
import { deferred } from './writer-address.ts';

interface Channel {
  /** Who sent a request that was handed on; undefined for one that was not. */
  ipOf(incoming: IncomingMessage): string | undefined;
  /** Accepts waiting and new readers. */
  open(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void): void;
  close(): void;
}

interface ChannelOptions {
  /** Path of the sockets without their endings; on Windows the name of a pipe. */
  readonly base: string;
  readonly token: string;
  readonly replication: Pick<ReplicationLog, 'subscribe'>;
}

interface Introduction {
  readonly token: string;
}

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export async function openChannel({ base, token, replication }: ChannelOptions): Promise<Channel> {
  const clients = new WeakMap<IncomingMessage, string>();
  const sockets = new Set<Socket>();
  const { promise: handling, resolve: opened } = deferred<Handle>();

  const follow = createServer((socket) => {
    hold(socket);
    socket.on('error', () => socket.destroy());
    let isKnown = false;
    readFrames(socket, (message) => {
      if (isKnown) return;
      if (!isToken((message as Introduction).token)) return void socket.destroy();
      isKnown = true;
      void handling.then(() => {
        socket.removeAllListeners('data');
        if (!socket.destroyed) replication.subscribe(socket);
      });
    });
  });

  // The limits of the public listener hold already; what comes through it and a little more must pass here.
  const ask = createHttpServer({ maxHeaderSize: 64 * 1024, requestTimeout: 0, keepAliveTimeout: 0 }, (incoming, outgoing) => {
    if (!isToken(incoming.headers[passed.token])) return void outgoing.writeHead(403).end();
    clients.set(incoming, String(incoming.headers[passed.ip]));
    for (const name of Object.values(passed)) delete incoming.headers[name];
    void handling.then((handle) => handle(incoming, outgoing));
  });
  ask.on('connection', hold);

  for (const [server, path] of [
    [follow, `${base}.log`],
    [ask, `${base}.http`],
  ] as const) {
    await new Promise<void>((resolve, reject) => {
      // `exclusive`: not through the primary, which would share it among the workers.
      server.once('error', reject).listen({ path, exclusive: true }, resolve);
    });
  }

  return {
    ipOf: (incoming) => clients.get(incoming),
    open: opened,
    close() {
      follow.close();
      ask.close();
      for (const socket of sockets) socket.destroy();
    },
  };

  function hold(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  function isToken(given: unknown): boolean {
    const [a, b] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
}

/** How a reader shows who it is. */
export function introduction(token: string): Buffer {
  return frameOf({ token } satisfies Introduction);
}
