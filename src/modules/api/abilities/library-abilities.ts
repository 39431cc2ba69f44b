/**
 * Abilities for what items are sorted and shown by: terms, menus, media.
 */
import { realpathSync, statSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { basename, isAbsolute, relative } from 'node:path';
import type { Site } from '../../../kernel/site/site.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { mimeOf } from '../../media/files/types.ts';
import { cursor, fromCursor, next, toCursor } from './cursors.ts';
import { ask, type Shown, signedIn, wrongInput } from './inner.ts';
import { inLanguage, language, routeOf, taxonomyNamed } from './places.ts';
import { type Ability, closed, reads, text, typed } from './record.ts';

const number = typed('integer', 'Its number.');
/** Items of one menu in an answer. */
const mostMenuItems = 200;

const rows = (description: string) =>
  ({ type: 'array', items: typed('object', description, { additionalProperties: true }) }) as const;

/** @param site  from whose machine files may be taken, if it names folders for that */
export function libraryAbilities(site: Site): readonly Ability[] {
  const folders = site.localFolders ?? [];
  const file = text(`Path of a file on this machine, in ${folders.join(' or ')}. In place of \`url\`.`);
  return [
    {
      name: 'cms/terms',
      label: 'List terms',
      description: 'Lists the terms of a taxonomy: categories, tags, and those that the site declares.',
      category: 'content',
      input: {
        ...closed({
          taxonomy: text('category (default), post_tag, or another one from cms/describe.'),
          search: text('Part of a name.', { maxLength: 200 }),
          language,
          limit: typed('integer', 'How many at most.', { minimum: 1, maximum: 100, default: 100 }),
          cursor,
        }),
        default: {},
      },
      output: closed({ terms: rows('A term: id, name, slug, parent, count, url, path.'), next }),
      annotations: reads,
      asks: true,
      may: signedIn,
      run: (call, input) => listTerms(call, input as TermsInput),
    },
    {
      name: 'cms/menus',
      label: 'List menus',
      description: `Lists the menus of the site with their first ${mostMenuItems} items.`,
      category: 'content',
      input: {
        ...closed({ limit: typed('integer', 'How many menus at most.', { minimum: 1, maximum: 20, default: 5 }), cursor }),
        default: {},
      },
      output: closed({ menus: rows('A menu: id, name, locations, path, items.'), next }),
      annotations: reads,
      asks: true,
      may: (on, actor) => on.access.can(actor, 'edit_theme_options'),
      run: (call, input) => listMenus(call, input as Part),
    },
    {
      name: 'cms/upload',
      label: 'Upload a file',
      description: 'Adds an image from a public address to the media library. Private addresses are refused.',
      category: 'content',
      input: closed({
        url: text('Address of the image.', { maxLength: 2000 }),
        ...(folders.length > 0 ? { file } : {}),
        title: text('Title in the library.'),
        alt_text: text('What the image shows, for those who do not see it.'),
        caption: text('Caption.'),
      }),
      output: closed({
        id: number,
        path: text('Its sidecar file.'),
        url: text('Address of the file, for texts.'),
        mime_type: text('Its media type.'),
      }),
      annotations: { readonly: false, destructive: false, idempotent: false },
      asks: true,
      may: (on, actor) => on.access.can(actor, 'upload_files'),
      run: (call, input) => upload(call, input as UploadInput, folders),
    },
  ];
}

interface Part {
  readonly limit?: number;
  readonly cursor?: string;
}

interface TermsInput extends Part {
  readonly taxonomy?: string;
  readonly search?: string;
  readonly language?: string;
}

async function listTerms(call: Call, input: TermsInput): Promise<unknown> {
  const { taxonomy = 'category', search, language: code, limit = 100, cursor: sent } = input;
  const [offset = 0] = fromCursor(sent, 1);
  const words = search === undefined ? {} : { search };
  const { data, headers } = await ask(call, 'GET', routeOf(taxonomyNamed(call.site, taxonomy)), {
    query: { per_page: limit, offset, _fields: 'id,name,slug,parent,count,link', ...inLanguage(call.site, code), ...words },
  });
  const found = data as readonly Shown[];
  const end = offset + found.length;
  return {
    terms: found.map(({ link, ...term }) => ({ ...term, url: link, path: call.site.terms.get(term.id)?.path })),
    ...(found.length > 0 && end < Number(headers['X-CMS-Total']) ? { next: toCursor([end]) } : {}),
  };
}

async function listMenus(call: Call, { limit = 5, cursor: sent }: Part): Promise<unknown> {
  const [offset = 0] = fromCursor(sent, 1);
  const { data, headers } = await ask(call, 'GET', '/cms/v2/menus', {
    query: { context: 'edit', per_page: limit, offset, _fields: 'id,name,locations' },
  });
  const menus: unknown[] = [];
  for (const menu of data as readonly Shown[]) {
    const items: Shown[] = [];
    for (let page = 0; items.length === page * 100 && items.length < mostMenuItems; page++) {
      const query = {
        context: 'edit',
        menus: menu.id,
        per_page: 100,
        offset: items.length,
        _fields: 'id,title,url,parent,type,object,object_id',
      };
      items.push(...((await ask(call, 'GET', '/cms/v2/menu-items', { query })).data as readonly Shown[]));
    }
    menus.push({
      ...menu,
      path: call.site.terms.get(menu.id)?.path,
      items: items.map(({ title, ...item }) => ({ ...item, title: titleOf(title) })),
    });
  }
  const end = offset + menus.length;
  return { menus, ...(menus.length > 0 && end < Number(headers['X-CMS-Total']) ? { next: toCursor([end]) } : {}) };
}

function titleOf(title: unknown): unknown {
  return typeof title === 'object' && title !== null && 'raw' in title ? title.raw : title;
}

interface UploadInput {
  readonly url?: string;
  readonly file?: string;
  readonly title?: string;
  readonly alt_text?: string;
  readonly caption?: string;
}

async function upload(call: Call, { url, file, ...about }: UploadInput, folders: readonly string[]): Promise<unknown> {
  if ((url === undefined) === (file === undefined))
    wrongInput(folders.length > 0 ? 'Name a `url` or a `file`.' : 'Name a `url`.');
  const { data } =
    file === undefined
      ? await ask(call, 'POST', '/cms/v2/media', { json: { ...about, url } })
      : await uploadFile(call, file, about, folders);
  const { id, source_url: source, mime_type: mime } = data as Shown;
  return { id, path: call.site.posts.get(id)?.path, url: source, mime_type: mime };
}

/** The same as a form with a file. Its path counts as the disk has it, whatever links lead there. */
async function uploadFile(call: Call, named: string, about: object, folders: readonly string[]) {
  const real = realOf(named);
  if (real === null || !folders.some((folder) => isBelow(folder, real)))
    return wrongInput(`Files are taken from ${folders.join(' or ')} only.`);
  const spool = call.site.store.spoolFile();
  try {
    await copyFile(real, spool);
    const name = basename(real);
    const { size } = statSync(spool);
    const part = { name: 'file', filename: name, type: mimeOf(name) ?? 'application/octet-stream', file: spool, size };
    return await ask(call, 'POST', '/cms/v2/media', { json: { ...about }, files: [part] });
  } finally {
    await rm(spool, { force: true });
  }
}

function realOf(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
