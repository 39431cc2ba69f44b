/**
 * Parsed files: those of a content folder with what each of them is, its fields read one by one. Where the server stops at the
 * first value that does not fit, every one is reported here.
 */
import { type Fields, FieldProblem, type FileContext, type References } from '../kernel/model/field.ts';
import { logicalPath, slugOfPath } from '../kernel/model/logical-path.ts';
import { redirectsFile } from '../modules/content/permalinks/redirects-file.ts';
import { type TagValues, tagValuesKey } from '../modules/content/front-matter/record.ts';
import { knownKeys, usualOf } from '../modules/content/posts/file.ts';
import { topLevelNames, underMeta } from '../modules/types/top-level-fields.ts';
import { settleSlug } from '../modules/content/posts/record.ts';
import { asDraft, withStatusKeys } from '../modules/content/posts/stated-status.ts';
import { isAmongDrafts } from '../modules/types/record.ts';
import type { PathRow } from '../kernel/site/path-table.ts';
import { createSettings } from '../kernel/site/settings.ts';
import { isPlugin } from '../load-plugins.ts';
import type { Entry } from '../kernel/store/types.ts';
import { nearest } from '../kernel/model/spelling.ts';
import type { Content, Declarations } from './declarations.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean, type Keys } from '../kernel/model/remark.ts';
import { mediaPlace } from './relative-links.ts';

/** Something a file names. */
export interface Use {
  readonly keys: Keys;
  readonly target: ReferenceTarget;
  readonly ref: string | number;
  /** Under another key or in another form than ours. */
  readonly isOther?: boolean;
}

export type ReferenceTarget =
  | { readonly kind: 'term'; readonly taxonomy: string }
  | { readonly kind: 'user' }
  | { readonly kind: 'post'; readonly type: string };

export interface ParsedFile {
  /** Of the row of the path table that it fits: `post`, `media`, `revision`, `term`, `menu`, `user`, `comment`, `design`, … */
  readonly kind: string;
  readonly entry: Entry;
  /** Number space of its id. */
  readonly space: string;
  /** Type, taxonomy, kind of design file, id of the post of a comment, or '' of people and of menu items without a menu. */
  readonly of: string;
  readonly fields: Fields<never, never> | null;
  /** The record as far as its values fit. */
  readonly draft: Readonly<Record<string, unknown>>;
  readonly slug: string;
  /** Within which a slug stands for one item; null: it does not matter. */
  readonly scope: string | null;
  readonly uses: readonly Use[];
}

/** Former slugs and paths of an item. */
export function aliasesOf({ draft }: Pick<ParsedFile, 'draft'>): readonly string[] {
  return (draft.aliases as readonly string[] | undefined) ?? [];
}

