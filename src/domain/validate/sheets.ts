/**
 * Sheets: the files of a content folder with what each of them is, its fields read one by one. Where the server stops at the
 * first value that does not fit, every one is reported here.
 */
import { type Fields, FieldProblem, type FileContext, type References } from '../../model/field.ts';
import { placeAbove, placeOf, slugOfPath } from '../../model/post.ts';
import type { PostType } from '../../model/types.ts';
import { userFields } from '../../model/user.ts';
import type { Entry } from '../../store/types.ts';
import { hasOwnFiles } from '../post-shelf.ts';
import { nearest } from '../spelling.ts';
import type { Content, Declarations, Finding } from '../validate.ts';

export type SheetKind = 'post' | 'media' | 'revision' | 'term' | 'menu' | 'user';

/** Something a file names. */
export interface Use {
  readonly keys: readonly (string | number)[];
  readonly target: Target;
  readonly ref: string | number;
}

export type Target =
  | { readonly kind: 'term'; readonly taxonomy: string }
  | { readonly kind: 'user' }
  | { readonly kind: 'post'; readonly type: string };

export interface Sheet {
  readonly kind: SheetKind;
  readonly entry: Entry;
  /** Number space of its id. */
  readonly space: 'posts' | 'terms' | 'users';
  /** Type, taxonomy or '' of people. */
  readonly of: string;
  readonly fields: Fields<never, never> | null;
  /** The record as far as its values fit. */
  readonly draft: Readonly<Record<string, unknown>>;
  readonly slug: string;
  /** Within which a slug stands for one item; null: it does not matter. */
  readonly scope: string | null;
  readonly uses: readonly Use[];
}

type Identity = Pick<Sheet, 'kind' | 'space' | 'of' | 'fields' | 'scope'>;

/** Every file that is content of some kind, and what is wrong with single values or with where a file lies. */
export function readSheets(content: Content, model: Declarations, zone: string): { readonly sheets: Sheet[]; readonly findings: Finding[] } {
  const sheets: Sheet[] = [];
  const findings: Finding[] = [];
  const identify = createIdentifier(model);
  for (const entry of [...content.entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const identity = identify(entry.path);
    if (identity !== null) sheets.push(readSheet(entry, identity, zone, findings));
    else findings.push(...misplaced(entry.path, model));
  }
  const originals = new Set(content.blobs.map(({ path }) => path));
  for (const { kind, entry } of sheets) {
    if (kind !== 'media' || originals.has(entry.path.replace(/\.ya?ml$/, ''))) continue;
    const near = nearest(entry.path.replace(/\.ya?ml$/, ''), originals);
    const hint = near === undefined ? 'put the file beside it, or remove this one' : `did you mean ${near}.yaml?`;
    findings.push({ path: entry.path, keys: [], severity: 'error', rule: 'no-original', message: 'describes a file that is not there', hint });
  }
  return { sheets, findings };
}

function createIdentifier(model: Declarations): (path: string) => Identity | null {
  const taxonomies = new Map(model.taxonomies.map((taxonomy) => [taxonomy.folder, taxonomy]));
  const types = model.types.filter(hasOwnFiles).sort((a, b) => b.folder.length - a.folder.length);
  return (path) => {
    const [top = '', second = ''] = path.split('/');
    const isYaml = /\.ya?ml$/.test(path);
    if (isYaml && top === 'users') return { kind: 'user', space: 'users', of: '', fields: userFields, scope: 'user' };
    if (isYaml && top === 'menus') return { kind: 'menu', space: 'terms', of: 'nav_menu', fields: model.termFields.get('nav_menu') ?? null, scope: 'nav_menu' };
    if (isYaml && top === 'media') {
      return { kind: 'media', space: 'posts', of: 'attachment', fields: model.postFields.get('attachment') ?? null, scope: null };
    }
    const taxonomy = isYaml && top === 'terms' ? taxonomies.get(second) : undefined;
    if (taxonomy) {
      return { kind: 'term', space: 'terms', of: taxonomy.name, fields: model.termFields.get(taxonomy.name) ?? null, scope: `term:${taxonomy.name}` };
    }
    if (isYaml) return null;
    if (/^revisions\/\d+\/[^/]+$/.test(path)) return { kind: 'revision', space: 'posts', of: 'revision', fields: null, scope: null };
    const type = types.find(({ folder }) => path.startsWith(`${folder}/`));
    return type ? { kind: 'post', space: 'posts', of: type.name, fields: model.postFields.get(type.name) ?? null, scope: scopeOf(type, path) } : null;
  };
}

/** Items of a hierarchy need their own slug only among their siblings. */
function scopeOf(type: PostType, path: string): string {
  return type.hierarchical ? `post:${type.name}:${placeAbove(path)}` : `post:${type.name}`;
}

function readSheet(entry: Entry, identity: Identity, zone: string, findings: Finding[]): Sheet {
  const { path, data } = entry;
  const draft: Record<string, unknown> = { id: 0, path, taxonomy: identity.of, type: identity.of, terms: {}, floating: false, dateGmt: '', modifiedGmt: '' };
  const uses: Use[] = [];
  for (const { file } of Object.values(identity.fields ?? {})) {
    if (!file) continue;
    const cx: FileContext = { path, mtimeMs: entry.mtimeMs, zone, refs: recorder(file.key, data[file.key], uses) };
    try {
      file.read(data[file.key], draft as never, cx);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      const { message, hint } = error;
      findings.push({ path, keys: [file.key], severity: 'error', rule: `field:${file.key}`, message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  const slug = typeof draft.slug === 'string' ? draft.slug : slugOfPath(path);
  return { ...identity, entry, draft, slug, uses };
}

/** References that makes nothing and notes what it is asked for. */
function recorder(key: string, raw: unknown, uses: Use[]): References {
  let item = 0;
  const note = (target: Target, ref: string | number): number => {
    uses.push({ keys: Array.isArray(raw) ? [key, item++] : [key], target, ref });
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
    defaultAuthor: () => 0,
  };
}

/** A file that no folder of the site claims: said only where it looks like a slip. */
function misplaced(path: string, model: Declarations): Finding[] {
  if (path === 'site.yaml' || !path.includes('/')) return [];
  const [top = '', second = ''] = path.split('/');
  const folders = new Set([...model.types.map(({ folder }) => folder.split('/')[0] as string), 'terms', 'users', 'menus', 'media', 'comments', 'revisions']);
  const say = (message: string, hint: string): Finding[] => [{ path, keys: [], severity: 'warning', rule: 'not-content', message, hint }];
  if (!folders.has(top)) {
    const near = nearest(top, folders);
    return near === undefined ? [] : say(`is not read: ${top}/ is no folder of the site`, `did you mean ${near}/?`);
  }
  if (top === 'terms') {
    const known = model.taxonomies.map(({ folder }) => folder);
    if (known.includes(second)) return say('is not read: terms are YAML files', `rename it to ${placeOf(path)}.yaml`);
    const near = nearest(second, known);
    return say(`is not read: terms/${second}/ is no taxonomy of the site`, near === undefined ? `folders are ${known.join(', ')}` : `did you mean terms/${near}/?`);
  }
  return top === 'comments' || top === 'revisions' ? [] : say('is not read: a file of another kind is expected here', `see docs/content.md for what ${top}/ holds`);
}
