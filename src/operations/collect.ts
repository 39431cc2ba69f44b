/**
 * How the processes of one server tell of themselves: the primary asks each worker, a worker asks the primary for all of them. Over
 * the channel that Node keeps between them, in messages without a `kind`, which nobody else reads.
 */
import type { ChildProcess } from 'node:child_process';
import { lastingPart, mergeReports, type MetricsReport } from './metrics.ts';
import type { Observer } from './observe.ts';
import type { Reported } from './probes.ts';

type Said =
  /** Tell of yourself; or, of a worker: tell of all. */
  | { readonly operations: 'ask'; readonly id: number }
  | { readonly operations: 'told'; readonly id: number; readonly reported: readonly Reported[] };

/** A process that does not answer by then is left out; whoever asks the primary waits for it to wait. */
const patienceMs = { ofPrimary: 1000, ofWorker: 2500 };

/** What one process says, and the answers that it waits for. */
function createAsking(limitMs: number) {
  const waiting = new Map<number, (reported: readonly Reported[]) => void>();
  let serial = 0;
  return {
    ask(send: (message: Said) => void): Promise<readonly Reported[]> {
      const id = ++serial;
      return new Promise((resolve) => {
        const late = setTimeout(done, limitMs, []);
        waiting.set(id, done);
        send({ operations: 'ask', id });
        function done(reported: readonly Reported[]): void {
          clearTimeout(late);
          waiting.delete(id);
          resolve(reported);
        }
      });
    },
    heard(said: Said & { operations: 'told' }): void {
      waiting.get(said.id)?.(said.reported);
    },
  };
}

/** For the process that is all of the server. */
export function collectAlone({ report, readiness }: Observer): () => Promise<readonly Reported[]> {
  return async () => [{ worker: 0, report: report(), readiness: readiness() }];
}

/** For a worker: answers the primary, and has it ask all. */
export function collectAsWorker({ report, readiness }: Observer, worker: number): () => Promise<readonly Reported[]> {
  const asking = createAsking(patienceMs.ofWorker);
  const say = (message: Said): void => void (process.connected && process.send?.(message));
  process.on('message', (said: Said) => {
    if (said.operations === 'told') asking.heard(said);
    if (said.operations === 'ask')
      say({ operations: 'told', id: said.id, reported: [{ worker, report: report(), readiness: readiness() }] });
  });
  return () => asking.ask(say);
}

/** For the primary. What a worker that has ended had counted stays in the sums. */
export function collectAsPrimary(): {
  readonly attend: (number: number, worker: ChildProcess) => void;
  readonly collect: () => Promise<readonly Reported[]>;
} {
  const workers = new Map<number, { readonly child: ChildProcess; last: MetricsReport; ask(): Promise<readonly Reported[]> }>();
  let ended: MetricsReport = {};
  return {
    attend(number, child) {
      const asking = createAsking(patienceMs.ofPrimary);
      const say = (message: Said): void => void (child.connected && child.send(message, () => undefined));
      const worker = { child, last: {} as MetricsReport, ask: () => asking.ask(say) };
      workers.set(number, worker);
      child.on('message', (said: Said) => {
        if (said.operations === 'told') asking.heard(said);
        if (said.operations === 'ask') void collect().then((reported) => say({ operations: 'told', id: said.id, reported }));
      });
      child.once('exit', () => {
        ended = mergeReports([
          [0, ended],
          [0, lastingPart(worker.last)],
        ]);
        if (workers.get(number) === worker) workers.delete(number);
      });
    },
    collect,
  };

  async function collect(): Promise<readonly Reported[]> {
    const told = await Promise.all(
      [...workers].map(async ([number, worker]) => {
        const [reported] = await worker.ask();
        if (!reported) return { worker: number, report: lastingPart(worker.last), readiness: null };
        worker.last = reported.report;
        return reported;
      }),
    );
    return [{ worker: 0, report: ended, readiness: null }, ...told];
  }
}
