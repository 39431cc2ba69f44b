/**
 * Open event streams: readers, limits, and position.
 *
 * Source: HTML, 9.2 (server-sent events).
 */
import { fail } from '../../kernel/errors.ts';
import type { Actor } from '../../kernel/model/access.ts';
import type { Dialect } from '../../kernel/rest/dialect.ts';
import type { EventSource } from '../../kernel/rest/event-stream.ts';
import type { Site } from '../../kernel/site/site.ts';
import { networksOf } from '../people/accounts/record.ts';
import type { EventFeed, KeptEvent, Resumption } from './record.ts';
import { type EventFilter, fits, viewOf } from './view.ts';

export interface EventStreams {
  /** @throws RestError if there are too many */
  stream(reader: StreamReader): Promise<EventSource>;
  /** Number of open streams. */
  count(): number;
}

interface StreamReader {
  readonly user: Actor | null;
  readonly ip: string | undefined;
  readonly dialect: Dialect;
  readonly filter: EventFilter;
  /** Last-Event-ID, as sent. */
  readonly last: string | undefined;
}

/** Streams per network, which may be a household or an office. */
const maxOfNetwork = 0.1;
/** Interval after which permissions are checked again. */
const longestSignedInMs = 60 * 60_000;
/** Delay before a client reconnects. */
const retryMs = 2000;

interface OpenStream {
  readonly user: Actor | null;
  end(): void;
}

export function createStreams(site: Site, events: EventFeed): EventStreams {
  const open = new Set<OpenStream>();
  const perNetwork = new Map<string, number>();
  const most = site.operator.event_streams;
  const { accounts, clock } = site;
  // Permissions are those at sign-in.
  accounts.onChange((ids) => {
    for (const one of open) if (one.user && ids.includes(one.user.id)) one.end();
  });

  function networkOf(ip: string | undefined): string {
    return networksOf(ip ?? '')[0].name;
  }

  function isFull(network: string): boolean {
    return open.size >= most || (perNetwork.get(network) ?? 0) >= Math.max(1, Math.ceil(most * maxOfNetwork));
  }

  return {
    count: () => open.size,
    async stream({ user, ip, dialect, filter, last }) {
      const network = networkOf(ip);
      if (isFull(network)) fail('rest_too_many_streams');
      const wanted = last !== undefined && /^\d{1,16}$/.test(last) ? Number(last) : null;
      if (wanted !== null) await events.reach(wanted);
      let cursor = events.seq;
      /** The last number that the client was told. */
      let told = events.reading;
      let isKnown: Resumption['isKnown'] = () => false;
      /** It is to be told that it has everything up to this event. */
      let unconfirmed: KeptEvent | null = null;
      let greeting: string | null = null;
      let isOver = false;
      let wake: () => void = () => undefined;
      let until = Number.POSITIVE_INFINITY;
      const end = (): void => {
        isOver = true;
        setImmediate(() => wake());
      };
      const own: OpenStream = { user, end };

      return {
        open(more) {
          wake = more;
          // Others may have connected meanwhile.
          isOver = isFull(network);
          open.add(own);
          perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
          if (user) until = clock() + longestSignedInMs;
          const stop = events.listen(more);
          const resumed = wanted === null ? null : events.resume(wanted);
          if (resumed !== null && wanted !== null) [{ cursor, isKnown }, told] = [resumed, wanted];
          greeting = `retry: ${retryMs}\n${last !== undefined && resumed === null ? resetMessage() : `id: ${told}\n\n`}`;
          return () => {
            stop();
            open.delete(own);
            const left = (perNetwork.get(network) ?? 1) - 1;
            if (left > 0) perNetwork.set(network, left);
            else perNetwork.delete(network);
          };
        },
        take() {
          if (isOver) return null;
          if (greeting !== null) {
            const text = greeting;
            greeting = null;
            return text;
          }
          // The client has fallen behind: it reconnects and is told so.
          if (cursor < events.floor) return null;
          for (let event = events.after(cursor); event; event = events.after(cursor)) {
            cursor = event.seq;
            if (isKnown(event)) continue;
            const view = fits(event, filter) ? viewOf(event, (side) => side.mayRead(user), dialect) : null;
            if (!view) continue;
            if (!event.mark.isByClock && (unconfirmed === null || unconfirmed.mark.upTo < event.mark.upTo)) unconfirmed = event;
            told = events.told(told, event);
            return messageOf(told, view);
          }
          const known = unconfirmed && events.confirmed(unconfirmed);
          if (known === null) return '';
          unconfirmed = null;
          if (known <= told) return '';
          told = known;
          return `id: ${told}\n\n`;
        },
        beat() {
          if (user) {
            void accounts.refresh();
            if (clock() > until || !accounts.isCurrent(user.id)) return null;
          }
          // Nothing for this client up to there.
          const { seq, position } = events;
          if (!events.after(cursor) && (unconfirmed === null || events.confirmed(unconfirmed) !== null))
            [cursor, told] = [seq, Math.max(told, position)];
          return `: ${new Date(clock()).toISOString()}\nid: ${told}\n\n`;
        },
      };

      function resetMessage(): string {
        [cursor, told] = [events.seq, events.reading];
        const time = new Date(clock()).toISOString();
        return messageOf(told, { seq: told, kind: 'site', action: 'reset', time });
      }
    },
  };
}

function messageOf(seq: number, data: object): string {
  return `id: ${seq}\ndata: ${JSON.stringify(data)}\n\n`;
}
