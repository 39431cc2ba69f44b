/** What `cms validate` says of the file of an item, beside the fields it is about. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ask, namespace } from './api.ts';
import { fieldName } from './fields.ts';
import { say } from './words.ts';

interface Finding {
  /** Where in the front matter; none: the text, or all of the file. */
  readonly keys: readonly (string | number)[];
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
}

/** Findings by the field they stand beside; '': those of the rest of the file. */
export type Found = ReadonlyMap<string, readonly Finding[]>;

export const FoundContext = createContext<Found>(new Map());

/** Keys of files for what the interface calls otherwise. */
const fieldOfKey: Readonly<Record<string, string>> = {
  order: 'menu_order',
  comments: 'comment_status',
  pings: 'ping_status',
  draft: 'status',
};

/**
 * Asks anew whenever the file is another one.
 * @param etag   of the item
 * @param shown  names of the fields that are on the page
 */
export function useFindings(id: number | undefined, etag: string, shown: readonly string[]): Found {
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  useEffect(() => {
    let isPast = false;
    if (id !== undefined)
      // Whoever may not see the file is told nothing.
      ask<{ findings: readonly Finding[] }>(`${namespace}/findings`, { query: { id } }).then(
        ({ data }) => isPast || setFindings(data.findings),
        () => isPast || setFindings([]),
      );
    return () => {
      isPast = true;
    };
  }, [id, etag]);
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const place = placeOf(finding, shown);
    found.set(place, [...(found.get(place) ?? []), finding]);
  }
  return found;
}

function placeOf({ keys: [first, second] }: Finding, shown: readonly string[]): string {
  const key = first === undefined ? 'content' : String(first);
  const names = [Object.hasOwn(fieldOfKey, key) ? (fieldOfKey[key] as string) : key, `fields:${key}`, `${key}:${second}`];
  return names.find((name) => shown.includes(name)) ?? '';
}

/** Those of some fields; none: those of what the page does not show. */
export function Findings({ of = [''] }: { of?: readonly string[] }) {
  const found = useContext(FoundContext);
  const findings = of.flatMap((name) => (found.get(name) ?? []).map((finding) => ({ name, ...finding })));
  if (findings.length === 0) return null;
  return (
    <ul class="findings" aria-label={say('Findings')}>
      {findings.map(({ name, keys, severity, message, hint }) => (
        <li key={`${keys.join('.')} ${message}`} class={severity}>
          {of.length > 1 && `${fieldName(name)}: `}
          {name === '' && keys.length > 0 && <code>{keys.join('.')}: </code>}
          {message}
          {hint !== undefined && <span class="note"> {hint}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Says how many there are, for those who hear the page. */
export function FindingsCount({ found }: { found: Found }) {
  const count = [...found.values()].reduce((sum, { length }) => sum + length, 0);
  return (
    <p role="status" class="note">
      {count === 0 ? '' : count === 1 ? say('One finding in the file') : say('{count} findings in the file', { count })}
    </p>
  );
}
