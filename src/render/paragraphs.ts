/**
 * Paragraphs: classic text, where an empty line ends a paragraph and a line end is a line break, as HTML.
 *
 * The text becomes a list of nodes. Block elements and empty lines cut it into chunks; every chunk is wrapped in `<p>`;
 * then a few passes over the nodes take wrappers away where a block element stands in them, and put line breaks where
 * lines end. Each pass goes through the list once, so the whole is linear.
 *
 * Source: observed behaviour of the reference (7.1), its unbalanced corners included.
 */

/**
 * `tag` is one tag or comment, `sealed` an element taken as a whole (its line ends are its own), `text` the rest.
 * Nodes are known by what they say: a wrapper and a `<p>` of the author's are the same thing.
 */
interface Node {
  readonly kind: 'text' | 'tag' | 'sealed';
  readonly raw: string;
}

type Pass = (nodes: readonly Node[], at: number, out: Node[]) => number;

const blockNames =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|' +
  'h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary';
const blank = /^[ \t\n\v\f\r]*$/;
/** Tags that begin and end chunks. */
const beginsChunk = new RegExp(`^<(?:${blockNames})[ \\t\\n\\v\\f\\r/>]`);
const endsChunk = new RegExp(`</(?:${blockNames})>$|<hr[ \\t\\n\\v\\f\\r]*/?>$|^<pre[^]*</`);
/** Those that stand within what is read as a tag or comment, as in `a < b <p>`. */
const begunWithin = new RegExp(`(?!^)<(?:${blockNames})[ \\t\\n\\v\\f\\r/>]`, 'g');
const endedWithin = new RegExp(`</(?:${blockNames})>|<hr[ \\t\\n\\v\\f\\r]*/?>`, 'g');
/** Tags that stand without a paragraph; known by how the name begins, so that `<param>` counts as `<p>` does. */
const blockLike = new RegExp(`^</?(?:${blockNames})[^>]*>`);
const endsBlockLike = new RegExp(`</?(?:${blockNames})[^<>]*>$`);
const noBreakBefore = /^<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>/;
/** Tags that swallow the white space before and behind them. */
interface Glue {
  readonly before: RegExp;
  readonly behind: RegExp;
}
const options: Glue = { before: /^<option/, behind: /^<\/option>/ };
const captions: Glue = { before: /^<figcaption/, behind: /^<\/figcaption>/ };
const objects: Glue = { before: /^(?:<\/object>|<\/?(?:param|embed))/, behind: /^(?:<object|<\/?(?:param|embed))/ };
const media: Glue = { before: /^<(?:source|track|\/audio>|\/video>)/, behind: /^<(?:source|track|audio|video)/ };

const opener: Node = { kind: 'tag', raw: '<p>' };
const closer: Node = { kind: 'tag', raw: '</p>' };
const lineBreak: Node = { kind: 'tag', raw: '<br />' };

/** Text as paragraphs, each ending with a line end; '' for a text of white space. */
export function paragraphs(text: string): string {
  if (/^[ \t\n\r\0\v]*$/.test(text)) return '';
  // A single line without tags, as excerpts are.
  if (!/[<\n\r]/.test(text) && text.trim() === text) return `<p>${text}</p>\n`;
  let nodes = wrapChunks(cut(run(nodesOf(`${withoutStrayEnds(text)}\n`), pairedBreaks), gluesIn(text)));
  for (const pass of [emptyOnes, closingsInText, loneBlocks, listItems, quotes, openersBeforeBlocks, closersBehindBlocks])
    nodes = run(nodes, pass);
  nodes = breakLines(nodes);
  for (const pass of [breaksBehindBlocks, breaksBeforeBlocks]) nodes = run(nodes, pass);
  return withoutLastBreak(nodes)
    .map((node) => node.raw)
    .join('');
}

/** The last paragraph ends with its text. */
function withoutLastBreak(nodes: readonly Node[]): readonly Node[] {
  const end = nodes.length - (is(nodes.at(-1), '\n') ? 2 : 1);
  const text = nodes[end - 1];
  if (!is(nodes[end], closer.raw) || text?.kind !== 'text' || !text.raw.endsWith('\n')) return nodes;
  return nodes.with(end - 1, { kind: 'text', raw: text.raw.slice(0, -1) });
}

