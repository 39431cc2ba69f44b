/**
 * Requests to a service of the operator, and what comes of them: JSON, or why there is none.
 */
import { createOperatorFetcher, FetchError, type Fetched } from '../../../http-client/fetch.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import type { Operator } from '../../../kernel/model/operator.ts';

/** Nothing that could be passed on. `status` is that of the answer to the client. */
export class ServiceError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

export interface SeoServiceAnswer {
  readonly status: number;
  /** Empty where nothing was said. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type AskService = (url: string, request: ServiceRequest) => Promise<SeoServiceAnswer>;

const maxBytes = 1024 * 1024;

/** @throws ServiceError 502 when nothing comes, or nothing that is JSON */
export function createAskService(operator: Pick<Operator, 'fetch_allow'>): AskService {
  return async (url, { method, headers = {}, body, timeoutMs }) => {
    const fetcher = createOperatorFetcher(operator, { timeoutMs });
    // The operator configured the URL, so it may be private.
    const options = { maxBytes, own: [new URL(url).origin], headers: { Accept: 'application/json', ...headers } };
    const fetched = await fetcher.send(url, { method, body }, options).catch((error: unknown) => {
      if (!(error instanceof FetchError)) throw error;
      throw new ServiceError(502, 'The service could not be reached.');
    });
    return { status: fetched.status, body: readBody(fetched) };
  };
}

function readBody({ status, body, isCut }: Fetched): Readonly<Record<string, unknown>> {
  if (isCut) throw new ServiceError(502, 'The answer of the service is too long.');
  // Services often respond to a deletion with an empty body.
  if (body.length === 0 && status >= 200 && status < 300) return {};
  try {
    const said: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isMap(said)) return said;
  } catch {
    // Reported below: a failing service responds with an HTML page.
  }
  throw new ServiceError(status >= 400 ? status : 502, `The service answered ${status}, and nothing that can be read.`);
}

/**
 * What a service said, if that is what it was asked for.
 * @throws ServiceError with the service's own status and words, 502 for an `error` or a redirect
 */
export function accepted({ status, body }: SeoServiceAnswer): Readonly<Record<string, unknown>> {
  const { error, message } = body;
  if (error !== undefined && error !== null && error !== false) throw new ServiceError(502, textOf(error));
  if (status >= 400) throw new ServiceError(status, textOf(message));
  if (status >= 200 && status < 300) return body;
  throw new ServiceError(502, `The service answered ${status}.`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  const inner = isMap(value) ? value.message : undefined;
  return typeof inner === 'string' && inner !== '' ? inner : 'The service reported an error.';
}
