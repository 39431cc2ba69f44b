/**
 * What earlier runs of an import have made, in the cache mount: `imports/<source>/<n>.jsonl`, a line for each item. It lets a
 * second run tell what the source has changed from what a person has edited, and an interrupted one go on. It may be thrown
 * away: items are then found by guid, or by id, type and slug.
 */
import { hash } from '../../kernel/store/bytes.ts';
import type { Documents } from '../../kernel/store/types.ts';

export interface Line {
  /** `post`, `term`, … */
  readonly kind: string;
  /** Of the item in its source. */
  readonly key: string;
  readonly id: number;
  readonly path: string;
  /** Of what the source said; '' where nothing is written yet and only the id is given. */
  readonly digest: string;
  /** Of the file as it was written. */
  readonly etag: string;
  /** `theirs`: the file was here before; `gone`: a person deleted it, and that has been said. */
  readonly flag: '' | 'theirs' | 'gone';
}

export interface ImportState {
  /** What earlier runs have noted. */
  get(kind: string, key: string): Line | undefined;
  /** Takes note, for later runs; on disk with the next `save`. */
  note(line: Line): void;
  save(): Promise<void>;
  /** Lets go of what was read; nothing is got any more. */
  forget(): void;
}

type Stored = readonly [kind: string, key: string, id: number, path: string, digest: string, etag: string, flag?: string];

/** Lines of one document: small enough to be written with every batch. */
const SHARD = 2000;

/**
 * @param name  identity of the source, across runs
 * @param readOnly  nothing is written: `save` does nothing
 */
export async function openImportState(cache: Documents, name: string, readOnly = false): Promise<ImportState> {
  const folder = `imports/${hash(Buffer.from(name)).slice(0, 22)}`;
  const lines = new Map<string, Line>();
  const numbers = (await cache.keys(`${folder}/`))
    .flatMap((key) => {
      const number = /\/(\d+)\.jsonl$/.exec(key)?.[1];
      return number === undefined ? [] : [Number(number)];
    })
    .sort((a, b) => a - b);
  for (const number of numbers) {
    const bytes = await cache.get(`${folder}/${number}.jsonl`);
    for (const text of Buffer.from(bytes ?? [])
      .toString('utf8')
      .split('\n')) {
      const line = read(text);
      if (line) lines.set(`${line.kind} ${line.key}`, line);
    }
  }
  let shard = (numbers.at(-1) ?? -1) + 1;
  let current: string[] = [];
  let saved = 0;

  return {
    get: (kind, key) => lines.get(`${kind} ${key}`),
    note({ kind, key, id, path, digest, etag, flag }) {
      const stored: Stored = [kind, key, id, path, digest, etag];
      current.push(JSON.stringify(flag === '' ? stored : [...stored, flag]));
    },
    async save() {
      if (readOnly || current.length === saved) return;
      while (current.length > SHARD) {
        await put(current.slice(0, SHARD));
        current = current.slice(SHARD);
        shard++;
      }
      await put(current);
      saved = current.length;
    },
    forget: () => lines.clear(),
  };

  async function put(some: readonly string[]): Promise<void> {
    await cache.set(`${folder}/${shard}.jsonl`, Buffer.from(`${some.join('\n')}\n`));
  }
}

/** A line of the file; what is none is passed over: the item is then found otherwise. */
function read(text: string): Line | null {
  if (text === '') return null;
  try {
    const [kind, key, id, path, digest, etag, flag = ''] = JSON.parse(text) as Stored;
    if (typeof kind !== 'string' || typeof key !== 'string' || !Number.isSafeInteger(id)) return null;
    return { kind, key, id, path: String(path), digest: String(digest), etag: String(etag), flag: flag as Line['flag'] };
  } catch {
    return null;
  }
}
