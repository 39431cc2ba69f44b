/** Errors of the media store. */
import { table } from '../../../kernel/model/maps.ts';
import type { IncomingMessage } from 'node:http';

/** `away`: no response, or a temporary error. `refused`: credentials, rights, or a missing bucket. */
type Reason = 'away' | 'refused';

const maxErrorBytes = 16 * 1024;

/** Like any unreachable storage: a write gets 503 and has no effect. `store.faults` treats it like a disk error. */
export class MediaStoreError extends Error {
  readonly code = 'EREMOTEIO';
  readonly syscall = 'read';
  readonly reason: Reason;
  /** The service's error code: `SignatureDoesNotMatch`. */
  readonly answered: string;
  constructor(reason: Reason, message: string, cause?: unknown, answered = '') {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.answered = answered;
  }

  /** From an unexpected response. Reads its body. */
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

/** Advice for operators. Source: AWS, "Error responses". */
const hints: Readonly<Record<string, string>> = table({
  AccessDenied: 'the key may not do this: it needs s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject',
  AuthorizationHeaderMalformed: 'the region is another one',
  InvalidAccessKeyId: 'the access key does not exist',
  NoSuchBucket: 'there is no such bucket',
  PermanentRedirect: 'the bucket is in another region',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  SignatureDoesNotMatch: 'the secret key is wrong',
});
