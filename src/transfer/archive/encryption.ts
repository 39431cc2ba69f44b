/**
 * A file under a passphrase: scrypt makes a key of it, and each piece is sealed with AES-256-GCM under a nonce that counts the pieces
 * and marks the last, so none can be changed, moved, left out or cut off unseen.
 *
 *     "CMSBAK01" | log2 N | salt (16) | nonce prefix (7) | pieces of up to 1 MiB, each with its tag (16)
 *
 * Source: RFC 7914 (scrypt); Hoang, Reyhanitabar, Rogaway, Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-
 * Resistance" (STREAM); NIST SP 800-38D.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { SourceError } from '../import/items.ts';

const magic = Buffer.from('CMSBAK01', 'latin1');
const [saltBytes, prefixBytes, tagBytes, pieceBytes] = [16, 7, 16, 1024 * 1024];
const headerBytes = magic.length + 1 + saltBytes + prefixBytes;
const algorithm = 'aes-256-gcm';
/** 128 MB and a third of a second for each guess. Files may say another cost within these bounds. */
const cost = { usual: 17, least: 14, most: 20 };
const blockSize = 8;

const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  length: number,
  options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
) => Promise<Buffer>;

/** Whether a file is one of these. Cheap: reads its beginning. */
export async function isEncrypted(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return bytesRead === magic.length && buffer.equals(magic);
  } finally {
    await handle.close();
  }
}

/** Writes `from` under a passphrase to `to`, which must not be there. Nothing of it is held in memory but a piece. */
export async function encryptFile(from: string, to: string, passphrase: string, costLog2 = cost.usual): Promise<void> {
  const header = Buffer.concat([magic, Buffer.from([costLog2]), randomBytes(saltBytes + prefixBytes)]);
  const key = await keyOf(passphrase, header);
  await pipeline(
    createReadStream(from, { highWaterMark: pieceBytes }),
    async function* (chunks: AsyncIterable<Buffer>) {
      yield header;
      let count = 0;
      for await (const { piece, isLast } of piecesOf(chunks, pieceBytes)) {
        const cipher = createCipheriv(algorithm, key, nonceOf(header, count++, isLast)).setAAD(header);
        yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
      }
    },
    createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true }),
  );
}

/**
 * Writes what is in `from` to `to`, which must not be there. What it has written is worth nothing unless it returns.
 * @throws SourceError for a wrong passphrase, and for a file that was changed or cut
 */
export async function decryptFile(from: string, to: string, passphrase: string): Promise<void> {
  const handle = await open(from);
  const header = Buffer.alloc(headerBytes);
  const { bytesRead } = await handle.read(header, 0, headerBytes, 0).finally(() => handle.close());
  const refused = (message: string): SourceError => new SourceError(message, { source: from });
  const costLog2 = header[magic.length] as number;
  if (bytesRead < headerBytes || !header.subarray(0, magic.length).equals(magic)) throw refused('not an encrypted backup');
  if (costLog2 < cost.least || costLog2 > cost.most) throw refused('the encrypted backup is damaged');
  const key = await keyOf(passphrase, header);
  await pipeline(
    createReadStream(from, { start: headerBytes, highWaterMark: pieceBytes }),
    async function* (chunks: AsyncIterable<Buffer>) {
      let count = 0;
      for await (const { piece, isLast } of piecesOf(chunks, pieceBytes + tagBytes)) {
        const end = piece.length - tagBytes;
        if (end < 0) throw refused('the encrypted backup is cut off');
        const decipher = createDecipheriv(algorithm, key, nonceOf(header, count, isLast), { authTagLength: tagBytes });
        decipher.setAAD(header).setAuthTag(piece.subarray(end));
        const text = decipher.update(piece.subarray(0, end));
        try {
          decipher.final();
        } catch {
          throw refused(
            count === 0 ? 'wrong passphrase, or the backup is damaged' : 'the encrypted backup is damaged or cut off',
          );
        }
        count++;
        yield text;
      }
    },
    createWriteStream(to, { mode: 0o600, flags: 'wx' }),
  );
}

function keyOf(passphrase: string, header: Buffer): Promise<Buffer> {
  const N = 2 ** (header[magic.length] as number);
  const salt = header.subarray(magic.length + 1, magic.length + 1 + saltBytes);
  return derive(passphrase.normalize('NFC'), salt, 32, { N, r: blockSize, p: 1, maxmem: 256 * N * blockSize });
}

function nonceOf(header: Buffer, count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  header.copy(nonce, 0, headerBytes - prefixBytes);
  nonce.writeUInt32BE(count, prefixBytes);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Pieces of one size, and the rest, which may be empty only when it is all there is. */
async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ readonly piece: Buffer; readonly isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (; held.length > size; held = held.subarray(size)) yield { piece: held.subarray(0, size), isLast: false };
  }
  yield { piece: held, isLast: true };
}
