/** `engine_git` of the operator's settings: the git remote of a site whose content is in an engine. */
import { environment } from '../../kernel/environment.ts';
import { OperatorFault } from '../../kernel/model/operator.ts';

export interface RemoteSettings {
  readonly remote: string;
  readonly branch: string;
  /** Of the repository that holds the content; '' or with a slash at the end. */
  readonly above: string;
  /** Where the node keeps its clone; null: in a temporary folder. */
  readonly folder: string | null;
  /** Between two looks at the remote. */
  readonly everyMs: number;
  /** From a write to its commit. */
  readonly waitMs: number;
}

const keys = ['remote', 'branch', 'path', 'folder', 'every', 'wait', 'secret_env'];
const shortestSecret = 16;

/** Null where there is none. @throws OperatorFault */
export function readEngineGit(given: Readonly<Record<string, unknown>>): RemoteSettings | null {
  if (Object.keys(given).length === 0) return null;
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) refuse(unknown, `is not one of ${keys.join(', ')}`);
  const { remote, branch = 'main', path = '', folder = null } = given;
  if (typeof remote !== 'string' || !/^(?:\/|(?:https?|ssh|git|file):\/\/|[\w.-]+(?:@[\w.-]+)?:(?!:))/.test(remote))
    refuse('remote', 'is not the address of a git repository');
  if (typeof branch !== 'string' || !/^(?![-/.])[\w./-]+(?<![/.])$/.test(branch) || branch.includes('..'))
    refuse('branch', 'is not the name of a branch');
  if (typeof path !== 'string' || !/^(?:(?!\.)[^/\\\0-\x1f]+(?:\/(?!\.)[^/\\\0-\x1f]+)*\/?)?$/.test(path))
    refuse('path', 'is not a folder of the repository');
  if (folder !== null && (typeof folder !== 'string' || !folder.startsWith('/'))) refuse('folder', 'is not an absolute path');
  return {
    remote,
    branch,
    above: path === '' || path.endsWith('/') ? path : `${path}/`,
    folder,
    everyMs: seconds(given, 'every', 30) * 1000,
    waitMs: seconds(given, 'wait', 60) * 1000,
  };
}

/** What the hosting service signs its word of a push with; null: nobody's word is taken. @throws OperatorFault */
export function readSecret(
  { secret_env: name }: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = environment,
): string | null {
  if (name === undefined) return null;
  if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name))
    return refuse('secret_env', 'is not the name of an environment variable');
  const secret = env[name] ?? '';
  if (secret.length < shortestSecret) refuse('secret_env', `names ${name}, which is not ${shortestSecret} characters or more`);
  return secret;
}

function seconds(given: Readonly<Record<string, unknown>>, key: string, usual: number): number {
  const value = given[key] ?? usual;
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 86_400) return Number(value);
  return refuse(key, 'is not a number of seconds from 1 to 86400');
}

function refuse(key: string, why: string): never {
  throw new OperatorFault('engine_git', `engine_git.${key} ${why}`);
}
