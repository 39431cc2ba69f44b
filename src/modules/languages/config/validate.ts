/** Validates a document; errors in document order. After an element in the wrong place, its siblings are not checked. */
import { dialects } from '../../../kernel/rest/dialect.ts';
import { type AttributeRule, document, type ElementRule } from './format.ts';
import { faultAt, parseXml, type XmlElement, type XmlFault } from './xml-tree.ts';

const codes = {
  required: 1868,
  notAllowed: 1866,
  value: 1840,
  pattern: 1839,
  empty: 1831,
  content: 1871,
  text: 1843,
  noContent: 1841,
  root: 1845,
} as const;

/** Root element names, in every dialect. */
const roots: ReadonlySet<string> = new Set(dialects.map((dialect) => dialect.wireName('lang-config')));

/** @returns no errors for an empty text, which means no document */
export function validate(text: string): readonly XmlFault[] {
  if (!/\w/.test(text)) return [];
  const parsed = parseXml(text);
  return 'faults' in parsed ? parsed.faults : rootFaults(parsed.root);
}

/** The root element of a valid document; otherwise null. */
export function validRoot(text: string): XmlElement | null {
  const parsed = /\w/.test(text) ? parseXml(text) : null;
  return parsed && 'root' in parsed && rootFaults(parsed.root).length === 0 ? parsed.root : null;
}

function rootFaults(root: XmlElement): readonly XmlFault[] {
  if (roots.has(root.name)) return [...elementFaults(root, document)];
  return [faultAt(2, codes.root, `Element '${root.name}': No matching declaration for the outermost element.`, root.line)];
}

function* elementFaults(element: XmlElement, rule: ElementRule): Generator<XmlFault> {
  if (rule.isOpen) return;
  yield* attributeFaults(element, rule.attributes ?? {});
  yield* childFaults(element, rule);
  yield* textFaults(element, rule);
}

function* attributeFaults(element: XmlElement, rules: Readonly<Record<string, AttributeRule>>): Generator<XmlFault> {
  const say = (code: number, attribute: string, message: string) =>
    fault(code, element, `attribute '${attribute}': ${message}`, ', ');
  for (const [name, value] of element.attributes) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      if (!/^xml(?:ns)?(?::|$)/.test(name)) yield say(codes.notAllowed, name, `The attribute '${name}' is not allowed.`);
    } else if (rule.values && !rule.values.includes(value))
      yield say(codes.value, name, `'${value}' is not one of ${rule.values.join(', ')}.`);
    else if (rule.pattern && !rule.pattern.test(value))
      yield say(codes.pattern, name, `'${value}' has characters that are not allowed.`);
  }
  for (const [name, rule] of Object.entries(rules))
    if (rule.isRequired && !element.attributes.has(name))
      yield fault(codes.required, element, `The attribute '${name}' is required but missing.`);
}

function* childFaults(
  { children, ...element }: XmlElement,
  { children: rules = {}, hasChildren }: ElementRule,
): Generator<XmlFault> {
  const seen = new Set<string>();
  for (const child of children) {
    const rule = Object.hasOwn(rules, child.name) ? rules[child.name] : undefined;
    if (rule === undefined || (rule.isSingle && seen.has(child.name))) {
      const names = Object.keys(rules).filter((name) => !(rules[name]?.isSingle && seen.has(name)));
      const expected = names.length === 0 ? 'No element is expected here.' : `Expected is one of ${names.join(', ')}.`;
      yield fault(codes.content, child, `This element is not expected. ${expected}`);
      return;
    }
    seen.add(child.name);
    yield* elementFaults(child, rule.rule());
  }
  const missing = Object.keys(rules).filter((name) => rules[name]?.isRequired && !seen.has(name));
  if (missing.length > 0 || (hasChildren && seen.size === 0))
    yield fault(
      codes.content,
      { ...element, children },
      `Missing child element. Expected is one of ${(missing.length > 0 ? missing : Object.keys(rules)).join(', ')}.`,
    );
}

function* textFaults(element: XmlElement, { text, children }: ElementRule): Generator<XmlFault> {
  const isEmpty = element.text.trim() === '';
  if (text === undefined && !isEmpty) yield fault(children ? codes.text : codes.noContent, element, 'Text is not allowed here.');
  if (text === 'filled' && element.text === '') yield fault(codes.empty, element, 'The text must not be empty.');
  if (text === 'names' && element.text.split(',').some((name) => name.trim() === ''))
    yield fault(codes.pattern, element, 'The text must be names with commas between them.');
}

function fault(code: number, { name, line }: XmlElement, message: string, separator = ': '): XmlFault {
  return faultAt(2, code, `Element '${name}'${separator}${message}`, line);
}
