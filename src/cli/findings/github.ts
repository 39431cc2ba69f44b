/**
 * Findings as workflow commands of GitHub Actions: annotations at the lines of a change.
 *
 * Source: GitHub documentation, "Workflow commands for GitHub Actions": `%`, CR and LF are escaped everywhere, `:` and `,` in
 * properties too.
 */
import { table } from '../../kernel/model/maps.ts';
import type { Located } from '../../kernel/store/locate.ts';
import type { FindingsReport } from './report.ts';

const commands: Readonly<Record<Located['severity'], string>> = table({ error: 'error', warning: 'warning', note: 'notice' });

export function printGithub({ problems, base }: FindingsReport): string[] {
  return problems.map(({ path, line, column, endColumn, severity, rule, message, hint }) => {
    const properties = { file: base + path, line, col: column, ...(endColumn === undefined ? {} : { endColumn }), title: rule };
    const list = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
    return `::${commands[severity]} ${list.join(',')}::${data(hint === undefined ? message : `${message}\n${hint}`)}`;
  });
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
