/**
 * oEmbed, `oembed/1.0`: this site's posts for others, and remote pages for this site's editors.
 *
 * Shape    an oEmbed response, as XML with `format=xml`; errors too
 * Access   embed: everyone, for public items; proxy: users who edit posts
 * Errors   oembed_invalid_url, rest_forbidden, rest_missing_callback_param
 * Source   specification 4.3; conformance scenario oembed; behaviour of the reference 6.9
 */
import { type TtlCache, createTtlCache } from '../../http-client/ttl-cache.ts';
import { createOperatorFetcher, type Fetcher, ownOrigins } from '../../http-client/fetch.ts';
import { type OEmbed, embedFrom, embedOf, printXml } from './oembed.ts';
import type { Site } from '../../kernel/site/site.ts';
import { fail } from '../../kernel/errors.ts';
import { of } from '../../kernel/model/schema.ts';
import type { Args } from '../../kernel/rest/args.ts';
import { toInteger } from '../../kernel/rest/coerce.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { anyone, type Call, READ } from '../../kernel/rest/types.ts';
import type { Form, RestRequest } from '../../kernel/rest/request.ts';

interface OembedOptions {
  readonly fetcher?: Fetcher;
}

const name = 'oembed/1.0';
const dayMs = 86_400_000;
const defaultWidth = 600;
const xml: Form = { type: 'text/xml; charset=utf-8', print: printXml };

const urlArg = of('string', 'The URL of the resource for which to fetch oEmbed data.', { format: 'uri', required: true });

const embedArgs: Args = {
  url: urlArg,
  format: { default: 'json', validate: false, coerce: (value) => (value === 'xml' ? 'xml' : 'json') },
  maxwidth: { default: defaultWidth, validate: false, coerce: (value) => Math.abs(toInteger(value)) },
};

const proxyArgs: Args = {
  url: urlArg,
  format: of('string', 'The oEmbed format to use.', { default: 'json', enum: ['json', 'xml'] }),
  maxwidth: {
    description: 'The maximum width of the embed frame in pixels.',
    type: 'integer',
    default: defaultWidth,
    coerce: (value) => Math.abs(toInteger(value)),
  },
  maxheight: {
    description: 'The maximum height of the embed frame in pixels.',
    type: 'integer',
    coerce: (value) => Math.abs(toInteger(value)),
  },
  discover: of('boolean', 'Whether to perform an oEmbed discovery request for unsanctioned providers.', { default: true }),
};

export function createOembed(site: Site, { fetcher = createOperatorFetcher(site.operator) }: OembedOptions = {}): Namespace {
  const kept = createTtlCache<OEmbed>(site.store.cache, { folder: 'oembed', lifetimeMs: dayMs, clock: site.clock });
  return {
    name,
    routes: [
      { path: `/${name}/embed`, form: formOf, endpoints: [{ methods: READ, args: embedArgs, allow: anyone, handle: embed }] },
      {
        path: `/${name}/proxy`,
        // Caches responses.
        endpoints: [
          {
            methods: READ,
            args: proxyArgs,
            allow: (call) =>
              call.can('edit_posts')
                ? null
                : { code: 'rest_forbidden', message: 'Sorry, you are not allowed to make proxied oEmbed requests.' },
            handle: (call) => proxy(call, fetcher, kept),
          },
        ],
      },
    ],
  };
}

/** HEAD responses are not transformed (observed). */
function formOf({ method, query }: RestRequest): Form | undefined {
  return method === 'GET' && query.format === 'xml' ? xml : undefined;
}

async function embed({ site, params }: Call): Promise<OEmbed> {
  return (await embedOf(site, params.url as string, params.maxwidth as number)) ?? fail('oembed_invalid_url');
}

/** Own URLs are answered from memory, others are cached for a day. */
async function proxy({ site, params }: Call, fetcher: Fetcher, kept: TtlCache<OEmbed>): Promise<OEmbed> {
  const { url, maxwidth, maxheight, discover } = params;
  const own = await embedOf(site, url, maxwidth);
  if (own) return own;
  const key = JSON.stringify([url, maxwidth, maxheight ?? null, discover]);
  const known = await kept.get(key);
  if (known) return known;
  const found = await embedFrom(fetcher, url, { maxWidth: maxwidth, maxHeight: maxheight }, { discover, own: ownOrigins(site) });
  if (!found) fail('oembed_invalid_url');
  await kept.set(key, found);
  return found;
}
