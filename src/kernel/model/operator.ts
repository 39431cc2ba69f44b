/**
 * Operator settings as one table: what only the person who runs the server decides, never a file of the content folder. They come
 * from `CMS_*` variables and from `cms.config.yaml` beside the content folder; the command line, the documentation and `site.operator`
 * read these rows.
 *
 * A new setting is a row. Lists are written with commas or blanks in a variable, as a YAML list or as one such text in the file; maps as
 * JSON in a variable. A key with a dot stands below its first part in the file: `installer: {feed_url: …}`.
 */
import { isMap, table } from './maps.ts';
import { roleNames } from './roles.ts';
import { isUrl } from './addresses.ts';

type Kind = 'boolean' | 'integer' | 'text' | 'list' | 'address' | 'map';

export interface OperatorSetting<T = unknown> {
  readonly env: string;
  readonly kind: Kind;
  readonly default: T;
  /** One sentence for the documentation. */
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Allowed values. */
  readonly choices?: readonly string[];
}

const environments = ['production', 'staging', 'development', 'local'];

export const operatorSettings = table({
  default_role: text('CMS_DEFAULT_ROLE', 'subscriber', 'Role of new accounts without one', roleNames),
  allow_svg: boolean('CMS_ALLOW_SVG', false, 'Accept SVG uploads, sanitized'),
  upload_limit: integer('CMS_UPLOAD_LIMIT', 256, 'Largest upload, in megabytes', { minimum: 1, maximum: 1_048_576 }),
  fetch_allow: list(
    'CMS_FETCH_ALLOW',
    'Private hosts and networks that the server may send requests to, such as `10.0.0.0/8` or `intranet.example`',
  ),
  block_directory: address('CMS_BLOCK_DIRECTORY', 'URL of the block directory'),
  pattern_directory: address('CMS_PATTERN_DIRECTORY', 'URL of the pattern directory'),
  filter_content: boolean(
    'CMS_FILTER_CONTENT',
    false,
    'Filter content of files as if its author were not allowed to write scripts (`unfiltered_html`)',
  ),
  mcp: boolean('CMS_MCP', false, 'Offer the tools for agents at `/mcp` (Model Context Protocol), to signed-in callers'),
  plugins: boolean(
    'CMS_PLUGINS',
    false,
    'Run the modules in `plugins/*.mjs` of the content folder, with all rights of the server',
  ),
  editor: boolean('CMS_EDITOR', true, 'Serve the page where people write, at `/cms-admin/`'),
  block_editor: text('CMS_BLOCK_EDITOR', '', 'Folder of a block editor that the page where people write shows in a frame'),
  feeds: map('CMS_FEEDS', 'Feeds of photo and social platforms by type and number'),
  translation_services: map('CMS_TRANSLATION_SERVICES', 'Translation services: external editor, its manager service, agency'),
  'installer.feed_url': address('CMS_INSTALLER_FEED_URL', 'URL of the subscription data that `installer/v1` refreshes'),
  'seo.upstreams': map('CMS_SEO_UPSTREAMS', 'Keyword research and rank tracking services by name'),
  media_store: map('CMS_MEDIA_STORE', 'S3-compatible store for media: `endpoint`, `bucket`, `region` and more'),
  events: map('CMS_EVENTS', 'Webhooks by name: who is told of changes'),
  mail: map('CMS_MAIL', 'Mail server: `host`, `from`, `user`, `password_env` and more; without one, no email is sent'),
  spam: map(
    'CMS_SPAM',
    'Service that recognizes spam in comments of visitors (Akismet): `endpoint`, `key_env`, `blog`; without one, none is asked',
  ),
  environment: text('CMS_ENVIRONMENT', 'production', 'The environment reported to clients', environments),
  hosts: list('CMS_HOSTS', 'Host names to answer for, `*.example.com` for all subdomains; any if empty'),
  cors_origins: list('CMS_CORS_ORIGINS', 'Origins whose pages may send credentials, such as `https://app.example.com`'),
  durability: text(
    'CMS_DURABILITY',
    'log',
    'What is flushed before a write is answered: the `log`, or every file of the `folder`',
    ['log', 'folder'],
  ),
  engine_poll: integer(
    'CMS_ENGINE_POLL',
    250,
    'Milliseconds between two looks for changes of other nodes, where PostgreSQL does not announce them (`--engine`)',
    { minimum: 10, maximum: 60_000 },
  ),
  engine_cache: text(
    'CMS_ENGINE_CACHE',
    '',
    'Folder where a node keeps what it has read, so that its next start reads only what is new (`--engine`); none if empty',
  ),
  engine_media_limit: integer(
    'CMS_ENGINE_MEDIA_LIMIT',
    32,
    'Largest upload, in megabytes, that is kept in PostgreSQL (`--engine` without `media_store`)',
    { minimum: 1, maximum: 256 },
  ),
  engine_git: map(
    'CMS_ENGINE_GIT',
    'Git remote of a site in PostgreSQL (`--engine`): `remote`, `branch`, `folder`, `every`, `wait`, `secret_env`',
  ),
  max_connections: integer('CMS_MAX_CONNECTIONS', 1000, 'Maximum connections of all workers together; more are closed', {
    minimum: 1,
  }),
  event_streams: integer('CMS_EVENT_STREAMS', 200, 'Maximum open event streams, of which one IP address may have a tenth', {
    minimum: 1,
  }),
  header_timeout: integer('CMS_HEADER_TIMEOUT', 10, 'Seconds in which request headers must arrive', { minimum: 1 }),
  body_timeout: integer('CMS_BODY_TIMEOUT', 30, 'Seconds that a request body may stall', { minimum: 1 }),
  trusted_proxies: list(
    'CMS_TRUSTED_PROXIES',
    'Trusted proxies that state the client address, as addresses and networks such as `127.0.0.1, 10.0.0.0/8`',
  ),
  proxy_headers: text('CMS_PROXY_HEADERS', 'x-forwarded', 'Headers that these proxies set and overwrite', [
    'x-forwarded',
    'forwarded',
  ]),
  require_https: boolean(
    'CMS_REQUIRE_HTTPS',
    false,
    'Accept passwords and sessions only over HTTPS, as reported by a trusted proxy, or from this machine',
  ),
  hsts: integer('CMS_HSTS', 15_552_000, 'Seconds for `Strict-Transport-Security`, if `url` is HTTPS; 0 sends no header', {
    minimum: 0,
  }),
  openid: map('CMS_OPENID', 'Sign-in by OpenID Connect: `issuer`, `client_id` and more'),
  sign_in_links: boolean('CMS_SIGN_IN_LINKS', false, 'Let people ask for a link by email that signs them in (needs `mail`)'),
  audit_log: text('CMS_AUDIT_LOG', '', 'File of the audit log, `none` for none; default: in the state directory'),
  sign_in_attempts: integer(
    'CMS_SIGN_IN_ATTEMPTS',
    10,
    'Wrong passwords from one IP address for one account, or for this many names, within five minutes before 429; 0: no limit',
    { minimum: 0 },
  ),
} as const satisfies Readonly<Record<string, OperatorSetting>>);

