/**
 * Headers that no line opens, as some generators have them: keys at the top of a file that end at a line of `---` (Hexo; `;;;` below
 * JSON), or at the first blank line (Pelican, MultiMarkdown; `:key: value` as in reStructuredText). A text that begins with words and
 * a colon is none: a title or a date has to be among the keys.
 */
import { YamlFault } from './parse.ts';

export interface BareHeader {
  /** `yaml` and `json`: without what opens and closes it. `lines`: a key and its text on each, further lines indented. */
  readonly form: 'yaml' | 'json' | 'lines';
  /** Places in the text. */
  readonly start: number;
  readonly end: number;
  readonly body: number;
}

const maxLines = 200;
const maxLength = 64 * 1024;
const yamlKey = /^("[^"\n]{1,60}"|'[^'\n]{1,60}'|[A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t]|$)/;
const colonKey = /^:([A-Za-z][\w-]{0,60}):(?:[ \t]|$)/;
/** Lines that go on with a value, and comments. */
const further = /^(?:[ \t]+\S|-[ \t]|#|[\]}])/;
/** Words of a header, one of which has to stand beside the title of one that ends at a blank line. */
const known = new Set(
  'title date modified updated tags keywords category categories author authors slug summary description excerpt status lang layout template url permalink save_as published draft'.split(
    ' ',
  ),
);

/**
 * The header at the top of a text; null where there is none.
 *
 * @param start  after a byte order mark
 * @param isLone  a title alone is one, too
 */
export function bareHeader(text: string, start = 0, isLone = false): BareHeader | null {
  const first = /[^\s\u200b\u2060]/g;
  first.lastIndex = start;
  const at = first.exec(text)?.index ?? text.length;
  // Indented text is code.
  if (!/[A-Za-z":]/.test(text[at] ?? '') || /[ \t]$/.test(text.slice(Math.max(start, at - 1), at))) return null;
  const isColon = text[at] === ':';
  const keyOf = (line: string): string | undefined => (isColon ? colonKey : yamlKey).exec(line)?.[1]?.replace(/["']/g, '');
  const isHeader = (): boolean => hasKnown(keys) || (isLone && keys.length === 1 && keys[0] === 'title');
  const keys: string[] = [];
  /** Where a header would end that ends at a blank line. */
  let blank: number | undefined;
  let from = at;
  for (let count = 0; count < maxLines && from - at < maxLength; count++) {
    const stop = text.indexOf('\n', from);
    const end = stop === -1 ? text.length : stop;
    const line = text.slice(from, end).replace(/\r$/, '');
    const body = stop === -1 ? end : stop + 1;
    if (/^(?:-{3,}|;{3,})[ \t]*$/.test(line)) {
      if (isColon || !keys.some((key) => key === 'title' || key === 'date' || key === 'layout')) break;
      const isJson = line.startsWith(';');
      return isJson === (text[at] === '"') ? { form: isJson ? 'json' : 'yaml', start: at, end: from, body } : null;
    }
    const key = keyOf(line)?.toLowerCase();
    if (key !== undefined) keys.push(key);
    else if (line.trim() === '') blank ??= isHeader() ? from : -1;
    else if (!further.test(line)) break;
    // A text may say all of it and no more.
    if (stop === -1) blank ??= isHeader() ? text.length : -1;
    if (stop === -1 || keys.length === 0) break;
    from = body;
  }
  if (blank === undefined || blank < 0 || text[at] === '"') return null;
  const after = text.slice(blank).search(/\S/);
  return { form: 'lines', start: at, end: blank, body: after < 0 ? text.length : text.lastIndexOf('\n', blank + after) + 1 };
}

/** Keys as generators know them, and nothing but such lines. */
function hasKnown(keys: readonly string[]): boolean {
  const words = new Set(keys.filter((key) => known.has(key)));
  return words.has('title') ? words.size > 1 : words.has('date') && words.size > 2;
}

/** The values of a header of lines, by their keys in small letters. Names and tags are lists. */
export function headerLines(text: string): Readonly<Record<string, string | readonly string[]>> {
  const values = new Map<string, string>();
  let last = '';
  for (const line of text.split(/\r?\n/)) {
    const [, key, value = ''] = /^:?([A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key === undefined) values.set(last, `${values.get(last) ?? ''}\n${line.trim()}`.trim());
    else {
      last = key.toLowerCase();
      values.set(last, value.trim());
    }
  }
  values.delete('');
  return Object.fromEntries(
    [...values].map(([key, value]) => [
      key,
      lists.has(key)
        ? value
            .split(value.includes(';') ? ';' : /[,\n]/)
            .map((one) => one.trim())
            .filter((one) => one !== '')
        : value,
    ]),
  );
}

const lists = new Set(['tags', 'keywords', 'categories', 'authors']);

/** Why a text that begins with such a header is not a body. */
export function bareHeaderFault(text: string, start: number, path: string): YamlFault | null {
  const header = /\.html?$/i.test(path) ? null : bareHeader(text, start);
  if (header === null) return null;
  return new YamlFault(
    'front-matter-start',
    header.start,
    'The file begins with keys that no line of `---` opens.',
    'Write a line of exactly `---` above and below the keys. cms import reads such files as they are.',
  );
}
