/**
 * What earlier runs of an import have made, in the cache mount: `imports/<source>/<n>.jsonl`, a line for each item. It lets a
 * second run tell what the source has changed from what a person has edited, and an interrupted one go on. It may be thrown
 * away: items are then found by guid, or by id, type and slug.
 *
 * Several sources may be parts of one site, as files of an export that was split: what the others have made is known, too.
 */
import { mapOf } from '../../kernel/model/maps.ts';
import { hash } from '../../kernel/store/bytes.ts';
import type { Documents } from '../../kernel/store/types.ts';
import type { MenuLinkItem } from './items.ts';

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
  /** What it named and what was not there: `post 7`, `link https://…`. */
  readonly wants?: readonly string[];
  /** The address it had, and the one it has here; of an attachment, paths below the uploads. */
  readonly address?: readonly [from: string, to: string];
  /** Code and group, where its source says a language. */
  readonly language?: readonly [code: string, group: string];
  /** A link of a menu as its source has it: the menu is one file, and other parts have other links of it. */
  readonly link?: MenuLinkItem;
}

/** Another part of the same site. */
export interface Sibling {
  readonly name: string;
  /** Digest of the options it was imported with, and the code of who did it. */
  readonly options: string;
  readonly seal: string;
  readonly wants: readonly string[];
}

export interface ImportState {
  /** What earlier runs have noted. */
  get(kind: string, key: string): Line | undefined;
  /** What earlier runs with other parts of the site have noted: a line of each that has it. */
  shared(kind: string, key: string): readonly Line[];
  /** All that is noted, of whichever part. */
  all(): Iterable<Line>;
  readonly siblings: readonly Sibling[];
  /** Takes note, for later runs; on disk with the next `save`. */
  note(line: Line): void;
  save(): Promise<void>;
  /** Lets go of what was read; nothing is got any more. */
  forget(): void;
}

/** What few lines have. */
type Further = Partial<Pick<Line, 'wants' | 'address' | 'language' | 'link'>>;
type Stored = readonly [
  ...[kind: string, key: string, id: number, path: string, digest: string, etag: string],
  flag?: string,
  further?: Further,
];

/** Kind of the line that says which site a source is a part of. */
const sourceKind = 'source';

/** Lines of one document: small enough to be written with every batch. */
const SHARD = 2000;

interface StateOptions {
  /** Identity of the source, across runs. */
  readonly name: string;
  /** Identity of the site it is of, or of which it is a part; '' for an unknown one. */
  readonly site: string;
  /** Digest of the options of the run, and a code that tells who has named the source. */
  readonly options: string;
  readonly seal: string;
  /** Nothing is written: `save` does nothing. */
  readonly readOnly: boolean;
}

export async function openImportState(
  cache: Documents,
  { name, site, options, seal, readOnly }: StateOptions,
): Promise<ImportState> {
  const folder = folderOf(name);
  const { lines, numbers } = await readLines(cache, folder);
  const shared = new Map<string, readonly Line[]>();
  const siblings: Sibling[] = [];
  for (const other of site === '' ? [] : await foldersIn(cache)) {
    if (other === folder) continue;
    const read = await readLines(cache, other);
    const about = read.lines.get(`${sourceKind} `);
    if (about?.path !== site) continue;
    const wants = new Set<string>();
    for (const [key, line] of read.lines) {
      if (line.kind === sourceKind || line.kind === 'site') continue;
      shared.set(key, [...(shared.get(key) ?? []), line]);
      for (const want of line.wants ?? []) wants.add(want);
    }
    siblings.push({ name: about.wants?.[0] ?? '', options: about.digest, seal: about.etag, wants: [...wants] });
  }
  let shard = (numbers.at(-1) ?? -1) + 1;
  let current: string[] = [];
  let saved = 0;
  const own = { kind: sourceKind, key: '', id: 0, path: site, digest: options, etag: seal, flag: '', wants: [name] } as const;
  const known = lines.get(`${sourceKind} `);
  const isSaid = known?.path === site && known.digest === options && known.etag === seal;
  if (site !== '' && !isSaid) current.push(print(own));

  return {
    get: (kind, key) => lines.get(`${kind} ${key}`),
    shared: (kind, key) => shared.get(`${kind} ${key}`) ?? [],
    *all() {
      yield* lines.values();
      for (const [key, [line]] of shared) if (line && !lines.has(key)) yield line;
    },
    siblings,
    note: (line) => void current.push(print(line)),
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
    forget() {
      lines.clear();
      shared.clear();
    },
  };

  async function put(some: readonly string[]): Promise<void> {
    await cache.set(`${folder}/${shard}.jsonl`, Buffer.from(`${some.join('\n')}\n`));
  }
}

function folderOf(name: string): string {
  return `imports/${hash(Buffer.from(name)).slice(0, 22)}`;
}

async function foldersIn(cache: Documents): Promise<readonly string[]> {
  const keys = await cache.keys('imports/');
  return [...new Set(keys.flatMap((key) => /^imports\/[^/]+(?=\/\d+\.jsonl$)/.exec(key)?.[0] ?? []))];
}

async function readLines(
  cache: Documents,
  folder: string,
): Promise<{ readonly lines: Map<string, Line>; readonly numbers: readonly number[] }> {
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
  return { lines, numbers };
}

function print({ kind, key, id, path, digest, etag, flag, wants = [], address, language, link }: Line): string {
  const stored: Stored = [kind, key, id, path, digest, etag];
  const further = {
    ...(wants.length === 0 ? {} : { wants }),
    ...(address === undefined ? {} : { address }),
    ...(language === undefined ? {} : { language }),
    ...(link === undefined ? {} : { link }),
  };
  if (Object.keys(further).length > 0) return JSON.stringify([...stored, flag, further]);
  return JSON.stringify(flag === '' ? stored : [...stored, flag]);
}

function isLink(link: unknown): link is MenuLinkItem {
  const { kind, key, menu, order, itemType, object, title } = mapOf(link);
  return (
    kind === 'menu-link' &&
    typeof order === 'number' &&
    [key, menu, itemType, object, title].every((one) => typeof one === 'string')
  );
}

/** A line of the file; what is none is passed over: the item is then found otherwise. */
function read(text: string): Line | null {
  if (text === '') return null;
  try {
    const [kind, key, id, path, digest, etag, flag = '', further] = JSON.parse(text) as Stored;
    if (typeof kind !== 'string' || typeof key !== 'string' || !Number.isSafeInteger(id)) return null;
    const { wants, address, language, link } = mapOf(further);
    const [from, to] = Array.isArray(address) ? address.map(String) : [];
    const [code, group] = Array.isArray(language) ? language.map(String) : [];
    return {
      ...{ kind, key, id, path: String(path), digest: String(digest), etag: String(etag), flag: flag as Line['flag'] },
      ...(Array.isArray(wants) ? { wants: wants.map(String) } : {}),
      ...(from === undefined || to === undefined ? {} : { address: [from, to] as const }),
      ...(code === undefined || group === undefined ? {} : { language: [code, group] as const }),
      ...(kind === 'menu-link' && isLink(link) ? { link } : {}),
    };
  } catch {
    return null;
  }
}
