/**
 * Health of the server, `cms-site-health/v1`.
 *
 * Shape    tests: label, status, badge, description, actions, test; directory-sizes: part → size, debug, raw
 * Access   those who may view checks: administrators
 * Errors   rest_forbidden, not_available
 * Source   conformance scenario other-namespaces; behaviour of the reference 6.9
 */
import { createOperatorFetcher, type Fetcher } from '../../../http-client/fetch.ts';
import { checks, directorySizes } from './health.ts';
import { fail } from '../../../kernel/errors.ts';
import { of, resourceSchema, type Schema } from '../../../kernel/model/schema.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, needs, READ } from '../../../kernel/rest/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';

interface SiteHealthOptions {
  readonly fetcher?: Fetcher;
}

const name = 'cms-site-health/v1';

/** In catalogue order; the last one has no schema there. */
const before = ['background-updates', 'loopback-requests', 'https-status', 'dotorg-communication', 'authorization-header'];

export function createSiteHealth(
  { operator }: Site,
  { fetcher = createOperatorFetcher(operator) }: SiteHealthOptions = {},
): Namespace {
  const test = (check: string): Namespace['routes'][number] => ({
    path: `/${name}/tests/${check}`,
    // Tries to write.
    endpoints: [{ methods: READ, args: {}, allow: mayView, handle: (call) => run(call, check, fetcher) }],
  });
  return {
    name,
    routes: [
      ...before.map((check) => ({ ...test(check), schema: ({ request }: Call) => schemaOf(request.dialect.prefix) })),
      {
        path: `/${name}/directory-sizes`,
        endpoints: [{ methods: READ, args: {}, allow: mayView, handle: sizes }],
      },
      test('page-cache'),
    ],
  };
}

function run({ site, urls, request }: Call, check: string, fetcher: Fetcher): unknown {
  return checks[check]?.({ site, fetcher, root: urls.root, authorization: request.headers.authorization });
}

async function sizes({ site }: Call): Promise<unknown> {
  return { raw: 0, ...((await directorySizes(site)) ?? fail('not_available')) };
}

const mayView = needs('view_site_health_checks');

function schemaOf(prefix: string): Schema & Params {
  const text = (description: string): Schema => of('string', description, { readonly: true });
  return resourceSchema(`${prefix}-site-health-test`, {
    test: text('The name of the test being run.'),
    label: text('A label describing the test.'),
    status: { ...text('The status of the test.'), enum: ['good', 'recommended', 'critical'] },
    badge: of('object', 'The category this test is grouped in.', {
      properties: {
        label: { type: 'string', readonly: true },
        color: { type: 'string', enum: ['blue', 'orange', 'red', 'green', 'purple', 'gray'], readonly: true },
      },
      readonly: true,
    }),
    description: text('A more descriptive explanation of what the test looks for, and why it is important for the user.'),
    actions: text('Markup containing what the user can do about it.'),
  });
}
