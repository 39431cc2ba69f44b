/**
 * Strings that answers look up and nobody has registered: the setting `autoregister` says whose answers register them. They go to the
 * list of their domain, `lang/strings/<domain>.yaml`, from where they are ordered and translated like those that a site lists itself.
 *
 * Source: reference on languages, 9.3.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { type DomainFiles, writeOriginals } from './domain-files.ts';
import { nameKey, type SourceString } from './record.ts';
import { autoregister } from './settings.ts';

/** Notes a string that was looked up for somebody, and in vain. */
export type NoteString = (string: SourceString, by: Actor | null) => void;

/** Beyond it the strings that were met are forgotten, and looked at once more. */
const mostMet = 10_000;
/** Of a value: longer ones are bodies. */
const maxLength = 1000;

const keyOf = ({ domain, name, context }: Pick<SourceString, 'domain' | 'name' | 'context'>): string =>
  `${domain}\n${nameKey(name, context)}`;

export function createAutoregister(site: Site, files: DomainFiles): NoteString {
  const met = new Set<string>();
  let waiting = new Map<string, SourceString>();

  async function register(): Promise<void> {
    const found = waiting;
    waiting = new Map();
    await site.write(() => {
      const registered = new Map([...site.translationStrings.all().values()].map((one) => [keyOf(one), one]));
      const byDomain = new Map<string, SourceString[]>();
      for (const one of found.values()) {
        const isListed = files.of(one.domain, '')?.own.some((own) => keyOf(own) === keyOf(one));
        if (registered.get(keyOf(one))?.value === one.value || (registered.has(keyOf(one)) && !isListed)) continue;
        byDomain.set(one.domain, [...(byDomain.get(one.domain) ?? []), one]);
      }
      const changes = [...byDomain].map(([domain, some]) => writeOriginals(files.of(domain, ''), domain, some));
      return { changes, result: null, once: 'strings:autoregister' };
    });
  }

  return (string, by) => {
    const mode = autoregister(site);
    if (mode === 0 || site.store.readOnly || (mode === 1 && !site.access.can(by, 'manage_options'))) return;
    const { value } = string;
    const key = `${keyOf(string)}\n${value}`;
    if (met.has(key) || value.trim() === '' || value.length > maxLength) return;
    if (met.size >= mostMet) met.clear();
    met.add(key);
    waiting.set(keyOf(string), string);
    // The strings of one response are written together.
    if (waiting.size === 1) setImmediate(() => void site.store.faults.background('strings', register));
  };
}
