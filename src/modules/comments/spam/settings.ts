/**
 * The operator's `spam:`, a service that gets comments of visitors. Content has no say in it; the key is in an environment variable, named
 * here.
 */
import { environment } from '../../../kernel/environment.ts';
import { isThisMachine, isUrl } from '../../../kernel/model/addresses.ts';
import { OperatorFault } from '../../../kernel/model/operator.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { SpamSettings } from './record.ts';

type Row = Readonly<Record<string, unknown>>;

const keys = ['endpoint', 'key_env', 'blog'];

/** Null without a service. @throws OperatorFault */
export function readSpam(given: Row, env: Readonly<Record<string, string | undefined>> = environment): SpamSettings | null {
  if (Object.keys(given).length === 0) return null;
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) refuse(unknown, `is not one of ${keys.join(', ')}`);
  const endpoint = addressOf(given, 'endpoint');
  // The key and data of people must not be readable on their way.
  if (endpoint.protocol !== 'https:' && !isThisMachine(endpoint.hostname)) refuse('endpoint', 'must use HTTPS');
  const { key_env: named } = given;
  if (typeof named !== 'string' || !/^[A-Za-z_]\w*$/.test(named)) refuse('key_env', 'is not the name of an environment variable');
  const key = env[named] || refuse('key_env', `names ${named}, which is not set`);
  return { endpoint: withoutTrailing(endpoint.href, '/'), key, blog: addressOf(given, 'blog').href };
}

function addressOf(given: Row, key: string): URL {
  const text = given[key];
  const url = typeof text === 'string' && isUrl(text) ? new URL(text) : refuse(key, 'is not a URL: https://…');
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    refuse(key, 'is a URL (https://…) without user, query and fragment');
  return url;
}

function refuse(key: string, why: string): never {
  throw new OperatorFault('spam', `spam.${key} ${why}`);
}
