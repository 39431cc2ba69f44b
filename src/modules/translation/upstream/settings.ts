/**
 * Services of translation as the operator declares them in `translation_services:`. What cannot work keeps the server from starting, as every
 * operator setting does; secrets stand in variables of the environment, whose names are given here.
 *
 * Source: reference on languages, 11, 13.1; decisions, "Where things are kept".
 */
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { OperatorFault } from '../../../kernel/model/operator.ts';
import { isThisMachine, isUrl } from '../../../kernel/model/addresses.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

const authModes = ['none', 'bearer', 'basic', 'hmac'] as const;
type AuthMode = (typeof authModes)[number];

export interface Auth {
  readonly mode: AuthMode;
  /** Variable of the token, or of `user:password`; '' for none and hmac. */
  readonly tokenEnv: string;
}

export interface EditorSettings {
  /** Without a slash at the end; '' for none. */
  readonly editorUrl: string;
  readonly managerUrl: string;
  readonly auth: Auth;
  /** Origins of documents beside that of the editor. */
  readonly fileOrigins: readonly string[];
  readonly timeoutMs: number;
  readonly paths: Readonly<Record<PathName, string>>;
  /** How often unfinished jobs are asked for; 0: only when a client does. */
  readonly pollMs: number;
}

/** Paths below the addresses, of which an operator may name others. */
const standardPaths = {
  create: '/api/lang/jobs',
  lookup: '/api/lang/jobs/{id}',
  statuses: '/api/lang/jobs/statuses',
  confirm: '/api/lang/jobs/confirm/{ids}',
  cancel: '/api/lang/jobs/cancel',
  sync: '/api/lang/sync/all',
  sync_page: '/api/lang/sync/page',
  website: '/api/lang/websites/create_unique',
  translators: '/api/lang/websites/translators',
  managers: '/api/lang/websites/translation_managers',
  state: '/api/lang/access_keys/{shared}/status',
  engines: '/api/lang/engines',
} as const;

export type PathName = keyof typeof standardPaths;

export interface AgencySettings {
  readonly id: string;
  readonly name: string;
  /** '' where files are dropped. */
  readonly url: string;
  readonly keyEnv: string;
  readonly timeoutMs: number;
  /** Absolute path of a folder with `<agency id>.xliff`; '' for a service. */
  readonly dropFolder: string;
}

interface EngineSettings {
  readonly engine: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly cost: number;
  /** Codes of languages that have a formality; empty: none. */
  readonly formality: readonly string[];
}

export interface TranslationSettings {
  /** Null: none is configured. */
  readonly editor: EditorSettings | null;
  readonly agency: AgencySettings | null;
  readonly engines: readonly EngineSettings[];
  /** Between two callbacks for one job. */
  readonly receiveMs: number;
}

type Row = Readonly<Record<string, unknown>>;

/** @throws OperatorFault */
export function readTranslationSettings(given: Row): TranslationSettings {
  known(given, '', ['editor', 'agency', 'engines', 'receive']);
  const receive = map(given.receive, 'receive');
  known(receive, 'receive', ['min_interval_s']);
  return {
    editor: given.editor === undefined ? null : readEditor(map(given.editor, 'editor')),
    agency: given.agency === undefined ? null : readAgency(map(given.agency, 'agency')),
    engines: Object.entries(map(given.engines, 'engines')).map(([name, row]) => readEngine(name, map(row, `engines.${name}`))),
    receiveMs: whole(receive.min_interval_s ?? 5, 'receive.min_interval_s', 3600) * 1000,
  };
}

function readEditor(row: Row): EditorSettings {
  known(row, 'editor', ['ate_url', 'ams_url', 'auth', 'file_origins', 'timeout_ms', 'paths', 'poll_s']);
  const editorUrl = address(row.ate_url, 'editor.ate_url');
  if (editorUrl === '') refuse('editor.ate_url', 'is missing');
  const managerUrl = row.ams_url === undefined ? '' : address(row.ams_url, 'editor.ams_url');
  const auth = readAuth(map(row.auth, 'editor.auth'), [editorUrl, managerUrl]);
  const origins = Array.isArray(row.file_origins) ? (row.file_origins as unknown[]) : row.file_origins === undefined ? [] : null;
  if (origins === null) refuse('editor.file_origins', 'is not a list');
  const paths = map(row.paths, 'editor.paths');
  known(paths, 'editor.paths', Object.keys(standardPaths));
  for (const [name, path] of Object.entries(paths))
    if (typeof path !== 'string' || !/^\/[\w./{}~-]*$/.test(path) || path.includes('..'))
      refuse(`editor.paths.${name}`, 'is not a path');
  return {
    editorUrl,
    managerUrl,
    auth,
    fileOrigins: origins.map((one, at) => new URL(address(one, `editor.file_origins.${at}`) || 'x:').origin),
    timeoutMs: whole(row.timeout_ms ?? 15_000, 'editor.timeout_ms', 120_000),
    paths: { ...standardPaths, ...(paths as Record<PathName, string>) },
    pollMs: whole(row.poll_s ?? 60, 'editor.poll_s', 86_400, 0) * 1000,
  };
}

