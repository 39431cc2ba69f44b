/**
 * Every item of a list of a site in use: none lost and none twice, even if items come and go while it is paged through, and
 * even if one of them is broken.
 *
 * Pages are requested in the order of ids and overlap by one item. If the first item of a page is not the last of the page
 * before, an item has been removed in between and the page before is requested again. A page that fails is requested in tens, then
 * one by one, until the broken item is found. For lists without `offset`, whole pages and the total serve this purpose.
 *
 * A list may give fewer items to a page than it is asked for, or refuse so many: what came says where the next page begins, and how many
 * to ask for. What is missing of the total in the end is lost.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { SourceError } from '../../import/items.ts';
import type { SourceAnswer, RestClient, RestParams } from './client.ts';
import type { Spool } from './spool.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface Lost {
  /** Where it was asked. */
  readonly url: string;
  readonly status: number;
  /** Items, of how many; without it one. */
  readonly missing?: readonly [missing: number, total: number];
}

interface CollectionOptions {
  readonly client: RestClient;
  readonly spool: Spool;
  /** Route in the spelling of the source; also the name in the spool. */
  readonly route: string;
  readonly name?: string;
  /** Sets of parameters, those that return most first: the first that is allowed is used. */
  readonly variants: readonly RestParams[];
  /** Parameters the list knows. */
  readonly knows: ReadonlySet<string>;
}

export interface RestCollection {
  readonly route: string;
  /** Asks for the beginning, when that is not in the spool. @returns items in all; 0 when the list may not be read */
  start(): Promise<number>;
  /** Which variant was allowed; -1: none. After `start`. */
  readonly variant: number;
  /** The status that refused the list; 0: it is not refused. */
  readonly refusedBy: number;
  /** From the spool as far as that goes, then from the source. @throws SourceError */
  rows(): AsyncGenerator<{ readonly row: Row } | { readonly lost: Lost }>;
}

const maxStepsBack = 50;
const maxLostInARow = 25;
/** Where nothing has been read before: the list itself is broken, and not its items. */
const maxLostAtFirst = 3;

/** Where paging stands; kept with every line of the spool. */
interface State {
  /** Position of the next item in the list. */
  readonly position: number;
  /** Id of the item before it; null: unknown. */
  readonly last: number | null;
  readonly total: number | null;
  /** Items asked for at a time. */
  readonly size: number;
  /** Items without an id so far. */
  readonly unnamed: number;
  /** Up to these positions pages of 10, and of 1, are asked for. */
  readonly until: readonly [tens: number, ones: number];
  readonly stepsBack: number;
  readonly lost: number;
  readonly lostInARow: number;
  /** Rounds through the whole list so far. */
  readonly rounds: number;
  readonly isDone: boolean;
}

interface Line {
  readonly variant: number;
  /** Status that refused the list. */
  readonly refused?: number;
  readonly rows?: readonly Row[];
  readonly lost?: Lost;
  readonly next: State;
}

const begin: State = {
  position: 0,
  last: null,
  total: null,
  size: 100,
  unnamed: 0,
  until: [0, 0],
  stepsBack: 0,
  lost: 0,
  lostInARow: 0,
  rounds: 0,
  isDone: false,
};

/** A list with what it supports. */
interface Paging extends CollectionOptions {
  readonly name: string;
  readonly isOrdered: boolean;
  /** Pages can overlap by an item. */
  readonly overlaps: boolean;
  readonly isPaged: boolean;
}

interface Page {
  readonly answer: SourceAnswer;
  readonly from: number;
  readonly size: number;
}

type NextLine = Omit<Line, 'variant'>;

