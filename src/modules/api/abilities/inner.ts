/**
 * What abilities do, they ask for: requests of their own, as whoever asked. So types, rights and scopes are those of the API.
 */
import { fail, RestError } from '../../../kernel/errors.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import type { Method, Params, RestRequest, RestResponse } from '../../../kernel/rest/request.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Ability } from './record.ts';

interface Asked {
  readonly query?: Params;
  readonly json?: Params;
  /** State of the item that the change is for. */
  readonly etag?: string | undefined;
  readonly files?: RestRequest['files'];
}

/** Of items in answers, as far as abilities read them. */
export interface Shown {
  readonly id: number;
  readonly [member: string]: unknown;
}

/** @throws RestError that the request is refused with */
export async function ask(call: Call, method: Method, route: string, asked: Asked = {}): Promise<RestResponse> {
  const { query = {}, json, etag, files } = asked;
  const { user, credential, ip, usedOrigin, isInsecure } = call.request;
  const response = await call.dispatcher.dispatch({
    ...{ method, route, query, user, credential, ip, usedOrigin, isInsecure, inner: true },
    dialect: neutral,
    headers: etag === undefined ? {} : { 'if-match': `"${etag}"` },
    ...(json ? { json } : {}),
    ...(files ? { files } : {}),
  });
  if (response.status < 400) return response;
  throw response.error instanceof RestError ? response.error : new RestError('internal_server_error');
}

export function wrongInput(message: string): never {
  return fail('ability_invalid_input', {}, message);
}

/** Whoever has signed in; what it reads is asked for by requests. */
export const signedIn: Ability['may'] = (_site, actor) => actor !== null;

/** Whoever writes something on the site. */
export const writes: Ability['may'] = (site, actor) =>
  [...site.types.values()].some((type) => type.showInRest && site.access.can(actor, type.capabilities.edit_posts));
