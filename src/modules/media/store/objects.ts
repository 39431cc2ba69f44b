/**
 * Objects of the bucket, with keys relative to the prefix.
 *
 * Source: Amazon S3 API reference: PutObject, GetObject, HeadObject, DeleteObject, ListObjectsV2.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import { decodeEntities } from '../../../render/text.ts';
import { createConnection } from './connection.ts';
import { MediaStoreError } from './media-store-error.ts';
import type { MediaStoreSettings } from './settings.ts';

export interface StoredObject {
  readonly size: number;
  /** In whole seconds, as in all responses. */
  readonly mtimeMs: number;
}

export interface Objects {
  /** @param meta  `x-amz-meta-…` by name. @throws MediaStoreError; NodeJS.ErrnoException of the file */
  put(key: string, content: ObjectContent, headers: Readonly<Record<string, string>>, meta?: Meta): Promise<void>;
  head(key: string): Promise<(StoredObject & { readonly meta: Meta }) | null>;
  /** The bytes of a small object. */
  read(key: string): Promise<{ readonly bytes: Uint8Array; readonly meta: Meta } | null>;
  /** Downloads an object into a new file, and verifies its length. @returns whether it exists */
  save(key: string, file: string): Promise<boolean>;
  /** A missing object counts as removed. */
  remove(key: string): Promise<void>;
  list(): AsyncGenerator<StoredObject & { readonly key: string }>;
  /** The store's clock, milliseconds since the epoch. */
  clock(): Promise<number>;
  close(): void;
}

export type ObjectContent = { readonly fromFile: string } | { readonly bytes: Uint8Array };

type Meta = Readonly<Record<string, string>>;

const maxListBytes = 8 * 1024 * 1024;

export function createObjects(settings: MediaStoreSettings): Objects {
  const { prefix } = settings;
  const connection = createConnection(settings);

  return {
    async put(key, content, headers, meta = {}) {
      const body = await bodyOf(content);
      const named = Object.entries({ ...meta, sha256: body.sha256 }).map(([name, value]) => [`x-amz-meta-${name}`, value]);
      const asked = { method: 'PUT', key: prefix + key, headers: { ...headers, ...Object.fromEntries(named) }, body } as const;
      await connection.ask(asked, async (answer) => {
        if (answer.statusCode !== 200) throw await MediaStoreError.of(answer);
        answer.resume();
      });
    },
    head: (key) =>
      connection.ask({ method: 'HEAD', key: prefix + key }, async (answer) => {
        answer.resume();
        if (answer.statusCode === 404) return null;
        if (answer.statusCode !== 200) throw await MediaStoreError.of(answer);
        return { ...stateOf(answer), meta: metaOf(answer) };
      }),
    read: (key) =>
      connection.ask({ method: 'GET', key: prefix + key }, async (answer) => {
        if (!(await isFound(answer))) return null;
        const bytes = await buffer(answer);
        if (bytes.length !== stateOf(answer).size) throw new MediaStoreError('away', 'the media store broke off');
        return { bytes, meta: metaOf(answer) };
      }),
    save: (key, file) =>
      connection.ask({ method: 'GET', key: prefix + key }, async (answer) => {
        if (!(await isFound(answer))) return false;
        const hash = createHash('sha256');
        let size = 0;
        try {
          const counted = async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              hash.update(chunk);
              size += chunk.length;
              yield chunk;
            }
          };
          await pipeline(answer, counted, createWriteStream(file, { mode: 0o600 }));
          const { sha256 = '' } = metaOf(answer);
          if (size !== stateOf(answer).size) throw new MediaStoreError('away', 'the media store broke off');
          if (sha256 !== '' && sha256 !== hash.digest('hex'))
            throw new MediaStoreError('away', `${key} came from the media store with other bytes than it was given`);
          return true;
        } catch (error) {
          await rm(file, { force: true });
          throw error;
        }
      }),
    remove: (key) =>
      connection.ask({ method: 'DELETE', key: prefix + key }, async (answer) => {
        if (![200, 204, 404].includes(answer.statusCode ?? 0)) throw await MediaStoreError.of(answer);
        answer.resume();
      }),
    async *list() {
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const query = {
          'list-type': '2',
          'encoding-type': 'url',
          prefix,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        };
        const page = await connection.ask({ method: 'GET', key: '', query }, async (answer) => {
          if (answer.statusCode !== 200) throw await MediaStoreError.of(answer);
          return textOf(answer);
        });
        for (const { key, ...object } of listedIn(page))
          if (key.startsWith(prefix)) yield { key: key.slice(prefix.length), ...object };
        const next = /<IsTruncated>true<\/IsTruncated>/.test(page) ? elementIn(page, 'NextContinuationToken') : undefined;
        if (next !== undefined && next === token)
          throw new MediaStoreError('refused', 'the media store lists the same page again');
        token = next;
      }
    },
    clock: () =>
      connection.ask({ method: 'GET', key: '', query: { 'list-type': '2', 'max-keys': '1', prefix } }, async (answer) => {
        const clock = Date.parse(answer.headers.date ?? '');
        if (answer.statusCode !== 200) throw await MediaStoreError.of(answer);
        answer.resume();
        return clock;
      }),
    close: connection.close,
  };
}

async function isFound(answer: IncomingMessage): Promise<boolean> {
  if (answer.statusCode === 200) return true;
  const error = await MediaStoreError.of(answer);
  if (answer.statusCode === 404 && error.answered !== 'NoSuchBucket') return false;
  throw error;
}

function stateOf({ headers }: IncomingMessage): StoredObject {
  return { size: Number(headers['content-length'] ?? -1), mtimeMs: wholeSeconds(Date.parse(headers['last-modified'] ?? '')) };
}

function wholeSeconds(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000) * 1000;
}

function metaOf({ headers }: IncomingMessage): Meta {
  const start = 'x-amz-meta-';
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(start) ? [[name.slice(start.length), String(value)]] : [],
    ),
  );
}

async function bodyOf(content: ObjectContent) {
  const hash = createHash('sha256');
  if ('bytes' in content) {
    const { bytes } = content;
    return { size: bytes.length, sha256: hash.update(bytes).digest('hex'), open: () => Readable.from([Buffer.from(bytes)]) };
  }
  const { fromFile } = content;
  const { size } = await stat(fromFile);
  for await (const chunk of createReadStream(fromFile)) hash.update(chunk as Buffer);
  return { size, sha256: hash.digest('hex'), open: () => createReadStream(fromFile) };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxListBytes) throw new MediaStoreError('refused', 'the media store sent a list that is too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function* listedIn(page: string): Generator<StoredObject & { readonly key: string }> {
  const isEncoded = elementIn(page, 'EncodingType') === 'url';
  for (const [, row = '', end] of page.matchAll(/<Contents>([\s\S]*?)(<\/Contents>|$)/g)) {
    if (end === '') return;
    const key = elementIn(row, 'Key') ?? '';
    yield {
      key: (isEncoded ? decoded(key) : key).normalize('NFC'),
      size: Number(elementIn(row, 'Size') ?? 0),
      mtimeMs: wholeSeconds(Date.parse(elementIn(row, 'LastModified') ?? '')),
    };
  }
}

function elementIn(xml: string, name: string): string | undefined {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return value === undefined ? undefined : decodeEntities(value);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replace(/\+/g, ' '));
  } catch {
    return key;
  }
}
