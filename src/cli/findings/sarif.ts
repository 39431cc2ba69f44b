/**
 * Findings as SARIF 2.1.0, the form in which code hosts and editors take results of checks.
 *
 * Source: OASIS Static Analysis Results Interchange Format 2.1.0, sections 3.13 (log), 3.14 (run), 3.19 (tool component), 3.27
 * (result), 3.30 (region), 3.49 (rule).
 */
import type { Located } from '../../kernel/store/locate.ts';
import { type RuleName, ruleOf, rules } from '../../validate/rules.ts';
import type { Rule } from '../../kernel/model/remark.ts';
import type { FindingsReport } from './report.ts';

/** A finding of a rule that is not in the table has a rule of its own. */
export function printSarif({ problems, base }: FindingsReport): string {
  const names = [...new Set([...Object.keys(rules), ...problems.map(nameOf)])];
  const indexes = new Map(names.map((name, index) => [name, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'cms', rules: names.map(descriptor) } },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => result(problem, indexes, base)),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function descriptor(name: string): object {
  const rule: Rule = Object.hasOwn(rules, name)
    ? rules[name as RuleName]
    : { severity: 'warning', about: 'A file needs attention.', help: 'See the message.' };
  const fix = rule.fix === undefined ? '' : ` \`cms validate --fix\` ${rule.fix}.`;
  return {
    id: name,
    shortDescription: { text: rule.about },
    help: { text: rule.help + fix.replaceAll('`', ''), markdown: rule.help + fix },
    defaultConfiguration: { level: rule.severity },
  };
}

function result(problem: Located, indexes: ReadonlyMap<string, number>, base: string): object {
  const { path, line, column, endColumn, severity, message, hint, source } = problem;
  const name = nameOf(problem);
  const region = {
    startLine: line,
    startColumn: column,
    ...(endColumn === undefined ? {} : { endColumn }),
    ...(source === undefined ? {} : { snippet: { text: source } }),
  };
  const physicalLocation = { artifactLocation: { uri: uriOf(base + path), uriBaseId: '%SRCROOT%' }, region };
  return {
    ruleId: name,
    ruleIndex: indexes.get(name),
    level: severity,
    message: { text: hint === undefined ? message : `${message} (${hint})` },
    locations: [{ physicalLocation }],
  };
}

function nameOf({ rule }: Located): string {
  return ruleOf(rule) ?? rule;
}

function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
