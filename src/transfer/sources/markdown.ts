/**
 * Importer of Markdown sites: Jekyll, Hugo, Astro, Eleventy, and plain folders. Which one it is, is seen from its files.
 *
 * A kind of site (`markdown/generator.ts`) says what each file is and where it was; the rest is the same for all. The keys of items
 * are their paths in the folder. No program of the source is run, and nothing outside of the folder is read.
 */
import { stat } from 'node:fs/promises';
import { extensionOf } from '../../modules/media-files/types.ts';
import { slugOfFileName } from '../../kernel/model/slugs.ts';
import { type Item, type PostItem, type Source, SourceError } from '../import/items.ts';
import { createAddresses } from './markdown/addresses.ts';
import { astro } from './markdown/astro.ts';
import { type DocumentContext, documentOf } from './markdown/document.ts';
import { eleventy } from './markdown/eleventy.ts';
import { type SiteGenerator, type MenuEntry, type PageRole, type GeneratorPlan, titleOf } from './markdown/site-generator.ts';
import { type Folder, folderOf, nameOf, openFolder } from './markdown/folder.ts';
import { type Page, readPage, Unreadable } from './markdown/front.ts';
import { hugo } from './markdown/hugo.ts';
import { jekyll } from './markdown/jekyll.ts';
import { textOf } from './markdown/keys.ts';
import { menuItems } from './markdown/menus.ts';
import { plain } from './markdown/plain.ts';
import type { Importer, OpenSource } from './open.ts';

/** In order of recognition: what has a configuration of its own before what is only Markdown. */
const generators: readonly SiteGenerator[] = [astro, eleventy, jekyll, hugo, plain];

/** Any of them, by what the folder holds. */
export const markdownImporter: Importer = {
  format: 'markdown',
  about: 'a site of Markdown files: Jekyll, Hugo, Astro, Eleventy, or a plain folder',
  recognises: async ({ path }) => (await detectGenerator(path)) !== undefined,
  open: (options) => openWith(options),
};

/** One for each kind, for `--format jekyll` and the like; they recognise nothing by themselves. */
export const markdownImporters: readonly Importer[] = generators.map((generator) => ({
  format: generator.name,
  about: `a site of Markdown files as ${titleOf(generator.name)} has it`,
  recognises: () => false,
  open: (options) => openWith(options, generator),
}));

/** Files that are read ahead. */
const atOnce = 16;

async function detectGenerator(path: string | null): Promise<SiteGenerator | undefined> {
  if (path === null || !(await stat(path).catch(() => null))?.isDirectory()) return undefined;
  const folder = await openFolder(path);
  return generators.find((generator) => generator.matches(folder));
}

async function openWith(options: OpenSource, wanted?: SiteGenerator): Promise<Source> {
  const { path } = options;
  if (path === null || !(await stat(path).catch(() => null))?.isDirectory()) {
    throw new SourceError(
      `${options.source} is not a folder.`,
      { source: options.source },
      { hint: 'name the folder the site is built from' },
    );
  }
  const folder = await openFolder(path);
  const generator = wanted ?? generators.find((one) => one.matches(folder));
  if (!generator) throw new SourceError('The folder contains no Markdown files.', { source: folder.root });
  const plan = await generator.read(folder);
  for (const [path, error] of folder.unreadable) if (!options.keepGoing) throw sourceError(error, path);
  return createSource(folder, plan, options, Date.now());
}

