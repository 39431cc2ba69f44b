/** Webhooks in the operator's `events:`. Invalid ones prevent the start; secrets are in environment variables, named here. */
import { environment } from '../../../kernel/environment.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { OperatorFault } from '../../../kernel/model/operator.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { eventKinds } from '../record.ts';
import { presets } from './presets.ts';
import { type Hook, type PresetName, presetNames } from './record.ts';

type Row = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

const keys = ['preset', 'url', 'url_env', 'secret_env', 'token_env', 'kinds', 'types', 'hidden', 'wait', 'by', 'soft'];

/** @throws OperatorFault */
export function readHooks(given: Row, env: Environment = environment): readonly Hook[] {
  return Object.entries(given).map(([name, row]) => {
    if (!/^[a-z\d][a-z\d_-]{0,39}$/.test(name)) refuse(name, 'is not a name: use lower-case letters, digits, - and _');
    return isMap(row) ? readHook(name, row, env) : refuse(name, 'is not a map');
  });
}

function readHook(name: string, row: Row, env: Environment): Hook {
  const unknown = Object.keys(row).find((key) => !keys.includes(key));
  if (unknown !== undefined) refuse(`${name}.${unknown}`, `is not one of ${keys.join(', ')}`);
  const preset = choice(row.preset ?? 'webhook', presetNames, `${name}.preset`);
  const { needs, waitMs } = presets[preset];
  return {
    name,
    preset,
    url: withoutTrailing(addressOf(name, row, env), preset === 'webhook' || preset === 'next' || preset === 'deploy' ? '' : '/'),
    secret: needs === 'secret' ? secretOf(name, row, env) : null,
    token: tokenOf(name, row, env, preset),
    filter: { kinds: list(row.kinds, `${name}.kinds`, eventKinds), types: list(row.types, `${name}.types`) },
    hidden: flag(row.hidden, `${name}.hidden`),
    waitMs: seconds(row.wait, `${name}.wait`) ?? waitMs,
    by: choice(row.by ?? 'tags', ['tags', 'paths'], `${name}.by`),
    soft: flag(row.soft, `${name}.soft`),
  };
}

function addressOf(name: string, row: Row, env: Environment): string {
  if ((row.url === undefined) === (row.url_env === undefined)) refuse(name, 'has either url or url_env');
  const url = row.url === undefined ? variable(row.url_env, `${name}.url_env`, env) : row.url;
  const isFine = typeof url === 'string' && isUrl(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isFine) refuse(row.url === undefined ? `${name}.url_env` : `${name}.url`, 'is not a URL: https://…');
  return url as string;
}

/** Source: Standard Webhooks, "Signature scheme": 24 to 64 bytes. */
function secretOf(name: string, row: Row, env: Environment): Uint8Array {
  const text = variable(row.secret_env, `${name}.secret_env`, env);
  const bytes = Buffer.from(/^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text)?.[1] ?? '', 'base64');
  if (bytes.length < 24 || bytes.length > 64)
    refuse(
      `${name}.secret_env`,
      `names a variable that is not whsec_ and 24 to 64 bytes in base64: echo whsec_$(openssl rand -base64 32)`,
    );
  return bytes;
}

function tokenOf(name: string, row: Row, env: Environment, preset: PresetName): string {
  if (row.token_env === undefined && presets[preset].needs !== 'token') return '';
  return variable(row.token_env, `${name}.token_env`, env);
}

function variable(named: unknown, key: string, env: Environment): string {
  if (typeof named !== 'string' || !/^[A-Za-z_]\w*$/.test(named)) refuse(key, 'is not the name of an environment variable');
  return env[named] || refuse(key, `names ${named}, which is not set`);
}

function choice<T extends string>(value: unknown, choices: readonly T[], key: string): T {
  return choices.find((one) => one === value) ?? refuse(key, `is not one of ${choices.join(', ')}`);
}

function list(value: unknown, key: string, choices?: readonly string[]): readonly string[] {
  const found: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return found.map((one) => {
    if (typeof one !== 'string') refuse(key, 'is not a list of names');
    return choices ? choice(one, choices, key) : one;
  });
}

function flag(value: unknown, key: string): boolean {
  return value === undefined || typeof value === 'boolean' ? value === true : refuse(key, 'is not true or false');
}

/** Milliseconds. */
function seconds(value: unknown, key: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || value < 0 || value > 3600) refuse(key, 'is not a number of seconds up to 3600');
  return value * 1000;
}

function refuse(key: string, why: string): never {
  throw new OperatorFault('events', `events.${key} ${why}`);
}
