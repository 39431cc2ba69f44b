/** Texts of the snapshot whose segment is damaged or gone come out of the files, once these can be read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ArenaSegment } from '../../../src/kernel/store/arena-segment.ts';
import { openSeal } from '../../../src/kernel/store/state.ts';
import { FileEntry } from '../../../src/kernel/store/text-arena.ts';
import { etagOf } from '../../../src/kernel/yaml/codec.ts';

const texts = { 'posts/one.md': 'the first text', 'posts/two.md': 'the second' };
const whole = Object.values(texts).join('');
const folder = mkdtempSync(join(tmpdir(), 'cms-segments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A segment with both texts. @param reread  what a file's bytes are, or why they cannot be read */
function segmentOf(reread: (path: string) => Uint8Array | null) {
  const dir = mkdtempSync(join(folder, 'of-'));
  writeFileSync(join(dir, 'a.text'), whole);
  const seal = openSeal(join(dir, 'seal'));
  const code = seal.quick('a.text', Buffer.from(whole)).toString('base64url');
  const lost: string[] = [];
  const segment = new ArenaSegment(
    dir,
    { file: 'a.text', isNarrow: true, length: whole.length, code },
    { reread, lost: () => void lost.push('lost'), seal, buffer: { bytes: Buffer.alloc(0) } },
  );
  let start = 0;
  for (const [path, text] of Object.entries(texts)) {
    const file = { path, kind: 'md' as const, etag: etagOf(Buffer.from(text)), size: text.length, mtimeMs: 0 };
    const end = start + text.length;
    segment.holds(new FileEntry(file, { arena: segment, start, end, bodyAt: 0 }, () => ({})));
    start = end;
  }
  return { segment, lost, path: join(dir, 'a.text') };
}

const fromFile = (path: string): Buffer => Buffer.from(texts[path as keyof typeof texts]);
const failing = (code: string): never => {
  throw Object.assign(new Error(code), { code, syscall: 'open' });
};

it.each([
  ['gone', (path: string) => rmSync(path)],
  ['damaged', (path: string) => writeFileSync(path, whole.replace('first', 'third'))],
])('a segment that is %s is replaced by the files', (_state, damage) => {
  const { segment, lost, path } = segmentOf(fromFile);
  damage(path);
  expect(segment.text).toBe(whole);
  expect(lost).toEqual(['lost']);
});

it.each(['EIO', 'EMFILE', 'EACCES'])('a text whose file cannot be read now either (%s) is not blank', (code) => {
  let fault: string | null = code;
  const { segment, path } = segmentOf((name) => (fault === null ? fromFile(name) : failing(fault)));
  rmSync(path);
  expect(() => segment.text).toThrow(code);
  fault = null;
  expect(segment.text).toBe(whole);
});

it.each(['ENOENT', 'ENOTDIR', 'EISDIR'])('a text whose file is gone as well (%s) is blank, and the others are not', (code) => {
  const { segment, path } = segmentOf((name) => (name === 'posts/one.md' ? failing(code) : fromFile(name)));
  rmSync(path);
  expect(segment.text).toBe(' '.repeat(texts['posts/one.md'].length) + texts['posts/two.md']);
});
