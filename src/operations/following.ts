/**
 * The store, looked at from outside: commits are counted and logged, and how well the index follows the disk is told.
 */
import { BusyError, type FileChange, StaleWriteError, type Store } from '../kernel/store/types.ts';
import { Histogram, seriesOf } from './metrics.ts';

/** How well this process follows the disk, as of now. Durations in milliseconds. */
export interface Readiness {
  readonly by: 'events' | 'sweeps';
  /** Changes on disk that are known of and not yet taken in, and looks under way. */
  readonly pending: number;
  /** Age of the oldest of them. */
  readonly behindMs: number;
  /** Since the last look at the whole folder began. */
  readonly ageMs: number | null;
  readonly isListable: boolean;
  /** Codes of the faults of the disk that last. */
  readonly faults: readonly string[];
}

export interface StoreCounts {
  /** The same store, whose commits are counted. */
  wrap(store: Store): Store;
  /** Null while this process follows nothing. */
  readiness(): Readiness | null;
  into(report: Record<string, number>): void;
}

/** @param committed  told of each commit that was made */
export function createStoreCounts(committed: (changes: readonly FileChange[], ms: number) => void): StoreCounts {
  const results = { saved: 0, stale: 0, refused: 0 };
  const latency = new Histogram();
  let [files, pending] = [0, 0];
  let store: Store | null = null;
  return {
    wrap(opened) {
      store = opened;
      return { ...opened, commit: (...asked) => commit(opened, ...asked) };
    },
    readiness,
    into(report) {
      for (const [result, count] of Object.entries(results)) report[seriesOf('cms_commits_total', { result })] = count;
      latency.into(report, 'cms_commit_duration_seconds', {});
      report.cms_committed_files_total = files;
      report.cms_commits_pending = pending;
      const ready = readiness();
      const following = store?.following();
      if (!ready || !following) return;
      report.cms_sweeps_total = following.sweeps;
      report.cms_sweep_seconds_total = following.sweptMs / 1000;
      report.cms_watching = ready.by === 'events' ? 1 : 0;
      report.cms_index_files = following.files;
      report.cms_index_pending = ready.pending;
      report.cms_index_behind_seconds = ready.behindMs / 1000;
      if (ready.ageMs !== null) report.cms_index_age_seconds = ready.ageMs / 1000;
      report.cms_storage_faults = ready.faults.length;
    },
  };

  async function commit(to: Store, ...asked: Parameters<Store['commit']>): ReturnType<Store['commit']> {
    const [changes] = asked;
    if (changes.length === 0) return to.commit(...asked);
    const began = performance.now();
    pending++;
    try {
      const entries = await to.commit(...asked);
      const ms = performance.now() - began;
      results.saved++;
      files += changes.length;
      latency.observe(ms / 1000);
      committed(changes, ms);
      return entries;
    } catch (error) {
      results[error instanceof StaleWriteError || error instanceof BusyError ? 'stale' : 'refused']++;
      throw error;
    } finally {
      pending--;
    }
  }

  function readiness(): Readiness | null {
    const following = store?.following();
    if (!store || !following || following.by === null) return null;
    const now = performance.now();
    return {
      by: following.by,
      pending: following.pending,
      behindMs: following.since === null ? 0 : now - following.since,
      ageMs: following.sweptAt === null ? null : now - following.sweptAt,
      isListable: !store.problems().some(({ rule }) => rule === 'folder-unreadable'),
      faults: store.faults.present(),
    };
  }
}
