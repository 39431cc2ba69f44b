/**
 * Finds patterns that go back and forth: those that take sixteen times as long for four times as long a text, or longer still. A text is
 * one unit many times, behind what the pattern wants before it repeats something, and with a sign at its end that a match breaks at.
 * What could be repeated is read from the pattern.
 */
import { createContext, Script } from 'node:vm';
import { parseAst } from 'rolldown/parseAst';
import { sourceFiles, visit } from '../../bench/source.mjs';

export interface Pattern {
  /** `kernel/model/slugs.ts:85` */
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

/** A text of any length. */
interface Hard {
  readonly before: string;
  readonly unit: string;
  readonly after: string;
}

const signsOfText = 10_000;
/** A linear pattern takes a tenth of it for such a text, one that looks through four thousand ends that are not there some ten times. */
const suspectMs = 2;
/** For a text four times as long: four times as long is linear, sixteen times quadratic. */
const steep = 9;
const timeout = 300;

/** Every regular expression that the source writes as a literal, and that repeats something without an end. */
export function patternsOfSource(): Pattern[] {
  const found: Pattern[] = [];
  for (const { name, text } of sourceFiles()) {
    visit(parseAst(text, { lang: 'ts' }), (node: { start: number; type: string; regex?: { pattern: string; flags: string } }) => {
      if (node.type !== 'Literal' || !node.regex || !/[*+]|,\}/.test(node.regex.pattern)) return;
      found.push({ place: `${name}:${text.slice(0, node.start).split('\n').length}`, ...node.regex });
    });
  }
  return found;
}

/** The text that a pattern is slow for, and how slow; undefined when it takes time linear in each that was tried. */
export function slowTextOf({ pattern, flags }: Pick<Pattern, 'pattern' | 'flags'>, signs = signsOfText): string | undefined {
  const expression = new RegExp(pattern, flags);
  const hard = hardTexts(pattern, flags);
  const texts = hard.map((one) => textOf(one, signs));
  for (let at = firstOver(expression, texts, 0); at < texts.length; at = firstOver(expression, texts, at + 1)) {
    const one = hard[at] as Hard;
    const said = slownessOf(expression, one, signs);
    if (said !== undefined)
      return `${[one.before, `${one.unit}…`, one.after].map((part) => JSON.stringify(part)).join(' ')}: ${said}`;
  }
  return undefined;
}

/** What is slow in each of three tries, since the machine may be at something else. */
function slownessOf(expression: RegExp, text: Hard, signs: number): string | undefined {
  const [short, longer] = [textOf(text, signs), textOf(text, 4 * signs)];
  let said: string | undefined;
  for (let round = 0; round < 3; round++) {
    const once = leastMs(expression, short, timeout);
    if (once <= suspectMs) return undefined;
    const more = once < timeout ? leastMs(expression, longer, Math.max(timeout, once * 2 * steep)) : Number.POSITIVE_INFINITY;
    if (more / once <= steep) return undefined;
    said = `${once.toFixed(1)} ms, four times as long: ${more.toFixed(1)} ms`;
  }
  return said;
}

function textOf({ before, unit, after }: Hard, signs: number): string {
  // Long units often enough to tell.
  return before + unit.repeat(Math.max(signs / unit.length, signs / 4)) + after;
}

// --- time ---

const box: { expression: RegExp; texts: readonly string[]; at: number; most: number; now: () => number } = {
  expression: /./,
  texts: [],
  at: 0,
  most: 0,
  now: () => performance.now(),
};
const context = createContext(box);
const run = new Script(`
  for (; at < texts.length; at++) {
    const start = now();
    texts[at].replace(expression, '');
    if (now() - start > most) break;
  }
`);

