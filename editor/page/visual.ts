/**
 * The visual editor of a Markdown text: ProseMirror, its keys, and how islands and marks that are kept are shown.
 */
import { baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history, redo, undo } from 'prosemirror-history';
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, EditorState, NodeSelection, Plugin, Selection, TextSelection } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable, tableEditing } from 'prosemirror-tables';
import { Decoration, DecorationSet, EditorView, type NodeView } from 'prosemirror-view';
import { documentOf, readText, type SourceText } from '../markdown/read.ts';
import { saveText } from '../markdown/save.ts';
import { safeAddress, schema } from '../markdown/schema.ts';
import { nearestBlock, fileOf, type TextPlace } from './places.ts';
import { localAddress } from './records.ts';
import { say } from './words.ts';

const { nodes, marks } = schema;

export interface Picture {
  readonly src: string;
  readonly alt: string;
}

export interface VisualOptions {
  readonly text: string;
  readonly label: string;
  changed(): void;
  /** Called when buttons show something else than before: not with each key. */
  moved(): void;
  /** Keeps files that were dropped or pasted. */
  upload(files: readonly File[]): Promise<readonly Picture[]>;
}

export interface Visual {
  readonly view: EditorView;
  text(): string;
  /** Takes another text in place of this one: caret and focus stay, and nothing of it is undone. */
  replace(text: string): void;
  run(command: Command): void;
  goTo(place: TextPlace): void;
  destroy(): void;
}

/** Of a transaction that brings what is stored already. */
const isReplaced = 'replaced';

export function createVisual(place: HTMLElement, { text, label, changed, moved, upload }: VisualOptions): Visual {
  let source: SourceText = readText(text);
  const place_ = (view: EditorView, files: readonly File[], at: number): boolean => {
    const pictures = files.filter(({ type }) => type.startsWith('image/'));
    if (pictures.length === 0) return false;
    void upload(pictures).then((done) => {
      for (const picture of done) {
        const position = Math.min(at, view.state.doc.content.size);
        view.dispatch(view.state.tr.replaceRangeWith(position, position, nodes.image.create(picture)));
      }
    });
    return true;
  };
  let shown = '';
  const view = new EditorView(place, {
    state: EditorState.create({
      doc: documentOf(source),
      plugins: [rules(), ...keys(), history(), dropCursor(), gapCursor(), tableEditing(), endParagraph(), laidOut()],
    }),
    attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: 'auto', class: 'text' },
    nodeViews: { island: islandView, raw: rawView },
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      if (transaction.docChanged && !transaction.getMeta(isReplaced)) changed();
      const shows = shownAt(view.state);
      if (shows !== shown) moved();
      shown = shows;
    },
    handlePaste: (own, event) => place_(own, [...(event.clipboardData?.files ?? [])], own.state.selection.from),
    handleDrop(own, event, _slice, isMoved) {
      if (isMoved) return false;
      const at = own.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? own.state.selection.from;
      return place_(own, [...(event.dataTransfer?.files ?? [])], at);
    },
  });
  return {
    view,
    text: () => saveText(source, view.state.doc),
    replace(fresh) {
      source = readText(fresh);
      const next = documentOf(source);
      const { content: old } = view.state.doc;
      const start = old.findDiffStart(next.content);
      const end = old.findDiffEnd(next.content);
      if (start === null || end === null) return;
      // Where both ends meet, what is the same is counted twice.
      const twice = Math.max(0, start - Math.min(end.a, end.b));
      const { tr } = view.state;
      tr.replace(start, end.a + twice, next.slice(start, end.b + twice));
      view.dispatch(tr.setMeta(isReplaced, true).setMeta('addToHistory', false));
    },
    run(command) {
      view.focus();
      command(view.state, view.dispatch, view);
    },
    goTo(place) {
      view.focus();
      view.dispatch(view.state.tr.setSelection(selectionAt(view.state.doc, place)).scrollIntoView());
    },
    destroy: () => view.destroy(),
  };
}

