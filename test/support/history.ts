/**
 * The independent checker of histories: what clients of several nodes saw, and what the engine and the nodes hold in the end. It knows
 * nothing of how either works, and is itself tried with doctored histories (`test/kernel/http/history.test.ts`).
 *
 * Shared posts are counters: each change puts the next number into the title and names the state that it replaces.
 */

export interface Asked {
  /** Whose session it is. */
  readonly client: number;
  /** By one clock of all clients. */
  readonly began: number;
  readonly ended: number;
  /** Acknowledged; otherwise nobody knows what became of it. */
  readonly isSure: boolean;
}

export interface Read extends Asked {
  readonly kind: 'read';
  /** Visitors may see what is a little old. */
  readonly isVisitor: boolean;
  readonly id: number;
  readonly count: number;
  /** Of the file; '' where it is not shown. */
  readonly etag: string;
}

export interface Change extends Asked {
  readonly kind: 'change';
  readonly id: number;
  readonly count: number;
  /** State that was replaced, and the one that came of it; '' when nobody has said, as where the answer shows a later one. */
  readonly from: string;
  readonly to: string;
}

export interface Creation extends Asked {
  readonly kind: 'creation';
  readonly id: number;
  readonly slug: string;
  readonly title: string;
}

export type Event = Read | Change | Creation;

/** A post as it is held in the end. */
export interface Held {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly etag: string;
}

export interface Ending {
  readonly engine: readonly Held[];
  /** In memory, as they show it to somebody who is signed in. */
  readonly nodes: readonly (readonly Held[])[];
}

export const counterTitle = (count: number): string => `Count ${count}`;
export const countIn = (title: string): number => Number(/^Count (\d+)$/.exec(title)?.[1] ?? Number.NaN);

/**
 * @param counters  ids of shared posts, which began at 0
 * @returns what no order of the requests explains
 */
export function judge(events: readonly Event[], counters: readonly number[], ending: Ending): string[] {
  const found: string[] = [];
  for (const id of counters) found.push(...judgeCounter(id, events, ending.engine));
  found.push(...judgeCreations(events, counters, ending.engine), ...judgeMemory(ending));
  return found;
}

function judgeCounter(id: number, events: readonly Event[], engine: readonly Held[]): string[] {
  const found: string[] = [];
  const changes = events.filter((event): event is Change => event.kind === 'change' && event.id === id);
  const reads = events.filter((event): event is Read => event.kind === 'read' && event.id === id && event.isSure);
  const sure = changes.filter(({ isSure }) => isSure);

  const made = new Map<number, Change>();
  const replaced = new Map<string, Change>();
  for (const change of sure) {
    const [same, other] = [made.get(change.count), replaced.get(change.from)];
    if (same || other)
      found.push(`fork of ${id}: ${change.count} was made twice, from ${change.from} and ${(same ?? other)?.from}`);
    made.set(change.count, change);
    replaced.set(change.from, change);
  }
  for (const { count, from } of sure) {
    const before = made.get(count - 1);
    if (before && before.to !== '' && before.to !== from)
      found.push(`fork of ${id}: ${count} replaced ${from}, but ${count - 1} was ${before.to}`);
  }

  const acknowledged = [...sure].sort((a, b) => a.ended - b.ended);
  for (const read of reads) {
    const { count, etag, began, ended, isVisitor } = read;
    const state = made.get(count);
    if (state && state.to !== '' && etag !== '' && etag !== state.to)
      found.push(`fork of ${id}: ${count} was ${state.to}, and read as ${etag}`);
    const isWritten = count === 0 || changes.some((change) => change.count === count && change.began < ended);
    if (!isWritten) found.push(`invented: ${id} was read as ${count}, which nobody had written`);
    if (isVisitor) continue;
    let known = 0;
    for (const change of acknowledged) {
      if (change.ended >= began) break;
      known = Math.max(known, change.count);
    }
    if (count < known) found.push(`stale: ${id} was read as ${count} after ${known} had been acknowledged`);
  }

  found.push(...judgeSessions(id, [...reads.filter(({ isVisitor }) => !isVisitor), ...sure]));

  const last = engine.find((held) => held.id === id);
  const count = countIn(last?.title ?? '');
  if (last === undefined || Number.isNaN(count)) return [...found, `lost: ${id} is not there in the end`];
  for (const change of sure)
    if (change.count > count) found.push(`lost: ${id} ends at ${count}, ${change.count} was acknowledged`);
  for (let at = 1; at <= count; at++)
    if (!changes.some((change) => change.count === at)) found.push(`invented: ${id} has passed ${at}, which nobody had written`);
  const state = made.get(count);
  if (state && state.to !== '' && state.to !== last.etag)
    found.push(`lost: ${id} ends as ${last.etag}, ${count} was acknowledged as ${state.to}`);
  return found;
}

/** A session never sees a counter go back. */
function judgeSessions(id: number, seen: readonly (Read | Change)[]): string[] {
  const latest = new Map<number, number>();
  return [...seen]
    .sort((a, b) => a.ended - b.ended)
    .flatMap(({ client, count }) => {
      const before = latest.get(client) ?? 0;
      latest.set(client, Math.max(before, count));
      return count < before ? [`back: session ${client} saw ${id} at ${before}, and then at ${count}`] : [];
    });
}

function judgeCreations(events: readonly Event[], counters: readonly number[], engine: readonly Held[]): string[] {
  const creations = events.filter((event): event is Creation => event.kind === 'creation');
  const titles = new Set(creations.map(({ title }) => title));
  const held = new Map(engine.map((one) => [one.title, one]));
  const lost = creations.filter(({ isSure, title, id, slug }) => {
    const one = held.get(title);
    return isSure && (one?.id !== id || one.slug !== slug);
  });
  const invented = engine.filter(({ id, title }) => !counters.includes(id) && !titles.has(title));
  return [
    ...lost.map(({ title, id, slug }) => `lost: ${title} (${id}, ${slug}) is not there in the end as acknowledged`),
    ...invented.map(({ title }) => `invented: ${title}, which nobody had written`),
    ...twice(engine.map(({ id }) => String(id))).map((id) => `twice: id ${id}`),
    ...twice(engine.map(({ slug }) => slug)).map((slug) => `twice: slug ${slug}`),
    ...twice(engine.map(({ title }) => title).filter((title) => titles.has(title))).map((title) => `twice: ${title}`),
  ];
}

function twice(all: readonly string[]): string[] {
  return all.filter((one, at) => all.indexOf(one) !== at);
}

function judgeMemory({ engine, nodes }: Ending): string[] {
  const print = (all: readonly Held[]) => all.map(({ id, slug, title, etag }) => `${id} ${slug} ${etag} ${title}`).sort();
  const wanted = print(engine);
  return nodes.flatMap((node, at) => {
    const has = print(node);
    const differs = [...wanted.filter((one) => !has.includes(one)), ...has.filter((one) => !wanted.includes(one))];
    if (differs.length === 0 && has.length === wanted.length) return [];
    return [`memory: node ${at} differs from the engine in ${differs[0] ?? 'how often it has a post'}`];
  });
}
