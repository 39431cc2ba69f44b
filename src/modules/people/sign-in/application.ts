/**
 * The application that requests credentials, from the URL of the authorize page.
 *
 * Source: the application passwords of the reference (`app_name`, `app_id`, `success_url`, `reject_url`); `scope` is ours.
 */
import { parseQuery } from '../../../kernel/rest/params.ts';
import { isScope } from '../accounts/index.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface Application {
  /** Display name; never ''. */
  readonly name: string;
  /** UUID; '' if missing. */
  readonly id: string;
  /** Requested scope; '' for all rights of the user. */
  readonly scope: string;
  /** Receives the credentials; null: they are shown. */
  readonly successUrl: URL | null;
  /** Receives a refusal; null: none. */
  readonly rejectUrl: URL | null;
}

const mostName = 200;
/** URL schemes that run or show content of whoever made the URL. */
const active = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:']);
const local = /^(localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/;

/** @returns a message for the user if the URL is invalid */
export function readApplication(url: string): Application | string {
  const mark = url.indexOf('?');
  const query = parseQuery(mark < 0 ? '' : url.slice(mark + 1));
  const text = (name: string): string => (typeof query[name] === 'string' ? (query[name] as string).trim() : '');
  const name = text('app_name')
    .replace(/\p{C}+/gu, ' ')
    .trim();
  const id = text('app_id');
  if (name === '') return 'The application did not provide a name (app_name).';
  if (name.length > mostName) return 'The application name (app_name) is too long.';
  if (id !== '' && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
    return 'The application ID (app_id) is not a valid UUID.';
  const scope = text('scope');
  if (scope !== '' && !isScope(scope)) return 'The application requested an unknown scope.';
  const successUrl = targetOf(text('success_url'));
  const rejectUrl = targetOf(text('reject_url'));
  if (successUrl === 'refused') return refusedTarget('success_url');
  if (rejectUrl === 'refused') return refusedTarget('reject_url');
  return { name, id, scope, successUrl, rejectUrl: rejectUrl ?? (successUrl && withParams(successUrl, { success: 'false' })) };
}

export function withParams(url: URL, params: Readonly<Record<string, string>>): URL {
  const next = new URL(url);
  for (const [name, value] of Object.entries(params)) next.searchParams.set(name, value);
  return next;
}

/** Credentials are sent encrypted, on this machine, or to an app with its own scheme. */
function targetOf(address: string): URL | 'refused' | null {
  if (address === '') return null;
  const url = isUrl(address) ? new URL(address) : null;
  if (!url || active.has(url.protocol) || url.username !== '' || url.password !== '') return 'refused';
  return url.protocol === 'http:' && !local.test(url.hostname) ? 'refused' : url;
}

function refusedTarget(name: string): string {
  return `The ${name} must use HTTPS or the scheme of an app, because a password is sent to it.`;
}