type Rows = typeof operatorSettings;
export type OperatorKey = keyof Rows;

/** Operator settings in use, by key. */
export type Operator = {
  readonly [K in OperatorKey]: Rows[K] extends OperatorSetting<infer T> ? T : never;
};

/** An error message for a value. */
export class OperatorFault extends Error {
  readonly key: string;
  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

/**
 * The settings in force: variables before the file before defaults. An empty variable counts as none.
 * @throws OperatorFault naming the variable or key whose value does not fit, or a key of the file that does not exist
 */
export function readOperator(
  env: Readonly<Record<string, string | undefined>> = {},
  given: Readonly<Record<string, unknown>> = {},
): Operator {
  const file = Object.fromEntries(Object.entries(given).flatMap(dotted));
  const unknown = Object.keys(file).find((key) => !Object.hasOwn(operatorSettings, key));
  if (unknown !== undefined) throw new OperatorFault(unknown, `unknown operator setting "${unknown}"`);
  const rows = Object.entries(operatorSettings) as [OperatorKey, OperatorSetting][];
  const values = rows.map(([key, row]): [string, unknown] => {
    const variable = env[row.env];
    if (variable) return [key, checkedValue(row, row.env, variable)];
    const stored = Object.hasOwn(file, key) ? file[key] : undefined;
    return [key, stored === undefined || stored === null ? row.default : checkedValue(row, key, stored)];
  });
  return Object.freeze(Object.fromEntries(values)) as Operator;
}

/** Every setting with its default, except the given ones. */
export function operatorDefaults(over: Partial<Operator> = {}): Operator {
  return Object.freeze({ ...readOperator(), ...over });
}

/** Members of a map that groups settings. */
function dotted([key, value]: readonly [string, unknown]): (readonly [string, unknown])[] {
  const isGroup = !Object.hasOwn(operatorSettings, key) && Object.keys(operatorSettings).some((one) => one.startsWith(`${key}.`));
  return isGroup && isMap(value) ? Object.entries(value).map(([name, one]) => [`${key}.${name}`, one]) : [[key, value]];
}

function checkedValue(row: OperatorSetting, name: string, given: unknown): unknown {
  const value = parse(row, given);
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, choices } = row;
  const isFit = value !== undefined && (typeof value !== 'number' || (value >= minimum && value <= maximum));
  if (isFit && (choices === undefined || choices.includes(value as string))) return value;
  throw new OperatorFault(name, `${name}: ${JSON.stringify(given)} is not ${expected(row)}`);
}

