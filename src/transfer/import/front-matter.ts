/**
 * Values that front matter can hold, and no more of it than readers take. What does not fit is said.
 */
import { FieldProblem, same } from '../../kernel/model/field.ts';
import type { MetaSchemas } from '../../modules/types/record.ts';
import type { Schema } from '../../kernel/model/schema.ts';
import { isMap } from '../../kernel/model/maps.ts';
import { maxYamlLength } from '../../kernel/yaml/frontmatter.ts';
import { contextOf } from '../../kernel/site/record-file.ts';
import type { Write } from '../../kernel/store/types.ts';
import { toStored } from '../../kernel/yaml/print.ts';
import type { WriteContext } from './write-context.ts';
import type { SourceItem } from './items.ts';
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

/** A custom field with the addresses of the old site in it where they lead now. What a program has serialised counts its characters, and stays. */
function addressedHere(context: WriteContext, value: unknown): unknown {
  const { links } = context;
  if (links === null) return value;
  if (typeof value === 'string') return /^[a-zA-Z]:\d+[:;]/.test(value) ? value : links.rewrite(value).text;
  if (Array.isArray(value)) return value.map((one) => addressedHere(context, one));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, addressedHere(context, one)]));
}

/** Meta that files can hold. */
export function cleanMeta(
  context: WriteContext,
  item: SourceItem & { readonly meta?: Readonly<Record<string, unknown>> },
  schemas: MetaSchemas = {},
): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(item.meta ?? {})) {
    const value = typed(addressedHere(context, given), schemas[key]);
    if (value === undefined) continue;
    try {
      const kept = stored(key, value);
      if (!same(kept, value))
        remark(context.report, item, 'changed', 'meta-as-text', `meta ${key} contains numbers that files store as text`);
      meta[key] = kept;
    } catch (error) {
      remark(context.report, item, 'lost', 'meta', `meta ${JSON.stringify(key.slice(0, 60))}: ${(error as Error).message}`);
    }
  }
  return meta;
}

interface Target {
  /** Where the file goes. */
  readonly path: string;
  /** Keys that fields of ours write. */
  readonly known: readonly string[];
  /** What modules call such items. */
  readonly names: readonly string[];
}

/**
 * The front matter of an item with what it has besides: what fields of modules take of its keys, or of the meta rows by which other
 * formats carry them, and keys of nobody. A value that its field does not take is said; what came as meta then stays meta.
 */
export function withExtra(
  context: WriteContext,
  item: SourceItem & { readonly meta?: Row; readonly extra?: Row },
  data: Row,
  { path, known, names }: Target,
): Record<string, unknown> {
  const { fields } = context.site.modules.extension(names);
  const out: Record<string, unknown> = { ...data };
  const rest: Record<string, unknown> = { ...item.extra };
  for (const { file, schema } of Object.values(fields)) {
    if (!file) continue;
    const { key } = file;
    const isMeta = rest[key] === undefined && Object.hasOwn(item.meta ?? {}, key);
    const value = isMeta ? typed(item.meta?.[key], schema) : rest[key];
    delete rest[key];
    if (value === undefined) continue;
    try {
      file.read(value, {}, contextOf(context.site, path));
      out[key] = stored(key, value);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      const [severity, more] = isMeta ? (['changed', '; it stays under meta'] as const) : (['lost', ''] as const);
      remark(context.report, item, severity, `field:${key}`, `${error.message}${more}`);
      continue;
    }
    if (!isMeta) continue;
    const meta = without(out.meta as Row, key);
    if (Object.keys(meta).length > 0) out.meta = meta;
    else delete out.meta;
  }
  for (const [key, value] of Object.entries(rest)) {
    if (known.includes(key) || key === 'id') continue;
    try {
      out[key] = stored(key, value);
    } catch (error) {
      remark(context.report, item, 'lost', 'front-matter', `${JSON.stringify(key.slice(0, 60))}: ${(error as Error).message}`);
    }
  }
  return out;
}

type Row = Readonly<Record<string, unknown>>;

/** @throws Error for what no file can hold */
function stored(key: string, value: unknown): unknown {
  return (toStored({ [key]: value }) as Record<string, unknown>)[key];
}

/** Front matter above what readers take loses its largest values, each of which is said. */
export function withinLimits(context: WriteContext, item: SourceItem, write: Write): Write {
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
