/**
 * What a Markdown text consists of in the visual editor. What is none of these is an island: it shows and keeps its source.
 */
import { type DOMOutputSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';

const table = tableNodes({
  tableGroup: 'block',
  cellContent: '(text | image | raw)*',
  cellAttributes: {
    align: {
      default: null,
      getFromDOM: (dom) => /^(?:left|center|right)$/.exec(dom.dataset.align ?? dom.style.textAlign)?.[0] ?? null,
      setDOMAttr: (value, attrs) => {
        if (value) attrs['data-align'] = value;
      },
    },
  },
});

/** Addresses as they are shown: nothing that a script could stand in. */
export function safeAddress(address: string): string {
  return /^(?:https?:|mailto:|tel:|[/#?.]|[^:]*$)/i.test(address.trim()) ? address : '';
}

const nodes = {
  doc: { content: 'block+' },
  paragraph: { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p' }], toDOM: (): DOMOutputSpec => ['p', 0] },
  heading: {
    attrs: { level: { default: 2 } },
    content: '(text | image | raw)*',
    group: 'block',
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: (node): DOMOutputSpec => [`h${node.attrs.level}`, 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: (): DOMOutputSpec => ['blockquote', 0],
  },
  bullet_list: {
    attrs: { tight: { default: true } },
    content: 'list_item+',
    group: 'block',
    parseDOM: [{ tag: 'ul' }],
    toDOM: (): DOMOutputSpec => ['ul', 0],
  },
  ordered_list: {
    attrs: { order: { default: 1 }, tight: { default: true } },
    content: 'list_item+',
    group: 'block',
    parseDOM: [{ tag: 'ol', getAttrs: (dom) => ({ order: Number(dom.getAttribute('start') ?? 1) }) }],
    toDOM: (node): DOMOutputSpec => ['ol', node.attrs.order === 1 ? {} : { start: node.attrs.order }, 0],
  },
  list_item: {
    content: 'block+',
    defining: true,
    parseDOM: [{ tag: 'li' }],
    toDOM: (): DOMOutputSpec => ['li', 0],
  },
  code_block: {
    attrs: { params: { default: '' } },
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: (): DOMOutputSpec => ['pre', ['code', 0]],
  },
  horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: (): DOMOutputSpec => ['hr'] },
  ...table,
  /** A block that the editor does not know. */
  island: {
    attrs: { source: { default: '' } },
    group: 'block',
    atom: true,
    selectable: true,
    parseDOM: [{ tag: 'pre[data-island]', getAttrs: (dom) => ({ source: dom.textContent }), priority: 60 }],
    toDOM: (node): DOMOutputSpec => ['pre', { 'data-island': '' }, node.attrs.source],
  },
  text: { group: 'inline' },
  image: {
    inline: true,
    attrs: { src: {}, alt: { default: '' }, title: { default: null } },
    group: 'inline',
    draggable: true,
    parseDOM: [
      {
        tag: 'img[src]',
        getAttrs: (dom) => ({
          src: dom.getAttribute('src'),
          alt: dom.getAttribute('alt') ?? '',
          title: dom.getAttribute('title'),
        }),
      },
    ],
    toDOM: ({ attrs: { src, alt, title } }): DOMOutputSpec => [
      'img',
      { src: safeAddress(src), alt, ...(title ? { title } : {}) },
    ],
  },
  hard_break: { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: (): DOMOutputSpec => ['br'] },
  /** The end of a line that readers see as a space. */
  soft_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    leafText: () => ' ',
    parseDOM: [{ tag: 'span[data-soft-break]' }],
    toDOM: (): DOMOutputSpec => ['span', { 'data-soft-break': '' }, ' '],
  },
  /** A part of a line that the editor does not know. */
  raw: {
    attrs: { source: {} },
    inline: true,
    group: 'inline',
    atom: true,
    leafText: (node) => node.attrs.source,
    parseDOM: [{ tag: 'code[data-raw]', getAttrs: (dom) => ({ source: dom.textContent }), priority: 60 }],
    toDOM: (node): DOMOutputSpec => ['code', { 'data-raw': '' }, node.attrs.source],
  },
} satisfies Record<string, NodeSpec>;

export const schema = new Schema({
  nodes,
  marks: {
    link: {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (dom) => {
            const href = safeAddress(dom.getAttribute('href') ?? '');
            return href === '' ? false : { href, title: dom.getAttribute('title') };
          },
        },
      ],
      toDOM: ({ attrs: { href, title } }): DOMOutputSpec => ['a', { href: safeAddress(href), ...(title ? { title } : {}) }, 0],
    },
    em: { parseDOM: [{ tag: 'i' }, { tag: 'em' }], toDOM: (): DOMOutputSpec => ['em', 0] },
    strong: { parseDOM: [{ tag: 'b' }, { tag: 'strong' }], toDOM: (): DOMOutputSpec => ['strong', 0] },
    strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }], toDOM: (): DOMOutputSpec => ['s', 0] },
    code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: (): DOMOutputSpec => ['code', 0] },
  },
});
