/**
 * The writer: the one worker that holds the site as a server of one process does (it watches, schedules and writes), and tells
 * the readers of every change before it is answered.
 *
 * On a site that is served read-only it is still the one that watches and gives out ids, which live in memory alone there.
 */
import type { IncomingMessage } from 'node:http';
import type { Site } from '../../site/site.ts';
import type { Registry } from '../../rest/types.ts';
import type { Around } from '../connections.ts';
import { createServer, type Server } from '../server.ts';
import { openChannel } from './channel.ts';
import { createReplicationLog, type ReplicationLog } from './replication.ts';

/** Opens the site; the replication log has to see the opening. */
export type OpenWriter = (hooks: Pick<ReplicationLog, 'wrap' | 'taken'>) => Promise<Site>;

interface WriterOptions {
  /** Path of the private sockets without their endings. */
  readonly base: string;
  readonly token: string;
  readonly open: OpenWriter;
  readonly compose: (site: Site) => Registry;
  readonly log: (line: string) => void;
  /** Ends a reader that does not answer. */
  readonly drop: (reader: number) => void;
  readonly patienceMs?: number;
  /** Stands around what is answered for the readers. */
  readonly within?: Around | undefined;
}

export interface Writer {
  readonly site: Site;
  readonly server: Server;
  /**
   * Starts once every reader of the writer before has come over: until then they answer from what that one wrote. Then
   * `server.handle` answers.
   * @param address  where the server listens
   */
  open(address: string, expected?: readonly number[]): Promise<void>;
  /** A reader has gone. */
  giveUp(reader: number): void;
  /** Ends the watch, the private listener and the site. */
  close(): Promise<void>;
}

/** Opens the site and the private listener. */
export async function createWriter(options: WriterOptions): Promise<Writer> {
  const { base, token, open, compose, log, drop, patienceMs = 5000, within } = options;
  const replication = createReplicationLog({ token, drop, patienceMs });
  const site = await open(replication);
  const channel = await openChannel({ base, token, replication });
  const ipOf = (incoming: IncomingMessage): string | undefined => channel.ipOf(incoming) ?? incoming.socket.remoteAddress;
  const server = createServer({ site, registry: compose(site), log, ipOf, replicated: replication.replicated });
  return {
    site,
    server,
    async open(address, expected = []) {
      const late = setTimeout(() => expected.forEach(drop), patienceMs);
      await Promise.all(expected.map((reader) => channel.arrival(reader)));
      clearTimeout(late);
      await server.start(address);
      replication.begin(site, address);
      channel.open(within?.(server.handle) ?? server.handle);
    },
    giveUp: channel.giveUp,
    async close() {
      // Requests that were handed on end with their connections; what they have left on disk goes with them.
      channel.close();
      await server.close();
      await site.close();
    },
  };
}
