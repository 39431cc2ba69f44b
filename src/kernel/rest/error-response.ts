/**
 * Refusals and errors as answers: `{code, message, data: {status, …}}`.
 */
import { type ErrorCode, type ErrorRow, errorRow, RestError } from '../errors.ts';
import type { Params } from './request.ts';
import type { Refusal, RestResponse } from './types.ts';

/** A refusal as the error it becomes. */
export function refuse(refusal: Refusal): RestError {
  return typeof refusal === 'string' ? new RestError(refusal) : new RestError(refusal.code, refusal.data ?? {}, refusal.message);
}

/** @param user  who asked; null makes a missing right a 401 */
export function errorResponse(error: RestError, user: unknown): RestResponse {
  const data = errorBody(error, user);
  const status = data.data === null ? rowStatus(error.code, user) : ((data.data as { status: number }).status ?? 500);
  const { retryAfter } = { ...errorRow(error.code), ...secondsIn(error.data) };
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return { status, headers, data, error };
}

/** The body of an error answer. */
export function errorBody(error: RestError, user: unknown): { code: string; message: string; data: unknown } {
  const { bare } = errorRow(error.code);
  const status = (error.data.status as number | undefined) ?? rowStatus(error.code, user);
  const { additional, others, ...data } = error.data;
  return {
    code: error.code,
    message: error.message,
    // A row without a status of its own takes one from where it is raised.
    data: bare && data.status === undefined ? null : { status, ...data },
    ...(additional === undefined ? {} : { additional_data: additional }),
    ...(others === undefined ? {} : { additional_errors: others }),
  };
}

/** A refusal may know better than its row when to come again. */
function secondsIn({ retry_after }: Params): Pick<ErrorRow, 'retryAfter'> {
  return typeof retry_after === 'number' ? { retryAfter: retry_after } : {};
}

function rowStatus(code: ErrorCode, user: unknown): number {
  const { status } = errorRow(code);
  return status === 'auth' ? (user === null ? 401 : 403) : status;
}
