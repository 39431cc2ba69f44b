/**
 * The tables of endpoints of the specification, as data: `test/golden/specification.md` holds its words.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SpecifiedRow {
  /** Of the section: `4.12`. */
  readonly section: string;
  readonly methods: readonly string[];
  /** Placeholders by their names: `/menus/v1/menus/<id>`. */
  readonly path: string;
  /** Placeholders that take letters; the others take digits alone. */
  readonly words: readonly string[];
  /** From 4.8 on; the tables before refer to lists of fields. */
  readonly args: readonly SpecifiedArg[];
}

interface SpecifiedArg {
  readonly name: string;
  /** The one method that has it. */
  readonly method?: string;
  readonly required: boolean;
  readonly type?: string;
  readonly default?: string;
}

const text = readFileSync(join(import.meta.dirname, '../golden/specification.md'), 'utf8');

/** Namespaces of a deployment, in their order. */
export function specifiedNamespaces(deployment: 'basic' | 'extended'): readonly string[] {
  const line = new RegExp(`^Namespaces in the ${deployment} deployment: (.*)\\.$`, 'm').exec(text)?.[1] ?? '';
  return line.split(', ');
}

/** Every row of every table with methods and paths; a line of several paths is as many rows. */
export function specifiedRows(): readonly SpecifiedRow[] {
  return text.split(/^### /m).flatMap((part) => {
    const section = /^[\d.]+\w?/.exec(part)?.[0] ?? '';
    const lines = part.split('\n').filter((line) => /^\| (?:GET|POST|PUT|PATCH|DELETE)\b/.test(line));
    return lines.flatMap((line) => rowsOf(section, line));
  });
}

function rowsOf(section: string, line: string): readonly SpecifiedRow[] {
  const [methods = '', paths = '', payload = ''] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [first = '', ...others] = paths
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((path) => path.trim());
  const all = [first, ...others.map((path) => besideOf(first, path))];
  return all.map((path) => ({
    section,
    methods: methods.split(', '),
    path,
    words: placeholdersOf(path).filter((name) => takesLetters(name, line)),
    args: Number(section.slice(2)) >= 8 ? argsOf(payload) : [],
  }));
}

export function placeholdersOf(path: string): readonly string[] {
  return [...path.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);
}

function takesLetters(name: string, line: string): boolean {
  return new RegExp(`\\b${name}\\b[^)]*?(?:letters|word characters|same id rule)`).test(line);
}

/** What a line has behind its first path: from the folder on that both name, else beside it. */
function besideOf(first: string, path: string): string {
  const folder = first.slice(0, first.lastIndexOf('/'));
  const shared = first.indexOf(`${path.slice(0, path.indexOf('/', 1) + 1)}`);
  return path.indexOf('/', 1) > 0 && shared >= 0 ? first.slice(0, shared) + path : folder + path;
}

const types: Readonly<Record<string, string>> = {
  string: 'string',
  strings: 'string',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  arrays: 'array',
};

/** `code (required)`, `plugins, themes, other (arrays)`, `POST value (bool, default true)`; sentences are no arguments. */
function argsOf(payload: string): readonly SpecifiedArg[] {
  const args: SpecifiedArg[] = [];
  let open: string[] = [];
  const close = (remark: string, names: readonly string[]): void => {
    const { type, ...said } = attributesOf(remark);
    for (const one of names) {
      const [, method, name = ''] = /^(?:(GET|POST) )?(\w+)(?: digits)?$/.exec(one) ?? [];
      args.push({ name, ...(method ? { method } : {}), ...said, ...(type ? { type } : {}) });
    }
  };
  for (const [, name = '', remark] of payload.matchAll(/\s*([^,()]+?)\s*(?:\(([^)]*)\))?\s*(?:,|$)/g)) {
    if (name === 'none' || !/^(?:(?:GET|POST) )?\w+(?: digits)?$/.test(name)) return [];
    open.push(name);
    if (remark === undefined) continue;
    // "(strings)", "(all required)": of every name since the last remark.
    const isOfAll = /s$|^all /.test(remark.split(',')[0] ?? '');
    if (!isOfAll) close('', open.slice(0, -1));
    close(remark, isOfAll ? open : open.slice(-1));
    open = [];
  }
  close('', open);
  return args;
}

function attributesOf(remark: string): Omit<SpecifiedArg, 'name' | 'method'> {
  const type = types[/^\w+/.exec(remark)?.[0] ?? ''];
  const standard = /default (\w+)/.exec(remark)?.[1];
  return {
    required: /\brequired\b/.test(remark),
    ...(type === undefined ? {} : { type }),
    ...(standard === undefined ? {} : { default: standard }),
  };
}
