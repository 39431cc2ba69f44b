/** Events: one per change of an item, as listeners see it. */
import type { Actor } from '../../kernel/model/access.ts';
import type { ChangeMark } from '../../kernel/site/change-order.ts';
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
  /** Increasing, with gaps, in this process. */
  readonly seq: number;
  /** How clients know it. */
  readonly mark: ChangeMark;
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
  /** What a client is told that has been sent everything so far. */
  readonly position: number;
  /** The same for a client that goes on to read what is there now. */
  readonly reading: number;
  /** What a client is told that was told a number and is sent an event. */
  told(before: number, event: KeptEvent): number;
  /** `position` for a client that was sent nothing after `event`; null: it will be told later. */
  confirmed(event: KeptEvent): number | null;
  /** Goes on where a client was told to be, here or on another node. Null: what it has missed is not known. */
  resume(told: number): Resumption | null;
  /** Waits, not for long, for what a client has been told of on another node. */
  reach(told: number): Promise<void>;
  /**
   * Starts recording with the first listener. `heard` is called after each turn with events, and when they are confirmed.
   * @returns a function that ends it
   */
  listen(heard: () => void): () => void;
  /** A part of the site has changed. */
  tell(part: string): void;
}

export interface Resumption {
  /** Events after it. */
  readonly cursor: number;
  /** Except for those that the client has been sent. */
  isKnown(event: KeptEvent): boolean;
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
