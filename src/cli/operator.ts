/**
 * Where operator settings come from: `CMS_*` variables, then `cms.config.yaml` beside the content folder (or where `CMS_CONFIG` says).
 * A file inside the content folder is never read: whoever may change content must not change the server.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Operator, OperatorFault, readOperator } from '../kernel/model/operator.ts';
import { parseYaml, YamlFault } from '../kernel/yaml/parse.ts';
import { readMediaStore } from '../modules/media/store/settings.ts';
import { failed } from './failure.ts';
import type { Io } from './io.ts';

/**
 * For a program that opens the content: its media store can be asked, too.
 * @throws Failure with status 1 when a value does not fit, or the file cannot be read or trusted
 */
export function operatorOf(dir: string, io: Io): Operator {
  return settingsFor(dir, io, (operator) => readMediaStore(operator, io.env));
}

/** The bucket that media of a folder lie in; null: they lie in the folder. Needs no keys to it. @throws Failure as above */
export function bucketOf(dir: string, io: Io): string | null {
  const { bucket = null } = settingsFor(dir, io).media_store;
  return bucket === null ? null : String(bucket);
}

function settingsFor(dir: string, io: Io, check: (operator: Operator) => unknown = () => undefined): Operator {
  const path = io.env.CMS_CONFIG ? resolve(io.cwd, io.env.CMS_CONFIG) : join(dirname(resolve(io.cwd, dir)), 'cms.config.yaml');
  const shown = relative(io.cwd, path) || path;
  const file = readConfig(path, shown, io);
  try {
    const operator = readOperator(io.env, file);
    check(operator);
    return operator;
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    const place = Object.hasOwn(file, error.key) ? `${shown}: ` : '';
    return failed(`${place}${error.message}`, 'docs/commands.md lists the operator settings', error);
  }
}

function readConfig(path: string, shown: string, io: Io): Readonly<Record<string, unknown>> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    if (io.env.CMS_CONFIG) failed(`CMS_CONFIG: ${shown} does not exist`);
    return {};
  }
  // In a folder that everybody may write to, such as /tmp, anybody could have left one.
  const user = process.getuid?.();
  if (user !== undefined && stats.uid !== user && stats.uid !== 0)
    failed(
      `${shown} belongs to another user`,
      'it controls what the server may do: change its owner, or name another file with CMS_CONFIG',
    );
  try {
    return parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return failed(`${shown}: ${error.message}`, undefined, error);
  }
}