const switches: Readonly<Record<string, boolean>> = table({
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
});

/** Undefined if invalid. */
function parse({ kind }: OperatorSetting, given: unknown): unknown {
  const written =
    typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? String(given).trim() : undefined;
  if (kind === 'list') {
    const parts = Array.isArray(given) ? given.map(String) : written?.split(/[\s,]+/);
    return parts?.filter((part) => part !== '');
  }
  if (kind === 'map') {
    const read = written === undefined ? given : mapIn(written);
    return isMap(read) ? read : undefined;
  }
  if (kind === 'boolean') return switches[written ?? ''];
  if (kind === 'address') return written !== undefined && /^https?:/i.test(written) && isUrl(written) ? written : undefined;
  if (kind === 'integer') return written !== undefined && /^-?\d{1,15}$/.test(written) ? Number(written) : undefined;
  return written;
}

/** Undefined if it is not JSON. */
function mapIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function expected({ kind, choices, minimum, maximum }: OperatorSetting): string {
  if (choices) return `one of ${choices.join(', ')}`;
  if (kind === 'boolean') return 'true or false';
  if (kind === 'list') return 'a list';
  if (kind === 'map') return 'a map';
  if (kind === 'text') return 'a text';
  if (kind === 'address') return 'a URL: https://…';
  const bounds = [minimum === undefined ? '' : ` from ${minimum}`, maximum === undefined ? '' : ` up to ${maximum}`];
  return `a whole number${bounds.join('')}`;
}

type Bounds = Pick<OperatorSetting, 'minimum' | 'maximum'>;

function boolean(env: string, value: boolean, description: string): OperatorSetting<boolean> {
  return { env, kind: 'boolean', default: value, description };
}

function integer(env: string, value: number, description: string, bounds: Bounds = {}): OperatorSetting<number> {
  return { env, kind: 'integer', default: value, description, ...bounds };
}

function text(env: string, value: string, description: string, choices?: readonly string[]): OperatorSetting<string> {
  return { env, kind: 'text', default: value, description, ...(choices ? { choices } : {}) };
}

/** The URL of a service; '' for none. */
function address(env: string, description: string): OperatorSetting<string> {
  return { env, kind: 'address', default: '', description };
}

/** A list of names, networks or addresses. */
function list(env: string, description: string): OperatorSetting<readonly string[]> {
  return { env, kind: 'list', default: [], description };
}

/** A map validated by the module that reads it. */
function map(env: string, description: string): OperatorSetting<Readonly<Record<string, unknown>>> {
  return { env, kind: 'map', default: {}, description };
}
