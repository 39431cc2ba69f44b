/** Events: one per change of an item, as listeners see it. */
import type { Actor } from '../../kernel/model/access.ts';
import type { Site } from '../../kernel/site/site.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly events: EventFeed;
  }
}

/** `site`: settings, menus, the design, or too many changes to report individually. */
export const eventKinds = ['post', 'term', 'user', 'comment', 'site'] as const;
export type EventKind = (typeof eventKinds)[number];

export interface KeptEvent {
  /** Increasing, with gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: EventKind;
  /** 0 for the site. */
  readonly id: number;
  /** Post type, taxonomy, comment type, `user`; for the site `settings`, `menus`, `design`, `everything`. */
  readonly type: string;
  /** Null: it is new. */
  readonly before: EventSide | null;
  /** Null: it is removed. */
  readonly after: EventSide | null;
}

/** The state of an item in an event. */
export interface EventSide {
  /** Null if it has none. */
  readonly status: string | null;
  /** URL of its page; null without one. */
  readonly link: string | null;
  /** Cache tags: `posts/7`, `posts`, `categories/3`. */
  readonly tags: readonly string[];
  /** Paths of its page and of the first pages of lists with it. Only for public items. */
  readonly paths: readonly string[];
  /** Below the content folder; '' without one. */
  readonly path: string;
  readonly etag: string;
  /** Whether it is public. */
  readonly isPublic: boolean;
  mayRead(user: Actor | null): boolean;
}

export interface EventFeed {
  /** The first event after a number; undefined: none yet. */
  after(seq: number): KeptEvent | undefined;
  /** Older events are no longer kept. */
  readonly floor: number;
  /** Number of the latest change, event or not. */
  readonly seq: number;
  /** Starts recording with the first listener. `heard` is called after each turn with events. @returns a function that ends it */
  listen(heard: () => void): () => void;
  /** A part of the site has changed. */
  tell(part: string): void;
}

/** How a table is reported. */
export interface EventTable<R> {
  readonly kind: EventKind;
  typeOf(record: R): string;
  side(site: Site, record: R): EventSide;
  /** The part of the site that changes with it. */
  part?(record: R): string | null;
  /** Items whose URLs follow from this one. */
  below?(site: Site, record: R): Iterable<R>;
}
