/** Changes of thousands of files, a part of them to a commit: each part leaves a valid site, and others have their turn between them. */

const most = 128;

/** Writes all but the last part, which the caller writes together with what the whole is about. */
export async function inParts<T>(items: readonly T[], write: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from + most < items.length; from += most) await write(items.slice(from, from + most));
}
