/** Image limits of a field, from groups in `fields:` of `site.yaml`; an undeclared key only limits types. */
import { table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type {} from '../custom-fields/index.ts';
import type { FieldDefinition } from '../custom-fields/record.ts';

/** Bytes and pixels; undefined for no limit. */
type Bound = 'minBytes' | 'maxBytes' | 'minWidth' | 'minHeight' | 'maxWidth' | 'maxHeight';

export interface Limits extends Readonly<Record<Bound, number | undefined>> {
  /** MIME types. */
  readonly types: ReadonlySet<string>;
}

const megabyte = 1_000_000;
const usualTypes = 'jpeg,png,gif';
const typesByName: Readonly<Record<string, string>> = table({
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
});

/** @param key  key or name of a field; a key wins over a name */
export function limitsOf({ fieldGroups = [] }: Partial<Pick<Site, 'fieldGroups'>>, key: string): Limits {
  const fields = fieldGroups.flatMap((group) => fieldsIn(group.fields));
  const field = fields.find((one) => one.key === key) ?? fields.find(({ name }) => name === key);
  const { mime_types: named, ...options } = field?.options ?? {};
  const types = typeof named === 'string' && named.trim() !== '' ? named : usualTypes;
  return {
    types: new Set(types.split(',').flatMap((name) => typesByName[name.trim().toLowerCase()] ?? [])),
    minBytes: bytes(options.min_size),
    maxBytes: bytes(options.max_size),
    minWidth: positive(options.min_width),
    minHeight: positive(options.min_height),
    maxWidth: positive(options.max_width),
    maxHeight: positive(options.max_height),
  };
}

/** Fields of a list, with nested ones. */
function fieldsIn(list: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return list.flatMap((field) => [field, ...fieldsIn(field.fields), ...[...field.layouts.values()].flatMap(fieldsIn)]);
}

function bytes(value: unknown): number | undefined {
  const megabytes = positive(value);
  return megabytes === undefined ? undefined : megabytes * megabyte;
}

/** Decimals are strings in files. */
function positive(value: unknown): number | undefined {
  const read = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(read) && read > 0 ? read : undefined;
}
