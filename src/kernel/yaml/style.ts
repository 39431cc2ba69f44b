/**
 * A new value in the style of the one it replaces: its quotes, or its list in brackets, where that says the same.
 */
import { isScalar, isSeq, type Node } from 'yaml';
import { PlainText } from '../model/plain.ts';
import { printValue } from './print.ts';

/** Text that needs no escapes in either kind of quotes. */
const simple = /^[^"'\\\p{C}\u2028\u2029]*$/u;
/** What an item printed alone may look like inside brackets. */
const inBrackets = /^(?:'[^']*'|[^\s,[\]{}:#"'&*!|>@`%?-][^,[\]{}:#]*)$/;

/** @returns what follows `key: `, or null where the value is printed in our own style */
export function printLike(old: Node | null, value: unknown): string | null {
  const text = value instanceof PlainText ? value.text : value;
  if (isScalar(old) && typeof text === 'string' && simple.test(text)) {
    if (old.type === 'QUOTE_DOUBLE') return `"${text}"`;
    return old.type === 'QUOTE_SINGLE' ? `'${text}'` : null;
  }
  if (!isSeq(old) || !Array.isArray(value) || old.srcToken?.type !== 'flow-collection') return null;
  const items = value.map((item) => printValue(item, 0));
  const fits = items.every(({ head, rest }) => rest.length === 0 && inBrackets.test(head));
  return fits ? `[${items.map(({ head }) => head).join(', ')}]` : null;
}
