/** What the primary and its workers tell one another, over the channel that Node keeps between them. */

export type Order =
  /** To a writer. `expected`: the readers of the one before it. */
  | {
      readonly kind: 'write';
      readonly number: number;
      readonly token: string;
      readonly base: string;
      readonly port: number | null;
      readonly expected: readonly number[];
      readonly isFirst: boolean;
    }
  | {
      readonly kind: 'read';
      readonly number: number;
      readonly token: string;
      readonly base: string | null;
      readonly port: number;
    }
  /** A writer has opened its door. */
  | { readonly kind: 'follow'; readonly base: string }
  | { readonly kind: 'gone'; readonly reader: number }
  /** Take nothing new, finish what is under way; `end`: and then go. */
  | { readonly kind: 'stop' | 'end' };

export type Report =
  /** It listens for orders. */
  | { readonly kind: 'here' }
  /** The writer's door is open. */
  | { readonly kind: 'open'; readonly base: string }
  | { readonly kind: 'serving'; readonly port: number }
  /** A reader does not answer. */
  | { readonly kind: 'drop'; readonly reader: number };
