import type { Identified } from '../../../kernel/records/types.ts';

/** In an order that does not depend on when they were read. */
export function byId<R extends Identified>(records: Iterable<R>): readonly R[] {
  return [...records].sort((a, b) => a.id - b.id);
}
