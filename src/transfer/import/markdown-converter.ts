/**
 * HTML of one element as Markdown, without a promise: who asks renders the result and compares it.
 *
 * An element that says more than Markdown can (a class, a size, a target) stays HTML, inline or as a block.
 */
import { table } from '../../kernel/model/maps.ts';
import TurndownService from 'turndown';
import { tables, taskListItems } from 'turndown-plugin-gfm';
import { alertKinds, headingParts, isAlertTitle } from '../../render/markdown-rules.ts';

/** Elements without an end. */
export const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** What the rules ask of a node of turndown's tree. */
interface Node {
  readonly nodeName: string;
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly parentNode: Node | null;
  readonly previousSibling: Node | null;
  readonly nextSibling: Node | null;
  readonly childNodes: ArrayLike<Node>;
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
  readonly textContent: string;
  readonly outerHTML: string;
  readonly isBlock: boolean;
  getAttribute(name: string): string | null;
}

/** Elements that Markdown has a form for, with the attributes that the form holds. */
const forms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...Object.fromEntries(
      'P UL LI BLOCKQUOTE PRE EM STRONG S BR HR TABLE THEAD TBODY TR DL DT DD'.split(' ').map((name) => [name, []]),
    ),
    ...Object.fromEntries('H1 H2 H3 H4 H5 H6'.split(' ').map((name) => [name, ['id']])),
    OL: ['start'],
    CODE: [],
    A: ['href', 'title'],
    IMG: ['src', 'alt', 'title'],
    INPUT: ['type', 'checked', 'disabled'],
    TH: ['style'],
    TD: ['style'],
  }),
);

/**
 * A function from an element to Markdown; '' for what has no form at all.
 * @param heavy  every sign escaped, marks within text as tags: for texts that the readable form does not hold
 * @returns  `alternate` gives a list the second kind of mark, so that it is told from one before it
 */
