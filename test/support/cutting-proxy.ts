/**
 * A proxy before a database that can lose the answer to a commit: it has been made durable, and nobody has been told. It can also be a
 * network that carries nothing in one direction or both, and brings later what was sent meanwhile, even from who has given up.
 */
import { connect, createServer, type Socket } from 'node:net';

export type Direction = 'to' | 'from';

export interface CuttingProxy {
  readonly port: number;
  /** The next statement with this text is passed on, and its connection is cut before the answer comes back. @returns when that was */
  cutAfter(statement: string): Promise<void>;
  /** Cuts all connections, and lets none come until `mend`. */
  sever(): void;
  /** Nothing gets to the database, or from it, until `mend`. */
  hold(...directions: Direction[]): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let isSevered = false;
  let wanted: { readonly statement: string; done(): void } | null = null;
  let held: ReadonlySet<Direction> = new Set();
  /** What waits for `mend`, in its order. */
  let later: (() => void)[] = [];

  /** Now, or when the network carries again. */
  const pass = (direction: Direction, act: () => void): void => {
    if (held.has(direction)) later.push(act);
    else act();
  };

  const server = createServer((client) => {
    const database = connect(target, '127.0.0.1');
    let cut: (() => void) | null = null;
    const end = (): void => {
      // The node may give up before there is an answer: that is lost as well.
      cut?.();
      for (const socket of [client, database]) {
        open.delete(socket);
        socket.destroy();
      }
    };
    open.add(client).add(database);
    for (const [socket, direction] of [
      [client, 'to'],
      [database, 'from'],
    ] as const)
      socket.on('error', () => undefined).on('close', () => pass(direction, end));
    if (isSevered) return end();
    client.on('data', (bytes) => {
      if (wanted !== null && bytes.includes(wanted.statement)) {
        cut = wanted.done;
        wanted = null;
        database.once('data', end);
      }
      pass('to', () => database.write(bytes));
    });
    database.on('data', (bytes) => {
      if (cut === null) pass('from', () => client.write(bytes));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { readonly port: number };
  return {
    port,
    cutAfter: (statement) =>
      new Promise((done) => {
        wanted = { statement, done };
      }),
    sever() {
      isSevered = true;
      for (const socket of open) socket.destroy();
    },
    hold(...directions) {
      held = new Set(directions);
    },
    mend() {
      isSevered = false;
      held = new Set();
      const acts = later;
      later = [];
      for (const act of acts) act();
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of open) socket.destroy();
      }),
  };
}
