/**
 * The node that follows the remote: takes in what was pushed, commits what has changed, pushes. Whatever it decides is stored in the engine
 * with the state that it has seen, so that a node that has lost the lease without knowing changes nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '../../kernel/site/site.ts';
import { isPath } from '../../kernel/store/paths.ts';
import { type Replacement, StaleWriteError } from '../../kernel/store/types.ts';
import { type Clone, NotHeld, openClone } from './clone.ts';
import { baseKey, placeOf, printDocument, readBase, readState, type RemoteBase, stateKey } from './record.ts';
import { makeCommits } from './send.ts';
import type { RemoteSettings } from './settings.ts';
import { takeIn, type Taken } from './take-in.ts';

/** So often others may be faster, in one look. */
const maxRounds = 10;
const firstRetryMs = 2000;
const lastRetryMs = 5 * 60_000;

interface Following {
  /** Whether this node is still the one that does it: asked before each step that others see. */
  isHeld(): boolean;
  /** Called when somebody says that there is something new. */
  readonly followers: Set<() => void>;
}

/** @returns ends it */
export function followRemote(
  site: Site,
  settings: RemoteSettings,
  { isHeld, followers }: Following,
  log: (line: string) => void,
): () => Promise<void> {
  const { store } = site;
  const ending = new AbortController();
  const ask = (): void => {
    if (isEnded || !isHeld()) throw new NotHeld();
  };
  let own: string | null = null;
  let clone: Clone | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let failures = 0;
  let reason: string | null | undefined;
  /** The commit that was packed last. */
  let packed: string | null = null;
  let [isPacking, packing] = [false, Promise.resolve()];

  /** @returns when to look again */
  async function look(): Promise<number> {
    try {
      await round();
      failures = 0;
      await report(null);
      await packSoon();
      return settings.everyMs;
    } catch (error) {
      if (error instanceof NotHeld || isEnded) return settings.everyMs;
      failures++;
      await report(inOneLine(error as Error)).catch(() => undefined);
      return Math.min(firstRetryMs * 2 ** (failures - 1), Math.max(lastRetryMs, settings.everyMs));
    }
  }

  /** After each look that has found something. No look waits for it. */
  async function packSoon(): Promise<void> {
    const { commit } = readBase(await store.private.get(baseKey));
    if (isPacking || clone === null || commit === null || commit === packed) return;
    const pack = clone.pack;
    [isPacking, packed] = [true, commit];
    packing = store.faults.background('packing the clone of the git remote', async () => {
      try {
        await pack(commit);
      } catch (error) {
        if (!isEnded) throw error;
      } finally {
        isPacking = false;
      }
    });
  }

  /** A node that has died may not have come to what follows from files that it took in: ids, files of what they name. */
  async function readAgain(): Promise<void> {
    const { seq } = readBase(await store.private.get(baseKey));
    const found = seq === 0 ? null : await store.shared?.engine?.changes(seq);
    const paths = found?.files.flatMap(({ path, etag }) => (etag !== null && isPath(path) ? [path] : [])) ?? [];
    if (paths.length > 0) await site.ingest(await store.reread(paths));
  }

  async function round(): Promise<void> {
    if (clone === null) await readAgain();
    for (let tries = 1; !isEnded; tries++) {
      try {
        await store.shared?.fresh();
        if (await step(opened())) return;
      } catch (error) {
        // Another node, or a write, was faster.
        if (!(error instanceof StaleWriteError) || tries >= maxRounds) throw error;
      }
      if (tries >= maxRounds) throw new Error('others push to the branch all the time');
    }
  }

  /** @returns false when the remote has moved meanwhile */
  async function step(clone: Clone): Promise<boolean> {
    const stored = await store.private.get(baseKey);
    const base = readBase(stored);
    const { head, unmerged } = await clone.look();
    // What a person has seen to is a branch that is gone.
    const kept = base.unmerged.filter(({ branch }) => branch === null || unmerged.has(branch));
    if (head !== null && head !== base.commit) {
      const own = base.pushing.find(({ commit }) => commit === head);
      if (own !== undefined) {
        // Pushed by a node that did not come to say so.
        const { seq, left, settled } = own;
        await move(stored, { commit: head, seq, pushing: [], unmerged: kept, left }, settled);
        return false;
      }
      const taken = await takeIn({ site, clone, replace, ask }, { ...base, unmerged: kept }, stored, head);
      tell(head, taken);
      return false;
    }
    // A branch that is gone begins anew.
    const present =
      head === null && !(base.commit !== null && (await clone.fetch(base.commit))) ? { ...base, commit: null, seq: 0 } : base;
    if (present.commit !== null && !(await clone.fetch(present.commit)))
      throw new Error(`the remote does not give its commit ${present.commit}`);
    const made = await makeCommits(site, clone, present, settings);
    const next: RemoteBase = { commit: made.head, seq: made.seq, pushing: [], unmerged: kept, left: made.left };
    if (made.head !== null && (made.head !== present.commit || head === null)) {
      const { seq, left, settled } = made;
      const pushing = [...base.pushing, { commit: made.head, seq, left, settled }].slice(-maxRounds);
      const announced = printDocument({ ...present, unmerged: kept, pushing });
      await replace({ files: [], documents: [{ key: baseKey, before: stored, bytes: announced }] });
      if (!(await clone.push(made.head))) return false;
      await move(announced, next, made.settled);
      return true;
    }
    const isNews = made.settled.length > 0 || kept.length !== base.unmerged.length || stored === null;
    if (isNews) await move(stored, next, made.settled);
    return true;
  }

  async function replace(replacement: Replacement): Promise<void> {
    ask();
    await store.shared?.engine?.replace(replacement);
  }

  async function move(before: Uint8Array | null, next: RemoteBase, settled: readonly string[] = []): Promise<void> {
    const gone = settled.map((key) => ({ key, bytes: null }));
    await replace({ files: [], documents: [{ key: baseKey, before, bytes: printDocument(next) }, ...gone] });
  }

  function tell(head: string, { count, unmerged, isRewritten }: Taken): void {
    const short = head.slice(0, 8);
    if (isRewritten) log(`git: the history of the remote was rewritten; what it has lost is committed again on top of ${short}`);
    log(`git: took in ${short}: ${count} file${count === 1 ? '' : 's'}`);
    for (const one of unmerged) log(`git: ${one.path} was not merged: ${one.reason}; what was pushed is in ${placeOf(one)}`);
  }

  /** What has changed since the last time. */
  async function report(held: string | null): Promise<void> {
    if (held !== null && held !== reason) log(`git: the remote is not followed: ${held}`);
    if (held === null && typeof reason === 'string') log('git: the remote is followed again');
    const before = reason === undefined ? (readState(await store.private.get(stateKey))?.held ?? null) : reason;
    reason = held;
    if (held === before) return;
    const bytes = printDocument({ held, since: new Date().toISOString() });
    await replace({ files: [], documents: [{ key: stateKey, bytes }] });
  }

  function opened(): Clone {
    if (settings.folder === null) own ??= mkdtempSync(join(tmpdir(), 'cms-git-remote-'));
    clone ??= openClone(settings.folder ?? (own as string), settings, ask, ending.signal);
    return clone;
  }

  let running: Promise<void> = Promise.resolve();
  /** Whether a look is under way, and whether it may have begun too early. */
  let [isLooking, isLate] = [false, false];
  const again = (): void => {
    clearTimeout(timer);
    [isLooking, isLate] = [true, false];
    running = store.faults.background('following the git remote', async () => {
      const nextMs = await look();
      isLooking = false;
      if (!isEnded) timer = setTimeout(again, isLate ? 0 : nextMs).unref();
    });
  };
  const told = (): void => {
    if (isLooking) isLate = true;
    else again();
  };
  followers.add(told);
  again();
  return async () => {
    isEnded = true;
    followers.delete(told);
    ending.abort();
    clearTimeout(timer);
    await running;
    await packing;
    // What git has begun to pack may end a little later.
    if (own !== null) rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Without name and password of the remote's address. */
const inOneLine = ({ message }: Error): string =>
  message
    .replace(/\/\/[^/@\s]*@/g, '//')
    .replace(/\s+/g, ' ')
    .trim();
