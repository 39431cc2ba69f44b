/**
 * Reading of YAML with lossless scalars (rule at `Entry.data`): what a person wrote is never taken for something else.
 *
 * The `yaml` package parses; this module resolves its nodes itself, because the input is untrusted: nesting, aliases and
 * duplicate keys are bounded or refused in linear time.
 */

import {
  type Alias,
  type CST,
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  Schema,
  type YAMLMap,
} from 'yaml';
import { toldOfYaml } from './faults.ts';

/** Why a text is not YAML we read. `offset` counts UTF-16 units from the start of the text. */
export class YamlFault extends Error {
  readonly rule: string;
  readonly offset: number;
  readonly hint: string | undefined;
  constructor(rule: string, offset: number, message: string, hint?: string) {
    super(message);
    this.rule = rule;
    this.offset = offset;
    this.hint = hint;
  }
}

export type YamlMap = Record<string, unknown>;

const integer = /^(?:0|-?[1-9][0-9]*)$/;
const maxParserStack = 300;
const maxAliasedNodes = 100_000;

/** Number, boolean or null when the plain scalar is one in its canonical spelling, else the text itself. */
export function toScalar(source: string): string | number | boolean | null {
  if (source === '') return null;
  if (source === 'true') return true;
  if (source === 'false') return false;
  if (!integer.test(source)) return source;
  const value = Number(source);
  return Number.isSafeInteger(value) ? value : source;
}

const schema = new Schema({
  schema: 'failsafe',
  merge: false,
  customTags: (tags) => [
    ...tags,
    { tag: 'tag:yaml.org,2002:null', default: true, test: /^$/, resolve: () => null },
    { tag: 'tag:yaml.org,2002:bool', default: true, test: /^(?:true|false)$/, resolve: (source: string) => source === 'true' },
    { tag: 'tag:yaml.org,2002:int', default: true, test: integer, resolve: toScalar },
  ],
});

/**
 * The document's nodes, for positions and edits.
 * @param keepTokens  nodes then carry `srcToken`
 * @throws YamlFault
 */
export function composeYaml(text: string, keepTokens = false): Document.Parsed {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > maxParserStack) throw new YamlFault('yaml-depth', parser.offset, 'Nested too deeply.');
    const last = tokens.at(-1);
    // One error is enough; going on would be quadratic for some texts.
    if (last?.type === 'error') throw syntaxFault(last.offset, last.message);
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new Composer({
    schema,
    keepSourceTokens: keepTokens,
    prettyErrors: false,
    uniqueKeys: false,
    stringKeys: false,
  });
  const [document, another] = untraced(() => [...composer.compose(tokens, true, text.length)]);
  if (document === undefined) throw new YamlFault('yaml-syntax', 0, 'No document.');
  const error = document.errors[0];
  if (error !== undefined) throw syntaxFault(error.pos[0], `${error.code} ${error.message.split('\n')[0]}`);
  if (another !== undefined) {
    throw new YamlFault(
      'yaml-syntax',
      another.range[0],
      'More than one document.',
      'Keep one document; remove the further `---` lines.',
    );
  }
  return document as Document.Parsed;
}

/**
 * Where a text has more parts (keys, values, punctuation) than it may; null where it has not. What a parser takes depends on them more
 * than on the length: a long text is one.
 */
export function offsetOfPart(text: string, most: number): number | null {
  let left = most;
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const sign = lexeme.charCodeAt(0);
    // Blanks, line ends and comments are cheap.
    if (sign !== 10 && sign !== 13 && sign !== 32 && sign !== 35 && --left < 0) return offset;
    offset += lexeme.length;
  }
  return null;
}

