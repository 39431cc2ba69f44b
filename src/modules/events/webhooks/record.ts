/**
 * Webhooks: whom the operator has told of events, and what waits to be sent.
 */
import type { EventView, EventFilter } from '../view.ts';

/** One of `events:` of the operator. */
export interface Hook {
  readonly name: string;
  readonly preset: PresetName;
  readonly url: string;
  /** Of the signature; null where it has none. */
  readonly secret: Uint8Array | null;
  /** Credential of a service; '' without one. */
  readonly token: string;
  readonly filter: EventFilter;
  /** Told of what visitors do not see, too. */
  readonly hidden: boolean;
  /** Changes within so long are sent together. */
  readonly waitMs: number;
  /** What a cache is purged by. */
  readonly by: 'tags' | 'paths';
  /** What is purged may be served while it is made anew. */
  readonly soft: boolean;
}

export const presetNames = ['webhook', 'deploy', 'next', 'astro', 'fastly', 'cloudflare', 'purge'] as const;
export type PresetName = (typeof presetNames)[number];

/** What has changed, for those who are told of several events at once. */
export interface Changed {
  readonly paths: readonly string[];
  readonly tags: readonly string[];
  /** Any page may be another one. */
  readonly everything: boolean;
}

export interface Delivery {
  readonly id: string;
  readonly hook: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attempts: number;
  /** When it is to be sent. */
  readonly dueAt: number;
  /** Why it was not taken the last time; '' before. */
  readonly error: string;
  readonly event: EventView | null;
  readonly changed: Changed;
}

/** What is kept between starts. */
export interface Kept {
  /** What the site was when all that is here was noted; '' where that is not known. */
  readonly position: string;
  readonly waiting: readonly Delivery[];
  readonly dead: readonly Delivery[];
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** In the private mount. */
export const documents = { prefix: 'events/', kept: 'events/deliveries.json', asked: 'events/resend.json' } as const;
