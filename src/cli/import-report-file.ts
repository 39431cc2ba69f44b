/**
 * The report of an import as a file: a page to read and to pass on, one JSON document, or the table of addresses for a spreadsheet.
 * The page holds all it needs and no script.
 */
import { table } from '../kernel/model/maps.ts';
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { escapeHtml } from '../kernel/model/escape.ts';
import { type AddressRow, type ImportReport, type Noted, outcomes } from '../transfer/import/report.ts';
import { misuse } from './failure.ts';
import { nameOf } from './import-report.ts';
import { achievements, type GroupedRemarks, groupRemarks, nextStep } from './import-report-groups.ts';

const printers: Readonly<Record<string, (report: ImportReport) => string>> = table({
  '.html': printPage,
  '.json': (report) => `${JSON.stringify(report, null, 2)}\n`,
  '.csv': ({ addresses = [] }) => [columns, ...addresses.map(cellsOf)].map(csvLine).join(''),
});

/** @param path  absolute @param shown  as the user wrote it @throws Failure with status 2, before any work is done */
export function checkReportFile(path: string, shown: string): void {
  if (printers[extname(path)] === undefined) misuse(`--report: "${shown}" is not an .html, .json or .csv file`);
  if (!existsSync(dirname(path))) misuse(`--report: the folder of "${shown}" does not exist`);
  if (existsSync(path) && !statSync(path).isFile()) misuse(`--report: "${shown}" is not a file`);
}

export async function writeReportFile(path: string, report: ImportReport): Promise<void> {
  await writeFile(path, printers[extname(path)]?.(report) as string);
}

const columns = ['what', 'from', 'to', 'outcome'];

function cellsOf({ what, from, to, outcome }: AddressRow): string[] {
  return [what, from, to, outcome];
}

/** A cell that a spreadsheet would take for a formula is text. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`);
  return `${quoted.join(',')}\r\n`;
}

const style = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:1rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #8886;overflow-wrap:break-word}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code{font-size:.9em}
.lost,.error{color:#c22}
@media (prefers-color-scheme:dark){.lost,.error{color:#f88}}`;

function printPage(report: ImportReport): string {
  const { source, format, into, dryRun, complete } = report;
  const state = dryRun ? 'would be imported' : complete ? 'was imported' : 'was imported in part';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Import of ${escapeHtml(source)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Import of ${escapeHtml(source)}</h1>
<p>The source (${escapeHtml(format)}) ${state} into <code>${escapeHtml(into)}</code> in ${report.seconds} s.</p>
${printCounts(report)}
${printRemarks(report)}
<p>${escapeHtml(nextStep(report, into))}</p>
${printAddresses(report.addresses ?? [])}
</main>
</body>
</html>
`;
}

function printCounts(report: ImportReport): string {
  const { rows, files } = report;
  const cells = rows.map((row) => [nameOf(row), ...outcomes.map((outcome) => (row[outcome] === 0 ? '' : String(row[outcome])))]);
  return `<h2>What came over</h2>
${printTable(['', ...outcomes], cells, 1)}
<p>Media files: ${files.brought} imported (${(files.bytes / 1_000_000).toFixed(1)} MB), ${files.missing} missing.</p>
<ul>${achievements(report)
    .map((line) => `<li>${escapeHtml(line)}</li>`)
    .join('')}</ul>`;
}

function printRemarks(report: ImportReport): string {
  const { links } = report;
  const parts = groupRemarks(report).map(([group, rules]) => `<h2>${group}</h2>\n${rules.map(printRule).join('\n')}`);
  const unknown = links.unknown.map((link) => `<li><code>${escapeHtml(link)}</code></li>`);
  return [
    ...(parts.length === 0 ? ['<p>Nothing was lost or changed.</p>'] : parts),
    ...(unknown.length === 0 ? [] : [`<p>Links to the old site with no match here, such as:</p><ul>${unknown.join('')}</ul>`]),
  ].join('\n');
}

function printRule({ words, rule, severity, times, remarks }: GroupedRemarks): string {
  const more = times > remarks.length ? `<p>${times} in all, ${remarks.length} of them are listed.</p>` : '';
  const rows = remarks.map((remark) => [remark.what, told(remark)]);
  return `<h3 class="${severity}">${escapeHtml(words)}${times > 1 ? ` (${times})` : ''} <code>${escapeHtml(rule)}</code></h3>\n${printTable(['What', 'Why'], rows, 2)}${more}`;
}

function told({ message, hint, place }: Noted): string {
  const { source = '', line } = place ?? {};
  const at = source === '' ? '' : ` (${source}${line === undefined ? '' : `:${line}`})`;
  return `${message}${hint ? `; ${hint}` : ''}${at}`;
}

function printAddresses(addresses: readonly AddressRow[]): string {
  const count = (outcome: AddressRow['outcome']): number => addresses.filter((row) => row.outcome === outcome).length;
  return `<h2>Addresses</h2>
<p>${count('same')} stay the same, ${count('redirected')} are redirected, ${count('lost')} lead nowhere.</p>
${printTable(
  ['What', 'Old address', 'New address', ''],
  addresses.map((row) => cellsOf(row)),
  4,
)}`;
}

/** @param numbers  columns from this one on hold numbers */
function printTable(heading: readonly string[], rows: readonly (readonly string[])[], numbers: number): string {
  const cell = (tag: 'th' | 'td', text: string, at: number): string => {
    const kind = at >= numbers ? ' class="n"' : tag === 'td' && (text === 'lost' || text === 'error') ? ` class="${text}"` : '';
    return `<${tag}${kind}>${escapeHtml(text)}</${tag}>`;
  };
  const line = (tag: 'th' | 'td', cells: readonly string[]): string =>
    `<tr>${cells.map((text, at) => cell(tag, text, at)).join('')}</tr>`;
  return `<table>
<thead>${line('th', heading)}</thead>
<tbody>
${rows.map((cells) => line('td', cells)).join('\n')}
</tbody>
</table>`;
}
