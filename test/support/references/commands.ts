/** The page of all commands with their arguments and options, as `--help` knows them. */
import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/main.ts';
import { pretend } from '../../cli/run.ts';
import { code, generated, table } from './markdown.ts';

export async function commandReference(): Promise<string> {
  const program = await createProgram(null, pretend().io);
  const sections = program.commands.filter((one) => one.name() !== 'help').map((one) => sectionOf(one, 'cms'));
  return [
    '# Command reference',
    '',
    generated('the commands themselves'),
    '',
    'Every command with its arguments and options. For what to use them for, see [commands](commands.md).',
    '',
    'Most commands also accept the following, which are not repeated below:',
    '',
    ...table(
      ['Argument', 'Meaning'],
      [...shared].map(([flags, about]) => [code(flags), about]),
    ),
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

function sectionOf(command: Command, above: string): string[] {
  const name = `${above} ${command.name()}`;
  const about = command.description();
  const rows = [
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
  return [
    `## ${name}`,
    '',
    `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    '',
    ...(rows.length > 0 ? [...table(['Argument', 'Meaning'], rows), ''] : []),
    ...command.commands.flatMap((one) => (one.name() === 'help' ? [] : sectionOf(one, name))),
  ];
}
