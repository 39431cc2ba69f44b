/**
 * Services outside that help with keyphrases, and the switches that a site has for them. The routes of one that is switched off are none.
 *
 * Shape    flat, `status` repeats that of the answer; switches below `json`, and 200 whatever happened
 * Access   keyword research: people who write posts or pages; rank tracking: people who publish them; switches: `seo_manage_options`
 * Errors   400 when the site is not connected, 401 when the service does not know it, 502 when nothing comes of it
 * Source   specification 4.11; reference of seo/v1, 3.12, 3.14, 3.15
 */
import { table } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Arg, Args } from '../../../kernel/rest/args.ts';
import type { Method } from '../../../kernel/rest/request.ts';
import {
  answer,
  type Call,
  CREATE,
  DELETE,
  type Endpoint,
  type Namespace,
  needs,
  READ,
  type AccessRule,
} from '../../../kernel/rest/types.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { changeOptions } from '../configuration/index.ts';
import { LimitError } from './rank-tracker.ts';
import { ServiceError } from './requests.ts';

const mayResearch = needs('edit_posts', 'edit_pages');
const mayTrack = needs('publish_posts', 'publish_pages');

const filled: Arg = { required: true, validate: (value) => (scalarText(value) === '' ? false : null), coerce: scalarText };
const needed: Arg = { required: true };

export function serviceRoutes(site: Site): Namespace['routes'] {
  const keywordTool = group('keyword-tool', mayResearch, () => site.seo.options().keywordToolActive);
  const rankTracker = group('rank-tracker', mayTrack, () => site.seo.options().rankTrackerActive);
  return [
    {
      path: '/seo/v1/integrations/set_active',
      endpoints: [
        {
          methods: CREATE,
          allow: needs('seo_manage_options'),
          handle: setActive,
          args: {
            active: of('boolean', 'Whether it is used.', { required: true }),
            integration: of('string', 'The service.', { required: true }),
          },
        },
      ],
    },
    keywordTool('authenticate', CREATE, connectKeywordTool, { code: filled }),
    keywordTool('country_code', CREATE, setCountry, {
      country_code: { required: true, validate: (value) => (/^[a-z]{2}$/.test(scalarText(value)) ? null : false), coerce: false },
    }),
    keywordTool('related_keyphrases', READ, relatedKeyphrases, {
      keyphrase: { required: true, validate: (value) => (scalarText(value).trim() === '' ? false : null), coerce: scalarText },
      country_code: needed,
    }),
    rankTracker('authorization-url', READ, async ({ site: { rankTracker: tracker } }) => ({
      url: await tracker.authorizationUrl(),
    })),
    rankTracker('authenticate', CREATE, connectRankTracker, {
      code: filled,
      // A numeric string is not a number.
      websiteId: {
        required: true,
        validate: (value) => (Number.isSafeInteger(value) && value !== 0 ? null : false),
        coerce: false,
      },
    }),
    rankTracker('keyphrases/track', CREATE, track, { keyphrases: needed }),
    rankTracker('keyphrases', CREATE, findKeyphrases, { keyphrases: {}, permalink: {}, startAt: {} }),
    rankTracker('keyphrases/untrack', DELETE, untrack),
    rankTracker('account/limit', READ, ({ site: { rankTracker: tracker } }) => tracker.limit()),
    rankTracker('account/upgrade-campaign', READ, ({ site: { rankTracker: tracker } }) => tracker.campaign()),
  ];
}

type ServiceHandler = (call: Call) => object | Promise<object>;

/** Routes of a service, whose answers nobody keeps: they are of something else than records. */
function group(service: string, allow: AccessRule, isActive: () => boolean) {
  return (path: string, methods: readonly Method[], handle: ServiceHandler, args: Args = {}): Namespace['routes'][number] => ({
    path: `/seo/v1/${service}/${path}`,
    isServed: isActive,
    // The service is requested as the site.
    endpoints: [{ methods, allow, args, acts: true, handle: told(handle) }],
  });
}

const headers = { 'Cache-Control': 'no-store' };

/** The answer of a handler with its status, or what went wrong with the service. */
function told(handle: ServiceHandler): Endpoint['handle'] {
  return async (call) => {
    try {
      const body = { status: 200, ...(await handle(call)) };
      return answer(body, { status: body.status, headers });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status, message } = error;
      const limit = error instanceof LimitError ? { limit: error.limit } : {};
      return answer({ ...limit, error: message, status }, { status, headers });
    }
  };
}

async function setActive({ site, params, request }: Call): Promise<object> {
  const { active } = params;
  const integration = request.dialect.readWord(params.integration).replaceAll('_', '-');
  if (!Object.hasOwn(switches, integration))
    return { json: { success: false, status: 500, error: 'There is no such integration.' } };
  if (!active) await switches[integration]?.(site);
  await changeOptions(site, () => ({ [`${integration}_integration_active`]: active }));
  return { json: { success: true, status: 200 } };
}

/** What is forgotten of each when it is switched off. */
const switches: Readonly<Record<string, (site: Site) => Promise<void>>> = table({
  'keyword-tool': ({ keywordTool }) => keywordTool.tokens.forget(),
  'rank-tracker': ({ rankTracker }) => rankTracker.tokens.forget(),
  'search-service': async () => undefined,
});

async function connectKeywordTool({ site, params }: Call): Promise<object> {
  return connected(() => site.keywordTool.tokens.exchange(params.code));
}

async function connectRankTracker({ site, params }: Call): Promise<object> {
  return connected(() => site.rankTracker.tokens.exchange(params.code, { website: params.websiteId }));
}

/** A failure has its tokens as an empty list. */
async function connected(exchange: () => Promise<object>): Promise<object> {
  try {
    return { tokens: await exchange() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { tokens: [], error: error.message, status: error.status };
  }
}

async function setCountry({ site, params }: Call): Promise<object> {
  await changeOptions(site, () => ({ 'keyword-tool_country_code': params.country_code }));
  return { success: true };
}

function relatedKeyphrases({ site, params }: Call): Promise<object> {
  return site.keywordTool.related(params.keyphrase, scalarText(params.country_code));
}

async function track({ site, params }: Call): Promise<object> {
  return { results: await site.rankTracker.track(keyphrasesIn(params.keyphrases)) };
}

async function findKeyphrases({ site, params }: Call): Promise<object> {
  const { keyphrases: sent, permalink, startAt } = params;
  const keyphrases = sent === undefined || sent === null ? await keyphrasesOfSite(site) : keyphrasesIn(sent);
  const lookup = { keyphrases, permalink: scalarText(permalink) || null, startAt: scalarText(startAt) || null };
  return { results: await site.rankTracker.find(lookup) };
}

async function untrack({ site, params }: Call): Promise<object> {
  await site.rankTracker.untrack(scalarText(params.keyphraseID));
  return {};
}

/** One or several, each once. */
function keyphrasesIn(sent: unknown): readonly string[] {
  const list = (Array.isArray(sent) ? sent : [sent]).map((one) => scalarText(one).trim());
  return [...new Set(list)].filter((one) => one !== '');
}

/** Those of all items that are not in the trash. */
async function keyphrasesOfSite(site: Site): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const post of paced([...site.posts.all()])) {
    const { keyphrase } = site.seo.valuesOf(post);
    if (keyphrase !== '' && post.status !== 'trash') found.add(keyphrase);
  }
  return [...found];
}
