/**
 * The site index, the first request of a client.
 *
 * Shape    name, URLs, time zone, namespaces, authentication, routes (specification 2.1)
 * Access   everyone
 * Source   specification 4.2; conformance scenario site-index
 */
import { sourceUrl } from '../../media/library/index.ts';
import { settingPage } from '../../content/permalinks/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { offsetHours } from '../../../kernel/model/dates.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { describeRoutes, spellNamespace } from '../../../kernel/rest/describe.ts';
import { Item, type Link } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { anyone, type Call, isOffered, READ } from '../../../kernel/rest/types.ts';

const indexArgs: Args = { context: { default: 'view' } };

export const siteIndexRoutes: Namespace['routes'] = [
  { path: '/', endpoints: [{ methods: READ, args: indexArgs, allow: anyone, handle: index }] },
];

async function index(call: Call): Promise<Item> {
  const { site, urls, registry, fields, request } = call;
  const { dialect } = request;
  const icon = media(site, 'icon');
  const picture = site.posts.get(icon);
  if (isAttachment(picture)) await site.media.prepare([picture]);
  const logo = media(site, 'logo');
  const value = (key: string): unknown => site.settings.value(key);
  const rows: Record<string, () => unknown> = {
    name: () => value('name'),
    description: () => value('description'),
    url: () => site.url,
    home: () => (value('home') as string | undefined) || site.url,
    gmt_offset: () => offsetHours(site.zone, site.clock()),
    timezone_string: () => site.zone,
    page_for_posts: () => settingPage(site, 'posts_page'),
    page_on_front: () => settingPage(site, 'front_page'),
    show_on_front: () => value('front'),
    namespaces: () => registry.namespaces.map((name) => spellNamespace(name, dialect)),
    authentication: () => ({
      'application-passwords': {
        endpoints: { authorization: `${site.credentialUrl(request.usedOrigin)}/${dialect.admin}/authorize-application.php` },
      },
    }),
    routes: () =>
      describeRoutes(
        registry.routes.filter((route) => isOffered(route, request)),
        urls,
      ),
    site_logo: () => logo,
    site_icon: () => icon,
    site_icon_url: () => (isAttachment(picture) ? sourceUrl(site, picture) : ''),
  };
  for (const [name, get] of Object.entries(site.modules.index)) {
    if (get) rows[name] = () => get(call);
    else delete rows[name];
  }
  const body = Object.fromEntries(
    Object.entries(rows)
      .flatMap(([name, get]) => (fields.wants(name) ? [[name, get()]] : []))
      .filter(([, value]) => value !== undefined),
  );
  const links: Record<string, readonly Link[]> = { help: [{ href: `${site.url}/` }] };
  for (const [rel, id] of [
    ['logo', logo],
    ['icon', icon],
  ] as const) {
    if (id > 0) {
      const link: Link = { embeddable: true, href: urls.rest(`/cms/v2/media/${id}`) };
      links['cms:featuredmedia'] = [...(links['cms:featuredmedia'] ?? []), { ...link, type: `site_${rel}` }];
    }
  }
  return new Item(body, links);
}

function media(site: Site, key: 'icon' | 'logo'): number {
  const stored = site.settings.value(key);
  return typeof stored === 'number' ? stored : typeof stored === 'string' ? site.refs.postId('attachment', stored) : 0;
}
