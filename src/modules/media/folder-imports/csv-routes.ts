/**
 * Folders out as CSV and in again.
 *
 * Shape    `{folders}` of texts, or CSV; `{user: label}`; `{success: {mess}}`, or `{success: false, message}`
 * Access   upload_files; trees of others are only for manage_options
 * Errors   rest_forbidden, rest_no_import_source
 * Source   specification 4.15; reference of media folders, 6
 */
import { readFile } from 'node:fs/promises';
import { fail } from '../../../kernel/errors.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { answer, type Call, CREATE, READ } from '../../../kernel/rest/types.ts';
import { mayUse, scopeOf, sentWith, textOf, unkept, wholeNumber } from '../folders/index.ts';
import { shared } from '../folders/record.ts';
import { exportedOf, readBackup } from './backups.ts';
import { columns, CsvError, type ExportedFolder, mostBytes, parseCsv, printCsv } from './csv.ts';
import { mergeInto } from './merge.ts';
import { fromTop, type SourceFolder } from './record.ts';

export const csvRoutes: Namespace['routes'] = [
  { path: '/folders/v1/export-csv', endpoints: [{ methods: READ, args: {}, allow: mayUse, handle: exportAll }] },
  { path: '/folders/v1/import-csv', endpoints: [{ methods: CREATE, args: {}, allow: mayUse, handle: importRows }] },
  { path: '/folders/v1/import-csv-detail', endpoints: [{ methods: CREATE, args: {}, allow: mayUse, handle: creators }] },
];

async function exportAll(call: Call) {
  const { site, request } = call;
  const { id, format } = sentWith(call);
  const all = id === undefined || id === '' ? exportedOf(site) : await readBackup(site, textOf(id));
  if (all === null) fail('rest_no_import_source', {}, 'There is no such backup.');
  const own = [String(shared), String(call.user?.id)];
  const rows = call.can('manage_options') ? all : all.filter((row) => own.includes(row.created_by));
  const wantsCsv = format === 'csv' || /(?:^|,)\s*text\/csv\b/.test(request.headers.accept ?? '');
  if (!wantsCsv) return unkept({ folders: rows.map(asClientsWriteIt) });
  return answer(Buffer.from(printCsv(rows)), {
    headers: {
      'Content-Type': 'text/csv; charset=UTF-8',
      'Content-Disposition': 'attachment; filename=folders.csv',
      'Cache-Control': 'no-store',
    },
  });
}

/** A client joins the values with commas, so the name is quoted. */
function asClientsWriteIt(row: ExportedFolder): ExportedFolder {
  return Object.fromEntries(
    columns.map((column) => [column, column === 'name' ? `"${row.name}"` : row[column]]),
  ) as ExportedFolder;
}

async function importRows(call: Call) {
  const rows = await received(call);
  if (typeof rows === 'string') return { success: false, message: rows };
  const { userId } = sentWith(call);
  const wanted = userId === undefined || userId === '' ? 0 : wholeNumber(userId);
  if (wanted === null) return { success: false, message: 'userId must be a number.' };
  const processed = fromTop(wanted === -1 ? rows : rows.filter(({ owner }) => owner === wanted));
  await mergeInto(call.site, scopeOf(call), processed);
  return { success: { mess: `Imported ${processed.length} ${processed.length === 1 ? 'folder' : 'folders'}.` } };
}

/** Owners of folders in the file who are users here. */
async function creators(call: Call) {
  const rows = await received(call);
  if (typeof rows === 'string') return { success: false, message: rows };
  const people = [...new Set(rows.map(({ owner }) => owner))].sort((a, b) => a - b);
  const labels = Object.fromEntries(
    people.flatMap((id) => {
      const user = call.site.users.get(id);
      return user ? [[String(id), `${user.name} folders`]] : [];
    }),
  );
  // An empty map would be printed as an empty list.
  return answer(Buffer.from(JSON.stringify(labels)), { headers: { 'Content-Type': 'application/json; charset=UTF-8' } });
}

/** The rows of the uploaded file, or an error message. */
async function received({ request }: Call): Promise<readonly SourceFolder[] | string> {
  const part = request.files?.find(({ name }) => name === 'file');
  if (!part) return 'The file has to be the part of the form called "file".';
  if (part.size > mostBytes) return 'The file is larger than 5 MB.';
  const text = (await readFile(part.file)).toString('utf8');
  if (text.includes('\u0000') || text.includes('\uFFFD')) return 'The file is no text in UTF-8.';
  try {
    return parseCsv(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return error.message;
  }
}
