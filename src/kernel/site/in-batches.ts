/** Changes of thousands of files, a part of them to a commit: each part leaves a valid site, and others have their turn between them. */
import { nextTurn } from '../scheduler.ts';

const most = 64;

/** Writes all but the last part, which the caller writes together with what the whole is about. */
export async function inBatches<T>(items: readonly T[], write: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from + most < items.length; from += most) {
    await write(items.slice(from, from + most));
    await nextTurn();
  }
}

/** A file as a part has left it, by the id of its record: what is still so need not be written with the last part again. */
export class CompletedSet {
  readonly #etags = new Map<number, string>();

  /** @param find  records as they are now */
  note(ids: readonly number[], find: (id: number) => { readonly etag: string } | undefined): void {
    for (const id of ids) this.#etags.set(id, find(id)?.etag ?? '');
  }

  has({ id, etag }: { readonly id: number; readonly etag: string }): boolean {
    return this.#etags.get(id) === etag;
  }
}