export function createCollection(options: CollectionOptions): RestCollection {
  const { spool, route, name = route, variants, knows } = options;
  const isOrdered = knows.has('orderby') && knows.has('order');
  const overlaps = isOrdered && knows.has('offset');
  const paging: Paging = { ...options, name, isOrdered, overlaps, isPaged: knows.has('per_page') };
  let begun: Pick<Line, 'variant' | 'refused'> = { variant: -1 };
  const started = (line: Line): number => {
    begun = line;
    return line.next.total ?? line.rows?.length ?? 0;
  };
  return {
    route,
    get variant() {
      return begun.variant;
    },
    get refusedBy() {
      return begun.refused ?? 0;
    },
    async start() {
      for await (const line of spool.lines(name)) return started(line as Line);
      const line = await firstLine(paging);
      await spool.add(name, line);
      return started(line);
    },
    async *rows() {
      const known = new Set<unknown>();
      let state: State = begin;
      for await (const line of spool.lines(name)) {
        state = (line as Line).next;
        yield* freshRows(line as Line, known);
      }
      const { variant } = begun;
      while (!state.isDone) {
        const line = { variant, ...(await nextLine(paging, state, known, variants[variant] ?? {})) };
        await spool.add(name, line);
        state = line.next;
        yield* freshRows(line, known);
      }
    },
  };
}

/** Rows of a line that were not seen before. */
function* freshRows({ rows = [], lost }: NextLine, known: Set<unknown>): Generator<{ row: Row } | { lost: Lost }> {
  if (lost) yield { lost };
  for (const row of rows) {
    if (idOf(row) !== null && known.has(row.id)) continue;
    known.add(row.id);
    yield { row };
  }
}

async function request(
  { client, route, overlaps, isPaged, isOrdered }: Paging,
  { position, last, until, size: usual }: State,
  params: RestParams,
): Promise<Page> {
  const size = position < until[1] ? 1 : position < until[0] ? Math.min(10, usual) : usual;
  const from = overlaps && last !== null && size > 1 ? position - 1 : position;
  const place: RestParams = !isPaged
    ? {}
    : overlaps
      ? { per_page: size, offset: from }
      : { per_page: size, page: position / size + 1 };
  const order: RestParams = isOrdered ? { orderby: 'id', order: 'asc' } : {};
  const answer = await client.get(route, { ...params, ...order, ...place }, { isAgain: size < usual });
  return { answer, from, size };
}

async function firstLine(paging: Paging): Promise<Line> {
  let refused = 404;
  for (const [variant, params] of paging.variants.entries()) {
    let state = begin;
    let { answer } = await request(paging, state, params);
    while (paging.isPaged && isTooMuch(answer) && state.size > 1) {
      state = { ...state, size: smallerSize(answer, state.size) };
      ({ answer } = await request(paging, state, params));
    }
    if (answer.status === 404) break;
    if ([400, 401, 403].includes(answer.status)) {
      refused = answer.status;
      continue;
    }
    const rows = answer.status === 200 ? rowsOf(answer.body) : null;
    if (rows === null) return { variant, ...brokenLine(paging, state, answer, state.size) };
    return { variant, ...lineOf(paging, state, { answer, from: 0, size: state.size }, rows, new Set()) };
  }
  return { variant: -1, refused, next: { ...begin, isDone: true } };
}

/** Whether a list refuses so many items at a time. */
function isTooMuch({ status, body }: SourceAnswer): boolean {
  const { params, details } = mapOf(mapOf(body).data);
  const named = Array.isArray(params) ? params : Object.keys({ ...mapOf(params), ...mapOf(details) });
  return status === 400 && (named.includes('per_page') || String(mapOf(body).message).includes('per_page'));
}

/** As many as the refusal allows, where it says so; else half. */
function smallerSize({ body }: SourceAnswer, size: number): number {
  const said = /per_page\D{1,60}1\D{1,40}?(\d{1,3})\b/.exec(JSON.stringify(body ?? ''))?.[1];
  const allowed = Number(said ?? 0);
  return allowed >= 1 && allowed < size ? allowed : Math.floor(size / 2);
}

/** The next line of the spool; rows that are known already may be among its own. */
async function nextLine(paging: Paging, state: State, known: ReadonlySet<unknown>, params: RestParams): Promise<NextLine> {
  const { answer, from, size } = await request(paging, state, params);
  const { status, body, url } = answer;
  if (status === 400 && state.position > 0) return ended(paging, state, known.size, url);
  if ([401, 403, 404].includes(status))
    throw new SourceError(
      `responded with ${status} in the middle of a list`,
      { source: url },
      { hint: 'check that the password is still valid' },
    );
  const rows = status === 200 ? rowsOf(body) : null;
  if (rows === null) return brokenLine(paging, state, answer, size);
  const total = answer.total ?? null;
  if (isShifted(paging, state, from, idOf(rows[0]), total) && state.stepsBack < maxStepsBack) {
    const back = Math.max(0, state.position - size - (state.position % size));
    return { next: { ...state, position: back, last: null, total, stepsBack: state.stepsBack + 1 } };
  }
  return lineOf(paging, state, { answer, from, size }, rows, known);
}

