/** Values by their names, and which of them have changed. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Value = Json;
export type Values = Readonly<Record<string, Value>>;

export const isSame = (a: Value | undefined, b: Value | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What has changed. */
export function changesOf(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
}
