/**
 * Pointers of git LFS, in place of files in a remote store.
 * Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */

export interface LfsPointer {
  /** Bytes of the file it stands for. */
  readonly size: number;
}

export const maxPointerBytes = 1024;

/** Null for everything else. */
export function readPointer(bytes: Uint8Array): LfsPointer | null {
  if (bytes.length > maxPointerBytes) return null;
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.startsWith('version https://git-lfs.github.com/spec/v1\n') || !/^oid sha256:[0-9a-f]{64}$/m.test(text)) return null;
  const [, size] = /^size (\d{1,15})$/m.exec(text) ?? [];
  return size === undefined ? null : { size: Number(size) };
}

export const lfsMissing = 'the file is in git LFS and its bytes are not here';
export const lfsHint = 'git lfs pull';
