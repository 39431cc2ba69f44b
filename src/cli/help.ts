/** The end of the help of every command. */
import type { Command } from 'commander';

/** Ends a command's help with examples. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command
    .showHelpAfterError(`  see ${nameOf(command)} --help`)
    .addHelpText('after', `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

/** As it is called: `cms media fetch`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
