/**
 * What a block editor asks beside content, `cms-block-editor/v1`: what a link leads to, the design as an archive, the
 * navigation to start from.
 *
 * Shape    url-details: title, icon, description, image, each '' when the page does not say; export: a ZIP archive;
 *          navigation-fallback: the id of a navigation, made when there is none
 * Access   url-details: those who write anything; the others: those who design
 * Errors   rest_cannot_view_url_details, rest_invalid_param, no_response, no_content; rest_cannot_export_templates;
 *          rest_cannot_create, no_fallback_menu
 * Source   conformance scenario other-namespaces; behaviour of the reference 6.9
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { canEditSomething } from '../../people/accounts/record.ts';
import { exportDesign } from '../themes/index.ts';
import { createTtlCache, type TtlCache } from '../../../http-client/ttl-cache.ts';
import { createOperatorFetcher, type Fetched, type Fetcher, FetchError, ownOrigins, textOf } from '../../../http-client/fetch.ts';
import { fallbackNavigation } from '../../menus/index.ts';
import { detailsOf, type PageDetails } from '../../../render/page-head.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { fail } from '../../../kernel/errors.ts';
import { of, resourceSchema } from '../../../kernel/model/schema.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { cleanUri } from '../../../kernel/rest/coerce.ts';
import { Item } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Answer, answer, type Call, READ, type AccessRule } from '../../../kernel/rest/types.ts';

interface BlockEditorOptions {
  readonly fetcher?: Fetcher;
}

const name = 'cms-block-editor/v1';
const hourMs = 3_600_000;
/** The head is at the beginning of a page. */
const maxBytes = 153_600;

export function createBlockEditor(
  site: Site,
  { fetcher = createOperatorFetcher(site.operator) }: BlockEditorOptions = {},
): Namespace {
  const kept = createTtlCache<PageDetails>(site.store.cache, { folder: 'url-details', lifetimeMs: hourMs, clock: site.clock });
  const urlArgs: Args = {
    url: {
      description: 'The URL to process.',
      type: 'string',
      format: 'uri',
      required: true,
      validate: (value) =>
        typeof value === 'string' && fetcher.refusal(cleanUri(value), { own: ownOrigins(site) }) === null ? null : false,
      coerce: (value) => cleanUri(scalarText(value)),
    },
  };
  return {
    name,
    routes: [
      {
        path: `/${name}/url-details`,
        // Caches results.
        endpoints: [{ methods: READ, args: urlArgs, allow: mayAskForLinks, handle: (call) => urlDetails(call, fetcher, kept) }],
      },
      { path: `/${name}/export`, endpoints: [{ methods: READ, args: {}, allow: mayExport, handle: exportTheme }] },
      {
        path: `/${name}/navigation-fallback`,
        schema: () => resourceSchema('navigation-fallback', { id: idSchema }),
        endpoints: [{ methods: READ, args: {}, acts: true, allow: mayStartNavigation, handle: navigationFallback }],
      },
    ],
  };
}

const idSchema = of('integer', 'The unique identifier for the Navigation Menu.', {
  context: ['view', 'edit', 'embed'],
  readonly: true,
});

async function urlDetails({ site, params }: Call, fetcher: Fetcher, kept: TtlCache<PageDetails>): Promise<PageDetails> {
  const url = withoutTrailing(params.url as string, '/');
  const known = await kept.get(url);
  if (known) return known;
  const page = await fetchPage(fetcher, url, site);
  if (page.status !== 200) fail('no_response');
  if (page.body.length === 0) fail('no_content');
  const details = detailsOf(textOf(page), page.url);
  await kept.set(url, details);
  return details;
}

/** An unknown or private host is an invalid parameter, a timeout is not. */
async function fetchPage(fetcher: Fetcher, url: string, site: Site): Promise<Fetched> {
  try {
    return await fetcher.get(url, { maxBytes, own: ownOrigins(site) });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return error.refused
      ? fail('rest_invalid_param', { params: { url: 'Invalid parameter.' }, details: [] }, 'Invalid parameter(s): url')
      : fail('no_response');
  }
}

function exportTheme({ site }: Call): Answer {
  const { name: file, bytes } = exportDesign(site);
  return answer(bytes, {
    headers: { 'Content-Type': 'application/zip', 'Content-Disposition': `attachment; filename=${file}.zip` },
  });
}

async function navigationFallback({ site, user, urls }: Call): Promise<Item> {
  const id = (await fallbackNavigation(site, user)) ?? fail('no_fallback_menu');
  return new Item({ id }, { self: [{ href: urls.rest(`/cms/v2/navigation/${id}`), embeddable: true }] });
}

const mayAskForLinks: AccessRule = ({ site, user }) =>
  canEditSomething(site.access, user) ? null : 'rest_cannot_view_url_details';

const mayExport: AccessRule = (call) => (call.can('edit_theme_options') ? null : 'rest_cannot_export_templates');

const mayStartNavigation: AccessRule = (call) => {
  const capabilities = call.site.types.get('cms_navigation')?.capabilities;
  const may = [capabilities?.create_posts, 'edit_theme_options', 'edit_posts'].every(
    (name) => name !== undefined && call.can(name),
  );
  return may
    ? null
    : { code: 'rest_cannot_create', message: 'Sorry, you are not allowed to create Navigation Menus as this user.' };
};
