/**
 * A page file as an item: its front matter read by the table of names, its body converted. What front matter says and we have no
 * field for is kept.
 */
import { aliasPath, isPathAlias } from '../../../modules/content/permalinks/aliases.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { formats, statedSlug, waitsForSlug } from '../../../modules/content/posts/record.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { given, type SourceItem, type PostItem, type ImportRemark } from '../../import/items.ts';
import { foldKey } from '../../../modules/content/front-matter/names.ts';
import type { GeneratorAddresses } from './addresses.ts';
import { authorsOf, type AuthorKeys } from './authors.ts';
import { firstHeading, outsideCode } from '../../../modules/content/front-matter/headings.ts';
import { type BodyContext, convertBody } from './body.ts';
import { htmlExtension, type MenuEntry, type PageRole, type GeneratorPlan, titleOf } from './site-generator.ts';
import { nameOf } from './folder.ts';
import { datesOf, statusOf } from './dates.ts';
import type { Data, MarkdownPage } from './front-matter.ts';
import { createReader, keptData, listOf, type Note, type KeyReader, textOf, textsOf } from './keys.ts';
import { flagOf } from '../../../modules/content/posts/stated-status.ts';

export interface DocumentContext {
  readonly plan: GeneratorPlan;
  readonly addresses: GeneratorAddresses;
  readonly authors: AuthorKeys;
  /** Milliseconds since the epoch, for dates of release and expiry. */
  readonly now: number;
  /** Whether bodies are wanted. */
  readonly withBody: boolean;
  /** Key of the page above a place; makes one where there is none. */
  parentOf(place: string): { readonly key: string; readonly made: readonly SourceItem[] } | null;
}

interface Document {
  readonly item: PostItem;
  /** Terms, authors and pages above that it names. */
  readonly named: readonly SourceItem[];
  readonly menus: readonly MenuEntry[];
  /** Of `item.type`, by its address with the base. */
  readonly link: string;
}

/** The item of a page file. */
export function documentOf(path: string, role: PageRole, { data: front, body }: MarkdownPage, cx: DocumentContext): Document {
  const { plan } = cx;
  const own = withTaxonomies(front);
  const data: Data = { ...withoutKeys(plan.defaults(path, role), own), ...own };
  const reader = createReader(data);
  const remarks: ImportRemark[] = [];
  const note = (severity: ImportRemark['severity'], rule: string, message: string, hint?: string): void =>
    void remarks.push({ severity, rule, message, ...(hint === undefined ? {} : { hint }) });
  const type = role.type === 'auto' ? (plan.typeOf?.(data, role) ?? 'post') : role.type;
  const isHtml = htmlExtension.test(path);

  const saidTitle = textOf(reader.take('title', isText)?.value);
  const heading = saidTitle === '' && !isHtml ? firstHeading(body) : '';
  const title =
    saidTitle ||
    heading ||
    titleOf(nameOf(path) === 'index' || /^_?index$/.test(nameOf(path)) ? role.slug : role.slug || nameOf(path));
  const dates = datesOf(reader, role, cx, note);
  const named: SourceItem[] = [];
  const terms = termsOf(path, type, data, role, reader, plan, named);
  const said = saidAddress(reader, plan);
  const slug = statedSlug(reader.take('slug', isText)?.value) || said || role.slug || slugify(title) || 'page';
  const located = { path, role, type, slug, title, data, date: dates.date, categories: terms.categories };
  const address = plan.link(located);
  const unknown = address === '' ? plan.unknownLink?.(located) : undefined;
  if (unknown !== undefined) note('changed', 'unknown-address', `The URL it had is not known: ${unknown}.`, 'add it to aliases');
  const link = address === '' ? '' : `${plan.base}${address}`;
  if (said !== '' && type === 'page' && address.split('/').filter(Boolean).length !== Math.max(1, role.place.split('/').length))
    note('changed', 'address', `Its URL was ${address}; here its folder is part of the URL.`);
  const unbuilt = plan.unbuilt?.(located);
  const held: PageRole = unbuilt === undefined ? role : { ...role, status: 'draft', why: unbuilt };
  const status = statusOf(reader, { ...cx, role: held, isHtml, body, data, own }, note);
  const { author, items: people } = authorsOf(reader, path, plan, cx.authors);
  named.push(...people);
  const parent = type === 'page' ? cx.parentOf(role.place) : null;
  if (parent) named.push(...parent.made);
  const from = { path, link };
  const siblingImage = plan.pictureOf?.(path, data) ?? '';
  const image = imageOf(reader, cx.addresses, from, note) || (cx.addresses.uploads.has(siblingImage) ? siblingImage : '');
  const excerpt = textOf(reader.take('excerpt', isText)?.value);
  const order = reader.take('order', (value) => typeof value === 'number');
  const layout = textOf(reader.take('template', isText)?.value);
  const isUsual = layout === '' || usualLayouts.has(layout.replace(/\.\w+$/, '').toLowerCase()) || layout.toLowerCase() === type;
  const comments = reader.take('comments', (value) => flagOf(value) !== undefined);
  const pings = reader.take('pings', (value) => flagOf(value) !== undefined);
  const format = textOf(reader.take('format', (value) => (formats as readonly unknown[]).includes(value))?.value);
  const password = textOf(reader.take('password', isText)?.value);
  const guid = textOf(reader.take('guid', isText)?.value);
  const meta = reader.take('meta', (value) => Object.keys(mapOf(value)).length > 0);
  const id = plan.items === undefined ? undefined : reader.take('id');
  if (id && !isId(id.value))
    note('changed', 'unusable-id', `Invalid id ${JSON.stringify(id.value)}; it was assigned another one.`);
  const former = formerOf(reader, slug, link);
  const sticky = flagOf(reader.take('sticky', (value) => flagOf(value) !== undefined)?.value) === true;
  const menus = plan.menusOf?.(path, data, title) ?? [];
  for (const key of plan.menusOf ? ['menu', 'menus', 'eleventyNavigation'] : []) reader.takeKey(key);
  const content = cx.withBody ? contentOf(path, body, from, cx, note) : '';

  const item = given<PostItem>({
    kind: 'post',
    key: path,
    place: { source: path },
    type,
    slug: waitsForSlug(data.slug, status) ? '' : (plan.slugOf?.(located) ?? slug),
    title,
    content,
    markup: isHtml ? 'html' : 'md',
    isTitledByText: heading === '' ? undefined : true,
    status,
    id: isId(id?.value) ? id.value : undefined,
    date: dates.date || undefined,
    dateGmt: dates.dateGmt || undefined,
    ...dates.modified,
    excerpt: excerpt || undefined,
    author: author || undefined,
    parent: parent?.key,
    order: order?.value as number | undefined,
    sticky: sticky || undefined,
    password: password || undefined,
    format: format || undefined,
    template: isUsual ? undefined : layout,
    comments: comments && (flagOf(comments.value) ? 'open' : 'closed'),
    pings: pings && (flagOf(pings.value) ? 'open' : 'closed'),
    guid: guid || undefined,
    meta: meta && mapOf(meta.value),
    link: link || undefined,
    terms: Object.keys(terms.keys).length === 0 ? undefined : terms.keys,
    featuredMedia: image || undefined,
    aliases: former.length === 0 ? undefined : former,
    extra: keptData(reader.rest()),
    remarks: remarks.length === 0 ? undefined : remarks,
  });
  return { item, named, menus, link };
}