export function createConverter(heavy: boolean): (element: string, alternate: boolean) => string {
  let isAlternate = false;
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    br: '\\',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    blankReplacement: (_, node) => blank(node as unknown as Node),
  });
  service.escape = heavy ? escapeHeavily : escapeLightly;
  service.use([tables, taskListItems]);
  const rule = (
    name: string,
    filter: string | readonly string[] | ((node: Node) => boolean),
    replacement: (content: string, node: Node) => string,
  ) => service.addRule(name, { filter, replacement } as unknown as TurndownService.Rule);

  rule('item', ['li'], (content, node) => {
    const list = node.parentNode as Node;
    const items = elementsOf(list);
    const number = Number(list.getAttribute('start') || 1) + items.indexOf(node);
    const mark = list.nodeName === 'OL' ? `${number}${isAlternate ? ')' : '.'} ` : isAlternate ? '* ' : '- ';
    const isLoose = elementsOf(node).some(({ nodeName }) => nodeName === 'P');
    const text = content.replace(/^\n+|\n+$/g, '').replace(/\n(?!\n|$)/g, `\n${' '.repeat(mark.length)}`);
    return `${mark}${text}${node === items.at(-1) ? '' : isLoose ? '\n\n' : '\n'}`;
  });
  rule('quote', ['blockquote'], (content) => `\n\n${quoted(content)}\n\n`);
  rule('heading', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (content, node) => {
    const id = node.getAttribute('id');
    return `\n\n${'#'.repeat(Number(node.nodeName[1]))} ${content}${id === null ? '' : ` {#${id}}`}\n\n`;
  });
  rule('definitions', ['dl'], (content) => `\n\n${content.trim()}\n\n`);
  rule('term', ['dt'], (content) => `\n\n${content.trim()}\n`);
  rule('definition', ['dd'], (content, node) => {
    const isLoose = elementsOf(node)[0]?.nodeName === 'P';
    const text = content.replace(/^\n+|\n+$/g, '').replace(/\n(?!\n|$)/g, '\n  ');
    return `${isLoose ? '\n\n' : ''}: ${text}\n`;
  });
  rule('struck', ['s'], (content) => (heavy ? `<s>${content}</s>` : `~~${content}~~`));
  rule('emphasis', ['em'], (content, node) => mark(content, node, touchesWord(node) ? '*' : '_', heavy));
  rule('strong', ['strong'], (content, node) => mark(content, node, '**', heavy));
  rule('cell', ['th', 'td'], (content, node) => {
    const text = content
      .trim()
      .replaceAll('\\\n', '<br>')
      .replace(/\n+/g, ' ')
      .replace(/(?<!\\)\|/g, '\\|');
    return `${node.previousSibling === null ? '| ' : ' '}${text} |`;
  });
  rule('row', ['tr'], (content, node) => {
    const borders = elementsOf(node).map(
      (cell) => alignments[/^text-align:\s?(left|right|center);?$/.exec(cell.getAttribute('style') ?? '')?.[1] ?? ''],
    );
    return `\n${content}${node.parentNode?.nodeName === 'THEAD' ? `\n| ${borders.join(' | ')} |` : ''}`;
  });
  rule(
    'link',
    (node) => node.nodeName === 'A' && node.getAttribute('href') !== null,
    (content, node) => {
      const href = node.getAttribute('href') as string;
      const title = node.getAttribute('title');
      const isPlain = /^[\w\-.~:/?#@!$&'()*+,;=%]+$/.test(href) && !/["\\\n]|&\w/.test(title ?? '');
      if (heavy || !isPlain || content.includes('\n') || /!$/.test(node.previousSibling?.nodeValue ?? ''))
        return inTags(content, node);
      const text = content.replace(/\\(?=:\/\/|@)|(?<=\bwww)\\(?=\.)/g, '');
      if (node.textContent === href && /^https?:\/\/[\w\-./?=&]+$/.test(href) && title === null) return `<${href}>`;
      return `[${text}](${destination(href)}${title === null ? '' : ` "${title}"`})`;
    },
  );
  rule('image', ['img'], (_, node) => {
    const alt = node.getAttribute('alt');
    const src = node.getAttribute('src') ?? '';
    const title = node.getAttribute('title');
    const isPlain =
      /^[\w\-.~:/?#@!$&'()*+,;=%]+$/.test(src) && alt !== null && !/[\\\n<>&[\]`*_]/.test(alt) && !/["\\\n&]/.test(title ?? '');
    return heavy || !isPlain ? openTag(node) : `![${alt}](${destination(src)}${title === null ? '' : ` "${title}"`})`;
  });
  // Later rules are asked first: an element that says more than its form in Markdown stays HTML.
  rule(
    'kept',
    (node) => isKept(node),
    (content, node) => {
      if (node.isBlock) return `\n\n${node.outerHTML}\n\n`;
      return node.nodeName === 'CODE' ? inTags(escapeHeavily(node.textContent), node) : inTags(content, node);
    },
  );
  rule('paragraph', ['p'], (content, node) =>
    isTagAlone(content) || isKept(node) ? `\n\n${node.outerHTML}\n\n` : `\n\n${content.replace(/^[:~](?=\s)/gm, '\\$&')}\n\n`,
  );
  rule(
    'alert',
    (node) => alertOf(node) !== null,
    (content, node) => {
      const [title] = elementsOf(node);
      const text = content.replace(/^\n+|\n+$/g, '').slice(title?.outerHTML.length);
      return `\n\n> [!${alertOf(node)?.toUpperCase()}]\n${quoted(text)}\n\n`;
    },
  );
  rule('reference', isNoteMark, (_, node) => `[^${node.textContent}]`);
  rule(
    'backlink',
    (node) => node.nodeName === 'A' && node.getAttribute('role') === 'doc-backlink',
    () => '',
  );
  rule('notes', isNotes, (content) => `\n\n${content.trim()}\n\n`);
  rule(
    'note list',
    (node) => node.nodeName === 'OL' && isNotes(node.parentNode),
    (content) => content,
  );
  rule(
    'note',
    (node) => node.nodeName === 'LI' && isNotes(node.parentNode?.parentNode ?? null),
    (content, node) => {
      const number = elementsOf(node.parentNode as Node).indexOf(node) + 1;
      return `\n\n[^${number}]: ${content.trim().replace(/\n(?!\n|$)/g, '\n    ')}`;
    },
  );

  return (element, alternate) => {
    isAlternate = alternate;
    return service.turndown(element);
  };
}

const alignments: Readonly<Record<string, string>> = table({ '': '---', left: ':---', right: '---:', center: ':---:' });

function elementsOf(node: Node): Node[] {
  return Array.from(node.childNodes).filter(({ nodeType }) => nodeType === 1);
}

function quoted(content: string): string {
  return content
    .replace(/^\n+|\n+$/g, '')
    .replace(/^/gm, '> ')
    .replace(/^> $/gm, '>');
}

/** The kind of the alert that an element is shown as; null: it is none. */
function alertOf(node: Node): string | null {
  const [, kind = ''] = /^markdown-alert markdown-alert-([a-z]+)$/.exec(node.getAttribute?.('class') ?? '') ?? [];
  if (node.nodeName !== 'DIV' || node.attributes.length > 1 || !(alertKinds as readonly string[]).includes(kind)) return null;
  const [title, text] = elementsOf(node);
  return text !== undefined && title !== undefined && isAlertTitle(title.outerHTML, kind) ? kind : null;
}

/** The number in a text that leads to a note, as it is rendered. */
function isNoteMark(node: Node): boolean {
  const [link] = elementsOf(node);
  return (
    node.nodeName === 'SUP' &&
    node.getAttribute('class') === 'footnote-ref' &&
    node.childNodes.length === 1 &&
    link?.getAttribute('role') === 'doc-noteref' &&
    /^\d+$/.test(link.textContent)
  );
}

/** The notes behind a text, as they are rendered. */
function isNotes(node: Node | null): boolean {
  return (
    node?.nodeName === 'SECTION' && node.getAttribute('class') === 'footnotes' && node.getAttribute('role') === 'doc-endnotes'
  );
}

/** An element without text: an anchor or icon is kept, an empty paragraph has no form. */
function blank(node: Node): string {
  if (node.nodeName === 'TD' || node.nodeName === 'TH') return `${node.previousSibling === null ? '| ' : ' '} |`;
  if (node.nodeName === 'LI') return `-${node.nextSibling ? '\n' : ''}`;
  return node.isBlock ? `\n\n${node.outerHTML}\n\n` : node.outerHTML;
}

function isKept(node: Node): boolean {
  const expressible = forms.get(node.nodeName);
  if (expressible === undefined) return true;
  const attributes = Array.from(node.attributes, ({ name }) => name);
  if (node.nodeName === 'CODE' && node.parentNode?.nodeName === 'PRE') return attributes.some((name) => name !== 'class');
  if (attributes.some((name) => !expressible.includes(name))) return true;
  if (node.nodeName === 'CODE') return elementsOf(node).length > 0 || /^\s*$|\n/.test(node.textContent);
  if (node.nodeName === 'PRE')
    return elementsOf(node).length !== 1 || node.childNodes.length !== 1 || !isPlainCode(node.childNodes[0] as Node);
  if (node.nodeName === 'TABLE') return !isPlainTable(node);
  if (/^H\d$/.test(node.nodeName)) return node.outerHTML.includes('<br') || !isHeadingId(node.getAttribute('id'));
  if (node.nodeName === 'DL') return !isPlainDefinitions(elementsOf(node));
  return (
    (node.nodeName === 'UL' || node.nodeName === 'OL') &&
    elementsOf(node).some((item) => item.nodeName !== 'LI' || item.attributes.length > 0)
  );
}

function isHeadingId(id: string | null): boolean {
  return id === null || headingParts(`x {#${id}}`).id === id;
}

/** Terms of one line, each with what is said of it. */
function isPlainDefinitions(parts: readonly Node[]): boolean {
  return (
    parts.at(-1)?.nodeName === 'DD' &&
    parts.every((part, at) =>
      part.nodeName === 'DT'
        ? parts[at + 1]?.nodeName === 'DD' && part.attributes.length === 0 && !part.outerHTML.includes('<br')
        : part.nodeName === 'DD' && at > 0 && part.attributes.length === 0,
    )
  );
}

/** Code whose only mark is a language. */
function isPlainCode(node: Node): boolean {
  return (
    node.nodeName === 'CODE' && elementsOf(node).length === 0 && /^(?:language-[^\s`]+)?$/.test(node.getAttribute('class') ?? '')
  );
}

/** One row of headings, and cells of nothing but a line of text. */
function isPlainTable(table: Node): boolean {
  const [head, body, ...more] = elementsOf(table);
  if (head?.nodeName !== 'THEAD' || elementsOf(head).length !== 1 || more.length > 0) return false;
  if (body !== undefined && body.nodeName !== 'TBODY') return false;
  return [...elementsOf(head), ...(body ? elementsOf(body) : [])].every((row) =>
    elementsOf(row).every(
      (cell) =>
        !isKept(cell) && elementsOf(cell).every(({ nodeName }) => !/^(?:P|UL|OL|DIV|PRE|BLOCKQUOTE|TABLE|H\d)$/.test(nodeName)),
    ),
  );
}

/** Tags with which an HTML block begins, wherever the line ends. Source: CommonMark 0.31, HTML blocks. */
const beginsBlock =
  'address|article|aside|center|details|dialog|div|figure|iframe|link|menu|nav|option|param|search|source|summary|track';
const tagAlone = new RegExp(`^\\s*(?:<!--|<[a-z][^<>]*>\\s*(?:\\n|$)|</?(?:${beginsBlock})\\b)`, 'i');

/** Whether the first line would begin a block of HTML instead of a paragraph. */
const isTagAlone = (content: string): boolean => tagAlone.test(content);

/** Emphasis by marks where CommonMark's rules on what may stand beside them allow it, else by tags. */
function mark(content: string, node: Node, sign: string, heavy: boolean): string {
  const first = content[0] ?? ' ';
  const last = content.at(-1) ?? ' ';
  const before = outside(node.previousSibling, 'before');
  const after = outside(node.nextSibling, 'after');
  const isFree = (inner: string, outer: string): boolean =>
    !isSpace.test(inner) && (!isSign.test(inner) || isSpace.test(outer) || isSign.test(outer));
  const touchesMark = [node.previousSibling, node.nextSibling].some(
    (sibling) => sibling !== null && /^(?:EM|STRONG|S)$/.test(sibling.nodeName),
  );
  if (heavy || touchesMark || content.includes('\n\n') || !isFree(first, before) || !isFree(last, after))
    return inTags(content, node);
  return sign + content + sign;
}

const isSpace = /^\s$/;
const isSign = /^[\p{P}\p{S}]$/u;
const isWord = /^[\p{L}\p{N}_]$/u;

function touchesWord(node: Node): boolean {
  return isWord.test(outside(node.previousSibling, 'before')) || isWord.test(outside(node.nextSibling, 'after'));
}

/** The character beside an element; a space at the edge of its parent. */
function outside(sibling: Node | null, side: 'before' | 'after'): string {
  if (sibling === null || sibling.nodeName === 'BR') return ' ';
  const text = sibling.nodeType === 3 ? (sibling.nodeValue ?? '') : sibling.textContent;
  return (side === 'before' ? text.at(-1) : text[0]) ?? ' ';
}

function inTags(content: string, node: Node): string {
  const open = openTag(node);
  return voidElements.has(node.nodeName.toLowerCase()) ? open : `${open}${content}</${node.nodeName.toLowerCase()}>`;
}

function openTag(node: Node): string {
  const attributes = Array.from(
    node.attributes,
    ({ name, value }) => ` ${name}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`,
  );
  return `<${node.nodeName.toLowerCase()}${attributes.join('')}>`;
}

function destination(url: string): string {
  return url.replace(/[()]/g, '\\$&').replace(/&(?=#?\w+;)/g, '&amp;');
}

/*
 * Text that must not be taken for Markdown. The light form escapes what would be read as a mark where it stands and leaves the
 * rest readable; the heavy form escapes every sign. Both are only proposals: the result is rendered and compared.
 */

/** A text of one node; its white space is single spaces, and its beginning may be the beginning of a line. */
function escapeLightly(text: string): string {
  const escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/`|~~+/g, (signs) => signs.replace(/./g, '\\$&'))
    .replace(/\*(?!\s)|(?<!\s)\*/g, '\\*')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\](?=\()/g, '\\]')
    .replace(/^\[(?=[^\]]*\]:|[ xX]\]|![a-z]{1,20}\])/i, '\\[')
    .replace(/\{(?=#)/g, '\\{');
  return beginning(addresses(entities(escaped)));
}

/** As above, with every sign that can be one escaped. */
function escapeHeavily(text: string): string {
  return beginning(addresses(entities(text.replace(/[\\`*_[\]~|!#{]/g, '\\$&'))));
}

/** `&` and `<` where they would begin an entity or a tag. */
function entities(text: string): string {
  return text.replace(/&(?=#?\w+;)/g, '&amp;').replace(/<(?=[a-z/!?]|$)/gi, '&lt;');
}

/** Addresses in plain text are no links in markup. */
function addresses(text: string): string {
  return text
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/(?<![:\w/\\])\/\/(?=\w)/g, '\\//')
    .replace(/\b(mailto|www)([:.])(?=\S)/gi, '$1\\$2')
    .replace(/(?<=[\w.+-])@(?=\w)/g, '\\@');
}

/** What would make a heading, a list, a quote or a rule of a line. */
function beginning(text: string): string {
  return text
    .replace(/^\s*(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|>|[-=]+\s*$|-[ -]*$|[-:|]{2})/, '$&\\')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
