/** The rules of a valid document, and the merge of several. */
import {
  type BlockRule,
  type ConfigRules,
  type FieldMode,
  type FieldRule,
  type KindRule,
  noRules,
  type ShortcodeRule,
  type TextKey,
  type RulePart,
} from './record.ts';
import type { XmlElement } from './xml-tree.ts';

export function readRules(root: XmlElement): ConfigRules {
  const section = (name: string): readonly XmlElement[] => root.children.find((one) => one.name === name)?.children ?? [];
  return {
    types: byText(section('custom-types'), kindOf),
    taxonomies: byText(section('taxonomies'), kindOf),
    fields: byText(section('custom-fields'), fieldOf),
    termFields: byText(section('custom-term-fields'), fieldOf),
    fieldTexts: section('custom-fields-texts').flatMap((one) => keysIn(one)),
    adminTexts: section('admin-texts').flatMap((one) => keysIn(one)),
    blocks: new Map(section('gutenberg-blocks').map((one) => [attribute(one, 'type'), blockOf(one)])),
    shortcodes: new Map([...section('shortcodes').flatMap(shortcodeOf), ...listed(root)]),
  };
}

/** Later documents win, by name. */
export function mergeRules(documents: readonly ConfigRules[]): ConfigRules {
  const joined = <K extends keyof ConfigRules>(key: K): ConfigRules[K] =>
    new Map(documents.flatMap((one) => [...(one[key] as ReadonlyMap<string, never>)])) as unknown as ConfigRules[K];
  if (documents.length === 0) return noRules;
  return {
    types: joined('types'),
    taxonomies: joined('taxonomies'),
    fields: joined('fields'),
    termFields: joined('termFields'),
    fieldTexts: documents.flatMap(({ fieldTexts }) => fieldTexts),
    adminTexts: documents.flatMap(({ adminTexts }) => adminTexts),
    blocks: joined('blocks'),
    shortcodes: joined('shortcodes'),
  };
}

/** The mode of a field; undefined if not configured. Exact names win over wildcards. */
export function modeOf({ fields, termFields }: ConfigRules, kind: 'post' | 'term', name: string): FieldMode | undefined {
  const rules = kind === 'post' ? fields : termFields;
  const exact = rules.get(name);
  if (exact) return exact.mode;
  for (const [pattern, { mode }] of rules) if (pattern.includes('*') && meansName(pattern, name)) return mode;
  return undefined;
}

/** Whether a pattern with `*` matches a name. Cost: linear in the name per star. */
export function meansName(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() as string;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

function byText<T>(elements: readonly XmlElement[], read: (element: XmlElement) => T): ReadonlyMap<string, T> {
  return new Map(elements.map((one) => [one.text.trim(), read(one)]));
}

function attribute({ attributes }: XmlElement, name: string): string {
  return attributes.get(name) ?? '';
}

function kindOf(element: XmlElement): KindRule {
  return {
    isTranslated: attribute(element, 'translate') === '1',
    displayAsTranslated: attribute(element, 'display-as-translated') === '1',
  };
}

function fieldOf(element: XmlElement): FieldRule {
  return {
    mode: attribute(element, 'action') as FieldMode,
    label: attribute(element, 'label'),
    group: attribute(element, 'group'),
    style: (attribute(element, 'style') || 'line') as FieldRule['style'],
  };
}

function keysIn(element: XmlElement, outer: TextKey = []): readonly TextKey[] {
  const path = [...outer, attribute(element, 'name')];
  return element.children.length === 0 ? [path] : element.children.flatMap((one) => keysIn(one, path));
}

function blockOf(element: XmlElement): BlockRule {
  return {
    isTranslated: attribute(element, 'translate') === '1',
    label: attribute(element, 'label'),
    parts: element.children.flatMap((one): readonly RulePart[] => {
      if (one.name !== 'xpath') return partsIn(one);
      return [{ kind: 'xpath', path: [one.text.trim()], label: attribute(one, 'label'), type: attribute(one, 'type') }];
    }),
  };
}

/** Leaf members, except those with regular expressions or encoded values. */
function partsIn(element: XmlElement, outer: readonly string[] = []): readonly RulePart[] {
  if (attribute(element, 'search-method') === 'regex' || attribute(element, 'encoding') !== '') return [];
  const path = [...outer, attribute(element, 'name')];
  if (element.children.length > 0) return element.children.flatMap((one) => partsIn(one, path));
  return [{ kind: 'key', path, label: attribute(element, 'label'), type: attribute(element, 'type') }];
}

function shortcodeOf({ children }: XmlElement): readonly (readonly [string, ShortcodeRule])[] {
  const tag = children.find(({ name }) => name === 'tag');
  if (tag === undefined) return [];
  const attributes = children.find(({ name }) => name === 'attributes')?.children ?? [];
  const rule: ShortcodeRule = {
    label: attribute(tag, 'label'),
    ignoresContent:
      attribute(tag, 'ignore-content') === '1' || ['encoding', 'raw-html', 'type'].some((one) => attribute(tag, one) !== ''),
    attributes: new Map(attributes.filter(isPlainText).map((one) => [one.text.trim(), attribute(one, 'label')] as const)),
  };
  return [[tag.text.trim(), rule]];
}

/** Typed values are URLs or ids, except those of editors. */
function isPlainText(element: XmlElement): boolean {
  return attribute(element, 'encoding') === '' && /^(?:line|area|textarea|visual)?$/i.test(attribute(element, 'type'));
}

/** Shortcodes that are only named: their content is text, their attributes are not. */
function listed(root: XmlElement): readonly (readonly [string, ShortcodeRule])[] {
  const names = root.children.find(({ name }) => name === 'shortcode-list')?.text.split(',') ?? [];
  return names.map((name) => [name.trim(), { label: '', ignoresContent: false, attributes: new Map() }]);
}
