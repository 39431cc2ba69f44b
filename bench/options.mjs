/** Options of the measuring programs, and how each says which it has. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `--help` prints the usage and ends the program with 0; what it does not know ends it with 2, and one line.
 * @param config  as for `parseArgs`
 * @param usage   default: what the program says at its top
 */
export function readOptions(config, usage = headerOf(process.argv[1])) {
  try {
    const parsed = parseArgs({ ...config, options: { ...config.options, help: { type: 'boolean', default: false } } });
    if (!parsed.values.help) return parsed;
  } catch (error) {
    console.error(`${basename(process.argv[1])}: ${error.message.split('. ')[0]} (see --help)`);
    process.exit(2);
  }
  console.log(usage);
  process.exit(0);
}

function headerOf(program) {
  const [, header = ''] = /\/\*\*\n?(.*?)\*\//s.exec(readFileSync(program, 'utf8')) ?? [];
  return header.replaceAll(/^ ?\*? ?/gm, '').trim();
}
