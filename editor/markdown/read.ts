/**
 * A Markdown text as blocks, each with its own lines: `gap block gap block … gap` is the text, sign for sign.
 */
import { MarkdownParser, type ParseSpec } from 'prosemirror-markdown';
import type { Node } from 'prosemirror-model';
import type { Env, Token } from 'markdown-it';
import { printBlock } from './print.ts';
import { safeAddress, schema } from './schema.ts';
import { parser } from './syntax.ts';
import { written } from './writable.ts';

export interface SourceBlock {
  /** Lines without the end of the last. */
  readonly source: string;
  readonly node: Node;
}

export interface SourceText {
  readonly blocks: readonly SourceBlock[];
  /** Before each block, and behind the last. */
  readonly gaps: readonly string[];
  /** How its lines end. */
  readonly lineEnd: string;
  /** What blocks may refer to. */
  readonly env: Env;
}

export function readText(text: string): SourceText {
  const md = parser();
  const env: Env = {};
  const tokens = md.parse(text, env);
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const parts: { from: number; to: number; tokens: readonly Token[] | null }[] = [];
  let line = 0;
  // Lines of no token: labels of links.
  const skip = (to: number): void => {
    while (line < to) {
      const from = line;
      while (line < to && !isBlank(lines[line])) line++;
      if (line > from) parts.push({ from, to: line, tokens: null });
      while (line < to && isBlank(lines[line])) line++;
    }
  };
  for (const group of groupsOf(tokens)) {
    const [from, end] = group[0]?.map ?? [line, line];
    let to = end;
    while (to > from && isBlank(lines[to - 1])) to--;
    if (from < line || to <= from) {
      // Never of the rules that are used here; its lines would be lost.
      const last = parts.at(-1);
      if (last && to > last.to) Object.assign(last, { to, tokens: null });
    } else {
      skip(from);
      parts.push({ from, to, tokens: group });
    }
    line = Math.max(line, to);
  }
  skip(lines.length);
  const gaps: string[] = [];
  const blocks: SourceBlock[] = [];
  let at = 0;
  let gap = '';
  for (const { from, to, tokens: group } of parts) {
    const whole = lines.slice(from, to).join('');
    const source = whole.replace(/(?:\r\n|\r|\n)$/, '');
    gaps.push(gap + lines.slice(at, from).join(''));
    gap = whole.slice(source.length);
    blocks.push({ source, node: (group && nodeOf(group, source, env)) ?? island(source) });
    at = to;
  }
  gaps.push(gap + lines.slice(at).join(''));
  return { blocks, gaps, lineEnd: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n', env };
}

/** What the editor shows of a text. */
export function documentOf({ blocks }: SourceText): Node {
  const nodes = blocks.map(({ node }) => node);
  return schema.node('doc', null, nodes.length === 0 ? [schema.node('paragraph')] : nodes);
}

/** Blocks of a text that is part of another. @param env  of the other */
export function readPart(text: string, env: Env): readonly Node[] {
  const { references } = env;
  return groupsOf(parser().parse(text, references ? { references: { ...references } } : {})).map((group) => {
    const [from, to] = group[0]?.map ?? [0, 0];
    const source = text.split('\n').slice(from, to).join('\n').replace(/\s+$/, '');
    return nodeOf(group, source, env) ?? island(source);
  });
}

function island(source: string): Node {
  return schema.node('island', { source: source.replace(/\r\n?/g, '\n') });
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || /^[ \t\r\n]*$/.test(line);
}

function groupsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) groups.push([]);
    groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}

const tight = (tokens: readonly Token[], at: number): boolean =>
  tokens[tokens.findIndex(({ type, level }, i) => i > at && type === 'paragraph_open' && level === (tokens[at]?.level ?? 0) + 2)]
    ?.hidden ?? true;

const align = ({ attrGet }: Token, token: Token): { align: string | null } => ({
  align: /(?:left|center|right)/.exec(String(attrGet.call(token, 'style')))?.[0] ?? null,
});

