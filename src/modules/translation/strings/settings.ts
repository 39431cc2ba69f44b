/**
 * Settings that clients keep about strings, `lang/strings/settings/<group>.yaml`. Three of the group `strings` mean something here (see
 * `recognised`); all others are kept as they come.
 *
 * Source: reference on languages, 9.3.
 */
import { table } from '../../../kernel/model/maps.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, Entry, Problem } from '../../../kernel/store/types.ts';
import { settingsFolder } from './domain-files.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly stringSettings: StringSettings;
  }
}

interface StringSettings {
  take(batch: Batch): void;
  /** The file of a group. */
  of(group: string): Entry | undefined;
  /** Values of files that cannot be used. */
  problems(site: Languages): readonly Problem[];
}

type Languages = Pick<Site, 'languages'>;
type Reader = Languages & Pick<Site, 'stringSettings'>;

/** Names of groups and keys. */
export const namePattern = '^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_.-]{1,64}$';
const isName = new RegExp(namePattern);
const group = 'strings';

interface Recognised {
  /** What it is, as a sentence goes on after its name. */
  readonly form: string;
  fits(value: unknown, site: Languages): boolean;
}

const levels: readonly unknown[] = [0, 1, 2, '0', '1', '2'];

const recognised = table({
  source_language: {
    form: 'is the code of a language of the site',
    fits: (value, { languages }) => typeof value === 'string' && languages.of(value) !== undefined,
  },
  // Decimal numbers are kept as texts.
  autoregister: { form: 'is 0 (off), 1 (administrators) or 2 (everybody)', fits: (value) => levels.includes(value) },
  json_domains: {
    form: 'is a list of domains',
    fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  },
} as const satisfies Readonly<Record<string, Recognised>>);

type RecognisedKey = keyof typeof recognised;
const keys = Object.keys(recognised) as RecognisedKey[];

/** The language of strings that say none themselves; default: that of the site. */
export function sourceLanguage(site: Reader): string {
  return (usable(site, 'source_language') as string | undefined) ?? site.languages.default;
}

/** Whose answers register the strings that nobody has registered: nobody's, those of administrators, all. */
export function autoregister(site: Reader): 0 | 1 | 2 {
  return Number(usable(site, 'autoregister') ?? 0) as 0 | 1 | 2;
}

/** Domains that scripts have files of. */
export function scriptDomains(site: Reader): readonly string[] {
  return (usable(site, 'json_domains') as readonly string[] | undefined) ?? [];
}

function usable(site: Reader, key: RecognisedKey): unknown {
  const value = settingOf(site, group, key);
  return value !== undefined && recognised[key].fits(value, site) ? value : undefined;
}

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
        const name = groupOf(entry.path);
        if (name !== null) files.set(name, entry);
      }
    },
    of: (name) => files.get(name),
    problems(site) {
      const { path = '', data = {} } = files.get(group) ?? {};
      return keys.flatMap((key): readonly Problem[] => {
        if (data[key] === undefined || recognised[key].fits(data[key], site)) return [];
        const message = `${key} ${recognised[key].form}; it has no effect`;
        return [{ path, line: 1, column: 1, severity: 'warning', rule: 'string-setting', message }];
      });
    },
  };
}

/** What is stored under a key; undefined: nothing. */
function settingOf({ stringSettings }: Pick<Site, 'stringSettings'>, name: string, key: string): unknown {
  const data = stringSettings.of(name)?.data ?? {};
  return Object.hasOwn(data, key) ? data[key] : undefined;
}

/** @throws RestError rest_invalid_param for a value that a recognised setting does not take */
export async function saveSetting(site: Site, name: string, key: string, value: unknown): Promise<void> {
  const known = name === group ? keys.find((one) => one === key) : undefined;
  if (known !== undefined && !recognised[known].fits(value, site)) {
    const params = { data: `data of ${group}/${key} ${recognised[known].form}.` };
    fail('rest_invalid_param', { params, details: [] }, 'Invalid parameter(s): data');
  }
  await site.write(() => {
    const file = site.stringSettings.of(name);
    const write = { path: `${settingsFolder}${name}.yaml`, expect: file?.etag ?? null, data: { [key]: value }, order: [key] };
    const isSame = JSON.stringify(settingOf(site, name, key)) === JSON.stringify(value);
    return { changes: isSame ? [] : [write], result: null };
  });
}