/** Without the traces of errors, which nobody sees: a document may have as many errors as signs, and a trace costs more than they do. */
function untraced<T>(compose: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return compose();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * The text's map of keys to values; {} when it holds nothing but blanks and comments.
 * @param listKey  a list at the top is read as if it stood under this key
 * @throws YamlFault
 */
export function parseYaml(text: string, listKey?: string): YamlMap {
  return dataOf(composeYaml(text), listKey);
}

/** The values of a composed document. @param listKey  a list at the top is read as if it stood under this key. @throws YamlFault */
export function dataOf(document: Document.Parsed, listKey?: string): YamlMap {
  const { contents } = document;
  if (listKey !== undefined && isSeq(contents)) return { [listKey]: createReader().value(contents) };
  if (contents === null || (isScalar(contents) && contents.value === null)) return {};
  if (!isMap(contents)) {
    throw new YamlFault(
      'yaml-not-a-map',
      contents.range?.[0] ?? 0,
      'Expected `key: value` lines.',
      'Write a key, a colon, a space and the value.',
    );
  }
  return createReader().map(contents as YAMLMap.Parsed);
}

/** Text of a map's key, as written when it is plain. @throws YamlFault when it is no text */
export function keyText(key: unknown, offset = 0): string {
  if (key === null || key === undefined) return '';
  if (!isScalar(key))
    throw new YamlFault(
      'yaml-key',
      (key as Node).range?.[0] ?? offset,
      'A key must be plain text.',
      'Put a key or value that begins with `[`, `{` or `?` in quotes.',
    );
  const text = typeof key.value === 'string' ? key.value : (key.source ?? '');
  if (text === '__proto__') throw new YamlFault('yaml-key', key.range?.[0] ?? offset, '`__proto__` cannot be a key.');
  return text;
}

const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** The pairs of a map by their keys, the first of each: a file may have as many faults as keys. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = pairs.get(map) ?? new Map(map.items.toReversed().map((pair) => [keyText(pair.key), pair]));
  pairs.set(map, known);
  return known;
}

/** Where the value at `keyPath` begins, or its key, or the innermost part of it that exists. */
export function offsetOf(document: Document.Parsed, keyPath: readonly (string | number)[], onKey = false): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const [at, step] of keyPath.entries()) {
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(step));
      if (pair === undefined) return offset;
      node = pair.value;
      offset = (pair.key as Node | null)?.range?.[0] ?? offset;
      if (onKey && at === keyPath.length - 1) return offset;
    } else if (isSeq(node)) {
      // A list at the top stands for itself under the key it is read by.
      if (typeof step === 'string' && node === document.contents) continue;
      node = node.items[Number(step)];
    } else {
      return offset;
    }
    const range = (node as Node | null | undefined)?.range;
    if (range && range[1] > range[0]) offset = range[0];
  }
  return offset;
}

/** Resolves nodes in document order; anchors are known from where they stand on. */
function createReader(): { map(node: YAMLMap.Parsed): YamlMap; value(node: unknown): unknown } {
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let aliased = 0;
  let insideAlias = 0;

  function value(node: unknown): unknown {
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return aliasValue(node);
    if (insideAlias > 0 && ++aliased > maxAliasedNodes)
      throw new YamlFault('yaml-alias', 0, 'Names (`*name`) that repeat one another multiply into too much data.');
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined && insideAlias === 0) anchors.set(anchor, node as Node);
    if (isScalar(node)) return node.value;
    open.add(node as Node);
    const result = isSeq(node) ? node.items.map(value) : map(node as YAMLMap.Parsed);
    open.delete(node as Node);
    return result;
  }

  function aliasValue(node: Alias): unknown {
    const target = anchors.get(node.source);
    const offset = node.range?.[0] ?? 0;
    if (target === undefined) {
      throw new YamlFault(
        'yaml-alias',
        offset,
        `No \`&${node.source}\` stands before this \`*${node.source}\`.`,
        `If the text should begin with *, put it in quotes.`,
      );
    }
    if (open.has(target))
      throw new YamlFault(
        'yaml-alias',
        offset,
        'A `*name` stands inside the `&name` that it repeats.',
        'Write the value itself.',
      );
    insideAlias++;
    const result = value(target);
    insideAlias--;
    return result;
  }

  function map(node: YAMLMap.Parsed): YamlMap {
    const result: YamlMap = {};
    for (const pair of node.items) {
      const key = keyText(pair.key, node.range[0]);
      if (Object.hasOwn(result, key)) {
        const offset = (pair.key as Node | null)?.range?.[0] ?? node.range[0];
        throw new YamlFault(
          'yaml-duplicate-key',
          offset,
          `The key \`${key}\` stands here a second time.`,
          'Keep one of the two.',
        );
      }
      result[key] = value(pair.value);
    }
    return result;
  }

  return { map, value };
}

function syntaxFault(offset: number, said: string): YamlFault {
  const { message, hint } = toldOfYaml(said);
  return new YamlFault('yaml-syntax', offset, message, hint);
}
