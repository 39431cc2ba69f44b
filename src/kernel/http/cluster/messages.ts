/** What the primary and its workers tell one another, over the channel that Node keeps between them. */

export type Command =
  | {
      readonly kind: 'write';
      readonly number: number;
      readonly token: string;
      /** Path of the writer's sockets without their endings. */
      readonly base: string;
      /** Where the server listens. */
      readonly address: string;
      readonly isFirst: boolean;
    }
  /** `base`: of the writer, if there is one. */
  | { readonly kind: 'read'; readonly number: number; readonly token: string; readonly base: string | null }
  /** A writer has opened its private listener. */
  | { readonly kind: 'follow'; readonly base: string }
  /** Comes with a connection of a client. */
  | { readonly kind: 'connection'; readonly id: number }
  /** Finish what is under way; `end`: and then go. */
  | { readonly kind: 'stop' | 'end' };

export type WorkerEvent =
  /** It listens for orders. */
  | { readonly kind: 'here' }
  /** The writer's private listener is open. */
  | { readonly kind: 'open'; readonly base: string }
  /** It takes connections. */
  | { readonly kind: 'serving' }
  /** It has the connection. */
  | { readonly kind: 'took'; readonly id: number };