/** A page that can be read, and where the next one begins. */
function lineOf(
  paging: Paging,
  state: State,
  { answer, from, size }: Page,
  rows: readonly Row[],
  known: ReadonlySet<unknown>,
): NextLine {
  const { overlaps, isPaged } = paging;
  const total = answer.total ?? null;
  const came = rows.length;
  const isShort = came > 0 && came < size && (total === null || from + came < total);
  // Without an offset, pages are counted: they are of one size from the first one on.
  const follows = isShort && isPaged && (overlaps || from === 0);
  const position = from + (follows ? came : size);
  const after: State = {
    ...state,
    position,
    // A page of one item has none to overlap with.
    last: came > 1 || size === 1 ? idOf(rows.at(-1)) : null,
    size: follows && from === 0 ? came : state.size,
    unnamed: state.unnamed + rows.filter((row) => idOf(row) === null).length,
    total,
    lostInARow: 0,
  };
  const isNew = rows.some((row) => !known.has(row.id));
  const isLast = !isPaged || came === 0 || (total === null ? !isNew : position >= total);
  if (!isLast) return { rows, next: after };
  const seen = new Set([...known, ...rows.flatMap((row) => idOf(row) ?? [])]);
  return { rows, ...ended(paging, after, seen.size, answer.url) };
}

/** Whether an item before this page was removed since the page before it was read. */
function isShifted({ overlaps }: Paging, state: State, from: number, first: number | null, total: number | null): boolean {
  if (overlaps) return from < state.position && first !== null && state.last !== null && first > state.last;
  return total !== null && state.total !== null && total < state.total && state.position > 0;
}

/** Fewer items than the list counts: some were added before the place that was read. Once more, from the start; then they are lost. */
function ended({ isPaged }: Paging, state: State, seen: number, url: string): NextLine {
  const missing = state.total === null ? 0 : state.total - seen - state.lost - state.unnamed;
  if (missing <= 0) return { next: { ...state, isDone: true } };
  if (state.rounds < 1 && isPaged) {
    const { size, stepsBack, lost, rounds } = state;
    return { next: { ...begin, size, stepsBack, lost, rounds: rounds + 1 } };
  }
  return { lost: { url, status: 200, missing: [missing, state.total ?? 0] }, next: { ...state, isDone: true } };
}

function brokenLine({ isPaged, overlaps }: Paging, state: State, { url, status }: SourceAnswer, size: number): NextLine {
  const [tens, ones] = state.until;
  // Pages that are counted have to end where a larger one did.
  const isEven = overlaps || (size % 10 === 0 && state.position % 10 === 0);
  if (size > 10 && isPaged && isEven) return { next: { ...state, until: [state.position + size, ones] } };
  if (size > 1 && isPaged) return { next: { ...state, until: [tens, state.position + size] } };
  const most = state.position === state.lostInARow ? maxLostAtFirst : maxLostInARow;
  if (state.lostInARow >= most || !isPaged)
    throw new SourceError(`responds with errors (${status})`, { source: url }, { hint: 'check the log of the source' });
  const position = state.position + 1;
  const isDone = state.total !== null && position >= state.total;
  const after: State = { ...state, position, last: null, lostInARow: state.lostInARow + 1, isDone };
  return state.rounds > 0 ? { next: after } : { lost: { url, status }, next: { ...after, lost: state.lost + 1 } };
}

/** A list, also where it is written as a map; null when it is none. What is no item in it is one without an id. */
function rowsOf(body: unknown): readonly Row[] | null {
  if (typeof body !== 'object' || body === null) return null;
  const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null;
  const rows = Object.values(body) as unknown[];
  const isList = Array.isArray(body) ? rows.length === 0 || rows.some(isRow) : rows.every(isRow);
  return isList ? rows.map((row) => (isRow(row) ? row : {})) : null;
}

function idOf(row: Row | undefined): number | null {
  return typeof row?.id === 'number' ? row.id : null;
}