function selectionAt(doc: Node, place: TextPlace): Selection {
  const wanted = place.picture === undefined ? null : fileOf(place.picture);
  let picture: number | null = null;
  if (wanted !== null)
    doc.descendants((node, at) => {
      if (node.type === nodes.image && fileOf(String(node.attrs.src)) === wanted) picture ??= at;
    });
  if (picture !== null) return NodeSelection.create(doc, picture);
  const block = nearestBlock(
    doc.children.map(({ textContent, attrs }) => textContent || String(attrs.source ?? '')),
    place,
  );
  const start = doc.children.slice(0, block).reduce((all, { nodeSize }) => all + nodeSize, 0);
  const { nodeSize, type } = doc.child(block);
  if (type === nodes.island) return NodeSelection.create(doc, start);
  return Selection.near(doc.resolve(start + nodeSize - 1), -1);
}

function rules(): Plugin {
  return inputRules({
    rules: [
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d+)\.\s$/,
        nodes.ordered_list,
        (match) => ({ order: Number(match[1]) }),
        (match, node) => node.childCount + node.attrs.order === Number(match[1]),
      ),
      textblockTypeInputRule(/^```$/, nodes.code_block),
      textblockTypeInputRule(/^(#{2,6})\s$/, nodes.heading, (match) => ({ level: match[1]?.length ?? 2 })),
    ],
  });
}

const lineBreak: Command = chainCommands(exitCode, (state, dispatch) => {
  if (!state.selection.$from.parent.type.contentMatch.matchType(nodes.hard_break)) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
});

function keys(): Plugin[] {
  return [
    keymap({
      'Mod-z': undo,
      'Shift-Mod-z': redo,
      'Mod-y': redo,
      'Mod-b': toggleMark(marks.strong),
      'Mod-i': toggleMark(marks.em),
      'Mod-`': toggleMark(marks.code),
      'Shift-Enter': lineBreak,
      Enter: splitListItem(nodes.list_item),
      'Mod-[': chainCommands(liftListItem(nodes.list_item), lift),
      'Mod-]': sinkListItem(nodes.list_item),
      'Mod-Alt-0': setBlockType(nodes.paragraph),
      ...Object.fromEntries([2, 3, 4].map((level) => [`Mod-Alt-${level}`, setBlockType(nodes.heading, { level })])),
    }),
    keymap(baseKeymap),
  ];
}

/** A place to write behind what is no text. */
function endParagraph(): Plugin {
  return new Plugin({
    appendTransaction(_, __, { doc, tr }) {
      const last = doc.lastChild;
      return last && !last.isTextblock ? tr.insert(doc.content.size, nodes.paragraph.create()) : null;
    },
  });
}

/** So many blocks before and behind the caret. */
const nearBlocks = 16;

/**
 * Blocks around the caret are laid out whether they are seen or not: browsers lose the caret in a block, or beside one, of which this is
 * not settled yet. They are marked many at a time, so that nothing next to the caret changes while one writes.
 */
function laidOut(): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection: { $head } }) {
        const first = (Math.floor($head.index(0) / nearBlocks) - 1) * nearBlocks;
        const near: Decoration[] = [];
        doc.forEach((node, at, index) => {
          if (index >= first && index < first + 3 * nearBlocks)
            near.push(Decoration.node(at, at + node.nodeSize, { class: 'laid-out' }));
        });
        return DecorationSet.create(doc, near);
      },
    },
  });
}

/** What a source is, for people who hear it. */
function nameOf(source: string): string {
  if (/^\s*<!--/.test(source)) return say('Comment');
  if (/^\s*</.test(source)) return say('HTML');
  if (/^\s*\[\^/.test(source)) return say('Footnote');
  if (/^\s*\[[^\]]+\]:/.test(source)) return say('Link address');
  return say('Markdown source');
}

