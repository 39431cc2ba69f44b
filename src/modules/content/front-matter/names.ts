/** Names of front-matter keys: one table per field, for the folder and for imports. Comparison ignores case, `-` and `_`. */
import { table } from '../../../kernel/model/maps.ts';

/** Keys (`foldKey`) with which other generators set publication and expiry. Only `date` has an effect here. */
export const releaseKeys: readonly string[] = [
  'publishdate',
  'pubdate',
  'publishedat',
  'publishedon',
  'published',
  'datepublished',
];
export const expiryKeys: readonly string[] = ['expirydate', 'unpublishdate'];

/** A normalized key: `pubDate`, `pub_date` and `PubDate` are the same. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, '');
}

/** Field → names; the first with a value wins. */
export const names = table({
  id: ['id'],
  title: ['title'],
  slug: ['slug'],
  date: [
    'date',
    'pubdate',
    'pubdatetime',
    'publishdate',
    'datepublished',
    'publishedat',
    'publishedon',
    'published',
    'created',
    'createdat',
    'datecreated',
  ],
  release: ['publishdate'],
  expiry: expiryKeys,
  modified: [
    'modified',
    'lastmod',
    'lastmodifiedat',
    'lastmodified',
    'updated',
    'updatedat',
    'updateddate',
    'dateupdated',
    'datemodified',
    'moddatetime',
    'modifiedat',
  ],
  author: ['author', 'authors', 'byline', 'creator'],
  excerpt: ['excerpt', 'summary', 'description', 'abstract', 'lead'],
  categories: ['categories', 'category'],
  tags: ['tags', 'tag'],
  image: [
    'featuredmedia',
    'featuredimage',
    'featureimage',
    'heroimage',
    'coverimage',
    'cover',
    'image',
    'thumbnail',
    'thumb',
    'banner',
    'ogimage',
    'socialimage',
    'images',
    'header',
  ],
  draft: ['draft', 'isdraft'],
  published: ['published', 'publish'],
  private: ['private'],
  hidden: ['hidden'],
  unlisted: ['unlisted'],
  visibility: ['visibility'],
  status: ['status', 'poststatus'],
  order: ['order', 'weight', 'menuorder', 'navorder', 'sidebarposition', 'position'],
  former: ['aliases', 'redirectfrom', 'oldurls', 'redirects'],
  sticky: ['sticky', 'pin', 'pinned'],
  comments: ['comments', 'commentstatus', 'allowcomments'],
  pings: ['pings'],
  template: ['template', 'layout'],
  format: ['format', 'postformat'],
  password: ['password', 'postpassword'],
  meta: ['meta'],
  guid: ['guid'],
} as const satisfies Readonly<Record<string, readonly string[]>>);

export type Name = keyof typeof names;
