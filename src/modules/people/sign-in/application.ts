/**
 * The application that asks for a person's credentials, as the address of the authorize page tells of it.
 *
 * Source: the application passwords of the reference (`app_name`, `app_id`, `success_url`, `reject_url`); `scope` is ours.
 */
import { parseQuery } from '../../../kernel/rest/params.ts';
import { isScope } from '../accounts/index.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface Application {
  /** As people are told; never ''. */
  readonly name: string;
  /** UUID; '' when it says none. */
  readonly id: string;
  /** What its password is to be for; '' for whatever the person may. */
  readonly scope: string;
  /** Where the new credentials go; null: they are shown. */
  readonly successUrl: URL | null;
  /** Where a refusal goes; null: nowhere. */
  readonly rejectUrl: URL | null;
}

const mostName = 200;
/** Schemes that run or show something of whoever made the address. */
const active = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:']);
const local = /^(localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/;

/** @returns a sentence for the person when something is wrong with the address */
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

/** The same address with more parameters. */
export function withParams(url: URL, params: Readonly<Record<string, string>>): URL {
  const next = new URL(url);
  for (const [name, value] of Object.entries(params)) next.searchParams.set(name, value);
  return next;
}

/** Credentials travel encrypted, on this machine, or to an app that has a scheme of its own. */
function targetOf(address: string): URL | 'refused' | null {
  if (address === '') return null;
  const url = isUrl(address) ? new URL(address) : null;
  if (!url || active.has(url.protocol) || url.username !== '' || url.password !== '') return 'refused';
  return url.protocol === 'http:' && !local.test(url.hostname) ? 'refused' : url;
}

function refusedTarget(name: string): string {
  return `The ${name} must use HTTPS or the scheme of an app, because a password is sent to it.`;
}