/** The first text from `from` on that takes long, once; the number of texts when none does. */
function firstOver(expression: RegExp, texts: readonly string[], from: number): number {
  Object.assign(box, { expression, texts, at: from, most: suspectMs });
  try {
    run.runInContext(context, { timeout: 5 * timeout });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  return box.at;
}

/** The least of three times, which is the one that nothing else made longer. @param most  milliseconds after which it is given up */
function leastMs(expression: RegExp, text: string, most: number): number {
  let least = most;
  for (let round = 0; round < 3 && least > suspectMs; round++) {
    Object.assign(box, { expression, texts: [text], at: 0, most });
    const start = performance.now();
    try {
      run.runInContext(context, { timeout: Math.ceil(most) });
      least = Math.min(least, performance.now() - start);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
    if (least === most) return most;
  }
  return least;
}

// --- texts ---

const general = ['a', '0', ' ', '\n', 'a\r'];

function hardTexts(pattern: string, flags: string): Hard[] {
  const { repeated, signs } = read(pattern, flags);
  const befores = new Set(repeated.map(({ before }) => before));
  const few = [...signs].slice(0, 8);
  const own = repeated.flatMap(({ before, body }) => [body, before, before + body]);
  const units = new Set([...general, ...signs, ...own, ...repeated.flatMap(({ body }) => few.map((sign) => body + sign))]);
  const ends = new Set(['', '\u0001', ...few]);
  const out: Hard[] = [];
  const add = (before: string, unit: string): void => {
    if (unit !== '') for (const after of ends) out.push({ before, unit, after });
  };
  for (const unit of units) add('', unit);
  for (const before of befores) if (before !== '') for (const { body } of repeated) add(before, body);
  for (const { before, signs: own } of repeated) if (before !== '') for (const unit of own) add(before, unit);
  return [...new Map(out.map((one) => [JSON.stringify(one), one])).values()];
}

interface Repeated {
  /** The shortest text of what stands before it. */
  readonly before: string;
  readonly body: string;
  /** Signs of the pattern that it may consist of. */
  readonly signs: readonly string[];
}

const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const candidates = [...'a0A -_/.:=', ...ascii, '\n', '\t', '\r', '\0', 'é', '“', '\u3000'];

/** What a pattern repeats, and the signs that it names. */
function read(pattern: string, flags: string): { repeated: Repeated[]; signs: Set<string> } {
  const repeated: Repeated[] = [];
  const signs = new Set(
    [...pattern.matchAll(/\\([^\w\s])|[^\\\w|()[\]{}*+?.^$]|\\n/g)].map(([whole, escaped]) =>
      whole === '\\n' ? '\n' : (escaped ?? whole),
    ),
  );
  let at = 0;
  const accepts = (token: string): ((sign: string) => boolean) => {
    const one = new RegExp(`^(?:${token})$`, flags.replace(/[gy]/g, ''));
    return (sign) => one.test(sign);
  };
  /** Up to the end of a group. @returns the shortest text of its first alternative */
  function alternatives(before: string): string {
    const texts = [''];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at++;
        texts.push('');
        continue;
      }
      const start = at;
      const here = before + texts.at(-1);
      const text = atom(here);
      const token = pattern.slice(start, at);
      const [bounds, least, most] = /^(?:[*+?]|\{(\d+)(,\d*)?\})\??/.exec(pattern.slice(at)) ?? [''];
      at += bounds.length;
      const isOpen = /^[*+]/.test(bounds) || most === ',';
      const times = bounds === '' || bounds.startsWith('+') ? 1 : Math.min(Number(least ?? 0), 50);
      if (isOpen && text !== '')
        repeated.push({ before: here, body: text, signs: token.startsWith('(') ? [] : [...signs].filter(accepts(token)) });
      texts[texts.length - 1] += text.repeat(times);
    }
    return texts[0] as string;
  }
  function atom(before: string): string {
    const sign = pattern[at] as string;
    if (sign === '(') {
      const [opening, look] = /^\((?:\?(<?[=!])|\?:|\?<\w+>)?/.exec(pattern.slice(at)) as unknown as [string, string?];
      at += opening.length;
      const text = alternatives(before);
      at++;
      return look === undefined ? text : '';
    }
    const [token] = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<\w+>|.)|[\s\S])/i.exec(
      pattern.slice(at),
    ) as unknown as [string];
    at += token.length;
    if (/^(?:[$^]|\\[bB\dk])/.test(token)) return '';
    return candidates.find(accepts(token)) ?? '';
  }
  while (at < pattern.length) {
    alternatives('');
    at++;
  }
  return { repeated, signs };
}
