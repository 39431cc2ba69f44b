/** Attributes of blocks hold maps within maps, which anybody may have written. */

/** Paths are few, and written in the source. */
const keysOf = new Map<string, readonly string[]>();

/** The member of nested maps at a path of keys, `style.color.text`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let keys = keysOf.get(path);
  if (keys === undefined) {
    keys = path.split('.');
    if (keysOf.size < 1000) keysOf.set(path, keys);
  }
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** A value as a map; undefined when it is none. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}
