/**
 * The languages that front matter may be written in: how each begins and ends, and is read and edited. YAML stands between `---`,
 * TOML between `+++` or `---toml` and `---`, JSON between `---json` and `---` or `;;;`, or is an object at the top.
 */
import { table } from '../model/maps.ts';
import { editYaml } from './edit.ts';
import { parseFlatYaml } from './fast.ts';
import { editJson, parseJson } from './json.ts';
import { composeYaml, offsetOf, parseYaml, type YamlMap } from './parse.ts';
import { editToml, parseToml, tomlPlaces } from './toml.ts';

export type LanguageName = 'yaml' | 'toml' | 'json';

interface Language {
  /** @throws YamlFault */
  parse(source: string): YamlMap;
  /**
   * @param changes  values by key; undefined deletes
   * @param order    a new key goes after the nearest key before it in this order, else before the nearest after it, else last
   * @throws YamlFault when `source` cannot be read; TypeError for values that cannot be stored
   */
  edit(source: string, changes: Readonly<Record<string, unknown>>, order: readonly string[], eol: string): string;
  /** Finds where the value at a path of keys begins, or its key, or the innermost part of it that exists. @throws YamlFault */
  places(source: string): (keyPath: readonly (string | number)[], onKey?: boolean) => number;
}

const inYaml: Language['places'] = (source) => {
  let document: ReturnType<typeof composeYaml> | undefined;
  return (keyPath, onKey) => {
    document ??= composeYaml(source);
    return offsetOf(document, keyPath, onKey);
  };
};

export const languages: Readonly<Record<LanguageName, Language>> = table({
  yaml: { parse: (source) => parseFlatYaml(source) ?? parseYaml(source), edit: editYaml, places: inYaml },
  toml: { parse: parseToml, edit: editToml, places: tomlPlaces },
  // JSON is YAML.
  json: { parse: parseJson, edit: editJson, places: inYaml },
});

export interface Opening {
  readonly language: LanguageName;
  /** Where the values begin. */
  readonly at: number;
  /** The line that ends them; null for an object, which ends itself. */
  readonly closing: '+++' | ';;;' | '---' | null;
}

const fence = /^(?:\+\+\+(?:[ \t]*toml)?|;;;(?:[ \t]*json)?|---[ \t]*(?:toml|json))[ \t]*\r?\n?$/i;
const longest = 80;

/** How front matter other than YAML between `---` begins at `start`; null when it does not. */
export function openingAt(text: string, start: number): Opening | null {
  const sign = text.charCodeAt(start);
  if (sign === 123)
    return /^\{\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|\}[ \t]*(?:\r?\n|$))/.test(text.slice(start, start + 2000))
      ? { language: 'json', at: start, closing: null }
      : null;
  if (sign !== 43 && sign !== 59 && sign !== 45) return null;
  const next = text.indexOf('\n', start);
  const at = next === -1 ? text.length : next + 1;
  const line = at - start > longest ? '' : text.slice(start, at);
  if (!fence.test(line)) return null;
  const closing = line.slice(0, 3) as '+++' | ';;;' | '---';
  return { language: closing === '+++' || /toml/i.test(line) ? 'toml' : 'json', at, closing };
}