function gluesIn(text: string): readonly Glue[] {
  return [
    ...(text.includes('<option') ? [options] : []),
    ...(text.includes('<figcaption') ? [captions] : []),
    ...(text.includes('</object>') ? [objects] : []),
    ...(text.includes('<source') || text.includes('<track') ? [media] : []),
  ];
}

// --- from text to chunks ---

function nodesOf(text: string): Node[] {
  const nodes: Node[] = [];
  const neverClosed = new Set<string>();
  let at = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', at)) {
    emit(nodes, { kind: 'text', raw: lines(text.slice(at, start)) });
    const sealed = endOfSealed(text, start, neverClosed);
    at = sealed ?? endOfTag(text, start);
    nodes.push(sealed ? { kind: 'sealed', raw: text.slice(start, at) } : { kind: 'tag', raw: lines(text.slice(start, at)) });
  }
  emit(nodes, { kind: 'text', raw: lines(text.slice(at)) });
  return nodes;
}

/** Beside preformatted text, an end of one that never began is left out. */
function withoutStrayEnds(text: string): string {
  if (!text.includes('<pre')) return text;
  const parts = text.split('</pre>');
  return parts.map((part, at) => (at < parts.length - 1 && part.includes('<pre') ? `${part}</pre>` : part)).join('');
}

const sealing = /<(pre)(?=[\s/>])/y;

/** Index behind an element that is taken as a whole; undefined when none begins here or it is never closed. */
function endOfSealed(text: string, start: number, neverClosed: Set<string>): number | undefined {
  sealing.lastIndex = start;
  const name = sealing.exec(text)?.[1];
  if (name === undefined || neverClosed.has(name)) return undefined;
  const end = text.indexOf(`</${name}>`, start);
  if (end !== -1) return end + name.length + 3;
  neverClosed.add(name);
  return undefined;
}

function endOfTag(text: string, start: number): number {
  const mark = text.startsWith('<!--', start) ? '-->' : text.startsWith('<![CDATA[', start) ? ']]>' : '>';
  const end = text.indexOf(mark, start);
  return end === -1 ? text.length : end + mark.length;
}

/** The nodes with an empty line wherever a chunk begins or ends, and without white space that tags swallow. */
function cut(nodes: readonly Node[], glues: readonly Glue[]): Node[] {
  const out: Node[] = [];
  let glued = false;
  const addText = (raw: string) => {
    const text = glued ? raw.replace(/^[ \t\n\v\f\r]+/, '') : raw;
    if (text === '') return;
    emit(out, { kind: 'text', raw: text });
    glued = false;
  };
  for (const node of nodes) {
    if (node.kind === 'text') {
      addText(node.raw);
      continue;
    }
    if (glues.some(({ before }) => before.test(node.raw))) trimLast(out);
    else if (beginsChunk.test(node.raw)) addText('\n\n');
    out.push(node.kind === 'tag' ? { kind: 'tag', raw: spaced(node.raw) } : node);
    glued = glues.some(({ behind }) => behind.test(node.raw));
    if (!glued && endsChunk.test(node.raw)) addText('\n\n');
  }
  return out;
}

