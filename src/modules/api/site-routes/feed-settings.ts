/** The feeds of a site, from the operator's `feeds:`: from a platform, or a file in the content folder. Invalid settings prevent the start. */
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import { OperatorFault } from '../../../kernel/model/operator.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

export const feedTypes = ['insta', 'facebook'] as const;
export type FeedType = (typeof feedTypes)[number];

interface CommonFeed {
  readonly type: FeedType;
  readonly id: number;
  /** Maximum items. */
  readonly limit: number;
}

export interface RemoteFeed extends CommonFeed {
  readonly source: 'remote';
  /** Endpoint of the platform, without a trailing slash. */
  readonly url: string;
  readonly account: string;
  /** Environment variable with the token. */
  readonly tokenEnv: string;
  readonly lifetimeMs: number;
}

interface FileFeed extends CommonFeed {
  readonly source: 'file';
  /** Below the content folder. */
  readonly path: string;
}

export type FeedSetting = RemoteFeed | FileFeed;

/** Endpoint and account names of each platform. */
const platforms: Readonly<Record<FeedType, { readonly url: string; readonly account: string }>> = table({
  insta: { url: 'https://graph.instagram.com', account: 'account' },
  facebook: { url: 'https://graph.facebook.com', account: 'page' },
});
const usualLimit = 12;
const maxLimit = 100;
const usualLifetimeSeconds = 3600;

/** Feeds by `type/number`. @throws OperatorFault */
export function readFeeds(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, FeedSetting> {
  const feeds = new Map<string, FeedSetting>();
  for (const [name, list] of Object.entries(given)) {
    const type = feedTypes.find((one) => one === name) ?? refuse(name, `is not one of ${feedTypes.join(', ')}`);
    if (!isMap(list)) refuse(type, 'is not a map of numbers and feeds');
    for (const [id, row] of Object.entries(list)) {
      const place = `${type}.${id}`;
      if (!/^[1-9]\d{0,8}$/.test(id)) refuse(place, 'is not called by a number');
      feeds.set(`${type}/${id}`, readFeed(type, Number(id), mapOf(row), place));
    }
  }
  return feeds;
}

function readFeed(type: FeedType, id: number, row: Readonly<Record<string, unknown>>, place: string): FeedSetting {
  const common = { type, id, limit: wholeNumber(row.limit ?? usualLimit, maxLimit, `${place}.limit`) };
  if (row.source === 'file') return { ...common, source: 'file', path: pathIn(row.path, `${place}.path`) };
  if (row.source !== 'remote') refuse(`${place}.source`, 'is neither remote nor file');
  const platform = platforms[type];
  const url = String(row.url ?? platform.url);
  if (!/^https?:/i.test(url) || !isUrl(url)) refuse(`${place}.url`, 'is not an address');
  const account = String(row[platform.account] ?? '');
  if (!/^[\w.-]{1,100}$/.test(account) || /^\.+$/.test(account))
    refuse(`${place}.${platform.account}`, 'is not the id of an account');
  const tokenEnv = String(row.token_env ?? '');
  if (!/^[A-Z][A-Z0-9_]{0,99}$/.test(tokenEnv)) refuse(`${place}.token_env`, 'is not the name of a variable');
  const seconds = wholeNumber(row.ttl ?? usualLifetimeSeconds, 30 * 24 * 3600, `${place}.ttl`);
  return { ...common, source: 'remote', url: withoutTrailing(url, '/'), account, tokenEnv, lifetimeMs: seconds * 1000 };
}

function pathIn(value: unknown, place: string): string {
  const path = typeof value === 'string' ? value : '';
  const isInside = /^[^/\\\0]+(?:\/[^/\\\0]+)*\.json$/.test(path) && !path.split('/').some((step) => step.startsWith('.'));
  return isInside ? path : refuse(place, 'is not the path of a .json file below the content folder');
}

function wholeNumber(value: unknown, most: number, place: string): number {
  const read = Number(value);
  return Number.isInteger(read) && read >= 1 && read <= most ? read : refuse(place, `is not a whole number from 1 up to ${most}`);
}

function refuse(place: string, why: string): never {
  throw new OperatorFault('feeds', `feeds.${place} ${why}`);
}
