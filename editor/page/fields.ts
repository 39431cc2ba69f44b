/** Names of the fields of items. */
import { say } from './words.ts';

export function fieldName(field: string): string {
  const names: Readonly<Record<string, string>> = {
    title: say('Title'),
    content: say('Text'),
    excerpt: say('Excerpt'),
    slug: say('Address'),
    status: say('Status'),
    date: say('Date'),
    author: say('Author'),
    featured_media: say('Featured picture'),
    password: say('Password'),
    sticky: say('At the top of the list'),
    parent: say('Below'),
    menu_order: say('Order among its neighbours'),
    template: say('Template'),
    comment_status: say('Comments are open'),
    ping_status: say('Pingbacks are open'),
    'meta:_seo_title': say('Title in search results'),
    'meta:_seo_metadesc': say('Description in search results'),
    'meta:_seo_canonical': say('Canonical address'),
    'meta:_seo_meta-robots-noindex': say('In search results'),
    'meta:_seo_opengraph-title': say('Title on social networks'),
    'meta:_seo_opengraph-description': say('Description on social networks'),
    'meta:_seo_opengraph-image': say('Picture on social networks'),
    'meta:_seo_opengraph-image-id': say('Picture on social networks'),
  };
  return names[field] ?? field.replace(/^(?:fields|meta):/, '');
}
