/**
 * The directories of a TIFF structure (EXIF), with positions: enough to overwrite entries in place, and to check them before a reader does.
 *
 * Source: TIFF 6.0, section 2; EXIF 2.32, 4.6.3.
 */

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Position of the value. */
  readonly at: number;
  /** Bytes; 0 if the type is unknown. */
  readonly size: number;
}

interface Directory {
  /** Tag of the entry that points to it; 0 for the main one. */
  readonly pointer: number;
  readonly start: number;
  readonly end: number;
  readonly entries: readonly Entry[];
  /** Whether it is complete, and no larger than a camera writes. */
  readonly isWhole: boolean;
}

/** Entries that point to a directory. */
export const pointers = { exif: 0x8769, gps: 0x8825, interoperability: 0xa005 } as const;

const pointerTags: ReadonlySet<number> = new Set(Object.values(pointers));
const long = 4;
const maxEntries = 512;
const maxValues = 1 << 20;

/** Type → bytes of one value. */
const sizes: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8];
const undefinedBytes = 7;

/** @param tiff  from its byte order mark on; otherwise no directories */
export function readDirectories(tiff: Uint8Array): readonly Directory[] {
  const data = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const mark = data.byteLength < 8 ? 0 : data.getUint16(0);
  if (mark !== 0x4949 && mark !== 0x4d4d) return [];
  const little = mark === 0x4949;
  const found: Directory[] = [];
  const wanted = [{ pointer: 0, start: data.getUint32(4, little) }];
  for (const { pointer, start } of wanted) {
    if (start + 2 > data.byteLength || found.some((one) => one.start === start)) continue;
    const stated = data.getUint16(start, little);
    const count = Math.min(stated, maxEntries, Math.floor((data.byteLength - start - 2) / 12));
    const end = start + 2 + count * 12;
    const entries = Array.from({ length: count }, (_, index) => readEntry(data, start + 2 + index * 12, little));
    found.push({ pointer, start, end, entries, isWhole: stated === count });
    for (const { tag, at, size } of entries)
      if (pointerTags.has(tag) && size === 4) wanted.push({ pointer: tag, start: data.getUint32(at, little) });
  }
  return found;
}

/** Whether a reader that allocates all values may read the directories. Entries may overlap, so a block of some kilobytes can claim gigabytes. */
export function isModest(directories: readonly Directory[]): boolean {
  let values = 0;
  for (const { entries, isWhole } of directories) {
    if (!isWhole) return false;
    for (const { tag, type, count } of entries) {
      if (pointerTags.has(tag) && (type !== long || count !== 1)) return false;
      if (type !== undefinedBytes) values += count;
    }
  }
  return values <= maxValues;
}

function readEntry(data: DataView, at: number, little: boolean): Entry {
  const type = data.getUint16(at + 2, little);
  const count = data.getUint32(at + 4, little);
  const size = (sizes[type] ?? 0) * count;
  return { tag: data.getUint16(at, little), type, count, at: size <= 4 ? at + 8 : data.getUint32(at + 8, little), size };
}
