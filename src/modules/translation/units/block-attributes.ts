/**
 * Texts within the attributes of blocks: strings in the JSON of a delimiter. What a block shows of its attributes is known of the
 * standard blocks; a site says it of its own.
 */
import { blockTypes } from '../../../render/block-types.ts';
import { type Delimiter, parseAttributes } from '../../../render/blocks.ts';
import type { BlockTexts } from '../../languages/config/record.ts';
import { labelled, type UnitRange } from './record.ts';

const string = /"((?:[^"\\]|\\.)*)"/y;

/** Ranges between the quotes of members that are texts. */
export function attributeRanges(text: string, { start, end, name, json }: Delimiter, own: BlockTexts | undefined): UnitRange[] {
  const standard = blockTypes.get(name)?.texts;
  if ((!standard && !own) || own?.isLeftAlone || json === '' || parseAttributes(json) === null) return [];
  const offset = text.indexOf(json, start);
  const found: UnitRange[] = [];
  for (const { path, at, inner } of strings(json)) {
    const from = offset + at + 1;
    const isStandard = path.length === 1 && standard?.includes(path[0] as string);
    const label = own?.attribute(path) ?? (isStandard ? '' : null);
    if (label === null || from > end || !/[\p{L}\p{N}]/u.test(inner)) continue;
    found.push({ at: [from, from + inner.length], kind: 'attribute', ...labelled(own?.label ?? '', label) });
  }
  return found;
}

/** Strings that are values, with the names and places that lead to them. @param json  an object */
function* strings(json: string): Generator<{ readonly path: readonly string[]; readonly at: number; readonly inner: string }> {
  const path: string[] = [];
  /** Of each level, whether it is a list. */
  const lists: boolean[] = [];
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at] as string;
    if (char === '{' || char === '[') {
      lists.push(char === '[');
      path.push('0');
      isKey = char === '{';
    } else if (char === '}' || char === ']') {
      lists.pop();
      path.pop();
      isKey = false;
    } else if (char === ',') {
      isKey = !lists.at(-1);
      if (!isKey) path.push(String(Number(path.pop()) + 1));
    } else if (char === '"') {
      string.lastIndex = at;
      const [whole = '"', inner = ''] = string.exec(json) ?? [];
      if (isKey) path[path.length - 1] = JSON.parse(whole) as string;
      else yield { path, at, inner };
      isKey = false;
      at += whole.length - 1;
    }
  }
}

/** What stands between the quotes as the text it is. */
export function decodeJson(raw: string): string {
  return JSON.parse(`"${raw}"`) as string;
}

/** Text between quotes, as delimiters have it: no sign in it ends a comment or begins a tag. */
export function encodeJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('--', '\\u002d\\u002d')
    .replace(/\\"/g, '\\u0022')
    .replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
