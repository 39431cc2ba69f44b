/** Letters: what the site tells people by email, and the mail server of the operator. */
import { isMap } from '../../kernel/model/maps.ts';
import { type DeliveryCounts, type DeliveryQueue, type Pending, readQueue } from '../deliveries/index.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly mail: Mail;
  }
}

export interface Mail {
  /** Whether the operator has named a mail server. Without one, nothing that needs it is offered. */
  readonly isSetUp: boolean;
  /** Puts a letter into the queue, at once; it is sent later. Without a mail server, nothing happens. */
  send(letter: Letter): void;
  look(): void;
  counts(): DeliveryCounts;
  start(): () => Promise<void>;
}

export interface Letter {
  /** What it is about, in lists: `invitation`. */
  readonly kind: string;
  /** One email address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface LetterDelivery extends Pending {
  readonly letter: Letter;
}

const members = ['kind', 'to', 'subject', 'text'];

/** The document of letters, which only the program writes. */
export function readLetters(bytes: Uint8Array | null): DeliveryQueue<LetterDelivery> | null {
  return readQueue<LetterDelivery>(
    bytes,
    ({ letter }) => isMap(letter) && members.every((name) => typeof letter[name] === 'string'),
  );
}

/** The operator's `mail:`. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof securities)[number];
  readonly login: { readonly user: string; readonly pass: string } | null;
  readonly from: { readonly name: string; readonly address: string };
}

export const securities = ['starttls', 'tls', 'none'] as const;

/** In the private mount. */
export const documents = { prefix: 'mail/', kept: 'mail/letters.json', asked: 'mail/resend.json' } as const;

/** An address that stands for one mailbox, whatever a mail program makes of commas, quotes and brackets. */
export function isMailbox(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u.test(text);
}
