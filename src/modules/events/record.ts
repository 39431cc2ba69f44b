/**
 * What happened to the items of a site: one event for each change, as those who listen to the site see it.
 */
import type { Actor } from '../../kernel/model/access.ts';
import type { Site } from '../../kernel/site/site.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly events: EventFeed;
  }
}

/** `site`: what is not of one item (settings, menus, the design), or more than can be told one by one. */
export const eventKinds = ['post', 'term', 'user', 'comment', 'site'] as const;
export type EventKind = (typeof eventKinds)[number];

export interface SiteEvent {
  /** Rises from event to event, with gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: EventKind;
  /** 0 of the site. */
  readonly id: number;
  /** Post type, taxonomy, kind of comment, `user`; of the site what changed: `settings`, `menus`, `design`, `everything`. */
  readonly type: string;
  /** Null: there was none. */
  readonly before: EventSide | null;
  /** Null: it is gone. */
  readonly after: EventSide | null;
}

/** An item before or after a change, as far as events tell of it. */
export interface EventSide {
  /** Null of items that have none. */
  readonly status: string | null;
  /** URL of its page; null without one. */
  readonly link: string | null;
  /** Names of what shows the item: `posts/7`, `posts`, `categories/3`. */
  readonly tags: readonly string[];
  /** Of the site, with a slash at the beginning: its page and the lists that show it, the first page of each. Only of what is public. */
  readonly paths: readonly string[];
  /** File, below the content folder; '' without one. */
  readonly path: string;
  readonly etag: string;
  /** Whether anybody may see it. */
  readonly isPublic: boolean;
  mayRead(user: Actor | null): boolean;
}

export interface EventFeed {
  /** The first event behind a number; undefined: none yet. */
  after(seq: number): SiteEvent | undefined;
  /** Events up to this number are not kept. */
  readonly floor: number;
  /** Number of the latest change, whether it is an event or not. */
  readonly seq: number;
  /** From the first listener on events are made and kept. `heard` is called after the turn in which there were some. @returns ends it */
  listen(heard: () => void): () => void;
  /** A part of the site that is no item has changed. */
  tell(part: string): void;
}

/** How one kind of item is told of. */
export interface EventSource<R> {
  readonly kind: EventKind;
  typeOf(record: R): string;
  side(site: Site, record: R): EventSide;
  /** What changes of the site with it. */
  part?(record: R): string | null;
  /** Items whose addresses follow from that of this one. */
  below?(site: Site, record: R): Iterable<R>;
}
