/**
 * Blocks: markup with its structure written in comments, `<!-- cms:heading {"level":3} --> … <!-- /cms:heading -->`.
 *
 * Text that is in no block belongs to a block without a name. Nothing is refused: a block that is not closed ends with the
 * text, a closing delimiter without an opening one is passed over, attributes that are no JSON are null.
 */

import { delimiterNames } from '../kernel/model/wire-constants.ts';

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
  `<!--[ \\t\\r\\n\\f\\v]+(/)?(?:${delimiterNames.join('|')}):([a-z][a-z0-9_-]*/)?([a-z][a-z0-9_-]*)(?=[ \\t\\r\\n\\f\\v])`,
  'y',
);

/** Whether the text has a block, as the reference tells it: by how a delimiter begins. */
export function hasBlocks(raw: string): boolean {
  return delimiterNames.some((name) => raw.includes(`<!-- ${name}:`));
}

/** The delimiters of a text in order. A delimiter contains no other comment. Cost: linear. */
export function* delimiters(raw: string): Generator<Delimiter> {
  let close = 0;
  for (let start = raw.indexOf('<!--'), next = 0; start !== -1; start = next) {
    next = raw.indexOf('<!--', start + 4);
    opening.lastIndex = start;
    const found = opening.exec(raw);
    if (!found) continue;
    const from = start + found[0].length;
    if (close < from) close = raw.indexOf('-->', from);
    if (close === -1) return;
    if (next !== -1 && next < close) continue;
    const body = raw.slice(from, close).trim();
    const isVoid = body.endsWith('/');
    const json = isVoid ? body.slice(0, -1).trim() : body;
    if (json !== '' && !(json.startsWith('{') && json.endsWith('}'))) continue;
    const kind = isVoid ? 'void' : found[1] === '/' ? 'close' : 'open';
    yield { start, end: close + 3, kind, name: (found[2] ?? 'core/') + found[3], json };
  }
}

/**
 * The markup without its delimiters: what static blocks, and saved dynamic ones, show.
 *
 * @param show  turns what stands behind a delimiter into what is shown of it
 */
export function stripBlocks(raw: string, show: (html: string, behind: Delimiter) => string = (html) => html): string {
  let out = '';
  let at = 0;
  let last: Delimiter | undefined;
  const upTo = (end: number): string => (last ? show(raw.slice(at, end), last) : raw.slice(at, end));
  for (const delimiter of delimiters(raw)) {
    out += upTo(delimiter.start);
    at = delimiter.end;
    last = delimiter;
  }
  return out + upTo(raw.length);
}

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
