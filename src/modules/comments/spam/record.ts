/** A service that recognizes spam in comments of visitors, and learns from moderators. */
import type { DeliveryCounts, Pending } from '../../deliveries/index.ts';
import type { CommentRecord } from '../record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly spam: Spam;
  }
}

export interface Spam {
  /** Whether the operator has named a service. Without one, nothing is sent. */
  readonly isSetUp: boolean;
  /** Whether the service takes a new comment for spam; null if it has not said. Never throws. */
  check(comment: CommentRecord, referrer: string): Promise<boolean | null>;
  /** Tells the service, later, if a moderator has moved a comment into or out of spam. */
  learn(before: CommentRecord, after: CommentRecord): void;
  /** Of reports. */
  counts(): DeliveryCounts;
  start(): () => Promise<void>;
}

export const reportCalls = ['submit-spam', 'submit-ham'] as const;

/** What is sent is read when it is sent: of a comment that was deleted, nothing. */
export interface SpamReport extends Pending {
  readonly comment: number;
  readonly call: (typeof reportCalls)[number];
}

/** The operator's `spam:`. */
export interface SpamSettings {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly key: string;
  /** The site, as the service knows it. */
  readonly blog: string;
}

/** In the private mount. */
export const documents = { prefix: 'spam/', kept: 'spam/reports.json', asked: 'spam/resend.json' } as const;
