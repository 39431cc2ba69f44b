/**
 * Variables in templates of the other tool, `#post_title`, as ours: `%%title%%`. What is none stays as it is written.
 *
 * Source: reference of seo/v1, 3.8
 */
import { table } from '../../../kernel/model/maps.ts';
const variables: Readonly<Record<string, string>> = table({
  post_title: 'title',
  page_title: 'title',
  attachment_caption: 'caption',
  site_title: 'sitename',
  blog_title: 'sitename',
  tagline: 'sitedesc',
  blog_description: 'sitedesc',
  separator_sa: 'sep',
  separator: 'sep',
  post_excerpt: 'excerpt',
  post_excerpt_only: 'excerpt_only',
  post_content: 'post_content',
  page_content: 'post_content',
  categories: 'category',
  category: 'category',
  category_title: 'category_title',
  taxonomy_title: 'term_title',
  taxonomy_description: 'term_description',
  term_title: 'term_title',
  parent_title: 'parent_title',
  archive_title: 'archive_title',
  search_term: 'searchphrase',
  search: 'searchphrase',
  author_name: 'name',
  author_first_name: 'author_first_name',
  author_last_name: 'author_last_name',
  author_bio: 'user_description',
  post_date: 'date',
  post_year: 'post_year',
  post_month: 'post_month',
  post_day: 'post_day',
  archive_date: 'date',
  current_date: 'currentdate',
  current_year: 'currentyear',
  current_month: 'currentmonth',
  current_day: 'currentday',
  page_number: 'page',
  permalink: 'permalink',
});

export function translateTemplate(template: string): string {
  return template
    .replace(/#custom_field-([\w-]+)/g, '%%cf_$1%%')
    .replace(/#tax_name-([\w-]+)/g, '%%ct_$1%%')
    .replace(/#([a-z_]+)/g, (all, name: string) => (Object.hasOwn(variables, name) ? `%%${variables[name]}%%` : all));
}
