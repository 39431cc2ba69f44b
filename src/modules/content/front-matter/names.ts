/**
 * What front matter calls things: one table of names for each field, for the folder and for imports. Names are compared without case,
 * `-` and `_`, so that `pubDate`, `pub_date` and `PubDate` are one.
 */
import { table } from '../../../kernel/model/maps.ts';

/** Names (`foldKey`) by which other generators say when an item is published, and when it is no more. Here only `date` counts. */
export const releaseKeys: readonly string[] = [
  'publishdate',
  'pubdate',
  'publishedat',
  'publishedon',
  'published',
  'datepublished',
];
export const expiryKeys: readonly string[] = ['expirydate', 'unpublishdate'];

/** A key as it is compared with names of others: `pubDate`, `pub_date` and `PubDate` are one. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, '');
}

/** Field → names, the first that has a value wins; the others are kept as they are. */
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
