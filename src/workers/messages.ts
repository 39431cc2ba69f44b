/** What the primary and its workers tell one another, over the channel that Node keeps between them. */
import type { Seat } from './worker-store.ts';

export type Command =
  | {
      readonly kind: 'work';
      readonly seat: Seat;
      /** Where the server listens. */
      readonly address: string;
      readonly isFirst: boolean;
    }
  /** Comes with a connection of a client. */
  | { readonly kind: 'connection'; readonly id: number }
  /** Finish what is under way; `end`: give up what is left of it. */
  | { readonly kind: 'stop' | 'end' };

export type WorkerEvent =
  /** It listens for orders. */
  | { readonly kind: 'here' }
  /** It takes connections. */
  | { readonly kind: 'serving' }
  /** It has the connection. */
  | { readonly kind: 'took'; readonly id: number };
