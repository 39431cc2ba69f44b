/**
 * Texts within the attributes of blocks: strings in the JSON of a delimiter. What a block shows of its attributes is known of the
 * standard blocks; a site says it of its own.
 */
import { type Delimiter, parseAttributes } from '../../render/blocks.ts';
import type { UnitRange } from './record.ts';

/** Name of a block → its attributes that are texts. */
export type BlockTexts = Readonly<Record<string, readonly string[]>>;

export const standardBlockTexts: BlockTexts = {
  'core/comments-pagination-next': ['label'],
  'core/comments-pagination-previous': ['label'],
  'core/home-link': ['label'],
  'core/more': ['customText'],
  'core/navigation': ['ariaLabel'],
  'core/navigation-link': ['label', 'description', 'title'],
  'core/navigation-submenu': ['label', 'description', 'title'],
  'core/post-excerpt': ['moreText'],
  'core/post-navigation-link': ['label'],
  'core/post-terms': ['prefix', 'suffix'],
  'core/query-pagination-next': ['label'],
  'core/query-pagination-previous': ['label'],
  'core/read-more': ['content'],
  'core/search': ['label', 'placeholder', 'buttonText'],
  'core/social-link': ['label'],
};

const string = /"((?:[^"\\]|\\.)*)"/y;

/** Ranges between the quotes of top members. */
export function attributeRanges(text: string, { start, end, name, json }: Delimiter, known: BlockTexts): UnitRange[] {
  const wanted = [...(standardBlockTexts[name] ?? []), ...(known[name] ?? [])];
  if (wanted.length === 0 || json === '' || parseAttributes(json) === null) return [];
  const offset = text.indexOf(json, start);
  const found: UnitRange[] = [];
  let depth = 0;
  let key: string | null = null;
  for (let at = 0; at < json.length && offset + at < end; at++) {
    const char = json[at] as string;
    if (char === '{' || char === '[') depth++;
    if (char === '}' || char === ']') depth--;
    if (char === ',' && depth === 1) key = null;
    if (char !== '"') continue;
    string.lastIndex = at;
    const [whole = '"', inner = ''] = string.exec(json) ?? [];
    if (depth === 1 && key === null) key = JSON.parse(whole) as string;
    else if (depth === 1 && wanted.includes(key as string) && /[\p{L}\p{N}]/u.test(inner))
      found.push({ at: [offset + at + 1, offset + at + 1 + inner.length], kind: 'attribute' });
    at += whole.length - 1;
  }
  return found;
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