function createSource(folder: Folder, plan: GeneratorPlan, { keepGoing, signal }: OpenSource, now: number): Source {
  const addresses = createAddresses(folder, plan);
  const pagesAt = new Map<string, string>();
  for (const path of folder.paths) {
    const role = plan.role(path);
    if (role.kind === 'page' && role.type === 'page' && !pagesAt.has(role.place)) pagesAt.set(role.place, path);
  }
  let isScanned = false;
  /** Files of pages that others are below. */
  const wanted = new Set<string>();

  async function* items(pass: 'scan' | 'write', progress?: (done: number, total: number) => void): AsyncGenerator<Item> {
    // Links can only be led to pages that are known.
    if (pass === 'write' && !isScanned) for await (const _ of items('scan')) signal?.throwIfAborted();
    const seen = new Set<string>();
    const lost = new Set<string>();
    wanted.clear();
    const menus: MenuEntry[] = [...plan.menus];
    const cx: DocumentContext = { plan, addresses, authors: new Set(), now, withBody: pass === 'write', parentOf };
    function* once(some: readonly Item[]): Generator<Item> {
      for (const item of some) {
        const key = 'key' in item ? `${item.kind} ${item.key}` : '';
        if (key !== '' && seen.has(key)) continue;
        seen.add(key);
        yield item;
      }
    }

    yield siteItem(plan);
    for (const [path, error] of folder.unreadable) yield lostFile(path, error);
    yield* plan.declarations;
    // What a file says of a term or author comes before what pages call it.
    if (plan.items) {
      for await (const item of plan.items()) {
        if (item.kind === 'user') cx.authors.add(item.key);
        yield* once([item]);
      }
    }
    for (const path of addresses.uploads.keys()) yield attachment(path);
    const texts = (['term', 'page'] as const).flatMap((kind) => folder.paths.filter((path) => plan.role(path).kind === kind));
    for (let at = 0; at < texts.length; at += atOnce) {
      signal?.throwIfAborted();
      const some = texts.slice(at, at + atOnce);
      const read = await Promise.all(some.map((path) => load(path)));
      for (const [index, page] of read.entries()) {
        const path = some[index] as string;
        const role = plan.role(path);
        if (page instanceof Unreadable) {
          lost.add(path);
          yield lostFile(path, page);
        } else if (role.kind === 'term') yield* once([termItem(path, role, page)]);
        else if (role.kind === 'page' && !(role.needsFront && !page.hasFront)) {
          const { item, named, menus: more, link } = documentOf(path, role, page, cx);
          addresses.learn({ path, type: item.type, link });
          menus.push(...more);
          for (const one of once(named)) {
            if (one.kind === 'post') addresses.learn({ path: one.key, type: one.type, link: one.link ?? '' });
            yield one;
          }
          yield item;
        }
      }
      progress?.(Math.min(at + atOnce, texts.length), texts.length);
    }
    // What is below a page that could not be read stays below it, until that comes.
    for (const path of lost) if (wanted.has(path)) yield* once([...standIn(path, plan.role(path) as PageRole)]);
    yield* menuItems(menus, addresses);
    yield* leftOut(folder, plan);
    isScanned = true;
  }

  async function load(path: string): Promise<Page | Unreadable> {
    try {
      return readPage(await folder.text(path));
    } catch (error) {
      if (error instanceof Unreadable && keepGoing) return error;
      throw error instanceof Unreadable ? sourceError(error, path) : error;
    }
  }

  function attachment(path: string): PostItem {
    const place = addresses.uploads.get(path) as string;
    const url = addresses.fileUrl(path);
    const bundle = folder.first(`${folderOf(path)}/index.md`, `${folderOf(path)}/index.mdx`);
    const parent = bundle !== undefined && plan.role(bundle).kind === 'page' ? { parent: bundle } : {};
    const media = {
      path: place,
      file: folder.locate(path),
      ...(url !== '' && plan.address !== '' ? { url: plan.address + url } : {}),
    };
    const name = nameOf(path);
    const item: PostItem = {
      kind: 'post',
      key: path,
      type: 'attachment',
      slug: slugOfFileName(name),
      title: name,
      content: '',
      markup: 'html',
      status: 'inherit',
      media,
      place: { source: path },
      ...parent,
    };
    return plan.complete?.(item) ?? item;
  }

  /** The page a place is below; folders without a page of their own get one, so that addresses keep their depth. */
  function parentOf(place: string): { key: string; made: Item[] } | null {
    const above = folderOf(place);
    if (place === '' || above === '') return null;
    const own = pagesAt.get(above);
    if (own !== undefined) {
      wanted.add(own);
      return { key: own, made: [] };
    }
    const higher = parentOf(above);
    const name = above.slice(above.lastIndexOf('/') + 1);
    const message = 'The folder has no index page; an empty one was created as the parent of its pages.';
    const page = emptyPage(`${above}/`, above, slugOfFileName(name), message, higher?.key);
    return { key: page.key, made: [...(higher?.made ?? []), page] };
  }

  function* standIn(path: string, { place, slug }: PageRole): Generator<Item> {
    const higher = parentOf(place);
    yield* higher?.made ?? [];
    const message = 'The page cannot be read; until then an empty page is the parent of its subpages.';
    yield { ...emptyPage(path, place, slug, message, higher?.key), standsIn: true };
  }

  function emptyPage(key: string, place: string, slug: string, message: string, parent: string | undefined): PostItem {
    return {
      kind: 'post',
      key,
      type: 'page',
      slug,
      title: titleOf(place.slice(place.lastIndexOf('/') + 1)),
      content: '',
      markup: 'md',
      status: 'publish',
      place: { source: key },
      link: `${plan.base}/${place}/`,
      remarks: [{ severity: 'note', rule: 'made-page', message }],
      ...(parent === undefined ? {} : { parent }),
    };
  }

  return { format: 'markdown', name: folder.root, items, close: async () => {} };
}

