/**
 * Hugo's cascades: front matter that a section, or the configuration, gives the pages below it, all of them or those of a target.
 * The nearest section wins; a page's own front matter wins over all. Source: the generator's documentation (0.140) on front matter.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { type GeneratorFolder, folderOf, nameOf } from './folder.ts';
import { type Data, readPage, Unreadable } from './front-matter.ts';
import { listOf, textOf } from './keys.ts';

interface Page {
  /** Its file. */
  readonly path: string;
  /** The same below the folder of pages, without its language. */
  readonly inner: string;
  readonly lang: string;
}

interface Cascade {
  /** The file that says it; '' of the configuration. */
  readonly source: string;
  readonly values: Data;
  readonly target: Data;
}

/**
 * @param configured  `cascade` of the configuration
 * @param innerOf  a path below `content` without its language
 * @returns what is given to a page
 */
export async function cascadesOf(
  folder: GeneratorFolder,
  configured: unknown,
  content: string,
  innerOf: (path: string) => string,
): Promise<(page: Page) => Data> {
  const byFolder = new Map<string, Cascade[]>();
  const all = rowsOf(configured, '');
  for (const path of folder.paths) {
    if (!path.startsWith(content) || !/^_index\.(?:md|markdown|html)$/i.test(innerOf(path).replace(/^.*\//, ''))) continue;
    const rows = rowsOf(await cascadeIn(folder, path), path);
    if (rows.length === 0) continue;
    const dir = folderOf(innerOf(path));
    byFolder.set(dir, [...(byFolder.get(dir) ?? []), ...rows]);
  }
  if (all.length === 0 && byFolder.size === 0) return () => ({});
  return (page) => {
    const fitting: Data[] = [];
    for (let dir = folderOf(page.inner); ; dir = folderOf(dir)) {
      for (const row of byFolder.get(dir) ?? []) if (row.source !== page.path && fits(row, page)) fitting.unshift(row.values);
      if (dir === '') break;
    }
    return Object.assign({}, ...all.filter((row) => fits(row, page)).map(({ values }) => values), ...fitting);
  };
}

async function cascadeIn(folder: GeneratorFolder, path: string): Promise<unknown> {
  try {
    const { data } = readPage(await folder.text(path));
    return data[Object.keys(data).find((key) => key.toLowerCase() === 'cascade') ?? ''];
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function rowsOf(raw: unknown, source: string): Cascade[] {
  return listOf(raw)
    .map(mapOf)
    .map(({ target, _target, ...values }) => ({ source, values, target: { ...mapOf(target), ...mapOf(_target) } }))
    .filter(({ values }) => Object.keys(values).length > 0);
}

/** Whether a target has a page. What of it is not understood leaves nothing out: what is held back stays so. */
function fits({ target }: Cascade, { inner, lang }: Page): boolean {
  const isIndex = nameOf(inner) === '_index';
  const kind = !isIndex ? 'page' : folderOf(inner) === '' ? 'home' : 'section';
  const place = isIndex || nameOf(inner) === 'index' ? folderOf(inner) : `${folderOf(inner)}/${nameOf(inner)}`;
  const matches = (pattern: unknown, text: string): boolean => {
    const said = textOf(pattern);
    return said === '' || matchesGlob(said.toLowerCase(), text.toLowerCase());
  };
  return (
    matches(target.path, `/${place.replace(/^\/+/, '')}`) &&
    matches(target.kind, kind) &&
    matches(target.lang, lang) &&
    matches(target.environment, 'production')
  );
}

const maxPattern = 500;
const maxChoices = 50;

/**
 * Whether a text matches a pattern with `*`, `**`, `?` and `{a,b}`; one that says more, or too much, matches.
 * Cost: O(pattern × text), at most 50 times.
 */
function matchesGlob(pattern: string, text: string): boolean {
  if (pattern.length > maxPattern || text.length > 4 * maxPattern || /[[\]!\\]/.test(pattern)) return true;
  let choices = [pattern];
  for (let open = true; open; ) {
    open = false;
    const next = choices.flatMap((one) => {
      const found = /\{([^{}]*)\}/.exec(one);
      if (!found) return [one];
      open = true;
      return (found[1] as string)
        .split(',')
        .map((word) => one.slice(0, found.index) + word.trim() + one.slice(found.index + found[0].length));
    });
    if (next.length > maxChoices) return true;
    choices = next;
  }
  return choices.some((one) => matchesPlain(one, text));
}

/** `reached[at]`: whether the pattern so far matches the text up to there. */
function matchesPlain(pattern: string, text: string): boolean {
  let reached: boolean[] = Array.from({ length: text.length + 1 }, (_, at) => at === 0);
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at] as string;
    const isDeep = sign === '*' && pattern[at + 1] === '*';
    if (isDeep) at++;
    const next: boolean[] = new Array(text.length + 1).fill(false);
    for (let end = 0; end <= text.length; end++) {
      if (sign === '*')
        next[end] = (reached[end] ?? false) || (end > 0 && (next[end - 1] ?? false) && (isDeep || text[end - 1] !== '/'));
      else if (end > 0)
        next[end] = (reached[end - 1] ?? false) && (sign === '?' ? text[end - 1] !== '/' : text[end - 1] === sign);
    }
    reached = next;
  }
  return reached[text.length] ?? false;
}
