/** Normalizes items of feeds. Remote data becomes text, and only web URLs are passed on. */
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import type { FeedSetting, FeedType } from './feed-settings.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export type FeedItem = Readonly<Record<string, unknown>>;

/** The requested fields of each platform. */
export const askedFields: Readonly<Record<FeedType, { readonly list: string; readonly fields: string }>> = table({
  insta: {
    list: 'media',
    fields:
      'id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,username,children{id,media_type,media_url,thumbnail_url}',
  },
  facebook: {
    list: 'posts',
    fields:
      'id,message,created_time,permalink_url,full_picture,attachments{type,title,url,media},likes.summary(true),comments.summary(true),shares,from',
  },
});

const readers: Readonly<Record<FeedType, (item: Readonly<Record<string, unknown>>) => FeedItem>> = table({
  insta: (item) => ({
    id: text(item.id),
    caption: text(item.caption),
    media_type: text(item.media_type),
    media_url: address(item.media_url),
    thumbnail_url: address(item.thumbnail_url),
    permalink: address(item.permalink),
    timestamp: text(item.timestamp),
    username: text(item.username),
    children: listIn(item.children).map((child) => ({
      id: text(child.id),
      media_type: text(child.media_type),
      media_url: address(child.media_url),
      thumbnail_url: address(child.thumbnail_url),
    })),
  }),
  facebook: (item) => ({
    id: text(item.id),
    message: text(item.message),
    created_time: text(item.created_time),
    permalink_url: address(item.permalink_url),
    full_picture: address(item.full_picture),
    attachments: listIn(item.attachments).map((one) => ({
      type: text(one.type),
      title: text(one.title),
      url: address(one.url),
      image: address(mapOf(mapOf(one.media).image).src ?? one.image),
    })),
    likes: count(item.likes),
    comments: count(item.comments),
    shares: count(item.shares),
    from: { id: text(mapOf(item.from).id), name: text(mapOf(item.from).name) },
  }),
});

/** The first items of a response or file: a list, or a map with `data`. Null otherwise. */
export function readItems({ type, limit }: Pick<FeedSetting, 'type' | 'limit'>, bytes: Uint8Array): readonly FeedItem[] | null {
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
  const list = Array.isArray(said) ? said : mapOf(said).data;
  return Array.isArray(list) ? list.filter(isMap).slice(0, limit).map(readers[type]) : null;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function address(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && isUrl(value) ? value : null;
}

/** A number, or a summary with one. */
function count(value: unknown): number {
  const said = isMap(value) ? (mapOf(value.summary).total_count ?? value.count) : value;
  return Number.isSafeInteger(said) && (said as number) > 0 ? (said as number) : 0;
}

/** Platforms wrap lists into maps. */
function listIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(value) ? value : mapOf(value).data;
  return Array.isArray(list) ? list.filter(isMap) : [];
}
