/**
 * The writer: the one worker that holds the site as a server of one process does (it watches, schedules and writes), and tells
 * the readers of every change.
 *
 * On a site that is served read-only it is still the one that watches and gives out ids, which live in memory alone there.
 */
import type { IncomingMessage } from 'node:http';
import type { Site } from '../../site/site.ts';
import type { Registry } from '../../rest/types.ts';
import type { Around } from '../connections.ts';
import { createServer, type Server } from '../server.ts';
import { openChannel } from './channel.ts';
import type { Position } from './position.ts';
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
  readonly position: Position;
  /** Stands around what is answered for the readers. */
  readonly within?: Around | undefined;
}

export interface Writer {
  readonly site: Site;
  readonly server: Server;
  /**
   * Starts; then `server.handle` answers. Readers of the writer before answer from what that one wrote until then, and from now on no more.
   * @param address  where the server listens
   */
  open(address: string): Promise<void>;
  /** Ends the watch, the private listener and the site. */
  close(): Promise<void>;
}

/** Opens the site and the private listener. */
export async function createWriter(options: WriterOptions): Promise<Writer> {
  const { base, token, open, compose, log, position, within } = options;
  const replication = createReplicationLog({ token, position });
  const site = await open(replication);
  const channel = await openChannel({ base, token, replication });
  const ipOf = (incoming: IncomingMessage): string | undefined => channel.ipOf(incoming) ?? incoming.socket.remoteAddress;
  const server = createServer({ site, registry: compose(site), log, ipOf });
  return {
    site,
    server,
    async open(address) {
      await server.start(address);
      replication.begin(site, address);
      channel.open(within?.(server.handle) ?? server.handle);
    },
    async close() {
      // Requests that were handed on end with their connections; what they have left on disk goes with them.
      channel.close();
      // What it still writes, such as when a password was last used, answers nobody: readers need not wait for the next writer.
      replication.end();
      await server.close();
      await site.close();
    },
  };
}
