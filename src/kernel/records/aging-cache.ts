/**
 * Things derived from records, bounded by bytes. Two generations: when the younger is full the older goes as a whole; what is used again
 * moves to the younger. Nothing outlives two fillings, nor its record, which holds the text of its file.
 */

export interface AgingCache<T> {
  /** @param form  which of the things made of a record */
  get(form: string, record: object): T | undefined;
  set(form: string, record: object, value: T): void;
  /** Forgets everything of a form. */
  drop(form: string): void;
}

/** Overhead of an entry. */
const OVERHEAD_BYTES = 200;
/** Overhead of a form: its own table. */
const FORM_BYTES = 1000;

/** @param weigh  bytes a value holds */
export function createAgingCache<T>(maxBytes: number, weigh: (value: T) => number): AgingCache<T> {
  type Generation = Map<string, WeakMap<object, T>>;
  let young: Generation = new Map();
  let old: Generation = new Map();
  let bytes = 0;

  function set(form: string, record: object, value: T): void {
    const cost = weigh(value) + OVERHEAD_BYTES;
    const formCost = young.has(form) ? 0 : form.length * 2 + FORM_BYTES;
    if (bytes + cost + formCost > maxBytes / 2) {
      old = young;
      young = new Map();
      bytes = 0;
    }
    const rowStore = young.get(form) ?? new WeakMap<object, T>();
    if (!young.has(form)) bytes += form.length * 2 + FORM_BYTES;
    young.set(form, rowStore);
    const replaced = rowStore.get(record);
    bytes += cost - (replaced === undefined ? 0 : weigh(replaced) + OVERHEAD_BYTES);
    rowStore.set(record, value);
  }

  return {
    get(form, record) {
      const known = young.get(form)?.get(record);
      if (known !== undefined) return known;
      const rowStore = old.get(form);
      const older = rowStore?.get(record);
      if (older === undefined) return undefined;
      rowStore?.delete(record);
      set(form, record, older);
      return older;
    },
    set,
    drop(form) {
      young.delete(form);
      old.delete(form);
    },
  };
}
