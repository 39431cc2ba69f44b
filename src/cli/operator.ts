/**
 * Where operator settings come from: `CMS_*` variables, then the file that `--config` or `CMS_CONFIG` names, else `cms.config.yaml`
 * beside the content folder. Whoever may change content must not change the server: a file that nobody names does not count where git
 * could bring it, and no file inside the content folder does.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Operator, OperatorFault, readOperator } from '../kernel/model/operator.ts';
import { isEngineAddress } from '../kernel/store/content-engine.ts';
import { parseYaml, YamlFault } from '../kernel/yaml/parse.ts';
import { readEngineGit } from '../modules/git-remote/settings.ts';
import { readHooks } from '../modules/events/webhooks/settings.ts';
import { readSpam } from '../modules/comments/spam/settings.ts';
import { readMail } from '../modules/mail/settings.ts';
import { readMediaStore } from '../modules/media/store/settings.ts';
import { failed } from './failure.ts';
import type { Io } from './io.ts';

/**
 * For a program that opens the content: its media store can be asked, too.
 * @throws Failure with status 1 when a value does not fit, or the file cannot be read or trusted
 */
export function operatorOf(dir: string, io: Io, { serves = false }: { readonly serves?: boolean } = {}): Operator {
  const operator = settingsFor(dir, io, (given) => {
    readMediaStore(given, io.env);
    // Other commands do without the secrets of webhooks, of the mail server and of the service against spam.
    if (!serves) return;
    readHooks(given.events, io.env);
    readMail(given.mail, io.env);
    readSpam(given.spam, io.env);
    readEngineGit(given.engine_git);
  });
  // Only what serves the folder runs its code for a line in a file that nobody names; other commands are asked to.
  return serves || isAsked(dir, io) ? operator : { ...operator, plugins: false };
}

/** Whether the operator allows plugins in this command's environment, or by a file named from outside. */
function isAsked(dir: string, io: Io): boolean {
  return io.env.CMS_PLUGINS !== undefined || configOf(dir, io).isNamed;
}

interface Config {
  readonly path: string;
  /** From outside: by `--config` or `CMS_CONFIG`. */
  readonly isNamed: boolean;
}

function configOf(dir: string, io: Io): Config {
  if (io.env.CMS_CONFIG) return { path: resolve(io.cwd, io.env.CMS_CONFIG), isNamed: true };
  const isEngine = isEngineAddress(dir) || dir === io.copied?.()?.dir;
  return { path: join(isEngine ? io.cwd : dirname(resolve(io.cwd, dir)), 'cms.config.yaml'), isNamed: false };
}

/** The file beside a content folder that does not count, since git could bring it: a merged pull request would set up the server. */
export function ignoredConfig(dir: string, io: Io): string | null {
  const { path, isNamed } = configOf(dir, io);
  return !isNamed && existsSync(path) && (isInWorkTree(path) || isInWorkTree(realpathSync(path)))
    ? relative(io.cwd, path) || path
    : null;
}

/** Whether the file that does not count would allow plugins. */
export function allowsPlugins(dir: string, io: Io): boolean {
  if (ignoredConfig(dir, io) === null) return false;
  try {
    return readOperator({}, parseYaml(readFileSync(configOf(dir, io).path, 'utf8'))).plugins;
  } catch {
    return false;
  }
}

/** What to do about it. */
export const configHint =
  'name it from outside, with --config or CMS_CONFIG, or move it out of the repository (docs/deploying.md)';

function isInWorkTree(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

const warned = new WeakSet<Io>();

/** The bucket that media of a folder lie in; null: they lie in the folder. Needs no keys to it. @throws Failure as above */
export function bucketOf(dir: string, io: Io): string | null {
  const { bucket = null } = settingsFor(dir, io).media_store;
  return bucket === null ? null : String(bucket);
}

function settingsFor(dir: string, io: Io, check: (operator: Operator) => unknown = () => undefined): Operator {
  const { path } = configOf(dir, io);
  const shown = relative(io.cwd, path) || path;
  const ignored = ignoredConfig(dir, io);
  if (ignored !== null && !warned.has(io)) {
    warned.add(io);
    io.err(`${ignored} is ignored: it is in a git work tree, so anyone whose changes are merged could configure the server`);
    io.err(`  ${configHint}`);
  }
  const file = ignored === null ? readConfig(path, shown, io) : {};
  try {
    const operator = readOperator(io.env, file);
    check(operator);
    return operator;
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    const place = Object.hasOwn(file, error.key) ? `${shown}: ` : '';
    return failed(`${place}${error.message}`, 'docs/configuration.md lists the operator settings', error);
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
