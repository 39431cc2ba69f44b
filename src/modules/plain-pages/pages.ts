/**
 * What the server shows outside the interface: plain pages that say what is where, so that addresses of the site lead
 * somewhere without a front end, and former addresses lead on.
 */
import { lookUp } from '../permalinks/resolve-url.ts';
import { createPostView } from '../posts/view.ts';
import { namedIn, previewAt } from '../posts/preview.ts';
import { oembedLinks } from '../oembed/index.ts';
import { escapeHtml, escapeOnce } from '../../kernel/model/escape.ts';
import type { Page } from '../../kernel/site/serving.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { PostRecord } from '../posts/record.ts';
import type { ShownPage } from '../sitemaps/record.ts';
import { typeOfArchive } from '../types/record.ts';
import { plainParams } from '../../kernel/rest/args.ts';
import { dialects } from '../../kernel/rest/dialect.ts';
import { itemPrefix, prefixOf, splitPath } from '../../kernel/rest/address-prefix.ts';
import { parseQuery } from '../../kernel/rest/params.ts';
import type { Params } from '../../kernel/rest/request.ts';

const headers = {
  'Content-Type': 'text/html; charset=UTF-8',
  'X-Content-Type-Options': 'nosniff',
  // Content is shown, never run.
  'Content-Security-Policy':
    "default-src 'self' https: data:; script-src 'none'; style-src 'unsafe-inline' https:; frame-ancestors *",
};

/** The address of a preview is its key: nobody keeps it, and no page that it links to learns it. */
const previewHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

export async function pageAt(site: Site, url: string): Promise<Page> {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = plainParams(parseQuery(mark < 0 ? '' : url.slice(mark + 1)), {});
  const preview = previewAt(site, query);
  if (preview === 'refused') return missing(site);
  if (preview)
    return page(site, {
      title: viewOf(site).title(preview),
      body: await article(site, preview),
      status: 200,
      headers: previewHeaders,
    });
  const found = lookUp(site, path, query, mark < 0 ? '' : url.slice(mark + 1));
  if (found && 'redirect' in found) {
    const { status, redirect } = found;
    const location = redirect.startsWith('/') ? site.url + redirect : redirect;
    return { status, headers: { Location: location }, body: null };
  }
  if (found && 'gone' in found)
    return page(site, { ...nothing, title: 'Gone', body: '<p>What was at this address has been removed.</p>', status: 410 });
  if (found) {
    const { post } = found;
    const [title, body] = [viewOf(site).title(post), await article(site, post)];
    return page(site, { title, body, status: 200, headers: { Link: alternate(site, post) }, shown: { post } });
  }
  // An item that the address names and visitors may not see is missing, on the front page too.
  const { path: within, prefix, params } = splitPath(site, path);
  if (namedIn(query).length > 0) return missing(site);
  if (within === '/' || within === '/index.php')
    return page(site, { title: '', body: await latest(site, prefix, params, 'post'), status: 200, shown: { home: params } });
  const archive = typeOfArchive(site.types, /^\/([^/]+)\/?$/.exec(within)?.[1] ?? '');
  if (!archive) return missing(site);
  const title = escapeHtml(archive.label);
  return page(site, { title, body: await latest(site, prefix, params, archive.name), status: 200, shown: { archive, params } });
}

/** A page as it is to be written. */
interface PlainPage {
  /** Markup, as is `body`; '' for the front page. */
  readonly title: string;
  readonly body: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What its head tells others of; absent: nothing. */
  readonly shown?: ShownPage;
}

const nothing = {
  title: 'Not found',
  body: '<p>There is nothing at this address.</p>',
  status: 404,
  shown: 'missing',
} as const satisfies PlainPage;

function missing(site: Site): Promise<Page> {
  return page(site, nothing);
}

