/**
 * A disk that loses power. What a program does in one folder is recorded through `disk-faults.ts`; a cut at any point of the record
 * leaves what had been flushed by then, and of the rest what chance keeps: of a file any of the pages written since its last flush, of a
 * directory the first of its changes since then. A file that was flushed in a directory that was not may have no name.
 */
import { dirname, join } from 'node:path';
import { noteDisk, real } from './disk-faults.ts';

interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

interface FileNode {
  readonly kind: 'file';
  /** Another name of the file itself, so that it is put back with its number (inode); undefined: with another one. */
  readonly self?: string;
  flushed: Uint8Array;
  writes: Write[];
}

interface DirectoryNode {
  readonly kind: 'directory';
  flushed: Map<string, DiskNode>;
  changes: ((entries: Map<string, DiskNode>) => void)[];
}

type DiskNode = FileNode | DirectoryNode;

type Step = (disk: Simulated) => void;

/** 0 to 1. */
export type Chance = () => number;

const pageBytes = 4096;

/** Numbers at random, the same ones for each seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export interface Recording {
  /** How many steps there are so far. */
  readonly length: number;
  stop(): void;
  /** Clears up. */
  end(): void;
  /**
   * Puts into the folder what is left of it after a cut before this step.
   * @param keeps  the share of what was not flushed that is there all the same
   */
  cut(step: number, chance: Chance, keeps: number): void;
}

/** @param counts  which paths of the folder are recorded and put back */
export function record(dir: string, counts: (path: string) => boolean): Recording {
  const steps: Step[] = [];
  const files = new Map<number, { readonly path: string; position: number }>();
  const first = readFolder(dir, counts, dir);
  const selves = `${dir}-selves`;
  real.mkdirSync(selves);
  const selfOf = (path: string): string | undefined => {
    // A file of the server's own counts under one name alone.
    if (path.startsWith(`${dir}/.cms/`)) return undefined;
    const self = join(selves, String(real.lstatSync(path).ino));
    if (!real.existsSync(self)) real.linkSync(path, self);
    return self;
  };
  const inside = (path: unknown): path is string =>
    typeof path === 'string' && path.startsWith(`${dir}/`) && counts(path.slice(dir.length + 1));
  const stop = noteDisk((call, args, result) => {
    const [target, other] = args;
    if (call === 'open' && typeof result === 'number') {
      files.delete(result);
      if (typeof target !== 'string' || (target !== dir && !inside(target))) return;
      files.set(result, { path: target, position: 0 });
      const handle = result;
      const self = real.statSync(target).isDirectory() ? null : selfOf(target);
      steps.push((disk) => disk.open(handle, target, self));
    } else if (call === 'write' && typeof target === 'number' && files.has(target)) {
      const file = files.get(target) as { position: number };
      const { bytes, at } = writtenBy(args, result as number);
      const from = at ?? file.position;
      if (at === undefined) file.position += bytes.length;
      steps.push((disk) => disk.write(target, { at: from, bytes }));
    } else if ((call === 'fsync' || call === 'fdatasync') && files.has(target as number))
      steps.push((disk) => disk.flush(target as number));
    else if (call === 'rename' && (inside(target) || inside(other)))
      steps.push((disk) => disk.rename(target as string, other as string));
    else if ((call === 'unlink' || call === 'rmdir' || call === 'rm') && inside(target))
      steps.push((disk) => disk.remove(target));
    else if (call === 'mkdir' && inside(target)) steps.push((disk) => disk.makeDirectory(target));
    else if (call === 'writeFile' && inside(target)) throw new Error(`not simulated: ${call} ${target}`);
  });
  return {
    get length() {
      return steps.length;
    },
    stop,
    end: () => real.rmSync(selves, { recursive: true, force: true }),
    cut(step, chance, keeps) {
      const disk = simulate(dir, first);
      for (const one of steps.slice(0, step)) one(disk);
      const isKept = () => chance() < keeps;
      for (const name of real.readdirSync(dir)) {
        if (name === '.cms')
          for (const own of real.readdirSync(join(dir, name))) real.rmSync(join(dir, name, own), { recursive: true });
        else real.rmSync(join(dir, name), { recursive: true });
      }
      putBack(disk.root, dir, isKept);
    },
  };
}

function writtenBy(
  [, content, offset, , position]: readonly unknown[],
  count: number,
): { bytes: Uint8Array; at: number | undefined } {
  const isText = typeof content === 'string';
  const all = isText ? Buffer.from(content) : (content as Uint8Array);
  const from = isText || typeof offset !== 'number' ? 0 : offset;
  const at = isText || typeof offset !== 'number' ? offset : position;
  return { bytes: Buffer.from(all.subarray(from, from + count)), at: typeof at === 'number' ? at : undefined };
}

