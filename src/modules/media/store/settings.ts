/**
 * `media_store` of the operator's settings: the bucket of an S3-compatible store that media lie in. What cannot work keeps the server from
 * starting; secrets stand in variables of the environment, whose names are given here.
 */
import { table } from '../../../kernel/model/maps.ts';
import { environment } from '../../../kernel/environment.ts';
import { type Operator, OperatorFault } from '../../../kernel/model/operator.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

export interface MediaStoreSettings {
  /** Origin of the service, without a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** What all keys begin with; '' or with a slash at the end. */
  readonly prefix: string;
  /** `path`: `endpoint/bucket/key`; `virtual`: `bucket.endpoint/key`. */
  readonly style: 'path' | 'virtual';
  /** Of copies on this machine. */
  readonly cacheBytes: number;
  /** Without a byte from the service for so long, a request is given up. */
  readonly timeoutMs: number;
  readonly credentials: Credentials;
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const keys = [
  'endpoint',
  'bucket',
  'region',
  'prefix',
  'style',
  'cache_mb',
  'timeout_ms',
  'access_key_env',
  'secret_key_env',
  'session_token_env',
];
const variables = table({ access_key_env: 'AWS_ACCESS_KEY_ID', secret_key_env: 'AWS_SECRET_ACCESS_KEY' });

/** Null where media lie in the folder. @throws OperatorFault */
export function readMediaStore(
  { media_store: given }: Pick<Operator, 'media_store'>,
  env: Readonly<Record<string, string | undefined>> = environment,
): MediaStoreSettings | null {
  if (Object.keys(given).length === 0) return null;
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) refuse(unknown, `is none of ${keys.join(', ')}`);
  const endpoint = address(given.endpoint, 'endpoint');
  if (new URL(endpoint).pathname !== '/') refuse('endpoint', 'has a path: it is the origin alone, and `bucket` a key of its own');
  const bucket = text(given.bucket, 'bucket');
  // Source: AWS, "Bucket naming rules".
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) refuse('bucket', 'is no name of a bucket');
  const prefix = given.prefix === undefined ? '' : `${withoutTrailing(text(given.prefix, 'prefix'), '/')}/`;
  if (prefix !== '' && !/^(?:[\w.!()-]*[\w!()-]\/)+$/.test(prefix))
    refuse('prefix', 'is no folder: letters, digits, - _ and / alone');
  const style = given.style ?? 'path';
  if (style !== 'path' && style !== 'virtual') refuse('style', 'is neither path nor virtual');
  const sessionToken =
    env[given.session_token_env === undefined ? 'AWS_SESSION_TOKEN' : text(given.session_token_env, 'session_token_env')];
  return {
    endpoint: new URL(endpoint).origin,
    bucket,
    region: given.region === undefined ? 'us-east-1' : text(given.region, 'region'),
    prefix,
    style,
    cacheBytes: whole(given.cache_mb ?? 1024, 'cache_mb', 16) * 1024 * 1024,
    timeoutMs: whole(given.timeout_ms ?? 10_000, 'timeout_ms', 100),
    credentials: {
      accessKeyId: secret(given, 'access_key_env', env),
      secretAccessKey: secret(given, 'secret_key_env', env),
      ...(sessionToken ? { sessionToken } : {}),
    },
  };
}

function secret(
  given: Readonly<Record<string, unknown>>,
  key: keyof typeof variables,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const name = given[key] === undefined ? variables[key] : text(given[key], key);
  return env[name] || refuse(key, `names the variable ${name}, which is not set`);
}

function text(given: unknown, key: string): string {
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : refuse(key, 'is no text');
}

function address(given: unknown, key: string): string {
  const said = text(given, key);
  if (!/^https?:/i.test(said) || !isUrl(said)) refuse(key, 'is no address: https://…');
  const { username, password, search, hash } = new URL(said);
  if (username + password + search + hash !== '') refuse(key, 'has a name, a password or a query in it');
  return said;
}

function whole(given: unknown, key: string, minimum: number): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= minimum && given <= 100_000_000) return given;
  return refuse(key, `is no whole number from ${minimum}`);
}

function refuse(key: string, why: string): never {
  throw new OperatorFault('media_store', `media_store.${key} ${why}`);
}
