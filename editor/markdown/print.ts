/**
 * Nodes as Markdown, in one form. What stood in another form before is brought back to it by `fit.ts`.
 */
import { defaultMarkdownSerializer, MarkdownSerializer } from 'prosemirror-markdown';
import type { Node } from 'prosemirror-model';
import { schema } from './schema.ts';

export interface PrintOptions {
  /** Of lists: another one tells a list from the list before it. */
  readonly bullet?: '-' | '*' | '+';
  readonly delimiter?: '.' | ')';
  /** Every sign that could mean something is escaped. */
  readonly escapesAll?: boolean;
}

/** One block as lines without an end. */
export function printBlock(node: Node, options: PrintOptions = {}): string {
  const { bullet = '-', delimiter = '.', escapesAll = false } = options;
  const usual = defaultMarkdownSerializer;
  let startsLine = false;
  const serializer: MarkdownSerializer = new MarkdownSerializer(
    {
      ...usual.nodes,
      bullet_list: (state, list) => state.renderList(list, '  ', () => `${bullet} `),
      ordered_list(state, list) {
        const start: number = list.attrs.order;
        const width = String(start + list.childCount - 1).length;
        state.renderList(list, ' '.repeat(width + 2), (at) => `${start + at}${delimiter}`.padEnd(width + 2));
      },
      code_block(state, block) {
        const ticks = Math.max(2, ...[...block.textContent.matchAll(/`+/g)].map(([run]) => run.length));
        const fence = '`'.repeat(ticks + 1);
        state.write(`${fence}${block.attrs.params}\n`);
        if (block.textContent !== '') {
          state.text(block.textContent, false);
          state.write('\n');
        }
        state.write(fence);
        state.closeBlock(block);
      },
      island: (state, island) => {
        state.write(island.attrs.source);
        state.closeBlock(island);
      },
      raw: (state, raw) => state.text(raw.attrs.source, false),
      soft_break(state) {
        state.text('\n', false);
        startsLine = true;
      },
      hard_break(state) {
        state.write('\\\n');
        startsLine = true;
      },
      image: (state, { attrs: { src, alt, title } }) =>
        state.text(`![${escaped(alt, escapesAll)}](${target(src, title)})`, false),
      text(state, text) {
        const content = text.text ?? '';
        const { atBlockStart, inAutolink } = state as unknown as { atBlockStart: boolean; inAutolink?: boolean };
        const isStart = startsLine || atBlockStart;
        startsLine = false;
        if (inAutolink) return state.text(content, false);
        state.text(isStart ? escapedStart(escaped(content, escapesAll)) : escaped(content, escapesAll), false);
      },
      table: (state, table) => {
        const rows: string[][] = [];
        table.forEach((row) => {
          const cells: string[] = [];
          row.forEach((cell) => void cells.push(printCell(serializer, cell)));
          rows.push(cells);
        });
        const rule: string[] = [];
        table.firstChild?.forEach((cell) => void rule.push(rules[String(cell.attrs.align)] ?? '---'));
        const [head = [], ...body] = rows;
        state.text([head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n'), false);
        state.closeBlock(table);
      },
    },
    {
      ...usual.marks,
      strike: { open: '~~', close: '~~', mixable: true, expelEnclosingWhitespace: true },
      link: {
        ...(usual.marks.link as NonNullable<typeof usual.marks.link>),
        close(state, mark) {
          const own = state as unknown as { inAutolink: boolean | undefined };
          const { inAutolink } = own;
          own.inAutolink = undefined;
          return inAutolink ? '>' : `](${target(mark.attrs.href, mark.attrs.title)})`;
        },
      },
    },
  );
  return serializer.serialize(schema.node('doc', null, [node]), { tightLists: true });
}

const rules: Readonly<Record<string, string>> = { left: ':---', center: ':---:', right: '---:' };

function printCell(serializer: MarkdownSerializer, cell: Node): string {
  const paragraph = schema.node('paragraph', null, cell.content);
  return serializer
    .serialize(schema.node('doc', null, [paragraph]))
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
}

function escaped(text: string, escapesAll: boolean): string {
  if (escapesAll) return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return text.replace(/[\\`*_~[\]<]|&(?=#?\w+;)|!(?=$)|\{(?=[{%#.:])/g, (sign, at: number) =>
    sign === '_' && /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at + 1] ?? '') ? sign : `\\${sign}`,
  );
}

/** What means something at the start of a line. */
function escapedStart(text: string): string {
  return text
    .replace(/^([ \t]*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|:(?=\s)|=+\s*$|-+\s*$|\|)/, '$1\\$2')
    .replace(/^([ \t]*\d{1,9})([.)](?=\s|$))/, '$1\\$2');
}

/** Address and title of a link or picture. */
function target(address: string, title: string | null): string {
  const isPlain = address !== '' && !/[\s<>()\\]/.test(address);
  const printed = isPlain ? address : `<${address.replace(/[<>\\]/g, '\\$&').replace(/\n/g, '%0A')}>`;
  return title ? `${printed} "${title.replace(/["\\]/g, '\\$&')}"` : printed;
}
