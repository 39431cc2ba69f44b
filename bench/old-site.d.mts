import type { ServerResponse } from 'node:http';

export interface OldSite {
  /** With the path, without a slash at its end. */
  readonly url: string;
  /** Targets that were asked for since it was last emptied. */
  readonly asked: string[];
  /** Called with each request; answers itself where it returns true. */
  before: (target: string, response: ServerResponse) => boolean | Promise<boolean>;
  /** The server behind it. */
  aim(url: string): void;
  close(): Promise<void>;
}
export function startOldSite(): Promise<OldSite>;
export function spelled(text: string, url: string): string;