const specs: Readonly<Record<string, ParseSpec>> = {
  paragraph: { block: 'paragraph' },
  heading: { block: 'heading', getAttrs: ({ tag }) => ({ level: Number(tag.slice(1)) }) },
  blockquote: { block: 'blockquote' },
  bullet_list: { block: 'bullet_list', getAttrs: (_, tokens, at) => ({ tight: tight(tokens as never, at) }) },
  ordered_list: {
    block: 'ordered_list',
    getAttrs: (token, tokens, at) => ({ order: Number(token.attrGet('start') ?? 1), tight: tight(tokens as never, at) }),
  },
  list_item: { block: 'list_item' },
  code_block: { block: 'code_block', noCloseToken: true },
  fence: { block: 'code_block', getAttrs: ({ info }) => ({ params: info }), noCloseToken: true },
  hr: { node: 'horizontal_rule' },
  table: { block: 'table' },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: 'table_row' },
  th: { block: 'table_header', getAttrs: (token) => align(token as never, token as never) },
  td: { block: 'table_cell', getAttrs: (token) => align(token as never, token as never) },
  image: {
    node: 'image',
    getAttrs: (token) => ({ src: token.attrGet('src'), alt: token.content, title: token.attrGet('title') || null }),
  },
  hardbreak: { node: 'hard_break' },
  softbreak: { node: 'soft_break' },
  raw: { node: 'raw', getAttrs: ({ content }) => ({ source: content }), noCloseToken: true },
  html_inline: { node: 'raw', getAttrs: ({ content }) => ({ source: content }), noCloseToken: true },
  em: { mark: 'em' },
  strong: { mark: 'strong' },
  s: { mark: 'strike' },
  link: { mark: 'link', getAttrs: (token) => ({ href: token.attrGet('href'), title: token.attrGet('title') || null }) },
  code_inline: { mark: 'code', noCloseToken: true },
};

let tokensGiven: readonly Token[] = [];
const builder = new MarkdownParser(schema, { parse: () => tokensGiven } as never, specs);

/** Lines of other programs, which a paragraph is to Markdown. */
const directive = /^[ \t]{0,3}(?::::|%%|\$\$|import |export |\{%|\{\{|<)/;

/**
 * What a block is in the editor; null for one that the editor does not know as a whole. It knows what it prints as the same page.
 */
function nodeOf(tokens: readonly Token[], source: string, env: Env): Node | null {
  if (directive.test(source) || !tokens.every(isKnown)) return null;
  tokensGiven = tokens;
  const doc = builder.parse('');
  const node = doc.childCount === 1 ? doc.child(0) : null;
  if (!node || !isSafe(node)) return null;
  try {
    node.check();
  } catch {
    return null;
  }
  // An empty heading, say, which nobody could tell from one that was left empty on the page.
  const [left, ...more] = written(node);
  if (!left || more.length > 0 || !left.eq(node)) return null;
  const [read] = tokensOf(printBlock(node), env);
  return read !== undefined && pageOf(read, env) === pageOf(tokens, env) ? node : null;
}

function isKnown({ type, children }: Token): boolean {
  return (
    (type === 'inline' || type === 'text' || Object.hasOwn(specs, type.replace(/_(?:open|close)$/, ''))) &&
    (children ?? []).every(isKnown)
  );
}

/** Addresses in it are shown as they are. */
function isSafe(node: Node): boolean {
  let isSafe = true;
  node.descendants(({ attrs, marks }) => {
    const addresses = [attrs.src, ...marks.map((mark) => mark.attrs.href)].filter((one) => one !== undefined);
    if (addresses.some((address) => safeAddress(address) !== address)) isSafe = false;
  });
  return isSafe;
}

/** The only block of a text; none where it has several. */
function tokensOf(text: string, { references }: Env): readonly (readonly Token[])[] {
  const groups = groupsOf(parser().parse(text, references ? { references: { ...references } } : {}));
  return groups.length === 1 ? groups : [];
}

function pageOf(tokens: readonly Token[], env: Env): string {
  return parser().renderer.render([...tokens], parser().options, env);
}
