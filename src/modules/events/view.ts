/** An event for one reader. Hidden items do not exist: one that becomes private is deleted for visitors, and one that is published is created. */
import type { Dialect } from '../../kernel/rest/dialect.ts';
import { spelled } from '../content/permalinks/record.ts';
import type { EventKind, EventSide, KeptEvent } from './record.ts';

type EventAction = 'created' | 'updated' | 'deleted' | 'changed' | 'reset';

/** What is sent. */
export interface EventView {
  readonly seq: number;
  readonly kind: EventKind;
  readonly action: EventAction;
  readonly id: number;
  readonly type: string;
  readonly status: BeforeAndAfter;
  readonly link: BeforeAndAfter;
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  /** ISO 8601, in GMT. */
  readonly time: string;
}

interface BeforeAndAfter {
  readonly before: string | null;
  readonly after: string | null;
}

/** Requested events; an empty list means all. */
export interface EventFilter {
  readonly kinds: readonly string[];
  readonly types: readonly string[];
}

/** @param mayRead  whether the reader sees a state. Null: nothing to report. */
export function viewOf(event: KeptEvent, mayRead: (side: EventSide) => boolean, dialect: Dialect): EventView | null {
  const see = (side: EventSide | null): EventSide | null => (side && mayRead(side) ? side : null);
  const [before, after] = [see(event.before), see(event.after)];
  if (!before && !after) return null;
  const { kind, id, at } = event;
  const word = dialect.wireName;
  const link = (side: EventSide | null): string | null => (side?.link ? spelled(side.link, word) : null);
  return {
    ...{ seq: event.mark.id, kind, action: kind === 'site' ? 'changed' : actionOf(before, after), id, type: word(event.type) },
    status: { before: before?.status ?? null, after: after?.status ?? null },
    link: { before: link(before), after: link(after) },
    tags: [...new Set([...(before?.tags ?? []), ...(after?.tags ?? [])])],
    paths: [...new Set([...(before?.paths ?? []), ...(after?.paths ?? [])])],
    time: new Date(at).toISOString(),
  };
}

export function fits({ kind, type }: KeptEvent, { kinds, types }: EventFilter): boolean {
  if (kinds.length > 0 && !kinds.includes(kind)) return false;
  return types.length === 0 || types.includes(type);
}

function actionOf(before: EventSide | null, after: EventSide | null): EventAction {
  if (!before) return 'created';
  return after ? 'updated' : 'deleted';
}
