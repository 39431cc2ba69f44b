/**
 * Streams of events to clients. Each is read as fast as its client takes it: nothing piles up here, and a client that takes nothing for
 * long is cut off. It comes again and says what it had.
 */
import type { ServerResponse } from 'node:http';
import type { EventStream } from '../rest/event-stream.ts';

interface Streams {
  /** Sends a stream until it is over or its client is gone. The head is written. */
  send(stream: EventStream, outgoing: ServerResponse): void;
  /** Ends all of them: clients come again, to whoever serves then. */
  end(): void;
}

/** Proxies close what says nothing for a minute, some for half of one. */
const beatMs = 15_000;

export function createStreams(pauseMs = beatMs): Streams {
  const open = new Set<ServerResponse>();
  return {
    send({ source }, outgoing) {
      let isStuck = false;
      open.add(outgoing);
      const close = source.open(pump);
      const beating = setInterval(beat, pauseMs);
      outgoing.on('drain', pump);
      outgoing.once('close', () => {
        open.delete(outgoing);
        clearInterval(beating);
        close();
      });
      pump();

      function pump(): void {
        while (!outgoing.writableNeedDrain && !outgoing.writableEnded && !outgoing.destroyed) {
          const text = source.take();
          if (text === '') return;
          write(text);
        }
      }

      function beat(): void {
        if (outgoing.writableNeedDrain) {
          // For a whole pause it has taken nothing.
          if (isStuck) outgoing.destroy();
          isStuck = true;
          return;
        }
        isStuck = false;
        write(source.beat());
      }

      function write(text: string | null): void {
        if (text === null) outgoing.end();
        else outgoing.write(text);
      }
    },
    end() {
      for (const outgoing of open) outgoing.end();
    },
  };
}