function readAuth(row: Row, urls: readonly string[]): Auth {
  known(row, 'editor.auth', ['mode', 'token_env']);
  const mode =
    authModes.find((one) => one === (row.mode ?? 'none')) ?? refuse('editor.auth.mode', `is not one of ${authModes.join(', ')}`);
  const needsToken = mode === 'bearer' || mode === 'basic';
  if (needsToken) return { mode, tokenEnv: variable(row.token_env, 'editor.auth.token_env') };
  const isLocal = urls.every((url) => url === '' || isThisMachine(new URL(url).hostname));
  if (mode === 'none' && !isLocal) refuse('editor.auth.mode', 'may be none only for a service on this machine');
  return { mode, tokenEnv: '' };
}

function readAgency(row: Row): AgencySettings {
  known(row, 'agency', ['id', 'name', 'base_url', 'access_key_env', 'timeout_ms', 'drop_dir']);
  const id = String(row.id ?? '');
  if (!/^[\w-]{1,64}$/.test(id) || id === 'local') refuse('agency.id', 'is not the id of an agency');
  const dropFolder = typeof row.drop_dir === 'string' ? row.drop_dir : '';
  const url = row.base_url === undefined ? '' : address(row.base_url, 'agency.base_url');
  if ((url === '') === (dropFolder === '')) refuse('agency', 'has either base_url or drop_dir');
  if (dropFolder !== '' && !dropFolder.startsWith('/')) refuse('agency.drop_dir', 'is not an absolute path');
  return {
    id,
    name: String(row.name ?? id),
    url,
    keyEnv: url === '' ? '' : variable(row.access_key_env, 'agency.access_key_env'),
    timeoutMs: whole(row.timeout_ms ?? 15_000, 'agency.timeout_ms', 120_000),
    dropFolder,
  };
}

function readEngine(engine: string, row: Row): EngineSettings {
  known(row, `engines.${engine}`, ['name', 'enabled', 'cost', 'formality']);
  if (!/^[\w-]{1,64}$/.test(engine)) refuse(`engines.${engine}`, 'is not the name of an engine');
  const { name = engine, enabled = true, cost = 0, formality = [] } = row;
  if (!Array.isArray(formality) || formality.some((one) => typeof one !== 'string'))
    refuse(`engines.${engine}.formality`, 'is not a list of languages');
  return { engine, name: String(name), enabled: enabled === true, cost: Number(cost) || 0, formality: formality as string[] };
}

function known(row: Row, place: string, names: readonly string[]): void {
  const other = Object.keys(row).find((name) => !names.includes(name));
  if (other !== undefined) refuse(place === '' ? other : `${place}.${other}`, 'is not known');
}

function map(value: unknown, place: string): Row {
  return value === undefined || isMap(value) ? mapOf(value) : refuse(place, 'is not a map');
}

function address(value: unknown, place: string): string {
  const text = typeof value === 'string' ? withoutTrailing(value, '/') : '';
  const url = /^https?:\/\//i.test(text) && isUrl(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    refuse(place, 'is not an address');
  return withoutTrailing(url.href, '/');
}

function variable(value: unknown, place: string): string {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,99}$/.test(value)
    ? value
    : refuse(place, 'is not the name of a variable');
}

function whole(value: unknown, place: string, most: number, least = 1): number {
  const read = Number(value);
  return Number.isInteger(read) && read >= least && read <= most
    ? read
    : refuse(place, `is not a whole number from ${least} up to ${most}`);
}

function refuse(place: string, why: string): never {
  throw new OperatorFault('translation_services', `translation_services.${place} ${why}`);
}
