/** Maps in YAML and JSON data. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The map; an empty one for other values. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

/** Whether objects inherit the name: `constructor`, `toString`, `__proto__`. */
export function isObjectWord(name: string): boolean {
  return name in Object.prototype;
}

/** A lookup table without inherited names. Every table for external names is one (`test/house.test.ts`). */
export function table<T extends object>(rows: T): T {
  return Object.freeze(Object.assign(Object.create(null), rows)) as T;
}
