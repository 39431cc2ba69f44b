/** Every row of the catalogue of seo/v1: path, methods, and arguments with their types, in both spellings, and nothing beside them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';

/** Arguments as `name: type`, with `!` where they are required and `=` before a default. */
const rows: readonly (readonly [methods: string, path: string, args?: string])[] = [
  ['GET', 'file_size', 'url: string!'],
  ['GET', 'statistics'],
  ['POST', 'new-content-type-visibility/dismiss-post-type', 'postTypeName:'],
  ['POST', 'new-content-type-visibility/dismiss-taxonomy', 'taxonomyName:'],
  ['POST', 'introductions/(?P<introduction_id>[\\w-]+)/seen', 'introduction_id: string!, is_seen: boolean=true'],
  ['GET POST', 'video_embed_permission', 'value: boolean=true'],
  ['POST', 'alerts/dismiss', 'key: !'],
  [
    'POST',
    'configuration/site_representation',
    'company_or_person: string!, company_name: string, company_logo: string, company_logo_id: integer, person_logo: string, ' +
      'person_logo_id: integer, company_or_person_user_id: integer, description: string',
  ],
  ['POST', 'configuration/social_profiles', 'network_a_site: string, network_b_site: string, other_social_urls: array'],
  ['GET', 'configuration/check_capability', 'user_id: !'],
  ['POST', 'configuration/enable_tracking', 'tracking: boolean!'],
  ['POST', 'configuration/save_configuration_state', 'finishedSteps: array!'],
  ['GET', 'configuration/get_configuration_state'],
  ['POST', 'import/(?P<plugin>[\\w-]+)/(?P<type>[\\w-]+)', ''],
  ['GET', 'get_head', 'url: string!'],
  ...['posts', 'terms', 'post-type-archives', 'general', 'prepare', 'indexables-complete', 'complete'].map(
    (name) => ['POST', `indexing/${name}`] as const,
  ),
  ['POST', 'link-indexing/posts'],
  ['POST', 'link-indexing/terms'],
  ['POST', 'integrations/set_active', 'active: boolean!, integration: string!'],
  ['GET', 'meta/search'],
  ['POST', 'keyword-tool/authenticate', 'code: !'],
  ['POST', 'keyword-tool/country_code', 'country_code: !'],
  ['GET', 'keyword-tool/related_keyphrases', 'keyphrase: !, country_code: !'],
  ['GET', 'rank-tracker/authorization-url'],
  ['POST', 'rank-tracker/authenticate', 'code: !, websiteId: !'],
  ['POST', 'rank-tracker/keyphrases/track', 'keyphrases: !'],
  ['POST', 'rank-tracker/keyphrases', 'keyphrases:, permalink:, startAt:'],
  ['DELETE', 'rank-tracker/keyphrases/untrack'],
  ['GET', 'rank-tracker/account/limit'],
  ['GET', 'rank-tracker/account/upgrade-campaign'],
  ['GET POST', 'workouts'],
];

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files: { 'site.yaml': 'name: Quay\ndeployment: extended\n' } });
});
afterAll(() => site.close());

interface Described {
  readonly methods: readonly string[];
  readonly endpoints: readonly { readonly args: Readonly<Record<string, DescribedArg>> }[];
}
interface DescribedArg {
  readonly type?: string;
  readonly required?: boolean;
  readonly default?: unknown;
}

/** Those that every route of the deployment has. */
const everywhere = ['lang_language', 'wpml_language'];

function printed({ methods, endpoints }: Described): string {
  const args = endpoints.flatMap((endpoint) => Object.entries(endpoint.args)).filter(([name]) => !everywhere.includes(name));
  const texts = args.map(([name, { type = '', required, default: standard }]) => {
    const rest = `${type}${required ? '!' : ''}${standard === undefined ? '' : `=${standard}`}`;
    return `${name}:${rest === '' ? '' : ` ${rest}`}`;
  });
  return [methods.join(' '), ...new Set(texts)].join(' | ');
}

it.each([
  ['neutral', '/cms-json', 'seo/v1', (path: string) => path],
  [
    'original',
    '/wp-json',
    'yoast/v1',
    (path: string) =>
      path
        .replace('video_embed_permission', 'wistia_embed_permission')
        .replace('keyword-tool', 'semrush')
        .replace('rank-tracker', 'wincher')
        .replace('network_a_site', 'facebook_site')
        .replace('network_b_site', 'twitter_site'),
  ],
] as const)('the catalogue is complete: %s', async (_name, root, namespace, spell) => {
  const { body } = await site.ask('GET', `/${namespace}`, { root });
  const { [`/${namespace}`]: index, ...routes } = body.routes as Readonly<Record<string, Described>>;
  expect(index?.methods).toEqual(['GET']);
  const found = Object.fromEntries(
    Object.entries(routes).map(([path, route]) => [path.slice(namespace.length + 2), printed(route)]),
  );
  const wanted = rows.map(([methods, path, args]) => [
    spell(path),
    [methods, ...(args ? spell(args).split(', ') : [])].join(' | '),
  ]);
  expect(found).toEqual(Object.fromEntries(wanted));
  const { body: all } = await site.ask('GET', '/', { root });
  expect(all.namespaces).toContain(namespace);
  expect(Object.keys(all.routes).filter((path) => path.startsWith(`/${namespace}/`))).toHaveLength(rows.length);
});
