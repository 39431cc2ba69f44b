/**
 * The report of an import for people: what came of each kind of thing, what went well, and what they should know and do.
 */
import { table } from '../kernel/model/maps.ts';
import { achievements, type GroupedRemarks, groupRemarks, nextStep } from './import-report-groups.ts';
import { type ImportReport, type Noted, outcomes, type ReportRow } from '../transfer/import/report.ts';
import { type Style, printTable } from './io.ts';

type Paint = (style: Style, text: string) => string;

/** Remarks of one rule that are shown. */
const SHOWN = 5;

/** @param into  the content folder as the user wrote it. @returns the lines of the report */
export function printReport(report: ImportReport, paint: Paint, into = report.into): string[] {
  const shown = report.rows.filter((row) => outcomes.some((outcome) => row[outcome] > 0));
  const used = outcomes.filter((outcome) => outcome === 'new' || shown.some((row) => row[outcome] > 0));
  const cells = (row: ReportRow): string[] => [
    nameOf(row),
    ...used.map((outcome) => (row[outcome] === 0 ? '' : String(row[outcome]))),
  ];
  const verb = report.dryRun ? 'would import' : report.complete ? 'imported' : 'stopped importing';
  const megabytes = Math.round(report.peakRss / 1024 / 1024);
  return [
    `${paint(report.complete ? 'green' : 'yellow', verb)} ${report.source} (${report.format}) into ${report.into}, ${report.seconds} s, ${megabytes} MB`,
    ...(shown.length === 0
      ? report.complete
        ? ['nothing to do']
        : []
      : printTable(['', ...used], shown.map(cells)).map((line) => `  ${line}`)),
    ...printExtras(report),
    ...printRemarks(report, paint),
    ...(report.complete || report.dryRun || shown.length > 0 ? [] : ['', 'nothing was written']),
    '',
    nextStep(report, into),
  ];
}

function printExtras(report: ImportReport): string[] {
  const { files, links, markdown } = report;
  const lines = achievements(report).map((line) => `  ${line}`);
  if (files.brought + files.missing > 0) lines.push(`  files: ${files.brought} imported, ${files.missing} missing`);
  if (links.unknown.length > 0)
    lines.push(`  links to the old site with no match here, such as ${[...new Set(links.unknown)].slice(0, 3).join(', ')}`);
  if (markdown.converted + markdown.kept > 0)
    lines.push(`  Markdown: ${markdown.converted} converted, ${markdown.kept} kept as markup`);
  return lines;
}

const styles: Readonly<Record<Noted['severity'], Style>> = table({ error: 'red', lost: 'red', changed: 'yellow', note: 'dim' });

function printRemarks(report: ImportReport, paint: Paint): string[] {
  return groupRemarks(report).flatMap(([group, rules]) => [
    '',
    paint('bold', group),
    ...rules.flatMap((one) => printRule(one, paint)),
  ]);
}

function printRule({ words, rule, severity, times, remarks }: GroupedRemarks, paint: Paint): string[] {
  const lines = [`${paint(styles[severity], words)}${times > 1 ? ` (${times})` : ''} ${paint('dim', `[${rule}]`)}`];
  const listed = remarks.slice(0, SHOWN);
  for (const [at, { what, place, message, hint }] of listed.entries()) {
    lines.push(`  ${placeOf(place)}${what}: ${message}`);
    // What is advised for several in a row stands below the last.
    if (hint && hint !== listed[at + 1]?.hint) lines.push(paint('dim', `    ${hint}`));
  }
  if (times > SHOWN) lines.push(`  … and ${times - SHOWN} more${times > remarks.length ? '' : '; --json lists them'}`);
  return lines;
}

/** What a row of the table is called. */
export function nameOf({ kind, of }: ReportRow): string {
  if (kind === 'term' || kind === 'post' || kind === 'other') return of;
  return kindNames[kind];
}

const kindNames = table({
  user: 'authors',
  account: 'accounts',
  menu: 'menus',
  'menu-link': 'menu links',
  media: 'media',
  comment: 'comments',
  site: 'site',
});

function placeOf(place: Noted['place']): string {
  if (!place) return '';
  const { source, line, column } = place;
  return `${[source, ...(line === undefined ? [] : [line]), ...(column === undefined ? [] : [column])].join(':')} `;
}
