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
    featured_media: say('Featured image'),
    password: say('Password'),
    sticky: say('Stick to the top'),
    parent: say('Parent'),
    menu_order: say('Order'),
    template: say('Template'),
    comment_status: say('Allow comments'),
    ping_status: say('Allow pingbacks'),
    'meta:_seo_title': say('Title in search results'),
    'meta:_seo_metadesc': say('Description in search results'),
    'meta:_seo_canonical': say('Canonical address'),
    'meta:_seo_meta-robots-noindex': say('In search results'),
    'meta:_seo_opengraph-title': say('Title on social networks'),
    'meta:_seo_opengraph-description': say('Description on social networks'),
    'meta:_seo_opengraph-image': say('Image on social networks'),
    'meta:_seo_opengraph-image-id': say('Image on social networks'),
  };
  return names[field] ?? field.replace(/^(?:fields|meta):/, '');
}