/** What modules say of a page, its title with it; else the title alone. With the feed of the posts below the same segments. */
async function headOf(site: Site, title: string, shown?: ShownPage): Promise<string> {
  const own = `<title>${plain(title)}</title>`;
  if (shown === undefined) return own;
  const heads = await Promise.all(site.discovery.flatMap((source) => source.head?.(shown) ?? []));
  const prefix =
    shown === 'missing'
      ? ''
      : 'post' in shown
        ? itemPrefix(site, shown.post)
        : prefixOf(site, '', 'home' in shown ? shown.home : shown.params);
  const feed = escapeHtml(`${site.url}${prefix}/feed/`);
  const link = `<link rel="alternate" type="application/rss+xml" href="${feed}">`;
  return [heads.length > 0 ? heads.join('\n') : own, ...(shown === 'missing' ? [] : [link])].join('\n');
}

async function page(site: Site, { title, body, status, headers: more = {}, shown }: PlainPage): Promise<Page> {
  const name = String(site.settings.value('name') || 'cms');
  // As the reference calls its pages; who asks for the details of an own address reads it.
  const called = [...(title === '' ? [name, String(site.settings.value('description'))] : [title, name])]
    .filter(Boolean)
    .join(' &#8211; ');
  const roots = dialects.map(({ root }) => `${site.url}${root}/`);
  const links = [
    ...dialects.map(({ relationUri }, at) => `<${roots[at]}>; rel="${relationUri('')}"`),
    ...(more.Link ? [more.Link] : []),
  ];
  const list = roots.map((link) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`).join(' · ');
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${await headOf(site, called, shown)}` +
    '<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}footer{margin-top:4rem;font-size:.9rem}img{max-width:100%}</style>' +
    `<header><a href="${escapeHtml(site.url)}/">${name}</a></header><main>${title ? `<h1>${title}</h1>` : ''}${body}</main><footer>The content of this site is served at ${list}</footer></html>`;
  return { status, headers: { ...headers, ...more, Link: links.join(', ') }, body: html };
}

async function article(site: Site, post: PostRecord): Promise<string> {
  const view = viewOf(site);
  await view.prepare(post);
  const content = view.content(post);
  return content === '' && post.password !== '' ? '<p>This content is protected by a password.</p>' : content;
}

/** The newest public items of a type; where items have segments before their addresses, those among the newest hundred that have these. */
async function latest(site: Site, prefix: string, params: Params, type: string): Promise<string> {
  const where = [
    { kind: 'in' as const, index: 'type', values: [type] },
    { kind: 'in' as const, index: 'status', values: ['publish'] },
    ...site.discovery.flatMap((source) => source.scope?.(params) ?? []),
  ];
  const view = viewOf(site);
  const limit = site.modules.address.length > 0 ? 100 : 10;
  const { records: newest } = await site.posts.find({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit });
  const records = limit === 10 || prefix === '' ? newest : newest.filter((post) => itemPrefix(site, post) === prefix);
  return `<ul>${records
    .slice(0, 10)
    .map((post) => `<li><a href="${escapeHtml(view.link(post))}">${view.title(post) || `#${post.id}`}</a></li>`)
    .join('')}</ul>`;
}

function viewOf(site: Site) {
  return createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
}

/** The item behind a page and what embeds it, in each spelling. */
function alternate(site: Site, post: PostRecord): string {
  const type = site.types.get(post.type);
  return dialects
    .flatMap((dialect) => {
      const root = site.url + dialect.root;
      const item = `${root}${dialect.spellRoute(`/${type?.restNamespace}/${type?.restBase}/${post.id}`)}`;
      return [{ href: item, rel: 'alternate', type: 'application/json' }, ...oembedLinks(site, post, root)];
    })
    .map(({ href, rel, type: form }) => `<${href}>; rel="${rel}"; type="${form}"`)
    .join(', ');
}

/** Markup as the text of a title. */
function plain(markup: string): string {
  return escapeOnce(markup.replace(/<[^>]*>/g, ''));
}
