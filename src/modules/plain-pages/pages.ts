/**
 * What the server shows outside the interface: plain pages that say what is where, so that addresses of the site lead
 * somewhere without a front end, and former addresses lead on.
 */
import { lookUp } from '../permalinks/resolve-url.ts';
import { createPostView } from '../posts/view.ts';
import { namedIn, previewAt } from '../posts/preview.ts';
import { oembedLinks } from '../oembed/index.ts';
import { escapeHtml } from '../../kernel/model/escape.ts';
import type { Page } from '../../kernel/site/serving.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { PostRecord } from '../posts/record.ts';
import { plainParams } from '../../kernel/rest/args.ts';
import { dialects } from '../../kernel/rest/dialect.ts';
import { itemPrefix, splitPath } from '../../kernel/rest/address-prefix.ts';
import { parseQuery } from '../../kernel/rest/params.ts';

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
  const query = plainParams(parseQuery(mark < 0 ? '' : url.slice(mark + 1)));
  const preview = previewAt(site, query);
  if (preview === 'refused') return missing(site);
  if (preview) return page(site, viewOf(site).title(preview), await article(site, preview), 200, previewHeaders);
  const found = lookUp(site, path, query, mark < 0 ? '' : url.slice(mark + 1));
  if (found && 'redirect' in found) {
    const { status, redirect } = found;
    const location = redirect.startsWith('/') ? site.url + redirect : redirect;
    return { status, headers: { Location: location }, body: null };
  }
  if (found && 'gone' in found) return page(site, 'Gone', '<p>What was at this address has been removed.</p>', 410);
  if (found)
    return page(site, viewOf(site).title(found.post), await article(site, found.post), 200, {
      Link: alternate(site, found.post),
    });
  // An item that the address names and visitors may not see is missing, on the front page too.
  const { path: within, prefix } = splitPath(site, path);
  const isHome = (within === '/' || within === '/index.php') && namedIn(query).length === 0;
  return isHome ? page(site, '', await latest(site, prefix), 200) : missing(site);
}

function missing(site: Site): Page {
  return page(site, 'Not found', '<p>There is nothing at this address.</p>', 404);
}

function page(site: Site, title: string, body: string, status: number, more: Record<string, string> = {}): Page {
  const name = String(site.settings.value('name') || 'cms');
  const roots = dialects.map(({ root }) => `${site.url}${root}/`);
  const links = [
    ...dialects.map(({ relationUri }, at) => `<${roots[at]}>; rel="${relationUri('')}"`),
    ...(more.Link ? [more.Link] : []),
  ];
  const list = roots.map((link) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`).join(' · ');
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${plain(title || name)}</title>` +
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

/** The newest public posts; where items have segments before their addresses, those among the newest hundred that have these. */
async function latest(site: Site, prefix: string): Promise<string> {
  const where = [
    { kind: 'in' as const, index: 'type', values: ['post'] },
    { kind: 'in' as const, index: 'status', values: ['publish'] },
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

function plain(text: string): string {
  return escapeHtml(text.replace(/<[^>]*>/g, ''));
}