function siteItem({ settings, address, remarks }: GeneratorPlan): Item {
  const uploads = [`${address === '' ? 'https://source.invalid' : address}/uploads`];
  return {
    kind: 'site',
    settings,
    addresses: address === '' ? [] : [address],
    uploads,
    place: { source: '' },
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

function termItem(path: string, { taxonomy, name }: { taxonomy: string; name: string }, { data, body }: Page): Item {
  const slug = slugOfFileName(name);
  const description = textOf(data.description) || body.trim();
  return {
    kind: 'term',
    key: `${taxonomy}:${slug}`,
    taxonomy,
    slug,
    name: textOf(data.title) || titleOf(name),
    place: { source: path },
    ...(description === '' ? {} : { description }),
  };
}

function lostFile(path: string, error: Unreadable): Item {
  const place = { source: path, line: error.line, column: error.column };
  const remark = {
    severity: 'lost',
    rule: error.rule,
    message: error.message,
    unreadable: true,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  } as const;
  return { kind: 'lost', what: 'unreadable file', place, remarks: [remark] };
}

function sourceError(error: Unreadable, path: string): SourceError {
  return new SourceError(
    error.message,
    { source: path, line: error.line, column: error.column },
    { ...(error.hint === undefined ? {} : { hint: error.hint }), cause: error },
  );
}

/** What is not brought, by folder and kind of file, so that a theme of a thousand files is a few lines. */
function* leftOut(folder: Folder, plan: GeneratorPlan): Generator<Item> {
  for (const { path, why } of folder.refused) {
    yield {
      kind: 'lost',
      what: 'file',
      place: { source: path },
      remarks: [{ severity: 'lost', rule: 'not-read', message: `Skipped: ${why}.`, unreadable: true }],
    };
  }
  const groups = new Map<string, { folder: string; extension: string; count: number; first: string }>();
  for (const path of folder.paths) {
    if (plan.role(path).kind !== 'theme') continue;
    const top = path.includes('/')
      ? path
          .split('/')
          .slice(0, Math.min(2, path.split('/').length - 1))
          .join('/')
      : '';
    const key = `${top}\n${extensionOf(path)}`;
    const group = groups.get(key) ?? { folder: top, extension: extensionOf(path), count: 0, first: path };
    group.count++;
    groups.set(key, group);
  }
  for (const { folder: where, extension, count, first } of groups.values()) {
    const files =
      count === 1 ? first : `${count} files ${extension === '' ? '' : `.${extension} `}in ${where === '' ? 'the folder' : where}`;
    yield {
      kind: 'lost',
      what: 'other file',
      place: { source: count === 1 ? first : where },
      remarks: [{ severity: 'note', rule: 'theme', message: `Skipped: ${files}.` }],
    };
  }
}
