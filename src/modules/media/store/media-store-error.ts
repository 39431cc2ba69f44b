/** What keeps the store from doing what it is asked. */
import { table } from '../../../kernel/model/maps.ts';
import type { IncomingMessage } from 'node:http';

/** `away`: it does not answer, or not now. `refused`: it answers, and will not: credentials, rights, a bucket that is not there. */
type Reason = 'away' | 'refused';

const maxErrorBytes = 16 * 1024;

/**
 * Like any storage that is out of reach: whoever writes is told so with 503, and nothing of it has been done. So it looks to
 * `store.faults` as an error of a disk elsewhere does.
 */
export class MediaStoreError extends Error {
  readonly code = 'EREMOTEIO';
  readonly syscall = 'read';
  readonly reason: Reason;
  /** Of the service's answer: `SignatureDoesNotMatch`. */
  readonly answered: string;
  constructor(reason: Reason, message: string, cause?: unknown, answered = '') {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.answered = answered;
  }

  /** Of an answer that is none of those that were hoped for. Reads its body. */
  static async of(answer: IncomingMessage, reason: Reason = 'refused'): Promise<MediaStoreError> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of answer) {
        chunks.push(chunk as Buffer);
        size += (chunk as Buffer).length;
        if (size > maxErrorBytes) break;
      }
    } catch {
      // The status is enough.
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const code = /<Code>([\w.-]{1,100})<\/Code>/.exec(text)?.[1] ?? '';
    const hint = hints[code];
    const words = [`the media store answered ${answer.statusCode}`, ...(code === '' ? [] : [code]), ...(hint ? [hint] : [])];
    return new MediaStoreError(reason, words.join(': '), undefined, code);
  }
}

/** What an operator can do about it. Source: AWS, "Error responses". */
const hints: Readonly<Record<string, string>> = table({
  AccessDenied: 'the key may not do this: it needs s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject',
  AuthorizationHeaderMalformed: 'the region is another one',
  InvalidAccessKeyId: 'the access key does not exist',
  NoSuchBucket: 'there is no such bucket',
  PermanentRedirect: 'the bucket is in another region',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  SignatureDoesNotMatch: 'the secret key is wrong',
});
