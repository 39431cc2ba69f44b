/**
 * The items of a folder of Markdown: its pages, files, terms, authors and menus, in an order in which links can be resolved. The keys
 * of items are their paths in the folder.
 */
import { table } from '../../../kernel/model/maps.ts';
import { slugOfFileName } from '../../../kernel/model/slugs.ts';
import { extensionOf } from '../../../modules/media/files/types.ts';
import { type SourceItem, type PostItem, type Source, SourceError } from '../../import/items.ts';
import type { OpenSource } from '../open.ts';
import { type GeneratorAddresses, createAddresses } from './addresses.ts';
import { type DocumentContext, documentOf } from './document.ts';
import { type GeneratorFolder, folderOf, nameOf } from './folder.ts';
import { type MarkdownPage, readPage, Unreadable } from './front-matter.ts';
import { textOf } from './keys.ts';
import { menuItems } from './menus.ts';
import { type GeneratorPlan, type MenuEntry, type PageRole, titleOf } from './site-generator.ts';

/** A folder that is being read. */
interface FolderReading extends Pick<OpenSource, 'keepGoing' | 'signal'> {
  readonly folder: GeneratorFolder;
  readonly plan: GeneratorPlan;
  readonly addresses: GeneratorAddresses;
  /** Place among the pages → path of the page. */
  readonly pagesAt: ReadonlyMap<string, string>;
  readonly now: number;
  /** Links can only be resolved to pages that are known. */
  isScanned: boolean;
}

/** One pass through the folder. */
interface FolderPass {
  readonly context: DocumentContext;
  /** Kind and key of the items that were given out. */
  readonly seen: Set<string>;
  readonly menus: MenuEntry[];
  /** Pages that are parents of others, and pages that could not be read. */
  readonly parents: Set<string>;
  readonly unreadable: Set<string>;
}

type Progress = ((done: number, total: number) => void) | undefined;

/** Files that are read at once. */
const atOnce = 16;

export function createFolderSource(
  folder: GeneratorFolder,
  plan: GeneratorPlan,
  { keepGoing, signal }: OpenSource,
  now: number,
): Source {
  const pagesAt = new Map<string, string>();
  for (const path of folder.paths) {
    const role = plan.role(path);
    if (role.kind === 'page' && role.type === 'page' && !pagesAt.has(role.place)) pagesAt.set(role.place, path);
  }
  const addresses = createAddresses(folder, plan);
  const reading: FolderReading = { folder, plan, addresses, pagesAt, now, keepGoing, signal, isScanned: false };
  return {
    format: 'markdown',
    name: folder.root,
    items: (pass, progress) => itemsOf(reading, pass, progress),
    close: async () => {},
  };
}

async function* itemsOf(reading: FolderReading, kind: 'scan' | 'write', progress?: Progress): AsyncGenerator<SourceItem> {
  const { folder, plan, addresses, signal, now } = reading;
  if (kind === 'write' && !reading.isScanned) for await (const _ of itemsOf(reading, 'scan')) signal?.throwIfAborted();
  const parents = new Set<string>();
  const context: DocumentContext = {
    plan,
    addresses,
    authors: new Set(),
    now,
    withBody: kind === 'write',
    parentOf: (place) => parentOf(reading, place, parents),
  };
  const pass: FolderPass = { context, seen: new Set(), menus: [...plan.menus], parents, unreadable: new Set() };
  yield siteItem(plan);
  for (const [path, error] of folder.unreadable) yield lostFile(path, error);
  yield* plan.declarations;
  // What a file says of a term or author comes before what pages call it.
  if (plan.items) {
    for await (const item of plan.items()) {
      if (item.kind === 'user') context.authors.add(item.key);
      yield* unseen(pass, [item]);
    }
  }
  for (const path of addresses.uploads.keys()) yield attachmentItem(reading, path);
  yield* textItems(reading, pass, progress);
  // Pages below an unreadable page stay below it until it can be read.
  for (const path of pass.unreadable)
    if (parents.has(path)) yield* unseen(pass, standIn(reading, path, plan.role(path) as PageRole, parents));
  yield* menuItems(pass.menus, addresses);
  yield* skippedFiles(folder, plan);
  reading.isScanned = true;
}

/** Terms and pages, with what they name. */
async function* textItems(reading: FolderReading, pass: FolderPass, progress: Progress): AsyncGenerator<SourceItem> {
  const { folder, plan, signal } = reading;
  const texts = (['term', 'page'] as const).flatMap((kind) => folder.paths.filter((path) => plan.role(path).kind === kind));
  for (let at = 0; at < texts.length; at += atOnce) {
    signal?.throwIfAborted();
    const some = texts.slice(at, at + atOnce);
    const read = await Promise.all(some.map((path) => load(reading, path)));
    for (const [index, page] of read.entries()) yield* itemsOfFile(reading, pass, some[index] as string, page);
    progress?.(Math.min(at + atOnce, texts.length), texts.length);
  }
}

