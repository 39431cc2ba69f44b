/**
 * An answer that goes on: what happens is sent as it happens (server-sent events). The dispatcher passes it through; the server that
 * holds the connection takes as much from it as the client takes.
 *
 * Source: HTML, 9.2 (server-sent events).
 */
export interface EventSource {
  /** The client is there. `wake` is to be called when there is something to take, never in the turn of whoever changes something. @returns ends it */
  open(wake: () => void): () => void;
  /** What is to be sent next; '' for nothing now, null when the stream is over. */
  take(): string | null;
  /** What is sent when nothing else was for a while; null when the stream is over. */
  beat(): string | null;
}

export class EventStream {
  readonly source: EventSource;
  constructor(source: EventSource) {
    this.source = source;
  }
}

export const eventStreamType = 'text/event-stream; charset=UTF-8';
