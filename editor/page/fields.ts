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
  };
  return names[field] ?? field.replace(/^(?:fields|meta):/, '');
}
