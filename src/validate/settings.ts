/**
 * `site.yaml` against the table of settings, and what it declares.
 */
import { isZone } from '../kernel/model/dates.ts';
import { mapOf, table } from '../kernel/model/maps.ts';
import type { Setting } from '../kernel/model/settings.ts';
import { checkSetting as checkSettingValue, operatorRemark } from '../kernel/site/setting-values.ts';
import { nearest } from '../kernel/model/spelling.ts';
import type { Entry } from '../kernel/store/types.ts';
import type { Content, Declarations } from './declarations.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean, type Keys } from '../kernel/model/remark.ts';
import type { Index } from './references.ts';
import type { ReferenceTarget } from './parsed-file.ts';

const path = 'site.yaml';

/** What the file holds; {} where there is none. */
export function settingsOf(content: Content): Readonly<Record<string, unknown>> {
  return siteFileOf(content)?.data ?? {};
}

export function siteFileOf({ entries }: Content): Entry | undefined {
  return entries.find((entry) => entry.path === path);
}

/** Zone of the site's dates; UTC where the file names none that exists. */
export function zoneOf(content: Content): string {
  const zone = settingsOf(content).timezone;
  return typeof zone === 'string' && isZone(zone) ? zone : 'UTC';
}

/** Keys that are no settings: what the site declares. */
const declarations = ['types', 'taxonomies'] as const;

export function checkSettings(content: Content, model: Declarations, index: Index): Finding[] {
  const data = settingsOf(content);
  const rows = new Map(model.settings.map((row) => [row.key, row]));
  return [...Object.entries(data).flatMap(([key, value]) => checkSetting(key, value)), ...checkDeclared(data, model)];

  function checkSetting(key: string, value: unknown): Finding[] {
    const row = rows.get(key);
    if (row === undefined) {
      const operators = operatorRemark(key);
      if (operators) return [{ path, keys: [key], onKey: true, ...operators }];
      if (declarations.some((one) => one === key)) return [];
      return misspelt([key], [...rows.keys(), ...declarations], data);
    }
    if (row.private) {
      const message = `${key} is not read from this file, which anyone can see`;
      return [{ path, keys: [key], onKey: true, ...say('private-key', message) }];
    }
    if (value === null) return [];
    if (row.refers && (typeof value === 'string' || typeof value === 'number')) {
      const missing = index.missing(targets[row.refers], value);
      return missing ? [{ path, keys: [key], ...missing }] : [];
    }
    return checkSettingValue(row, value).faults.map(({ keys, ...fault }) => ({ path, keys: [key, ...keys], ...fault }));
  }
}

/** Commits that are asked for where nothing can be committed. */
export function checkCommits(content: Content): Finding[] {
  const { git } = settingsOf(content);
  if (git !== 'commit' && git !== 'push') return [];
  return [{ path, keys: ['git'], ...say('no-repository', 'nothing is committed: the folder is in no git repository') }];
}

/** Misspelt keys of declarations, and types and taxonomies that name what nobody declares. */
function checkDeclared(data: Readonly<Record<string, unknown>>, { types, taxonomies }: Declarations): Finding[] {
  const names = { types: types.map(({ name }) => name), taxonomies: taxonomies.map(({ name }) => name) };
  return declarations.flatMap((kind) =>
    Object.entries(mapOf(data[kind])).flatMap(([name, raw]): Finding[] => {
      const row = mapOf(raw);
      const other = kind === 'types' ? 'taxonomies' : 'types';
      const named = Array.isArray(row[other]) ? (row[other] as readonly unknown[]) : [];
      return [
        ...Object.keys(row).flatMap((key) => misspelt([kind, name, key], [...declarable, ...declarableAs[kind]], row)),
        ...named.flatMap((one, at): Finding[] => {
          if (names[other].includes(String(one))) return [];
          const hint = didYouMean(nearest(String(one), names[other]), `declare it under ${other}:`);
          return [
            {
              path,
              keys: [kind, name, other, at],
              ...say('unknown-reference', `${JSON.stringify(one)} is not one of the ${other}`, hint),
            },
          ];
        }),
      ];
    }),
  );
}

const declarable = ['singular', 'plural', 'rest_base', 'description', 'hierarchical', 'public', 'supports', 'fields'];
const declarableAs = table({ types: ['taxonomies', 'has_archive', 'folder', 'file_name'], taxonomies: ['types'] });

function misspelt(keys: Keys, known: readonly string[], beside: object): Finding[] {
  const key = String(keys.at(-1));
  if (known.includes(key)) return [];
  const meant = nearest(
    key,
    known.filter((one) => !Object.hasOwn(beside, one)),
  );
  if (meant === undefined) return [];
  return [
    {
      path,
      keys,
      ...(keys.length === 1 ? { onKey: true } : {}),
      ...say('unknown-key', `unknown key ${JSON.stringify(key)}`, didYouMean(meant)),
    },
  ];
}

const targets: Readonly<Record<NonNullable<Setting['refers']>, ReferenceTarget>> = table({
  category: { kind: 'term', taxonomy: 'category' },
  page: { kind: 'post', type: 'page' },
  media: { kind: 'post', type: 'attachment' },
});
