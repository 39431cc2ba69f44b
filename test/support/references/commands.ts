/** The page of all commands with their arguments and options, as `--help` knows them. */
import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/main.ts';
import { pretend } from '../../cli/run.ts';
import { code, generated } from './markdown.ts';

/** Options that so many commands have in the same words are explained once. */
const manyTimes = 3;

export async function commandReference(): Promise<string> {
  const program = await createProgram(null, pretend().io);
  const commands = program.commands.filter((one) => one.name() !== 'help');
  const serve = rowsOf(commands.find((one) => one.name() === 'serve') as Command).map(String);
  const common = commonOf(commands);
  const sections = commands.map((one) => sectionOf(one, 'cms', one.name() === 'start' ? serve : [], common));
  return [
    '# Command reference',
    '',
    generated('the commands themselves'),
    '',
    'Every command with its arguments and options. For what to use them for, see [commands](commands.md).',
    '',
    '## Common options',
    '',
    ...[...general].map(([flags, about]) => item([code(flags), about])),
    '',
    'These are for most commands, and not listed below. The following are listed, without their explanation:',
    '',
    ...[...common].map((row) => item(JSON.parse(row) as string[])),
    '',
    ...sections.flat(),
  ].join('\n');
}

/** Arguments and options that most commands have. */
const general = new Map([
  ['[dir]', 'content folder (default: the current folder, or ./content)'],
  ['--dir <dir>', 'the same'],
  ['--config <file>', 'file with operator settings (default: cms.config.yaml next to the content folder)'],
]);
const [, ...folder] = general.keys();
const isOwn = ([flags = '', about = '']: readonly string[]): boolean => {
  const name = flags.replaceAll('`', '');
  return !(name === '[dir]' || folder.includes(name)) || about !== general.get(name === '--dir <dir>' ? '[dir]' : name);
};

const item = ([flags = '', about = '']: readonly string[]): string =>
  `- ${flags}${about === '' ? '' : `: ${about}`}`.replace(/\s+/g, ' ');

function rowsOf(command: Command): string[][] {
  return [
    ...command.registeredArguments.map((one) => [code(one.required ? `<${one.name()}>` : `[${one.name()}]`), one.description]),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map((one) => [
        code(one.flags),
        [
          one.description,
          ...(one.argChoices ? [`one of ${one.argChoices.map(code).join(', ')}`] : []),
          ...(one.defaultValue === undefined || String(one.defaultValue) === ''
            ? []
            : [`default ${code(String(one.defaultValue))}`]),
          ...(one.mandatory ? ['required'] : []),
        ].join('; '),
      ]),
  ]
    .filter(isOwn)
    .map((row) => row.map((cell) => cell.replaceAll(/\$((?:CMS_)?[A-Z_]{3,}(?:=1)?)/g, '`$1`')));
}

/** Options that many commands have, as rows in JSON. */
function commonOf(commands: readonly Command[]): ReadonlySet<string> {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const counts = new Map<string, number>();
  for (const row of commands
    .flatMap(all)
    .flatMap(rowsOf)
    .map((one) => JSON.stringify(one)))
    counts.set(row, (counts.get(row) ?? 0) + 1);
  return new Set([...counts].flatMap(([row, count]) => (count >= manyTimes && row.startsWith('["`--') ? [row] : [])));
}

/** @param ofServe  rows of `cms serve`, which a command that has them does not repeat */
function sectionOf(command: Command, above: string, ofServe: readonly string[], common: ReadonlySet<string>): string[] {
  const name = `${above} ${command.name()}`;
  const about = command.description();
  const [plain, rows] = [rowsOf(command).filter(([, one]) => one === ''), rowsOf(command).filter(([, one]) => one !== '')];
  const same = rows.filter((row) => ofServe.includes(String(row)));
  const often = rows.filter((row) => !same.includes(row) && common.has(JSON.stringify(row)));
  const own = rows.filter((row) => !same.includes(row) && !often.includes(row));
  const flagsOf = (some: readonly string[][]): string => some.map(([flags = '']) => flags.replace(/ <.*>/, '')).join(', ');
  const below = command.commands.flatMap((one) => (one.name() === 'help' ? [] : sectionOf(one, name, [], common)));
  // A command that only has others below it says what they say.
  if (below.length > 0 && rows.length + plain.length === 0) return below;
  const usage = plain.length > 0 ? `${code(plain.map(([flags = '']) => flags.replaceAll('`', '')).join(' '))}: ` : '';
  return [
    `## ${name}`,
    '',
    `${usage}${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    '',
    ...(same.length > 0 ? [`As with \`cms serve\`: ${flagsOf(same)}.`, ''] : []),
    ...own.map(item),
    ...(often.length > 0 ? [`- ${flagsOf(often)}`] : []),
    ...(own.length + often.length > 0 ? [''] : []),
    ...below,
  ];
}
