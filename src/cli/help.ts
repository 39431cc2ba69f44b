/**
 * The end of every command's help: what to type.
 */
import type { Command } from 'commander';

/** Ends a command's help with examples. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`,
  );
}
