/**
 * Signed requests to the store: one origin, set by the operator, no redirects, with timeouts. Temporary errors are retried twice; an unreachable
 * service is left alone for a few seconds, so that requests fail fast.
 *
 * Source: AWS, "Authenticating Requests (AWS Signature Version 4)"; "Error best practices" for retries.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { MediaStoreError } from './media-store-error.ts';
import type { MediaStoreSettings } from './settings.ts';

interface StoreRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Of the object; '' for the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Read again for each attempt. */
  readonly body?: { readonly size: number; readonly sha256: string; open(): Readable };
}

interface Connection {
  /**
   * Passes the response to `take`, unless it is retried. An interrupted response is retried, too.
   * @throws MediaStoreError without a response
   */
  ask<T>(asked: StoreRequest, take: (answer: IncomingMessage) => Promise<T>): Promise<T>;
  close(): void;
}

const tries = 3;
const firstPauseMs = 150;
/** Pause after a failure; longer if the failure took long. */
const restMs = 3000;
const silentRestMs = 30_000;
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function createConnection(settings: MediaStoreSettings): Connection {
  const isSecure = settings.endpoint.startsWith('https:');
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 16 });
  let awayUntil = 0;

  return {
    async ask(asked, take) {
      if (performance.now() < awayUntil) throw new MediaStoreError('away', 'the media store did not answer a moment ago');
      for (let round = 1; ; round++) {
        try {
          const found = await once(asked, take);
          awayUntil = 0;
          return found;
        } catch (error) {
          if (!isPassing(error)) throw error;
          const isSilent = error instanceof Silence;
          if (round === tries || isSilent) {
            awayUntil = performance.now() + (isSilent ? silentRestMs : restMs);
            const { message } = error as Error;
            throw error instanceof MediaStoreError ? error : new MediaStoreError('away', `the media store: ${message}`, error);
          }
          await pause(firstPauseMs * 2 ** (round - 1) * (1 + Math.random()));
        }
      }
    },
    close: () => agent.destroy(),
  };

  async function once<T>(asked: StoreRequest, take: (answer: IncomingMessage) => Promise<T>): Promise<T> {
    const { method, body } = asked;
    const { url, headers } = await sign(settings, asked);
    const length = method === 'PUT' ? { 'content-length': String(body?.size ?? 0) } : {};
    const request = (isSecure ? requestHttps : requestHttp)(url, { method, agent, headers: { ...headers, ...length } });
    request.setTimeout(settings.timeoutMs, () => request.destroy(new Silence(`no answer in ${settings.timeoutMs} ms`)));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    // Refused before everything was sent: the response has the reason.
    const sent = body ? pipeline(body.open(), request).catch(() => undefined) : request.end();
    const answer = await answered;
    try {
      const status = answer.statusCode ?? 0;
      if (status === 429 || status >= 500) throw await MediaStoreError.of(answer, 'away');
      const found = await take(answer);
      await sent;
      return found;
    } finally {
      if (!answer.complete) answer.destroy();
      else answer.resume();
    }
  }
}

class Silence extends Error {}

/** Errors that a retry may fix, but not those of local files. */
function isPassing(error: unknown): boolean {
  if (error instanceof MediaStoreError) return error.reason === 'away';
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (
    error instanceof Silence ||
    /^(?:ECONNRE|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ERR_STREAM_PREMATURE|HPE_|ERR_TLS)/.test(code)
  )
    return true;
  return syscall === 'connect' || (error as Error).message === 'aborted';
}

/** The URL of an object, or with '' of the bucket. */
export function addressOf(
  { endpoint, bucket, style }: Pick<MediaStoreSettings, 'endpoint' | 'bucket' | 'style'>,
  { key, query = {} }: Pick<StoreRequest, 'key' | 'query'>,
): string {
  const { protocol, host } = new URL(endpoint);
  const start = style === 'virtual' ? `${protocol}//${bucket}.${host}` : `${endpoint}/${bucket}`;
  const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return `${start}/${key.split('/').map(encoded).join('/')}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

async function sign(
  settings: MediaStoreSettings,
  asked: StoreRequest,
): Promise<{ readonly url: URL; readonly headers: Record<string, string> }> {
  const { method, headers = {}, body } = asked;
  const signer = new AwsV4Signer({
    ...settings.credentials,
    method,
    url: addressOf(settings, asked),
    region: settings.region,
    service: 's3',
    headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptySha256 },
  });
  const signed = await signer.sign();
  return { url: signed.url, headers: { 'user-agent': 'cms', ...Object.fromEntries(signed.headers) } };
}

/** As in the canonical request: RFC 3986, everything but unreserved characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
