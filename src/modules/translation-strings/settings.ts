/**
 * Settings that clients keep about strings, `lang/strings/settings/<group>.yaml`. One means something here: `json_domains` of the group
 * `strings`. All others, `source_language` and `autoregister` among them, are kept as they come and have no effect.
 *
 * Source: reference on languages, 9.3.
 */
import type { Site } from '../../kernel/site/site.ts';
import type { Batch, Entry } from '../../kernel/store/types.ts';
import { settingsFolder } from './domain-files.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly stringSettings: StringSettings;
  }
}

export interface StringSettings {
  take(batch: Batch): void;
  /** The file of a group. */
  of(group: string): Entry | undefined;
}

/** Names of groups and keys. */
export const namePattern = '^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_.-]{1,64}$';
const isName = new RegExp(namePattern);

export function createStringSettings(): StringSettings {
  const files = new Map<string, Entry>();
  const groupOf = (path: string): string | null => {
    const name = path.startsWith(settingsFolder) && path.endsWith('.yaml') ? path.slice(settingsFolder.length, -5) : '';
    return isName.test(name) ? name : null;
  };
  return {
    take({ entries, removed }) {
      for (const path of removed) files.delete(groupOf(path) ?? '');
      for (const entry of entries) {
        const group = groupOf(entry.path);
        if (group !== null) files.set(group, entry);
      }
    },
    of: (group) => files.get(group),
  };
}

/** What is stored under a key; undefined: nothing. */
export function settingOf({ stringSettings }: Pick<Site, 'stringSettings'>, group: string, key: string): unknown {
  const data = stringSettings.of(group)?.data ?? {};
  return Object.hasOwn(data, key) ? data[key] : undefined;
}

export async function saveSetting(site: Site, group: string, key: string, value: unknown): Promise<void> {
  await site.write(() => {
    const file = site.stringSettings.of(group);
    const write = { path: `${settingsFolder}${group}.yaml`, expect: file?.etag ?? null, data: { [key]: value }, order: [key] };
    const isSame = JSON.stringify(settingOf(site, group, key)) === JSON.stringify(value);
    return { changes: isSame ? [] : [write], result: null };
  });
}