function* itemsOfFile(
  { plan, addresses }: FolderReading,
  pass: FolderPass,
  path: string,
  page: MarkdownPage | Unreadable,
): Generator<SourceItem> {
  const role = plan.role(path);
  if (page instanceof Unreadable) {
    pass.unreadable.add(path);
    yield lostFile(path, page);
    return;
  }
  if (role.kind === 'term') yield* unseen(pass, [termItem(path, role, page)]);
  if (role.kind !== 'page' || (role.needsFront && !page.hasFront)) return;
  const { item, named, menus, link } = documentOf(path, role, page, pass.context);
  addresses.learn({ path, type: item.type, link });
  pass.menus.push(...menus);
  for (const one of unseen(pass, named)) {
    if (one.kind === 'post') addresses.learn({ path: one.key, type: one.type, link: one.link ?? '' });
    yield one;
  }
  yield item;
}

/** The items that this pass has not given out. */
function* unseen({ seen }: FolderPass, items: Iterable<SourceItem>): Generator<SourceItem> {
  for (const item of items) {
    const key = 'key' in item ? `${item.kind} ${item.key}` : '';
    if (key !== '' && seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}

async function load({ folder, keepGoing }: FolderReading, path: string): Promise<MarkdownPage | Unreadable> {
  try {
    return readPage(await folder.text(path));
  } catch (error) {
    if (error instanceof Unreadable && keepGoing) return error;
    throw error instanceof Unreadable ? sourceError(error, path) : error;
  }
}

function attachmentItem({ folder, plan, addresses }: FolderReading, path: string): PostItem {
  const url = addresses.fileUrl(path);
  const bundle = folder.first(`${folderOf(path)}/index.md`, `${folderOf(path)}/index.mdx`);
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
    media: {
      path: addresses.uploads.get(path) as string,
      file: folder.locate(path),
      ...(url !== '' && plan.address !== '' ? { url: plan.address + url } : {}),
    },
    place: { source: path },
    ...(bundle !== undefined && plan.role(bundle).kind === 'page' ? { parent: bundle } : {}),
  };
  return plan.complete?.(item) ?? item;
}

/** The page above a place; a folder without a page gets one, so that URLs keep their depth. */
function parentOf(reading: FolderReading, place: string, parents: Set<string>): { key: string; made: SourceItem[] } | null {
  const above = folderOf(place);
  if (place === '' || above === '') return null;
  const page = reading.pagesAt.get(above);
  if (page !== undefined) {
    parents.add(page);
    return { key: page, made: [] };
  }
  const higher = parentOf(reading, above, parents);
  const slug = slugOfFileName(above.slice(above.lastIndexOf('/') + 1));
  const message = 'The folder has no index page; an empty one was created as the parent of its pages.';
  const empty = emptyPage(reading, { key: `${above}/`, place: above, slug, message, parent: higher?.key });
  return { key: empty.key, made: [...(higher?.made ?? []), empty] };
}

/** An empty page in place of an unreadable one. */
function* standIn(reading: FolderReading, path: string, { place, slug }: PageRole, parents: Set<string>): Generator<SourceItem> {
  const higher = parentOf(reading, place, parents);
  yield* higher?.made ?? [];
  const message = 'The page cannot be read; until then an empty page is the parent of its subpages.';
  yield { ...emptyPage(reading, { key: path, place, slug, message, parent: higher?.key }), standsIn: true };
}

interface EmptyPage {
  readonly key: string;
  readonly place: string;
  readonly slug: string;
  readonly message: string;
  readonly parent: string | undefined;
}

function emptyPage({ plan }: FolderReading, { key, place, slug, message, parent }: EmptyPage): PostItem {
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

function siteItem({ settings, extra, address, remarks }: GeneratorPlan): SourceItem {
  const uploads = [`${address === '' ? 'https://source.invalid' : address}/uploads`];
  return {
    kind: 'site',
    settings,
    ...(extra ? { extra } : {}),
    addresses: address === '' ? [] : [address],
    uploads,
    place: { source: '' },
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

function termItem(
  path: string,
  { taxonomy, name }: { taxonomy: string; name: string },
  { data, body }: MarkdownPage,
): SourceItem {
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

function lostFile(path: string, error: Unreadable): SourceItem {
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

export function sourceError(error: Unreadable, path: string): SourceError {
  return new SourceError(
    error.message,
    { source: path, line: error.line, column: error.column },
    { ...(error.hint === undefined ? {} : { hint: error.hint }), cause: error },
  );
}

/** Markup of texts that is not read, by file extension. */
const otherMarkup: Readonly<Record<string, string>> = table({
  rst: 'reStructuredText',
  rest: 'reStructuredText',
  adoc: 'AsciiDoc',
  asciidoc: 'AsciiDoc',
  textile: 'Textile',
  org: 'Org markup',
});

/** What is not imported, by folder and file extension, so that a theme of a thousand files is a few lines. */
function* skippedFiles(folder: GeneratorFolder, plan: GeneratorPlan): Generator<SourceItem> {
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
    const markup = Object.hasOwn(otherMarkup, extension) ? otherMarkup[extension] : undefined;
    const files =
      count === 1 ? first : `${count} files ${extension === '' ? '' : `.${extension} `}in ${where === '' ? 'the folder' : where}`;
    yield {
      kind: 'lost',
      what: 'other file',
      place: { source: count === 1 ? first : where },
      remarks: [
        markup === undefined
          ? { severity: 'note', rule: 'theme', message: `Skipped: ${files}.` }
          : {
              severity: 'lost',
              rule: 'not-read',
              message: `Skipped: ${files}. ${markup} is not read.`,
              hint: 'convert it to Markdown',
            },
      ],
    };
  }
}