function islandView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const dom = document.createElement('div');
  dom.className = 'island';
  dom.contentEditable = 'false';
  const label = document.createElement('label');
  const area = document.createElement('textarea');
  area.spellcheck = false;
  area.dir = 'auto';
  const name = document.createElement('span');
  label.append(name, area);
  dom.append(label);
  const show = ({ attrs }: Node): void => {
    name.textContent = nameOf(attrs.source);
    if (area.value !== attrs.source) area.value = attrs.source;
    area.rows = Math.min(20, attrs.source.split('\n').length);
  };
  show(node);
  area.addEventListener('input', () => {
    const at = getPos();
    if (at !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, { source: area.value }));
  });
  return {
    dom,
    update(next) {
      if (next.type !== nodes.island) return false;
      show(next);
      return true;
    },
    stopEvent: ({ target }) => target === area,
    ignoreMutation: () => true,
  };
}

/** Boxes of tasks can be ticked; everything else is shown as it is written. */
function rawView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const isBox = /^\[[ xX]\]$/.test(node.attrs.source);
  if (!isBox) {
    const dom = document.createElement('code');
    dom.className = 'raw';
    dom.textContent = node.attrs.source;
    dom.dir = 'ltr';
    return { dom };
  }
  const dom = document.createElement('input');
  dom.type = 'checkbox';
  dom.setAttribute('aria-label', say('Done'));
  dom.checked = node.attrs.source !== '[ ]';
  dom.addEventListener('change', () => {
    const at = getPos();
    if (at !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, { source: dom.checked ? '[x]' : '[ ]' }));
  });
  return {
    dom,
    update(next) {
      if (next.type !== nodes.raw || !/^\[[ xX]\]$/.test(next.attrs.source)) return false;
      dom.checked = next.attrs.source !== '[ ]';
      return true;
    },
    stopEvent: () => true,
  };
}

export interface Tool {
  readonly name: string;
  readonly sign: string;
  readonly command: Command;
  isOn?(state: EditorState): boolean;
}

const hasMark =
  (name: 'strong' | 'em' | 'strike' | 'code') =>
  (state: EditorState): boolean => {
    const { from, to, empty, $from } = state.selection;
    return empty
      ? marks[name].isInSet(state.storedMarks ?? $from.marks()) !== undefined
      : state.doc.rangeHasMark(from, to, marks[name]);
  };
const isWithin =
  (name: keyof typeof nodes) =>
  ({ selection: { $from } }: EditorState): boolean => {
    for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === nodes[name]) return true;
    return false;
  };

const toggleList =
  (name: 'bullet_list' | 'ordered_list'): Command =>
  (state, dispatch, view) =>
    (isWithin(name)(state) ? liftListItem(nodes.list_item) : wrapInList(nodes[name]))(state, dispatch, view);

const insert =
  (make: () => Node): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(make()).scrollIntoView());
    return true;
  };

function table(): Node {
  const cells = (type: 'table_header' | 'table_cell') => [1, 2, 3].map(() => nodes[type].create());
  return nodes.table.create(null, [
    nodes.table_row.create(null, cells('table_header')),
    nodes.table_row.create(null, cells('table_cell')),
    nodes.table_row.create(null, cells('table_cell')),
  ]);
}

/** A mark in the text, and its note at the end, where one goes on to write. */
const footnote: Command = (state, dispatch) => {
  const used = new Set<string>();
  state.doc.descendants(({ attrs }) => {
    for (const [, label = ''] of String(attrs.source ?? '').matchAll(/\[\^([^\]\s]+)\]/g)) used.add(label);
  });
  let label = 1;
  while (used.has(String(label))) label++;
  if (!dispatch) return true;
  const { tr } = state;
  tr.replaceSelectionWith(nodes.raw.create({ source: `[^${label}]` }), false);
  const last = tr.doc.lastChild;
  const end = tr.doc.content.size - (last?.type === nodes.paragraph && last.childCount === 0 ? last.nodeSize : 0);
  dispatch(tr.insert(end, nodes.island.create({ source: `[^${label}]: ` })));
  return true;
};