interface Simulated {
  readonly root: DirectoryNode;
  /** @param self  null for a directory */
  open(handle: number, path: string, self: string | undefined | null): void;
  write(handle: number, write: Write): void;
  flush(handle: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  makeDirectory(path: string): void;
}

function simulate(dir: string, first: DirectoryNode): Simulated {
  const root = copyOf(first) as DirectoryNode;
  const handles = new Map<number, DiskNode>();
  const nodeAt = (path: string): DiskNode | undefined => {
    let node: DiskNode | undefined = root;
    for (const part of path
      .slice(dir.length + 1)
      .split('/')
      .filter(Boolean))
      node = node?.kind === 'directory' ? entriesOf(node).get(part) : undefined;
    return node;
  };
  const directoryOf = (path: string) => nodeAt(dirname(path)) as DirectoryNode | undefined;
  const nameOf = (path: string) => path.slice(dirname(path).length + 1);
  const change = (path: string, alter: (entries: Map<string, DiskNode>) => void) => void directoryOf(path)?.changes.push(alter);
  return {
    root,
    open(handle, path, self) {
      let node = nodeAt(path);
      if (node === undefined && self !== null) {
        const made: FileNode = { kind: 'file', ...(self === undefined ? {} : { self }), flushed: new Uint8Array(), writes: [] };
        change(path, (entries) => entries.set(nameOf(path), made));
        node = made;
      }
      if (node !== undefined) handles.set(handle, node);
    },
    write(handle, write) {
      const node = handles.get(handle);
      if (node?.kind === 'file') node.writes.push(write);
    },
    flush(handle) {
      const node = handles.get(handle);
      if (node === undefined) return;
      if (node.kind === 'file') Object.assign(node, { flushed: contentOf(node, () => true), writes: [] });
      else Object.assign(node, { flushed: entriesOf(node), changes: [] });
    },
    rename(from, to) {
      const node = nodeAt(from);
      if (node === undefined) return;
      change(to, (entries) => {
        if (dirname(from) === dirname(to)) entries.delete(nameOf(from));
        entries.set(nameOf(to), node);
      });
      if (dirname(from) !== dirname(to)) change(from, (entries) => entries.delete(nameOf(from)));
    },
    remove: (path) => change(path, (entries) => entries.delete(nameOf(path))),
    makeDirectory(path) {
      const made: DirectoryNode = { kind: 'directory', flushed: new Map(), changes: [] };
      if (nodeAt(path) === undefined) change(path, (entries) => entries.set(nameOf(path), made));
    },
  };
}

/** With all changes, flushed or not. */
function entriesOf({ flushed, changes }: DirectoryNode): Map<string, DiskNode> {
  const entries = new Map(flushed);
  for (const change of changes) change(entries);
  return entries;
}

function contentOf({ flushed, writes }: FileNode, isKept: () => boolean): Uint8Array {
  if (writes.length === 0) return flushed;
  const size = Math.max(flushed.length, ...writes.map(({ at, bytes }) => at + bytes.length));
  const content = Buffer.alloc(size);
  content.set(flushed);
  let end = flushed.length;
  const kept = new Map<number, boolean>();
  for (const { at, bytes } of writes) {
    for (let from = at; from < at + bytes.length; ) {
      const page = Math.floor(from / pageBytes);
      const to = Math.min((page + 1) * pageBytes, at + bytes.length);
      // A page goes to the disk as it is: with all its writes up to some moment, or none.
      if (!kept.has(page) || kept.get(page)) kept.set(page, isKept());
      if (kept.get(page)) {
        content.set(bytes.subarray(from - at, to - at), from);
        end = Math.max(end, to);
      }
      from = to;
    }
  }
  // The size is there without the pages as often as not.
  return content.subarray(0, isKept() ? size : end);
}

function putBack(node: DiskNode, path: string, isKept: () => boolean): void {
  if (node.kind === 'file') {
    real.writeFileSync(node.self ?? path, contentOf(node, isKept));
    if (node.self !== undefined) real.linkSync(node.self, path);
    return;
  }
  real.mkdirSync(path, { recursive: true });
  const entries = new Map(node.flushed);
  for (const change of node.changes) {
    if (!isKept()) break;
    change(entries);
  }
  for (const [name, one] of entries) putBack(one, join(path, name), isKept);
}

function copyOf(node: DiskNode): DiskNode {
  if (node.kind === 'file') return { ...node };
  return { kind: 'directory', flushed: new Map([...node.flushed].map(([name, one]) => [name, copyOf(one)])), changes: [] };
}

function readFolder(dir: string, counts: (path: string) => boolean, root: string): DirectoryNode {
  const flushed = new Map<string, DiskNode>();
  for (const entry of real.readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (!counts(path.slice(root.length + 1))) continue;
    if (entry.isDirectory()) flushed.set(entry.name, readFolder(path, counts, root));
    else flushed.set(entry.name, { kind: 'file', flushed: real.readFileSync(path), writes: [] });
  }
  return { kind: 'directory', flushed, changes: [] };
}
