/**
 * Several requests in one (`POST /batch/v1`).
 *
 * Shape    {responses: [{body, status, headers}]}, or {failed: "validation", responses} if all had to be valid and one is not
 * Access   each request by its own route's rules
 * Errors   rest_batch_not_allowed, parse_path_failed, rest_invalid_param
 * Source   specification 4.2; conformance scenario batch
 */
import { RestError } from '../../../kernel/errors.ts';
import { innerAddress } from '../../../kernel/rest/address-prefix.ts';
import { parseQuery } from '../../../kernel/rest/params.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { anyone, answer, type Call, CREATE, type Prepared } from '../../../kernel/rest/types.ts';
import type { Method, Params, RestRequest, RestResponse } from '../../../kernel/rest/request.ts';

const MAX_REQUESTS = 25;

interface BatchItem {
  readonly method?: Method;
  readonly path: string;
  readonly body?: Params;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export const batchRoute: Namespace['routes'][number] = {
  path: '/batch/v1',
  endpoints: [
    {
      methods: CREATE,
      args: {
        validation: { type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
        requests: {
          required: true,
          type: 'array',
          maxItems: MAX_REQUESTS,
          items: {
            type: 'object',
            properties: {
              method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
              path: { type: 'string', required: true },
              body: { type: 'object', properties: [], additionalProperties: true },
              headers: {
                type: 'object',
                properties: [],
                additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
              },
            },
          },
        },
      },
      allow: anyone,
      handle: batch,
    },
  ],
};

async function batch(call: Call) {
  const { dispatcher } = call;
  const prepared = (call.params.requests as readonly BatchItem[]).map((item): Prepared => {
    const ready = dispatcher.prepare(requestOf(call, item));
    // Unparsable paths; any other path without a leading slash is an unknown route.
    if (/^\/\/(?:\/|$)|^[a-z][a-z\d+.-]*:\/\/(?:\/|$)/i.test(item.path))
      return { ...ready, refusal: new RestError('parse_path_failed') };
    return ready.call && !ready.call.match.endpoint.batch
      ? { ...ready, refusal: new RestError('rest_batch_not_allowed') }
      : ready;
  });
  if (call.params.validation === 'require-all-validate' && prepared.some(({ refusal }) => refusal)) {
    const responses = prepared.map(({ refusal }) => (refusal ? envelope(dispatcher.refused(refusal)) : null));
    return answer({ failed: 'validation', responses }, { status: 207 });
  }
  const responses: unknown[] = [];
  // In order: a later request may need the result of an earlier one.
  for (const one of prepared) responses.push(envelope(await dispatcher.run(one)));
  return answer({ responses }, { status: 207 });
}

function requestOf(call: Call, item: BatchItem): RestRequest {
  const { dialect } = call.request;
  const [target = ''] = item.path.split('#');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const headers = Object.entries(item.headers ?? {}).map(([name, value]) => [
    name.toLowerCase().replaceAll('_', '-'),
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  const method = item.method ?? 'POST';
  return {
    method,
    route: dialect.readRoute(path),
    query: mark < 0 ? {} : parseQuery(target.slice(mark + 1)),
    ...(item.body ? { form: item.body } : {}),
    headers: Object.fromEntries(headers),
    dialect,
    address: innerAddress(call.site, call.request, call.params),
    user: call.user,
    credential: call.request.credential,
    ip: call.request.ip,
  };
}

/** A response within a response; empty headers are a list, as the reference prints them. */
function envelope({ data, status, headers }: RestResponse): { body: unknown; status: number; headers: unknown } {
  return { body: data, status, headers: Object.keys(headers).length > 0 ? headers : [] };
}