/** What is given, without keys that the file has itself, however it spells them. */
function withoutKeys(given: Data, own: Data): Data {
  const said = new Set(Object.keys(own).map(foldKey));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !said.has(foldKey(key))));
}

/** Front matter that has its terms below a key of their own, as Zola's has. */
function withTaxonomies({ taxonomies, ...others }: Data): Data {
  const lists = Object.entries(mapOf(taxonomies)).filter(([, value]) => Array.isArray(value));
  return lists.length === 0
    ? { ...others, ...(taxonomies === undefined ? {} : { taxonomies }) }
    : { ...Object.fromEntries(lists), ...others };
}

/** Layouts that say no more than what a file is. */
const usualLayouts = new Set([
  'post',
  'posts',
  'page',
  'pages',
  'default',
  'single',
  'home',
  'index',
  'none',
  'base',
  'article',
  'layout',
  'layouts/post',
  'layouts/page',
  'layouts/base',
]);
const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** The slug in an address that front matter spells out; '' when it says none, or a pattern, which is kept. */
function saidAddress(reader: KeyReader, plan: GeneratorPlan): string {
  const key = plan.addressKey ?? '';
  const value = key === '' ? undefined : reader.takeKey(key);
  if (value === undefined) return '';
  if (typeof value !== 'string' || /[:{]/.test(value.replace(/^https?:/, ''))) {
    if (value !== false) reader.keepKey(key);
    return '';
  }
  return slugify(
    value
      .replace(/(?:\/index)?\.\w+$|(?<!\/)\/+$/g, '')
      .split('/')
      .at(-1) ?? '',
  );
}

/** Terms by taxonomy as keys, with the items of the terms. Types without categories and tags keep theirs as they are. */
function termsOf(
  path: string,
  type: string,
  data: Data,
  role: PageRole,
  reader: KeyReader,
  plan: GeneratorPlan,
  named: SourceItem[],
) {
  const keys: Record<string, string[]> = Object.create(null);
  const add = (taxonomy: string, names: readonly string[]): void => {
    for (const name of names) {
      const slug = plan.named?.(taxonomy, name) ?? slugify(name);
      if (slug === '') continue;
      const key = `${taxonomy}:${slug}`;
      named.push({ kind: 'term', key, taxonomy, slug, name, place: { source: path } });
      if (!keys[taxonomy]?.includes(key)) keys[taxonomy] = [...(keys[taxonomy] ?? []), key];
    }
  };
  const categories = [...(role.categories ?? [])];
  if (type !== 'page') {
    const filed = reader.take('categories');
    // A number may be an id there.
    const byId = (taxonomy: string, one: unknown): unknown =>
      typeof one === 'number' ? (plan.named?.(taxonomy, one) ?? one) : one;
    const namesOf = (taxonomy: string, taken: { readonly key: string; readonly value: unknown } | undefined): string[] => {
      if (taken === undefined) return [];
      const { key, value } = taken;
      const said = Array.isArray(value) ? value.map((one) => byId(taxonomy, one)) : byId(taxonomy, value);
      return textsOf(said, (text) => plan.split(text, key)).map((text) => text.replace(/^#(?=\S)/, ''));
    };
    categories.push(...namesOf('category', filed));
    add('category', categories);
    add(
      'post_tag',
      namesOf('post_tag', reader.take('tags')).filter((tag) => plan.isTag?.(tag) ?? true),
    );
  }
  for (const [key, taxonomy] of Object.entries(plan.taxonomies ?? {})) {
    if (data[key] !== undefined && (type === 'post' || type === 'page'))
      add(
        taxonomy,
        textsOf(reader.takeKey(key), (text) => [text]),
      );
  }
  return { keys, categories };
}

/** Former slugs, and former paths: those with a slash, relative ones below the page's own. */
function formerOf(reader: KeyReader, slug: string, link: string): string[] {
  const found: string[] = [];
  for (let next = reader.take('former'); next; next = reader.take('former')) {
    const all = listOf(next.value)
      .map(textOf)
      .filter((text) => text !== '');
    for (const text of all) {
      if (!isPathAlias(text)) found.push(slugify(text.replace(/\.html?$/, '')));
      else if (text.startsWith('.')) found.push(new URL(text, `http://x.invalid${link === '' ? '/' : link}`).pathname);
      else found.push(aliasPath(text));
    }
  }
  return [...new Set(found)].filter((text) => text !== '' && text !== '/' && text !== slug);
}

/** Key of the featured image of the page; one that is elsewhere or is not there stays in the front matter. */
function imageOf(reader: KeyReader, addresses: GeneratorAddresses, from: { path: string; link: string }, note: Note): string {
  const passed: string[] = [];
  let key = '';
  for (
    let next = reader.take('image', (value) => imagePathIn(value) !== '');
    next && key === '';
    next = key === '' ? reader.take('image', (value) => imagePathIn(value) !== '') : undefined
  ) {
    const target = imagePathIn(next.value);
    const found = addresses.resolve(target, from);
    if (found.kind === 'file') key = found.path;
    else if (found.kind !== 'page')
      note(
        'note',
        found.kind === 'other' ? 'remote-image' : 'missing-image',
        `${next.key}: ${target} is not a file in the folder.`,
      );
    // What says more than an address is kept besides.
    if (key === '' || typeof next.value === 'object') passed.push(next.key);
  }
  for (const one of passed) reader.keep(one);
  return key;
}

function imagePathIn(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? imagePathIn(value[0]) : '';
  if (typeof value === 'string') return /^\s*$|\n|\{\{/.test(value) ? '' : value.trim();
  const inner = mapOf(value);
  return (
    ['image', 'src', 'path', 'url', 'file', 'relative', 'teaser', 'overlay_image', 'og_image', 'feature', 'filename']
      .map((name) => (typeof inner[name] === 'string' ? (inner[name] as string).trim() : ''))
      .find((text) => text !== '') ?? ''
  );
}

function contentOf(
  path: string,
  body: string,
  from: { path: string; link: string },
  { plan, addresses }: DocumentContext,
  note: Note,
): string {
  const counts = new Map<string, { rule: string; what: string; count: number }>();
  const context: BodyContext = {
    templates: plan.templates,
    isMdx: path.toLowerCase().endsWith('.mdx'),
    base: plan.base,
    resolve: (target) => addresses.resolve(target, from),
    byName: (name) => addresses.byName(name),
    refer(name) {
      const found = [
        addresses.resolve(name, from),
        addresses.resolve(`/${name.replace(/^\//, '')}`, from),
        addresses.byName(nameOf(`x/${name}`)),
        addresses.byName(name.split('/').at(-1) ?? name),
      ];
      const page = found.find(({ kind }) => kind === 'page') ?? found.find(({ kind }) => kind === 'file');
      return page && 'url' in page ? page.url : '';
    },
    note(rule, what) {
      const key = `${rule} ${what}`;
      counts.set(key, { rule, what, count: (counts.get(key)?.count ?? 0) + 1 });
    },
  };
  const marked =
    plan.excerptMark === undefined || plan.excerptMark === '<!--more-->'
      ? body
      : outsideCode(body, (text) => text.replace(plan.excerptMark as string, () => '<!--more-->'));
  const converted = convertBody(marked.replace(/<!--\s*more\s*-->/i, '<!--more-->'), context);
  for (const { rule, what, count } of [...counts.values()].slice(0, 50)) {
    const times = count === 1 ? '' : ` (${count} times)`;
    if (rule === 'template') note('changed', 'template', `${what} is kept as text${times}`);
    else if (rule === 'left-out') note('lost', 'module', `Removed: ${what}${times}`);
    else note('note', 'broken-link', `Broken link: ${what}${times}`);
  }
  return converted;
}
