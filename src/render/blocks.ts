/**
 * Blocks: markup with its structure written in comments, `<!-- cms:heading {"level":3} --> … <!-- /cms:heading -->`.
 *
 * Text that is in no block belongs to a block without a name. Nothing is refused: a block that is not closed ends with the
 * text, a closing delimiter without an opening one is passed over, attributes that are no JSON are null.
 */

import { delimiterNames } from './wire-constants.ts';

/** A block of the tree. `innerContent` has the block's own markup in order, null where an inner block stands. */
export interface Block {
  /** With its namespace: `core/heading`. Null for markup outside of blocks. */
  readonly name: string | null;
  /** Null when the attributes are not a JSON object. */
  readonly attrs: Readonly<Record<string, unknown>> | null;
  readonly innerBlocks: readonly Block[];
  /** The block's own markup, without that of its inner blocks. */
  readonly innerHTML: string;
  readonly innerContent: readonly (string | null)[];
}

/** A delimiter in the text: where it stands and what it says. */
export interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly kind: 'open' | 'close' | 'void';
  readonly name: string;
  /** Attributes as written, '' when there are none. */
  readonly json: string;
}

const opening = new RegExp(
  `<!--[ \\t\\r\\n\\f\\v]+(/)?(?:${delimiterNames.join('|')}):([a-z][a-z0-9_-]*/)?([a-z][a-z0-9_-]*)[ \\t\\r\\n\\f\\v]+`,
  'y',
);
const begins = new RegExp(`<!--[ \\t\\r\\n\\f\\v]+/?(?:${delimiterNames.join('|')}):`);
/** The end of attributes and of their delimiter: attributes may hold anything else, `-->` and `<!--` as well. */
const ending = /\}[ \t\r\n\f\v]+(\/)?-->/g;

/** Whether the text has a block: by how a delimiter begins, opening or closing (observed, 7.1). */
export function hasBlocks(raw: string): boolean {
  return raw.includes('<!--') && begins.test(raw);
}

/** The delimiters of a text in order. Cost: linear. */
export function* delimiters(raw: string): Generator<Delimiter> {
  let hasEndings = true;
  for (let start = raw.indexOf('<!--'); start !== -1; start = raw.indexOf('<!--', start)) {
    opening.lastIndex = start;
    const found = opening.exec(raw);
    start += 4;
    if (!found) continue;
    const from = opening.lastIndex;
    let json = '';
    let [end, isVoid] = [from, false];
    if (raw[from] === '{') {
      ending.lastIndex = from;
      const last: RegExpExecArray | null = hasEndings ? ending.exec(raw) : null;
      hasEndings = last !== null;
      if (last === null) continue;
      json = raw.slice(from, last.index + 1);
      end = ending.lastIndex;
      isVoid = last[1] === '/';
    } else {
      isVoid = raw[from] === '/';
      if (!raw.startsWith('-->', isVoid ? from + 1 : from)) continue;
      end = from + (isVoid ? 4 : 3);
    }
    const kind = isVoid ? 'void' : found[1] === '/' ? 'close' : 'open';
    yield { start: start - 4, end, kind, name: (found[2] ?? 'core/') + found[3], json };
    start = end;
  }
}

/**
 * A text that ends a block which it has not begun, as the reference (7.1) shows it: to it the text is in a block of its own, which that
 * ends, and the end of that block is left over. Null for every other text.
 */
export function withoutStrayEnd(raw: string): string | null {
  if (!delimiterNames.some((name) => raw.includes(`/${name}:`))) return null;
  let depth = 0;
  for (const { kind, start, end } of delimiters(raw)) {
    if (kind === 'open') depth += 1;
    if (kind === 'close' && depth-- === 0) return `${raw.slice(0, start)}${raw.slice(end)}${strayEnd}`;
  }
  return null;
}

const strayEnd = `<!-- /${delimiterNames[0]}:post-content -->`;

/** The blocks of a text, outermost first. */
export function parseBlocks(raw: string): readonly Block[] {
  const root = begin(null, '');
  const stack = [root];
  const top = () => stack[stack.length - 1] as Draft;
  const add = (block: Draft) => {
    top().innerBlocks.push(block);
    top().innerContent.push(null);
  };
  const text = (html: string) => {
    if (html === '') return;
    if (stack.length > 1) {
      top().innerHTML += html;
      top().innerContent.push(html);
      return;
    }
    const loose = begin(null, '');
    loose.innerHTML = html;
    loose.innerContent.push(html);
    add(loose);
  };
  let at = 0;
  for (const { start, end, kind, name, json } of delimiters(raw)) {
    text(raw.slice(at, start));
    at = end;
    if (kind === 'void') add(begin(name, json));
    else if (kind === 'open') {
      const block = begin(name, json);
      add(block);
      stack.push(block);
    } else if (stack.length > 1) stack.pop();
    else if (end === raw.length && raw.endsWith(strayEnd)) text(strayEnd);
  }
  text(raw.slice(at));
  return root.innerBlocks;
}

/** The markup of a block and all that is in it, however deep. */
export function renderBlock(block: Block): string {
  let html = '';
  const open = [{ block, chunk: 0, inner: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const chunk = top.block.innerContent[top.chunk++];
    if (chunk === undefined) open.pop();
    else if (chunk !== null) html += chunk;
    else open.push({ block: top.block.innerBlocks[top.inner++] as Block, chunk: 0, inner: 0 });
  }
  return html;
}

interface Draft extends Block {
  readonly innerBlocks: Draft[];
  readonly innerContent: (string | null)[];
  innerHTML: string;
}

function begin(name: string | null, json: string): Draft {
  return { name, attrs: parseAttributes(json), innerBlocks: [], innerHTML: '', innerContent: [] };
}

/** Attributes as a delimiter has them; null where they are no JSON. */
export function parseAttributes(json: string): Record<string, unknown> | null {
  if (json === '') return {};
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return null;
  }
}
