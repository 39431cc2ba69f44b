/**
 * What every format has within its lines: placeholders of programs, characters that no document may hold, references of characters.
 */
import { decodeEntities, isCharacter } from '../../../render/text.ts';
import type { Token } from './record.ts';

/** `%s`, `%1$d`, `%%name%%`, `{name}`, `{{ name }}`. */
const placeholder = /%%[a-z_][\w-]{0,100}%%|%(?:\d+\$)?[sd](?![\p{L}\p{N}])|\{\{[^{}\n]{1,200}\}\}|\{[a-z_][\w.]*\}/gu;
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** A stretch without markup. */
export function textTokens(raw: string, { references = false } = {}): Token[] {
  // Most texts have none.
  if (!/[%{&]/.test(raw)) return plainTokens(raw);
  const found = [...(references ? matches(raw, reference) : []), ...matches(raw, placeholder)].sort((a, b) => a.at - b.at);
  const tokens: Token[] = [];
  let at = 0;
  for (const { at: start, raw: one } of found) {
    if (start < at) continue;
    tokens.push(...plainTokens(raw.slice(at, start)));
    const text = one.startsWith('&') ? decodeEntities(one) : one;
    tokens.push(text === one ? alone(one) : { kind: 'text', text, raw: one });
    at = start + one.length;
  }
  return [...tokens, ...plainTokens(raw.slice(at))];
}

/** A code without another half. */
export function alone(raw: string): Token {
  return { kind: 'alone', name: '', raw };
}

/** Signs that may be no characters of documents: controls, halves of pairs. */
const doubtful = /[\x00-\x1f\ud800-\udfff\ufffe\uffff]/;

function plainTokens(raw: string): Token[] {
  if (raw !== '' && !doubtful.test(raw)) return [{ kind: 'text', text: raw, raw }];
  const tokens: Token[] = [];
  let text = '';
  for (const char of raw) {
    if (isCharacter(char.codePointAt(0) as number)) {
      text += char;
      continue;
    }
    if (text !== '') tokens.push({ kind: 'text', text, raw: text });
    text = '';
    tokens.push(alone(char));
  }
  if (text !== '') tokens.push({ kind: 'text', text, raw: text });
  return tokens;
}

function matches(raw: string, pattern: RegExp): { readonly at: number; readonly raw: string }[] {
  return [...raw.matchAll(pattern)].map((match) => ({ at: match.index, raw: match[0] }));
}
