/**
 * Values that front matter can hold, and no more of it than readers take. What does not fit is said.
 */
import { same } from '../../kernel/model/field.ts';
import type { MetaSchemas } from '../../modules/posts/record.ts';
import type { Schema } from '../../kernel/model/schema.ts';
import { maxYamlLength } from '../../kernel/yaml/codec.ts';
import type { Write } from '../../kernel/store/types.ts';
import { toStored } from '../../kernel/yaml/print.ts';
import type { WriteContext } from './write-context.ts';
import type { Item } from './items.ts';
import { remark } from './source-scan.ts';

/** Bytes of front matter that a file may have; above, readers refuse it. */
export const maxMatter = maxYamlLength - 16 * 1024;

/** A text as the value that `site.yaml` declares a custom field to be, where that says exactly the same. */
function typed(value: unknown, { type }: Schema = {}): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer' || type === 'number')
    return String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
  if (type === 'boolean') return value === '1' || value === 'true' ? true : value === '' || value === 'false' ? false : value;
  return value;
}

/** Meta that files can hold. */
export function cleanMeta(
  context: WriteContext,
  item: Item & { readonly meta?: Readonly<Record<string, unknown>> },
  schemas: MetaSchemas = {},
): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(item.meta ?? {})) {
    const value = typed(given, schemas[key]);
    if (value === undefined) continue;
    try {
      const stored = toStored({ [key]: value }) as Record<string, unknown>;
      if (!same(stored[key], value))
        remark(context.report, item, 'changed', 'meta-as-text', `meta ${key} contains numbers that files store as text`);
      meta[key] = stored[key];
    } catch (error) {
      remark(context.report, item, 'lost', 'meta', `meta ${JSON.stringify(key.slice(0, 60))}: ${(error as Error).message}`);
    }
  }
  return meta;
}

/** Front matter above what readers take loses its largest values, each of which is said. */
export function withinLimits(context: WriteContext, item: Item, write: Write): Write {
  const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '') * 1.2;
  if (sizeOf(write.data) < maxMatter) return write;
  let { data } = write;
  while (sizeOf(data) >= maxMatter) {
    const meta = (data.meta ?? {}) as Record<string, unknown>;
    const [key] = Object.keys(meta).sort((a, b) => sizeOf(meta[b]) - sizeOf(meta[a]));
    const others = Object.keys(data).filter((one) => one !== 'id' && one !== 'meta');
    const [other = ''] = others.sort((a, b) => sizeOf(data[b]) - sizeOf(data[a]));
    const isMeta = key !== undefined && sizeOf(meta[key]) >= sizeOf(data[other]);
    data = isMeta ? { ...data, meta: without(meta, key) } : without(data, other);
    remark(context.report, item, 'lost', 'too-large', `${isMeta ? `meta ${key}` : other} exceeds the size limit of front matter`);
  }
  return { ...write, data };
}

export function without(data: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const { [key]: _, ...rest } = data;
  return rest;
}