/** With their names, as the catalogue of words has them. */
export const tools: readonly Tool[] = [
  { name: 'Bold', sign: 'B', command: toggleMark(marks.strong), isOn: hasMark('strong') },
  { name: 'Italic', sign: 'I', command: toggleMark(marks.em), isOn: hasMark('em') },
  { name: 'Strikethrough', sign: 'S', command: toggleMark(marks.strike), isOn: hasMark('strike') },
  { name: 'Code', sign: '<>', command: toggleMark(marks.code), isOn: hasMark('code') },
  { name: 'Bulleted list', sign: '•', command: toggleList('bullet_list'), isOn: isWithin('bullet_list') },
  { name: 'Numbered list', sign: '1.', command: toggleList('ordered_list'), isOn: isWithin('ordered_list') },
  {
    name: 'Quote',
    sign: '“',
    command: (state, dispatch, view) => (isWithin('blockquote')(state) ? lift : wrapIn(nodes.blockquote))(state, dispatch, view),
    isOn: isWithin('blockquote'),
  },
  { name: 'Table', sign: '⊞', command: insert(table), isOn: isInTable },
  { name: 'Line', sign: '―', command: insert(() => nodes.horizontal_rule.create()) },
  { name: 'Footnote', sign: '¹', command: footnote },
  { name: 'HTML or Markdown source', sign: '{}', command: insert(() => nodes.island.create({ source: '<!-- -->' })) },
  { name: 'Undo', sign: '↶', command: undo },
  { name: 'Redo', sign: '↷', command: redo },
];

export const tableTools: readonly Tool[] = [
  { name: 'Add row', sign: '+ ↓', command: addRowAfter },
  { name: 'Add column', sign: '+ →', command: addColumnAfter },
  { name: 'Delete row', sign: '− ↓', command: deleteRow },
  { name: 'Delete column', sign: '− →', command: deleteColumn },
  { name: 'Delete table', sign: '× ⊞', command: deleteTable },
];

/** All that buttons show of a state, as one text. */
function shownAt(state: EditorState): string {
  const on = tools.filter(({ isOn }) => isOn?.(state)).map(({ name }) => name);
  return [blockAt(state), linkAt(state), isInTable(state), ...on].join();
}

/** What the block at the caret is: 'p', '2' … '6', 'code'; '' for something else. */
export function blockAt({ selection: { $from } }: EditorState): string {
  const { type, attrs } = $from.parent;
  if (type === nodes.heading) return String(attrs.level);
  return type === nodes.code_block ? 'code' : type === nodes.paragraph ? 'p' : '';
}

export function setBlock(kind: string): Command {
  if (kind === 'code') return setBlockType(nodes.code_block);
  return kind === 'p' ? setBlockType(nodes.paragraph) : setBlockType(nodes.heading, { level: Number(kind) });
}

/** The address of the link at the caret; '' for none. */
export function linkAt({ selection: { $from, from, to }, doc }: EditorState): string {
  let href = marks.link.isInSet($from.marks())?.attrs.href ?? '';
  doc.nodesBetween(from, to, (node) => {
    href = marks.link.isInSet(node.marks)?.attrs.href ?? href;
  });
  return href;
}

/** @param href  '' takes the link away */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    let { from, to } = state.selection;
    const { $from, empty } = state.selection;
    if (empty) {
      const at = linkAt(state);
      $from.parent.forEach((node, offset) => {
        const start = $from.start() + offset;
        if (at !== '' && start <= from && from <= start + node.nodeSize && marks.link.isInSet(node.marks)?.attrs.href === at)
          [from, to] = [start, start + node.nodeSize];
      });
    }
    const { tr } = state;
    const address = safeAddress(href.trim());
    if (from === to) {
      if (address !== '') tr.insert(from, schema.text(address, [marks.link.create({ href: address })]));
    } else {
      tr.removeMark(from, to, marks.link);
      if (address !== '') tr.addMark(from, to, marks.link.create({ href: address }));
    }
    dispatch?.(tr);
    return true;
  };
}

export function insertPicture({ src, alt }: Picture): Command {
  return insert(() => nodes.image.create({ src: localAddress(src), alt }));
}

export { isInTable, NodeSelection, TextSelection };
