/**
 * What a field allows of the pictures it takes. Fields are declared by groups in `fields:` of `site.yaml`; a key that nobody declares
 * has no limits but the usual types.
 */
import { isMap, mapOf } from '../../kernel/model/maps.ts';
import type { Site } from '../../kernel/site/site.ts';

export interface Limits {
  /** MIME types. */
  readonly types: ReadonlySet<string>;
  /** Bytes; undefined for no limit, as in all others. */
  readonly minBytes?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** Pixels. */
  readonly minWidth?: number | undefined;
  readonly minHeight?: number | undefined;
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

const megabyte = 1_000_000;
const usualTypes = 'jpeg,png,gif';
const typesByName: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** @param key  key or name of a field */
export function limitsOf({ settings }: Pick<Site, 'settings'>, key: string): Limits {
  const groups = settings.entry?.data.fields;
  const field = (Array.isArray(groups) && findField(groups, key)) || {};
  const named = typeof field.mime_types === 'string' && field.mime_types.trim() !== '' ? field.mime_types : usualTypes;
  const types = named.split(',').flatMap((name) => typesByName[name.trim().toLowerCase()] ?? []);
  return {
    types: new Set(types),
    minBytes: bytes(field.min_size),
    maxBytes: bytes(field.max_size),
    minWidth: positive(field.min_width),
    minHeight: positive(field.min_height),
    maxWidth: positive(field.max_width),
    maxHeight: positive(field.max_height),
  };
}

/** Cost: a look at every field; depth as in the file. A key wins over a name. */
function findField(groups: readonly unknown[], wanted: string): Readonly<Record<string, unknown>> | undefined {
  const fields = groups.flatMap((group) => fieldsIn(mapOf(group).fields));
  return fields.find(({ key }) => key === wanted) ?? fields.find(({ name }) => name === wanted);
}

/** Fields of a list, each with those inside of it. */
function fieldsIn(list: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter(isMap)
    .flatMap((field) => [
      field,
      ...fieldsIn(field.fields),
      ...Object.values(mapOf(field.layouts)).flatMap((layout) => fieldsIn(mapOf(layout).fields)),
    ]);
}

function bytes(value: unknown): number | undefined {
  const megabytes = positive(value);
  return megabytes === undefined ? undefined : megabytes * megabyte;
}

/** Fractions are text in files. */
function positive(value: unknown): number | undefined {
  const read = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(read) && read > 0 ? read : undefined;
}
