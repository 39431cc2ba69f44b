/**
 * What the server shows outside the interface: a page that says whose site this is and where the interface is found.
 */
import type { IncomingMessage } from 'node:http';
import { FastResponse } from 'srvx';
import { escapeHtml } from '../domain/render/text.ts';
import type { Site } from '../domain/site.ts';
import { dialects } from '../rest/dialect.ts';

export function homePage(site: Site, { url = '/' }: Pick<IncomingMessage, 'url'>): Response {
  const known = url === '/' || url.startsWith('/?') || url === '/index.php';
  const name = escapeHtml(String(site.settings.value('name') || 'cms'));
  const links = dialects.map(({ root }) => `${site.url}${root}/`);
  const list = links.map((link) => `<li><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></li>`).join('');
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><h1>${known ? name : 'Not found'}</h1><p>The content of this site is served at:</p><ul>${list}</ul></html>`;
  const headers = {
    'Content-Type': 'text/html; charset=UTF-8',
    'X-Content-Type-Options': 'nosniff',
    // How clients find the interface from the address of a site.
    Link: dialects.map(({ relationUri }, at) => `<${links[at]}>; rel="${relationUri('')}"`).join(', '),
  };
  return new FastResponse(body, { status: known ? 200 : 404, headers }) as unknown as Response;
}
