/**
 * Engines of machine translation as the operator names them, with what managers have changed: which are used, in which order, and how
 * formal they are. `lang/engines.yaml` has the changes.
 *
 * Source: reference on languages, 6.
 */
import { fail } from '../../../kernel/errors.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, Entry } from '../../../kernel/store/types.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationEngines: Engines;
  }
}

interface Engine {
  readonly engine: string;
  readonly order: number;
  readonly formal_name: string;
  readonly cost: number;
  readonly enabled: boolean;
  readonly formality_available: boolean;
  readonly formality_settings: { readonly languages: readonly Formality[] } | null;
}

interface Formality {
  readonly lang_code: string;
  readonly formality: string;
}

interface Engines {
  take(batch: Batch): void;
  list(): readonly Engine[];
  /** The order of the list is theirs from then on. @throws RestError rest_invalid_param for an engine that nobody named */
  change(given: readonly unknown[]): Promise<void>;
}

const path = 'lang/engines.yaml';
const formalities: readonly string[] = ['default', 'more', 'less', 'prefer_more', 'prefer_less'];

export function createEngines(site: Pick<Site, 'write' | 'translationUpstream'>): Engines {
  let file: Entry | null = null;
  const engines: Engines = {
    take({ entries, removed }) {
      if (removed.includes(path)) file = null;
      file = entries.find((entry) => entry.path === path) ?? file;
    },
    list() {
      const rows = Object.entries(mapOf(file?.data.engines));
      const placeOf = (engine: string): number => rows.findIndex(([name]) => name === engine);
      const known = site.translationUpstream.settings.engines.map((one, at) => {
        const place = placeOf(one.engine);
        const said = mapOf(rows[place]?.[1]);
        const formality = Object.entries(mapOf(said.formality));
        const languages = one.formality.map((code) => ({
          lang_code: code,
          formality: String(formality.find(([name]) => name === code)?.[1] ?? 'default'),
        }));
        return {
          engine: one.engine,
          order: place < 0 ? rows.length + at : place,
          formal_name: one.name,
          cost: one.cost,
          enabled: typeof said.enabled === 'boolean' ? said.enabled : one.enabled,
          formality_available: languages.length > 0,
          formality_settings: languages.length > 0 ? { languages } : null,
        };
      });
      return known.sort((a, b) => a.order - b.order).map((one, order) => ({ ...one, order }));
    },
    async change(given) {
      const known = new Map(engines.list().map((one) => [one.engine, one]));
      const rows = given.map((row, at) => {
        const name = isMap(row) && typeof row.engine === 'string' ? row.engine : '';
        const engine = known.get(name) ?? refuse(at, 'is not an engine of the site');
        known.delete(name);
        return [name, changed(engine, mapOf(row), at)] as const;
      });
      const rest = [...known].map(([name, engine]) => [name, changed(engine, {}, 0)] as const);
      const data = { engines: Object.fromEntries([...rows, ...rest]) };
      await site.write(() => ({ changes: [{ path, expect: file?.etag ?? null, data, order: ['engines'] }], result: null }));
    },
  };
  return engines;
}

function changed(engine: Engine, row: Readonly<Record<string, unknown>>, at: number): Readonly<Record<string, unknown>> {
  const { enabled = engine.enabled, formality_settings: settings } = row;
  if (typeof enabled !== 'boolean') refuse(at, 'has no enabled of true or false');
  const known = new Map((engine.formality_settings?.languages ?? []).map((one) => [one.lang_code, one.formality]));
  const asked = mapOf(settings).languages;
  for (const one of Array.isArray(asked) ? (asked as unknown[]) : []) {
    const { lang_code: code, formality } = mapOf(one);
    if (!known.has(String(code)) || !formalities.includes(String(formality))) refuse(at, 'has a formality that there is none of');
    known.set(String(code), String(formality));
  }
  const formal = [...known].filter(([, formality]) => formality !== 'default');
  return { enabled, ...(formal.length > 0 ? { formality: Object.fromEntries(formal) } : {}) };
}

function refuse(at: number, why: string): never {
  return fail('rest_invalid_param', { params: { [`[${at}]`]: why }, details: [] }, `Invalid parameter(s): [${at}] ${why}`);
}
