/**
 * A file as a whole, written by somebody else than the server: which values it says, by their names in the API.
 */
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { parseEntry } from '../../../kernel/yaml/codec.ts';
import { isSame } from '../../../kernel/yaml/print.ts';
import type { PostType } from '../../types/record.ts';
import { wrongInput } from './inner.ts';

interface TextParts {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** @throws RestError ability_invalid_input */
export function readText(path: string, whole: string): TextParts {
  const bytes = Buffer.from(whole);
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if ('problem' in parsed) return wrongInput(`The front matter cannot be read: ${parsed.problem.message}`);
  return { data: parsed.entry.data, body: parsed.entry.body };
}

/** What a text says otherwise than the file; keys that it leaves out stay as they are. */
export function changedKeys(before: Params, after: Params): Params {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSame(before[key], value)));
}

/** Keys of front matter as fields of the API. @throws RestError ability_invalid_input for keys that are none */
export function fieldsOfKeys(site: Site, type: PostType, keys: Params): Params {
  const named = Object.entries(site.postFields.get(type.name) ?? {}).flatMap(([name, { file, set }]) =>
    file && set && !name.startsWith('_') ? [[file.key, name] as const] : [],
  );
  const names = new Map(named);
  return Object.fromEntries(
    Object.entries(keys).map(([key, value]) => {
      const name = names.get(key);
      return name === undefined
        ? wrongInput(`"${key}" cannot be set this way. Keys: ${[...names.keys()].sort().join(', ')}.`)
        : [name, value];
    }),
  );
}
