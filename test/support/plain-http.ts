/** Requests as they are, whose answers nobody decodes: `fetch` adds headers of its own and takes some away. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As sent. */
  readonly bytes: Buffer;
  /** Decoded. */
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

export function askPlainly(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', body }: { readonly method?: string; readonly body?: string } = {},
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      const { statusCode: status = 0, headers: told } = answer;
      buffer(answer)
        .then((bytes) => ({ status, headers: told, bytes, text: decoded(bytes, told['content-encoding']).toString('utf8') }))
        .then(resolve, reject);
    });
    sent.on('error', reject).end(body);
  });
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