/** Every file that is content of some kind, and what is wrong with single values or with where a file lies. */
export function readParsedFiles(
  content: Content,
  model: Declarations,
  zone: string,
): { readonly parsedFiles: ParsedFile[]; readonly findings: Finding[] } {
  const parsedFiles: ParsedFile[] = [];
  const findings: Finding[] = [];
  const settings = createSettings(
    model.settings,
    content.entries.find(({ path }) => path === 'site.yaml'),
  );
  const refs: Partial<References> = Object.assign({}, ...model.modules.list.map((module) => module.refs?.(settings)));
  for (const entry of [...content.entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const row = model.paths.find(entry.path);
    if (row)
      parsedFiles.push(
        readParsedFile(entry, row, { zone, refs, model, tags: settings.value(tagValuesKey) as TagValues }, findings),
      );
    else findings.push(...misplaced(entry.path, model));
  }
  for (const path of content.others ?? []) findings.push(...misplaced(path, model));
  return { parsedFiles, findings };
}

function readParsedFile(
  entry: Entry,
  { kind, type, space, fields, scope }: PathRow,
  {
    zone,
    refs,
    model,
    tags,
  }: Pick<FileContext, 'zone'> & {
    readonly refs: Partial<References>;
    readonly model: Declarations;
    readonly tags: TagValues;
  },
  findings: Finding[],
): ParsedFile {
  const { path } = entry;
  const topLevel = kind === 'post' || kind === 'term' ? topLevelNames(fields ?? {}, type) : new Set<string>();
  const usual =
    kind === 'post'
      ? usualOf(entry, knownKeys(fields ?? {}), topLevel, tags)
      : { ...underMeta(entry.data, topLevel), forms: null };
  const { data } = kind === 'post' ? withStatusKeys(usual.data) : usual;
  const keyOf = (key: string): string => usual.forms?.[key]?.key || key;
  const of = kind === 'comment' ? (path.split('/')[1] as string) : type;
  const draft: Record<string, unknown> = {
    id: 0,
    path,
    taxonomy: of,
    type: of,
    terms: {},
    floating: false,
    dateGmt: '',
    modifiedGmt: '',
  };
  const uses: Use[] = [];
  for (const { file } of Object.values(fields ?? {})) {
    if (!file) continue;
    const form = usual.forms?.[file.key];
    const cx = {
      path,
      mtimeMs: entry.mtimeMs,
      zone,
      refs: { ...recorder(keyOf(file.key), form?.found ?? data[file.key], uses, form !== undefined), ...refs },
    };
    try {
      file.read(data[file.key], draft as never, cx);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      findings.push({ path, keys: [keyOf(file.key)], ...say(`field:${file.key}`, error.message, error.hint) });
    }
  }
  const postType = kind === 'post' ? model.types.find((one) => one.name === of) : undefined;
  if (postType && isAmongDrafts(postType, path)) asDraft(draft as never, model.statuses);
  if (kind === 'post' && typeof draft.slug === 'string')
    settleSlug(Object.assign(draft as never, { title: draft.title ?? '', id: entry.data.id ?? 0 }), {
      path,
      refs: refs as References,
    });
  const slug = typeof draft.slug === 'string' ? draft.slug : slugOfPath(path, of === 'post');
  return { kind, of, space, fields, scope: scope?.(path) ?? null, entry, draft, slug, uses };
}

/** References that make nothing and note what they are asked for. */
export function recorder(key: string, raw: unknown, uses: Use[], isOther = false): References {
  let item = 0;
  const note = (target: ReferenceTarget, ref: string | number): number => {
    const keys = Array.isArray(raw) ? [key, item++] : [key];
    uses.push({ keys, target, ref, ...(isOther ? { isOther } : {}) });
    return typeof ref === 'number' ? ref : 0;
  };
  return {
    termId: (taxonomy, ref) => note({ kind: 'term', taxonomy }, ref),
    userId: (ref) => note({ kind: 'user' }, ref),
    postId: (type, ref) => note({ kind: 'post', type }, ref),
    termRef: (_, id) => id,
    userRef: (id) => id,
    postRef: (_, id) => id,
    defaultTerm: () => 0,
  };
}

/** A file that no folder of the site claims: said only where it looks like a slip. */
function misplaced(path: string, model: Declarations): Finding[] {
  if (!path.includes('/')) return misspelt(path);
  if (isPlugin(path))
    return model.hasPlugins ? [] : [{ path, keys: [], ...say('plugin', 'is not run: the operator does not allow plugins') }];
  const [top = '', second = ''] = path.split('/');
  const notRead = (why: string, hint: string | undefined): Finding[] => [
    { path, keys: [], ...say('not-content', `is not read: ${why}`, hint) },
  ];
  const folders = model.paths.rows.map(({ pattern }) => pattern.replace(/(?<![^/])[^/*#{]*[*#{].*$/s, ''));
  const tops = new Set(folders.map((folder) => folder.split('/', 1)[0] as string));
  if (!tops.has(top)) {
    const near = nearest(top, tops);
    return near === undefined ? [] : notRead(`${top}/ is not a folder of the site`, didYouMean(`${near}/`));
  }
  if (top === 'revisions') return [];
  if (top === 'terms') {
    const known = model.taxonomies.map(({ folder }) => folder);
    if (known.includes(second) && /\.ya?ml$/.test(path))
      return notRead('terms are not nested in folders', `move it to terms/${second}/`);
    if (known.includes(second)) return notRead('terms are YAML files', `rename it to ${logicalPath(path)}.yaml`);
    const near = nearest(second, known);
    const hint = didYouMean(near === undefined ? near : `terms/${near}/`, `folders are ${known.join(', ')}`);
    return notRead(`terms/${second}/ is not a taxonomy of the site`, hint);
  }
  // Beside the folders of records there are others, which modules read in ways of their own.
  if (!folders.some((folder) => path.startsWith(folder))) return [];
  if (top === 'comments') return notRead('comments are in folders named by the id of their item', 'comments/7/31.html');
  if (top === 'media' && /\.ya?ml$/.test(path))
    return notRead('the file beside it is not media', 'a sidecar has the whole name of its file: cat.jpg.yaml');
  const extension = /\.(mdx|mdown|mkd|txt|text|rst|json|toml|xhtml|docx?|pages|rtf)$/i.exec(path)?.[1];
  if (extension === undefined && !/\.(md|markdown|html?|ya?ml)$/i.test(path)) {
    const kind = /\.[^./]+$/.exec(path)?.[0];
    const why =
      kind === undefined ? `files without an extension do not belong in ${top}/` : `${kind} files do not belong in ${top}/`;
    const { path: place, address } = mediaPlace(path);
    return notRead(why, top === 'media' ? 'rename it' : `move it to ${place}; texts then show it as ${address}`);
  }
  if (/\/_index\.\w+$/.test(path)) return notRead('it is the page of a list', `write it as pages/${top}.md`);
  return notRead('a file of another kind is expected here', `docs/content.md says what ${top}/ holds`);
}

/** At the top, what looks like a file of redirects by another name. */
function misspelt(path: string): Finding[] {
  if (path === redirectsFile || !/^_?redirects?(?:\.(?:ya?ml|json|toml|md))?$/i.test(path)) return [];
  return [{ path, keys: [], ...say('not-content', 'is not read', `redirects are read from ${redirectsFile}`) }];
}
