/** Maps of names and values, told from everything else that YAML and JSON may hold. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The map; an empty one for anything else. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

/** Whether the name is a word that plain objects answer to: `constructor`, `toString`, `__proto__`. */
export function isObjectWord(name: string): boolean {
  return name in Object.prototype;
}

/**
 * A table that words of texts, files and requests are looked up in: it has its rows, and nothing that objects inherit. Every such
 * table is one (`test/house.test.ts`).
 */
export function table<T extends object>(rows: T): T {
  return Object.freeze(Object.assign(Object.create(null), rows)) as T;
}
