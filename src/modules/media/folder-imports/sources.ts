/**
 * Sources of other products' folders: a file that a person puts into the content folder, as YAML or a site export.
 *
 * Source: reference of media folders, 7; decisions, "Where things are kept".
 */
import { table } from '../../../kernel/model/maps.ts';
import { Parser } from 'htmlparser2';
import { fail } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { mediaFolder } from '../../../kernel/store/paths.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { parseYaml, YamlFault } from '../../../kernel/yaml/parse.ts';
import type { SourceFolder } from './record.ts';

/** The attachment taxonomy in which a product stores folders, in a site export. */
const taxonomies: Readonly<Record<string, string>> = table({
  happyfiles: 'happyfiles_category',
  enhanced: 'media_category',
  wpmf: 'wpmf-category',
  premio: 'media_folder',
  wf: 'wf_attachment_folders',
  feml: 'feml-folder',
  mla: 'attachment_category',
  mediamatic: 'mediamatic_wpfolder',
});

const mostBytes = 32 * 1024 * 1024;

function pathsOf(prefix: string): readonly string[] {
  return [`imports/media-folders/${prefix}`, `import/${prefix}/media-folders`].flatMap((path) =>
    ['yaml', 'yml', 'xml'].map((extension) => `${path}.${extension}`),
  );
}

/** Null if there is none. */
export async function findSource(
  { store }: Pick<Site, 'store'>,
  prefix: string,
): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null> {
  for (const path of pathsOf(prefix)) {
    const bytes = await store.readBytes(path);
    if (bytes !== null) return { path, bytes };
  }
  return null;
}

/** @returns null without a source @throws RestError rest_file_unreadable */
export async function readSource(site: Site, prefix: string): Promise<readonly SourceFolder[] | null> {
  const found = await findSource(site, prefix);
  if (found === null) return null;
  const { path, bytes } = found;
  if (bytes.length > mostBytes) fail('rest_file_unreadable', { file: path }, `${path} is too large.`);
  const text = Buffer.from(bytes).toString('utf8');
  if (path.endsWith('.xml')) return readExport(site, text, taxonomies[prefix.toLowerCase()] ?? prefix);
  try {
    return readFolders(parseYaml(text));
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return fail('rest_file_unreadable', { file: path }, `${path} cannot be read: ${error.message}`);
  }
}

function readFolders({ folders, members }: Readonly<Record<string, unknown>>): readonly SourceFolder[] {
  const lists = typeof members === 'object' && members !== null ? (members as Record<string, unknown>) : {};
  const rows = (Array.isArray(folders) ? folders : []).flatMap((raw: unknown) => {
    if (typeof raw !== 'object' || raw === null) return [];
    const { id, name, parent, ord, created_by: owner } = raw as Readonly<Record<string, unknown>>;
    if (!isId(id) || (typeof name !== 'string' && typeof name !== 'number')) return [];
    return {
      ...{ id, name: String(name), parent: isId(parent) ? parent : 0, ord: Number.isSafeInteger(ord) ? (ord as number) : 0 },
      ...{ owner: isId(owner) ? owner : 0, attachments: [lists[id] ?? []].flat().filter(isId) },
    };
  });
  const ids = new Set(rows.map(({ id }) => id));
  // An orphan is shown at the top.
  return rows.map((row) => (ids.has(row.parent) ? row : { ...row, parent: 0 }));
}

interface ExportedTerm {
  readonly id: number;
  readonly slug: string;
  readonly parent: string;
  readonly name: string;
}

/** Terms of one taxonomy in an export, with local attachments. */
function readExport(site: Site, text: string, taxonomy: string): readonly SourceFolder[] {
  const terms: ExportedTerm[] = [];
  const members = new Map<string, number[]>();
  let values: Record<string, string> = {};
  let slugs: string[] = [];
  let open: string | null = null;
  const parser = new Parser(
    {
      onopentag(name, { domain, nicename }) {
        if (name === 'wp:term' || name === 'item') [values, slugs] = [{}, []];
        if (name === 'category' && domain === taxonomy && nicename !== undefined) slugs.push(decoded(nicename));
        open = name;
        values[name] = '';
      },
      ontext(part) {
        if (open !== null) values[open] += part;
      },
      onclosetag(name) {
        open = null;
        if (name === 'wp:term' && values['wp:term_taxonomy']?.trim() === taxonomy) terms.push(termOf(values));
        const id = name === 'item' && values['wp:post_type']?.trim() === 'attachment' ? attachmentOf(site, values) : undefined;
        if (id !== undefined) for (const slug of slugs) members.set(slug, [...(members.get(slug) ?? []), id]);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  const ids = new Map(terms.map(({ id, slug }) => [slug, id]));
  return terms.map(({ id, slug, parent, name }, ord) => {
    return { id, name, parent: ids.get(parent) ?? 0, ord, owner: 0, attachments: members.get(slug) ?? [] };
  });
}

function termOf(values: Readonly<Record<string, string>>): ExportedTerm {
  const text = (name: string): string => values[`wp:term_${name}`]?.trim() ?? '';
  return { id: Number(text('id')), slug: decoded(text('slug')), parent: decoded(text('parent')), name: text('name') };
}

/** The local attachment: by file path, else by id. */
function attachmentOf({ posts }: Pick<Site, 'posts'>, values: Readonly<Record<string, string>>): number | undefined {
  const place = /\/uploads\/(.+)$/.exec(values['wp:attachment_url']?.trim() ?? '')?.[1];
  const [found] = place === undefined ? [] : posts.with('place', mediaFolder + decoded(place));
  return found ?? posts.get(Number(values['wp:post_id']?.trim()))?.id;
}
