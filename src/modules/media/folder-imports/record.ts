/** Imported folders, from CSV, another product or an old version: rows with source ids, which only express the hierarchy. */
import { isId } from '../../../kernel/model/ids.ts';

export interface SourceFolder {
  readonly id: number;
  readonly name: string;
  /** 0 at the top. */
  readonly parent: number;
  readonly ord: number;
  /** 0: shared. */
  readonly owner: number;
  readonly attachments: readonly number[];
}

/** Rows from the top down, siblings in order. Unreachable rows and duplicate ids are dropped. */
export function fromTop(rows: readonly SourceFolder[]): readonly SourceFolder[] {
  const byParent = new Map<number, SourceFolder[]>();
  const seen = new Set<number>();
  for (const row of rows) {
    if (!isId(row.id) || seen.has(row.id)) continue;
    seen.add(row.id);
    const siblings = byParent.get(row.parent);
    if (siblings) siblings.push(row);
    else byParent.set(row.parent, [row]);
  }
  const sorted: SourceFolder[] = [];
  const next = (parent: number): SourceFolder[] => (byParent.get(parent) ?? []).sort((a, b) => a.ord - b.ord || a.id - b.id);
  sorted.push(...next(0));
  for (let at = 0; at < sorted.length; at++) sorted.push(...next((sorted[at] as SourceFolder).id));
  return sorted;
}
