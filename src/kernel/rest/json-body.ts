/**
 * JSON of a request: scanned before it is parsed, so that its cost is known, and cleaned after it.
 */
import { isMap, table } from '../model/maps.ts';
import { fail } from '../errors.ts';
import type { BodyLimits } from './body-limits.ts';
import { BodyError } from './body-error.ts';
import { isUnsafeKey } from './params.ts';
import type { Params } from './request.ts';

type JsonLimits = Pick<BodyLimits, 'maxDepth' | 'maxValues'>;

/** `application/json` and `application/*+json`. */
export function isJson(type: string): boolean {
  return /^application\/(?:[\w!#$&.+^-]+\+)?json$/i.test(type);
}

/**
 * Members of a JSON object, undefined for any other JSON value.
 *
 * @throws RestError rest_invalid_json with `json_error_code`, the number PHP gives the fault: 1 depth, 3 a control
 *         character or an open text, 4 syntax, 5 UTF-8, 10 half a surrogate pair
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): Params | undefined {
  scan(bytes, limits);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return failJson(5);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failJson(/^(?:Bad control|Unterminated string)/.test((error as Error).message) ? 3 : 4);
  }
  // Text that is UTF-8 can hold half a pair only as an escape.
  const clean = cleanJson(value, text.includes('\\u'));
  return isMap(clean) ? clean : undefined;
}

const JSON_FAULTS = table({
  1: 'Maximum stack depth exceeded',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired surrogate in Unicode escape',
} as const);

function failJson(code: keyof typeof JSON_FAULTS): never {
  fail('rest_invalid_json', { status: 400, json_error_code: code, json_error_message: JSON_FAULTS[code] });
}

/**
 * Goes over JSON once, without making anything of it: what would take long, or more memory than its bytes, is refused before it is
 * parsed. Cost: linear; texts are skipped.
 * @throws RestError rest_invalid_json when it nests too deep; BodyError 413 when it has too many values
 */
function scan(bytes: Uint8Array, { maxDepth, maxValues }: JsonLimits): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
      if (at < 0) return;
    } else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++depth > maxDepth) failJson(1);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > maxValues) throw new BodyError(413, `The body has more than ${maxValues} values.`);
  }
}

/** Where the text ends that begins at a quote; -1 when it does not. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** In place: the value was just parsed and is nobody else's. Objects lose their prototype: a member is what was sent, or nothing. */
function cleanJson(value: unknown, escapes: boolean): unknown {
  if (typeof value === 'string') return escapes ? checkPairs(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const item of value) cleanJson(item, escapes);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    if (escapes) checkPairs(name);
    if (isUnsafeKey(name)) delete members[name];
    else cleanJson(members[name], escapes);
  }
  return Object.setPrototypeOf(members, null);
}

function checkPairs(text: string): string {
  if (/\p{Surrogate}/u.test(text)) failJson(10);
  return text;
}
