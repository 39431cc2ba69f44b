import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createZip } from '../../../src/modules/design/zip.ts';

const files = [
  { path: 'theme.json', bytes: Buffer.from('{}') },
  { path: 'templates/héllo.html', bytes: Buffer.from('x'.repeat(5000)) },
  { path: 'empty', bytes: Buffer.alloc(0) },
];

it('holds each file where its directory says', () => {
  const zip = createZip(files);
  const end = zip.length - 22;
  let at = zip.readUInt32LE(end + 16);
  for (const { path, bytes } of files) {
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26);
    expect(zip.subarray(local + 30, start).toString()).toBe(path);
    expect(inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)))).toEqual(Buffer.from(bytes));
    at += 46 + zip.readUInt16LE(at + 28);
  }
  expect(at).toBe(end);
});
