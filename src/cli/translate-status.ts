/**
 * How far a site is translated, counted for each language: its items, and the strings that belong to none.
 */
import type { Site } from '../kernel/site/site.ts';
import { type Pair, type PairState, pairStates, translationOverview } from '../modules/translation/items/index.ts';
import type { OrderElement } from '../modules/translation/jobs/record.ts';
import { makeStringBatch, type StringPair, stringOverview } from '../modules/translation/strings/index.ts';
import { Failure, status } from './failure.ts';
import { type Io, printTable } from './io.ts';

export interface StatusOptions {
  readonly to?: readonly string[];
  /** Of items, and `string`; absent: all items. */
  readonly type?: readonly string[];
  readonly all?: true;
  readonly list?: true;
  readonly check?: true;
  readonly json?: true;
}

type Counted = readonly { readonly target: string; readonly state: PairState }[];

/** What strings are called among types of items. */
const stringType = 'string';

const isLeft = ({ state }: { readonly state: PairState }): boolean => state === 'missing' || state === 'outdated';

export function pairsOf(site: Site, { to, type }: StatusOptions): readonly Pair[] {
  return translationOverview(site, to).filter((pair) => !type || type.includes(pair.type));
}

/** Where their type is named: labels that come with the program are strings as well, which few sites translate. */
function stringsOf(site: Site, { to, type }: StatusOptions): readonly StringPair[] {
  return type?.includes(stringType) ? stringOverview(site, to) : [];
}

/** Strings to be ordered: those of one language that are to be in another are one batch. */
export async function stringElements(site: Site, options: StatusOptions): Promise<readonly OrderElement[]> {
  const batches = new Map<string, { readonly target: string; readonly ids: number[] }>();
  for (const pair of stringsOf(site, options)) {
    if (!options.all && !isLeft(pair)) continue;
    const { string, target } = pair;
    const key = `${string.lang} ${target}`;
    const batch = batches.get(key) ?? { target, ids: [] };
    batches.set(key, batch);
    batch.ids.push(string.id);
  }
  const elements: OrderElement[] = [];
  for (const { target, ids } of batches.values())
    elements.push({ id: await makeStringBatch(site, ids), type: stringType, targets: [target] });
  return elements;
}

export function printStatus(site: Site, options: StatusOptions, io: Io): void {
  const pairs = pairsOf(site, options);
  const strings = stringsOf(site, options);
  const codes = options.to ?? site.languages.codes;
  const items = pairs.filter(({ state }) => state !== 'translated');
  const texts = strings.filter(({ state }) => state !== 'translated');
  if (options.json) {
    const shown = texts.map(({ string: { id, domain, name, value }, ...pair }) => ({ id, domain, name, value, ...pair }));
    const ofStrings = strings.length > 0 ? { strings: counted(codes, strings) } : {};
    const lists = options.list ? { items, ...(strings.length > 0 ? { texts: shown } : {}) } : {};
    io.out(JSON.stringify({ languages: counted(codes, pairs), ...ofStrings, ...lists }, null, 2));
  } else {
    if (strings.length === 0 || pairs.length > 0) printCounts('LANGUAGE', counted(codes, pairs), io);
    if (strings.length > 0 && pairs.length > 0) io.out('');
    if (strings.length > 0) printCounts('STRINGS', counted(codes, strings), io);
    if (options.list) {
      const rows = items.map(({ target, state, item, path, title }) => [target, state, String(item), path, title]);
      printList(['TO', 'STATE', 'ID', 'FILE', 'TITLE'], rows, io);
      const others = texts.map(({ target, state, string: { domain, name, value } }) => [target, state, domain, name, value]);
      printList(['TO', 'STATE', 'DOMAIN', 'NAME', 'TEXT'], others, io);
    }
  }
  if (options.check && [...pairs, ...strings].some(isLeft)) throw new Failure(status.failed, '');
}

type Counts = { readonly language: string } & Readonly<Record<PairState, number>>;

function counted(codes: readonly string[], all: Counted): readonly Counts[] {
  return codes.map((language) => {
    const own = all.filter(({ target }) => target === language);
    const counts = pairStates.map((state) => [state, own.filter((pair) => pair.state === state).length]);
    return { language, ...(Object.fromEntries(counts) as Record<PairState, number>) };
  });
}

function printCounts(what: string, counts: readonly Counts[], io: Io): void {
  const rows = counts.map((one) => [one.language, ...pairStates.map((state) => String(one[state]))]);
  for (const line of printTable([what, 'MISSING', 'OUTDATED', 'IN WORK', 'TRANSLATED'], rows)) io.out(line);
}

function printList(heading: readonly string[], rows: readonly (readonly string[])[], io: Io): void {
  if (rows.length > 0) for (const line of ['', ...printTable(heading, rows)]) io.out(line);
}
