/**
 * Refusals and errors as answers: `{code, message, data: {status, …}}`.
 */
import { type ErrorRow, type ErrorRows, errorRow, errors, RestError, sentenceOf } from '../errors.ts';
import type { Params, RestResponse } from './request.ts';
import type { Refusal } from './types.ts';

/** A refusal as the error it becomes. */
export function refuse(refusal: Refusal): RestError {
  return typeof refusal === 'string' ? new RestError(refusal) : new RestError(refusal.code, refusal.data ?? {}, refusal.message);
}

/**
 * @param user  who asked; null makes a missing right a 401
 * @param ofModules  rows of the site that answers
 */
export function errorResponse(error: RestError, user: unknown, ofModules: ErrorRows): RestResponse {
  const row = errorRow(error.code, ofModules) ?? errors.internal_server_error;
  const data = errorBody(error, row, user, ofModules);
  const status = data.data === null ? statusOf(row, user) : ((data.data as { status: number }).status ?? 500);
  const { retryAfter } = { ...row, ...secondsIn(error.data) };
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return { status, headers, data, error };
}

function errorBody(
  error: RestError,
  row: ErrorRow,
  user: unknown,
  ofModules: ErrorRows,
): { code: string; message: string; data: unknown } {
  const status = (error.data.status as number | undefined) ?? statusOf(row, user);
  const { additional, others, ...data } = error.data;
  return {
    code: error.code,
    message: sentenceOf(error, ofModules),
    // A row without a status of its own takes one from where it is raised.
    data: row.bare && data.status === undefined ? null : { status, ...data },
    ...(additional === undefined ? {} : { additional_data: additional }),
    ...(others === undefined ? {} : { additional_errors: others }),
  };
}

/** A refusal may know better than its row when to come again. */
function secondsIn({ retry_after }: Params): Pick<ErrorRow, 'retryAfter'> {
  return typeof retry_after === 'number' ? { retryAfter: retry_after } : {};
}

function statusOf({ status }: ErrorRow, user: unknown): number {
  return status === 'auth' ? (user === null ? 401 : 403) : status;
}
