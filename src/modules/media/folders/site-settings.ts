/** Folder settings of a site, `media-folders/settings.yaml`: switches that clients set. */
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { settingsFile } from './record.ts';

export const siteKeys = ['USER_MODE', 'SVG_SUPPORT', 'IS_SEARCH_USING_API'] as const;
export type SiteKey = (typeof siteKeys)[number];

export type SiteSettings = Readonly<Record<SiteKey, boolean>> & {
  /** Accepts the API key in the query as well. */
  readonly queryToken: boolean;
};

/** A boolean in the forms of clients and people; null if invalid. */
export function readSwitch(value: unknown): boolean | null {
  if (value === true || value === 1 || value === '1') return true;
  return value === false || value === 0 || value === '0' || value === '' || value === null ? false : null;
}

/** Reads the file; invalid values are off. */
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

/** The switches, as clients name them. */
export function switchesOf(settings: SiteSettings): Readonly<Record<SiteKey, boolean>> {
  return Object.fromEntries(siteKeys.map((key) => [key, settings[key]])) as Record<SiteKey, boolean>;
}

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