/** Empty lines around the block elements that a tag or comment seems to hold; they stay in it. */
function spaced(raw: string): string {
  if (!raw.includes('<', 1)) return raw;
  const begun = raw.replace(begunWithin, '\n\n$&');
  return /^<!(?:--|\[CDATA\[)/.test(raw) ? begun.replace(endedWithin, '$&\n\n') : begun;
}

function trimLast(nodes: Node[]): void {
  const last = nodes[nodes.length - 1];
  if (last?.kind !== 'text') return;
  nodes.pop();
  emit(nodes, { kind: 'text', raw: trimEnd(last.raw, ' \t\n\v\f\r') });
}

function wrapChunks(nodes: readonly Node[]): Node[] {
  const out: Node[] = [];
  let chunk: Node[] = [];
  const wrap = () => {
    if (chunk.length === 0) return;
    out.push(opener);
    chunk.forEach((node, at) => {
      const start = at === 0 && node.kind === 'text' ? node.raw.replace(/^\n+/, '') : node.raw;
      const raw = at === chunk.length - 1 && node.kind === 'text' ? trimEnd(start, '\n') : start;
      emit(out, { kind: node.kind, raw });
    });
    out.push(closer, { kind: 'text', raw: '\n' });
    chunk = [];
  };
  for (const node of nodes) {
    if (node.kind !== 'text') {
      chunk.push(node);
      continue;
    }
    node.raw.split(/\n[ \t\n\v\f\r]*\n/).forEach((raw, at) => {
      if (at > 0) wrap();
      emit(chunk, { kind: 'text', raw });
    });
  }
  wrap();
  return out;
}

// --- passes: each looks at one place, puts what shall stay into `out`, and says where to go on (`at`: nothing found) ---

/** `<br><br>` separates paragraphs. */
const pairedBreaks: Pass = (nodes, at, out) => {
  const next = behindBlank(nodes, at + 1);
  if (!isBreak(nodes[at]) || !isBreak(nodes[next])) return at;
  emit(out, { kind: 'text', raw: '\n\n' });
  return next + 1;
};

const emptyOnes: Pass = (nodes, at) => {
  const next = behindBlank(nodes, at + 1);
  return is(nodes[at], '<p>') && is(nodes[next], '</p>') ? next + 1 : at;
};

/** `<p>text</div>`: the paragraph ends before the block that encloses it does. */
const closingsInText: Pass = (nodes, at, out) => {
  const [start, text, end] = [nodes[at], nodes[at + 1], nodes[at + 2]];
  if (!is(start, '<p>') || text?.kind !== 'text' || !end || !/^<\/(?:div|address|form)>$/.test(end.raw)) return at;
  out.push(opener, text, closer, end);
  return at + 3;
};

const loneBlocks: Pass = (nodes, at, out) => {
  const inner = behindBlank(nodes, at + 1);
  const end = behindBlank(nodes, inner + 1);
  if (!is(nodes[at], '<p>') || nodes[inner]?.kind !== 'tag' || !isBlockLike(nodes[inner]) || !is(nodes[end], '</p>')) return at;
  out.push(nodes[inner]);
  return end + 1;
};

/** A list item on one line needs no paragraph. */
const listItems: Pass = (nodes, at, out) => {
  if (!is(nodes[at], '<p>') || !nodes[at + 1]?.raw.startsWith('<li')) return at;
  let end = at + 2;
  while (end < nodes.length && !is(nodes[end], '</p>')) {
    const node = nodes[end++] as Node;
    if (node.kind !== 'tag' && !node.raw.startsWith('<pre') && node.raw.includes('\n')) return at;
  }
  if (end === nodes.length) return at;
  for (const node of nodes.slice(at + 1, end)) emit(out, node);
  return end + 1;
};

const quoteEnd = '</blockquote>';

/** The paragraph goes into the quotation. */
const quotes: Pass = (nodes, at, out) => {
  const [node, next] = [nodes[at], nodes[at + 1]];
  if (!node || !next) return at;
  if (node.raw === '<p>' && /^<blockquote[^>]*>$/i.test(next.raw)) {
    out.push(next, node);
    return at + 2;
  }
  if (node.kind === 'text' || !node.raw.endsWith(quoteEnd) || next.raw !== '</p>') return at;
  emit(out, { kind: 'tag', raw: node.raw.slice(0, -quoteEnd.length) });
  out.push(next, { kind: 'tag', raw: quoteEnd });
  return at + 2;
};

const openersBeforeBlocks: Pass = (nodes, at, out) => {
  const next = behindBlank(nodes, at + 1);
  if (!is(nodes[at], '<p>') || !isBlockLike(nodes[next])) return at;
  out.push(nodes[next] as Node);
  return next + 1;
};

const closersBehindBlocks: Pass = (nodes, at, out) => keepFirst(nodes, at, out, closer.raw);

const breaksBehindBlocks: Pass = (nodes, at, out) => keepFirst(nodes, at, out, lineBreak.raw);

const breaksBeforeBlocks: Pass = (nodes, at, out) => {
  const next = behindBlank(nodes, at + 1);
  if (!is(nodes[at], lineBreak.raw) || !noBreakBefore.test(nodes[next]?.raw ?? '')) return at;
  for (const node of nodes.slice(at + 1, next + 1)) emit(out, node);
  return next + 1;
};

/** A block tag, and behind it `unwanted`: only the block tag stays. */
function keepFirst(nodes: readonly Node[], at: number, out: Node[], unwanted: string): number {
  const next = behindBlank(nodes, at + 1);
  const node = nodes[at];
  if (!node || node.kind === 'text' || !is(nodes[next], unwanted)) return at;
  if (!blockLike.test(node.raw) && !endsBlockLike.test(node.raw)) return at;
  out.push(node);
  return next + 1;
}

/** Line ends as line breaks, except directly behind one and within scripts, styles and drawings. White space before a line end goes. */
function breakLines(nodes: readonly Node[]): Node[] {
  const out: Node[] = [];
  const isKept = keepingLines(nodes);
  nodes.forEach((node, place) => {
    if (node.kind !== 'text') {
      const [end = ''] = /<br\/?>$/.exec(node.raw) ?? [];
      emit(out, { kind: node.kind, raw: node.raw.slice(0, node.raw.length - end.length) });
      if (end !== '') out.push(lineBreak);
      return;
    }
    if (isKept(place)) {
      out.push(node);
      return;
    }
    let at = 0;
    for (const { 0: space, index } of node.raw.matchAll(/[ \t\n\v\f\r]+/g)) {
      const end = space.lastIndexOf('\n');
      const start = index === 0 && is(out[out.length - 1], lineBreak.raw) ? 1 : 0;
      if (end < start) continue;
      emit(out, { kind: 'text', raw: node.raw.slice(at, index + start) });
      out.push(lineBreak);
      at = index + end;
    }
    emit(out, { kind: 'text', raw: node.raw.slice(at) });
  });
  return out;
}

const keeping = /^<(script|style|svg|math)/;

/** Tells, of places in rising order, whether a node stands within an element that keeps its line ends. Cost of all: linear. */
function keepingLines(nodes: readonly Node[]): (place: number) => boolean {
  const lastEnds = new Map<string, number>();
  nodes.forEach(({ kind, raw }, place) => {
    if (kind !== 'text') for (const [, name] of raw.matchAll(/<\/(script|style|svg|math)>/g)) lastEnds.set(name as string, place);
  });
  if (lastEnds.size === 0) return () => false;
  let within = '';
  let seen = -1;
  return (place) => {
    for (; seen < place; seen++) {
      const raw = nodes[seen + 1]?.kind === 'text' ? '' : (nodes[seen + 1]?.raw ?? '');
      const name = within || (keeping.exec(raw)?.[1] ?? '');
      if (name === '') continue;
      const isEnd = raw.includes(`</${name}>`);
      within = isEnd || (lastEnds.get(name) ?? -1) <= seen ? '' : name;
    }
    return within !== '';
  };
}

// --- nodes ---

function run(nodes: readonly Node[], pass: Pass): Node[] {
  const out: Node[] = [];
  for (let at = 0; at < nodes.length; ) {
    const next = pass(nodes, at, out);
    if (next === at) emit(out, nodes[at++] as Node);
    else at = next;
  }
  return out;
}

/** Appends a node; text joins the text before it, and no text is no node. */
function emit(out: Node[], node: Node): void {
  if (node.raw === '') return;
  const last = out[out.length - 1];
  if (node.kind === 'text' && last?.kind === 'text') out[out.length - 1] = { kind: 'text', raw: last.raw + node.raw };
  else out.push(node);
}

function behindBlank(nodes: readonly Node[], at: number): number {
  const node = nodes[at];
  return node?.kind === 'text' && blank.test(node.raw) ? at + 1 : at;
}

function is(node: Node | undefined, raw: string): boolean {
  return node?.raw === raw;
}

function isBreak(node: Node | undefined): boolean {
  return node !== undefined && /^<br[ \t\n\v\f\r]*\/?>$/.test(node.raw);
}

function isBlockLike(node: Node | undefined): boolean {
  return node !== undefined && node.kind !== 'text' && blockLike.test(node.raw);
}

function lines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function trimEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
