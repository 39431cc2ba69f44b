/**
 * What a site says of its folders, `media-folders/settings.yaml`: the keys by which clients set it, on or off.
 */
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { settingsFile } from './record.ts';

export const siteKeys = ['USER_MODE', 'SVG_SUPPORT', 'IS_SEARCH_USING_API'] as const;
export type SiteKey = (typeof siteKeys)[number];

export type SiteSettings = Readonly<Record<SiteKey, boolean>> & {
  /** The key of the public interface may stand in the query as well. */
  readonly queryToken: boolean;
};

/** On or off as clients and people write it; null for what is neither. */
export function readSwitch(value: unknown): boolean | null {
  if (value === true || value === 1 || value === '1') return true;
  return value === false || value === 0 || value === '0' || value === '' || value === null ? false : null;
}

/** What a file says; what it cannot mean is off. */
export function readSiteSettings(data: Readonly<Record<string, unknown>>): SiteSettings {
  const { public_api: api } = data;
  const token = typeof api === 'object' && api !== null ? (api as { query_token?: unknown }).query_token : undefined;
  const [USER_MODE, SVG_SUPPORT, IS_SEARCH_USING_API] = siteKeys.map((key) => readSwitch(data[key]) ?? false) as [
    boolean,
    boolean,
    boolean,
  ];
  return { USER_MODE, SVG_SUPPORT, IS_SEARCH_USING_API, queryToken: token === undefined || readSwitch(token) === true };
}

/** The keys that clients set, as they are now. */
export function switchesOf(settings: SiteSettings): Readonly<Record<SiteKey, boolean>> {
  return Object.fromEntries(siteKeys.map((key) => [key, settings[key]])) as Record<SiteKey, boolean>;
}

/** The changes that set these keys. */
export function planSiteSettings(
  { settingsEntry, settings }: { readonly settingsEntry: Entry | null; readonly settings: SiteSettings },
  wanted: Readonly<Partial<Record<SiteKey, boolean>>>,
): readonly Write[] {
  const changed = Object.entries(wanted).filter(([key, value]) => settings[key as SiteKey] !== value);
  if (changed.length === 0) return [];
  return [
    {
      path: settingsFile,
      expect: settingsEntry?.etag ?? null,
      data: Object.fromEntries(changed),
      order: [...siteKeys, 'public_api'],
    },
  ];
}
