/**
 * Folders as CSV: seven columns, as spreadsheets and the client's export write them.
 *
 * Source: RFC 4180; reference of media folders, 6.
 */
import { isId } from '../../../kernel/model/ids.ts';
import type { SourceFolder } from './record.ts';

export const columns = ['id', 'name', 'parent', 'type', 'ord', 'created_by', 'attachment_ids'] as const;
export type ExportedFolder = Readonly<Record<(typeof columns)[number], string>>;

export const mostBytes = 5 * 1024 * 1024;
const mostRows = 20_000;

export class CsvError extends Error {}

export function printCsv(rows: readonly ExportedFolder[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => (column === 'name' ? `"${row.name.replaceAll('"', '""')}"` : row[column])).join(','),
  );
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** @throws CsvError with a message for the client */
export function parseCsv(text: string): readonly SourceFolder[] {
  const [head, ...lines] = records(text.replace(/^\uFEFF/, ''));
  if (head === undefined) throw new CsvError('The file has no header line.');
  const names = head.map((name) => name.trim().toLowerCase());
  const strange = names.find((name) => !columns.includes(name as never));
  if (strange !== undefined) throw new CsvError(`The file has an unknown column: ${strange.slice(0, 40)}.`);
  const missing = (['id', 'name', 'parent'] as const).find((name) => !names.includes(name));
  if (missing !== undefined || new Set(names).size < names.length)
    throw new CsvError('The header line lacks a column, or has one twice.');
  if (lines.length > mostRows) throw new CsvError(`The file has more than ${mostRows} rows.`);
  return lines.map((cells, at) => {
    if (cells.length !== names.length) throw new CsvError(`Row ${at + 2} has ${cells.length} cells, not ${names.length}.`);
    const value = (name: (typeof columns)[number]): string => cells[names.indexOf(name)]?.trim() ?? '';
    return {
      id: numberOf(value('id')),
      name: value('name'),
      parent: numberOf(value('parent')),
      ord: numberOf(value('ord')),
      owner: numberOf(value('created_by')),
      attachments: value('attachment_ids').split('|').map(numberOf).filter(isId),
    };
  });
}

function numberOf(text: string): number {
  return /^-?\d{1,10}$/.test(text) ? Number(text) : 0;
}

/** Lines of cells. An inner quote is kept: the client does not double them. */
function records(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  const endLine = (): void => {
    if (cells.length > 1 || cells[0] !== '') lines.push(cells);
    cells = [];
  };
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new CsvError('The file ends within quotes.');
        cell += text.slice(at, quote);
        at = quote + 1;
        const next = text[at];
        if (next === undefined || next === ',' || next === '\n' || next === '\r') break;
        cell += '"';
        if (next === '"') at++;
      }
    } else {
      const end = /[,\r\n]/.exec(text.slice(at, at + mostBytes))?.index ?? text.length - at;
      cell = text.slice(at, at + end);
      at += end;
    }
    cells.push(cell);
    if (text[at] === ',') {
      at++;
      if (at === text.length) cells.push('');
      continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    endLine();
  }
  if (cells.length > 0) endLine();
  return lines;
}
