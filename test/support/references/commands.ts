/** The page of all commands with their arguments and options, as `--help` knows them. */
import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/main.ts';
import { pretend } from '../../cli/run.ts';
import { code, generated } from './markdown.ts';

export async function commandReference(): Promise<string> {
  const program = await createProgram(null, pretend().io);
  const commands = program.commands.filter((one) => one.name() !== 'help');
  const serve = rowsOf(commands.find((one) => one.name() === 'serve') as Command).map(String);
  const sections = commands.map((one) => sectionOf(one, 'cms', one.name() === 'start' ? serve : []));
  return [
    '# Command reference',
    '',
    generated('the commands themselves'),
    '',
    'Every command with its arguments and options. For what to use them for, see [commands](commands.md).',
    '',
    'Most commands also accept the following, which are not repeated below:',
    '',
    ...[...shared].map(([flags, about]) => item([code(flags), about])),
    '',
    ...sections.flat(),
  ].join('\n');
}

/** Arguments and options that most commands have, said once. */
const shared = new Map([
  ['[dir]', 'content folder (default: the current folder, or ./content)'],
  ['--dir <dir>', 'content folder (default: the current folder, or ./content)'],
  ['--config <file>', 'file with operator settings (default: cms.config.yaml next to the content folder)'],
]);
const isOwn = ([flags = '', about = '']: readonly string[]): boolean => shared.get(flags.replaceAll('`', '')) !== about;

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
          ...(one.defaultValue === undefined || one.defaultValue === '' ? [] : [`default ${code(String(one.defaultValue))}`]),
          ...(one.mandatory ? ['required'] : []),
        ].join('; '),
      ]),
  ]
    .filter(isOwn)
    .map((row) => row.map((cell) => cell.replaceAll(/\$((?:CMS_)?[A-Z_]{3,}(?:=1)?)/g, '`$1`')));
}

/** @param ofServe  rows of `cms serve`, which a command that has them does not repeat */
function sectionOf(command: Command, above: string, ofServe: readonly string[]): string[] {
  const name = `${above} ${command.name()}`;
  const about = command.description();
  const all = rowsOf(command);
  const rows = all.filter((row) => !ofServe.includes(String(row)));
  const same = all.filter((row) => !rows.includes(row)).map(([flags = '']) => flags);
  return [
    `## ${name}`,
    '',
    `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    '',
    ...(same.length > 0 ? [`As with \`cms serve\`: ${same.join(', ')}.`, ''] : []),
    ...(rows.length > 0 ? [...rows.map(item), ''] : []),
    ...command.commands.flatMap((one) => (one.name() === 'help' ? [] : sectionOf(one, name, []))),
  ];
}
