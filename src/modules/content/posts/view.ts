/** What getters of posts use: URLs and rendered text, for one request. */
import { isTitledByText, type PostRecord, type PostView, type Renderings, isProtected } from './record.ts';
import { type Dependence, dependsOnSite, type Showing, type ShowingOf } from '../dynamic-blocks/record.ts';
import { shownLocal } from '../../../kernel/model/dates.ts';
import { sortKey } from './sort-key.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { metaOf } from '../../../kernel/model/typed-value.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { createAgingCache } from '../../../kernel/records/aging-cache.ts';
import { defaultGuid, dependsOnReader, linkOf, permalinkTemplate, spelled } from '../permalinks/record.ts';
import { type AttachmentRecord, isAttachment } from '../attachments/record.ts';
import { hasBlocks } from '../../../render/blocks.ts';
import { createRenderWorker, longText } from '../../../render/render-worker.ts';
import { hintLoading } from '../../../render/images.ts';
import { addSizes, namesPictures, namesUploads, picturesIn } from '../../../render/library-pictures.ts';
import { namesMedia, showMedia } from '../../../render/media-shortcodes.ts';
import { createRun } from '../../../render/block-tree.ts';
import { type RenderOptions, renderTitle, showParts } from '../../../render/markup.ts';
import { showContent, showExcerpt, type Text as Source } from '../../../render/render-post.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { withoutHeading } from '../front-matter/headings.ts';
import { freeSlug } from './slugs.ts';
import { type Addressed, namesOthers, withAddresses } from '../relative-links/record.ts';

interface PostViewOptions {
  readonly user: Actor | null;
  word(name: string): string;
  /** Posts whose password counts as given: edit context, or the right password. */
  unlocked(post: PostRecord): boolean;
  readonly excerptWords?: number | undefined;
  /** Whether the text is shown with its excerpt, which is made from it. */
  readonly showsContent?: boolean;
  /**
   * Whether it responds to a write: the reference has rendered a published text before, so numbering of shortcodes and blocks continues (observed).
   */
  readonly isWrite?: boolean;
  /** Set if the texts are shown within another. */
  readonly within?: Showing;
  /** Path and query of the request, below the site, for the next links of query loops. */
  readonly address?: string | undefined;
}

type Text = Pick<PostRecord, 'id' | 'title' | 'content' | 'excerpt' | 'kind'> & Partial<Addressed>;

type StateView<State> = Readonly<Record<'title' | 'content' | 'excerpt', (state: State) => string>> & {
  /** Loads what takes long; await it before `content`. */
  prepare(state: State): Promise<void> | undefined;
};

export function createRenderings(): Renderings {
  return {
    html: createAgingCache<string>(64 * 1024 * 1024, (html) => html.length * 2),
    withPictures: new WeakSet(),
    withMedia: new WeakMap(),
    underWay: new WeakMap(),
    kin: new Map(),
    worker: createRenderWorker(),
  };
}

export function createPostView(site: Site, options: PostViewOptions): PostView {
  const locked = (post: PostRecord): boolean => isProtected(post) && !options.unlocked(post);
  return {
    link: (post) =>
      site.url +
      spelled(
        linkOf(site, post, dependsOnReader(site, post) && site.access.can(options.user, 'read_post', post.id)),
        options.word,
      ),
    guid(post) {
      const guid = post.guid === '' ? defaultGuid(site, post) : post.guid;
      return absolute(site, guid.startsWith('/') ? spelled(guid, options.word) : guid);
    },
    title: (post) => site.spare('title', post, () => titleOf(site, post), ''),
    content: (post) =>
      locked(post) ? '' : site.spare('text', post, () => contentOf(site, post, textOf(site, post), showingOf(post, options)), ''),
    excerpt: (post) =>
      locked(post) ? '' : site.spare('excerpt', post, () => excerptOf(site, post, textOf(site, post), options), ''),
    styles: (post) =>
      locked(post) ? '' : site.spare('text', post, () => stylesOf(site, post, textOf(site, post), showingOf(post, options)), ''),
    prepare: (post) => {
      const make = () => prepare(site, post, textOf(site, post), options.excerptWords ?? 55, showingOf(post, options));
      return locked(post) ? undefined : site.spare('text', post, make, undefined);
    },
    blockVersion: (post) => (hasBlocks(post.content) ? 1 : 0),
    permalinkTemplate: (post) => site.url + permalinkTemplate(site, post),
    generatedSlug: (post) => decoded(freeSlug(site, post)),
    terms: (post, taxonomy) => termsOf(site, post, taxonomy),
    classList: (post) => classList(site, post),
    meta: (post) => metaOf(site.meta[post.type] ?? {}, post.meta),
    gmt: (date) => shownLocal(date, site.zone),
    word: options.word,
  };
}

/**
 * The public view of former and unsaved states.
 * @param textOf  the text of a state, which is the cache key of its renderings
 */
export function createStateView<State extends object>(site: Site, textOf: (state: State) => Text): StateView<State> {
  return {
    title: (state) => site.spare('title', state, () => titleOf(site, textOf(state)), ''),
    content: (state) => site.spare('text', state, () => contentOf(site, state, textOf(state)), ''),
    // A state has only its own excerpt; none is generated.
    excerpt(state) {
      const text = textOf(state);
      return text.excerpt === ''
        ? ''
        : site.spare('excerpt', state, () => excerptOf(site, state, text, { showsContent: true }), '');
    },
    prepare: (state) => site.spare('text', state, () => prepare(site, state, textOf(state), null), undefined),
  };
}

/** The post's text with its links as URLs of the site. */
function textOf(site: Site, post: PostRecord): Text {
  const addressed = withAddresses(site, post, post);
  const text = addressed === null ? post : { ...post, ...addressed };
  // A title in a heading is not shown twice.
  return isTitledByText(post) ? { ...text, content: withoutHeading(text.content, post.title) } : text;
}

/** An absolute URL, from a URL in the file (`/?p=7`) or an imported one. */
export function absolute(site: Pick<Site, 'url'>, address: string): string {
  return address.startsWith('/') ? site.url + address : address;
}

function optionsOf(site: Site, id: number): RenderOptions {
  return {
    smilies: site.settings.value('smilies') === true,
    typography: site.settings.value('typography') === true,
    filtered: site.operator.filter_content,
    home: site.url,
    postId: id,
    language: (site.posts.get(id) as { readonly lang?: string } | undefined)?.lang || String(site.settings.value('language')),
  };
}

function cached(
  { renderings: { html: rendered, kin } }: Site,
  key: object,
  text: Text,
  form: string,
  make: () => string,
): string {
  const known = rendered.get(form, key);
  if (known !== undefined) return known;
  const alike = kin.get(text.id);
  const html = (alike && hasTextOf(text, alike) ? rendered.get(form, alike) : undefined) ?? make();
  rendered.set(form, key, html);
  return html;
}

function hasTextOf(one: Text, other: Text): boolean {
  return one.kind === other.kind && one.content === other.content && one.excerpt === other.excerpt;
}

const maxKin = 64;

/**
 * Renders the HTML of a write's response ahead of time, as far as it only depends on the text; undefined where it depends on more. That of
 * a text that stays is taken over, whether this is called or not.
 * @param after  as planned
 */
export function showingAhead(site: Site, after: PostRecord, before?: PostRecord): (() => void) | undefined {
  const { kin } = site.renderings;
  const post = before && hasTextOf(after, before) ? before : after;
  if (post.content.length >= longText || dependenceOf(site, post, post) !== 'nothing') return undefined;
  kin.delete(post.id);
  kin.set(post.id, post);
  for (const id of kin.keys()) if (kin.size > maxKin) kin.delete(id);
  return () => {
    const text = textOf(site, post);
    htmlOf(site, post, text);
    excerptOf(site, post, text, { showsContent: true });
  };
}

function formOf(name: string, options: RenderOptions): string {
  return `${name}${options.smilies ? 's' : ''}${options.typography ? 't' : ''}${options.filtered ? 'f' : ''}${options.language} ${options.home}`;
}

function titleOf(site: Site, { id, title }: Text): string {
  return renderTitle(title, optionsOf(site, id));
}

function sourceOf(site: Site, key: object, text: Text, shown: ShownTo = toEverybody): Source {
  const { id, content: raw, excerpt, kind } = text;
  const options = optionsOf(site, id);
  const source = { raw, excerpt, options };
  if (dependenceOf(site, key, text) === 'nothing') return { ...source, kind: kind === 'md' ? 'md' : 'html' };
  return { ...source, kind: 'html', parts: site.dynamicBlocks.show(raw, { ...shown, post: id, options }) };
}

/** Who sees a text, and where. */
type ShownTo = Pick<ShowingOf, 'reader' | 'before' | 'within' | 'address'>;

const toEverybody: ShownTo = { reader: null, before: 0 };

function showingOf({ status }: Pick<PostRecord, 'status'>, { user, isWrite, within, address }: PostViewOptions): ShownTo {
  return { reader: user, before: isWrite && status === 'publish' ? 1 : 0, address, ...(within ? { within } : {}) };
}

function contentOf(site: Site, key: object, text: Text, shown = toEverybody): string {
  const html = htmlOf(site, key, text, shown);
  const hasMedia = showsMedia(site, key, text);
  const isMarkdown = text.kind === 'md';
  if (!hasMedia && !(isMarkdown ? namesUploads : namesPictures)(html)) return html;
  site.renderings.withPictures.add(key);
  const whole = hasMedia ? showMedia(html, text.id, site.textMedia.finder(text.id), shown.before) : html;
  return hintLoading(
    addSizes(whole, (id, address) => (isMarkdown ? site.textMedia.pictureAt(address) : site.textMedia.picture(id, address))),
  );
}

/** The text as HTML, except for its media. */
function htmlOf(site: Site, key: object, text: Text, shown = toEverybody): string {
  const form = contentForm(site, key, text, shown);
  const make = (): string => showContent(sourceOf(site, key, text, shown));
  return shown.within && dependenceOf(site, key, text) !== 'nothing' ? make() : cached(site, key, text, form, make);
}

/** Rules for the classes of the blocks of a text, which is shown once more for them: pages are kept, and only they ask. */
function stylesOf(site: Site, key: object, text: Text, shown: ShownTo): string {
  if (text.kind === 'md' || !hasBlocks(text.content)) return '';
  const rules = new Set<string>();
  const rule = (css: string): void => {
    if (css !== '' && rules.size < maxRules) rules.add(css);
  };
  const options = optionsOf(site, text.id);
  if (dependenceOf(site, key, text) === 'nothing') showParts(text.content, options, { ...createRun(), rule });
  else site.dynamicBlocks.show(text.content, { ...shown, before: 0, post: text.id, options, rule });
  return [...rules].join('\n');
}

/** Of one text. */
const maxRules = 2000;

/** The cache key of a text: what blocks show is cached until anything changes, per reader. */
function contentForm(site: Site, key: object, text: Text, { reader, before, address }: ShownTo): string {
  const form = `${formOf('content', optionsOf(site, text.id))}${text.addressed ?? ''}`;
  const dependence = dependenceOf(site, key, text);
  if (dependence === 'nothing') return form;
  if (dependence === 'count') return `${form}#${before}`;
  const asked = dependence === 'address' ? ` ${address ?? ''}` : '';
  return `${form}#${before}@${site.records.generation}:${reader?.id ?? 0}:${site.now().local.slice(0, 10)}${asked}`;
}

function dependenceOf({ dynamicBlocks }: Site, key: object, text: Text): Dependence {
  return text.kind === 'md' ? 'nothing' : dynamicBlocks.dependenceOf(key, text);
}

function showsMedia({ renderings: { withMedia } }: Site, key: object, text: Text): boolean {
  const known = withMedia.get(key);
  if (known !== undefined) return known;
  const found = namesMedia(text.content);
  withMedia.set(key, found);
  return found;
}

/** Whether a rendered post depends on others: on media files, as far as rendered, or on items its blocks list. */
export function showsOthers(site: Site, post: PostRecord): boolean {
  return site.renderings.withPictures.has(post) || namesOthers(site, post, post) || dependsOnSite(dependenceOf(site, post, post));
}

/** Whether a rendered post depends on the requested URL. */
export function showsAddress(site: Site, post: PostRecord): boolean {
  return dependenceOf(site, post, post) === 'address';
}

function excerptOf(
  site: Site,
  key: object,
  text: Text,
  { excerptWords: words = 55, showsContent = false }: Pick<PostViewOptions, 'excerptWords' | 'showsContent'>,
): string {
  const form = `${formOf(`excerpt${words}`, optionsOf(site, text.id))}${text.addressed ?? ''}`;
  if (!dependsOnSite(dependenceOf(site, key, text)))
    return cached(site, key, text, form, () =>
      showExcerpt(sourceOf(site, key, text), words, () => htmlOf(site, key, text), showsContent || isKept(site, key, text)),
    );
  // It contains the titles of embedded posts.
  const { id, content, excerpt } = text;
  return cached(site, key, text, `${form}@${site.records.generation}`, () =>
    showExcerpt(
      {
        raw: site.dynamicBlocks.embedOwn(content),
        kind: 'html',
        excerpt,
        options: optionsOf(site, id),
        ...(content.includes('"bindings"')
          ? { bind: (block) => site.dynamicBlocks.bind(block, { reader: null, post: id }) }
          : {}),
      },
      words,
      () => '',
    ),
  );
}

function isKept(site: Site, key: object, text: Text): boolean {
  return site.renderings.html.get(contentForm(site, key, text, toEverybody), key) !== undefined;
}

/** Undefined if there is nothing to wait for. @param excerptWords  null: no excerpt is needed */
function prepare(
  site: Site,
  key: object,
  text: Text,
  excerptWords: number | null,
  shown = toEverybody,
): Promise<void> | undefined {
  const blocks = readOfBlocks(site, key, text, shown);
  const rest = (): Promise<void> | undefined => {
    const [rendering, reading] = [renderLong(site, key, text, excerptWords, shown), readPictures(site, key, text)];
    return rendering && reading ? rendering.then(() => reading) : (rendering ?? reading);
  };
  return blocks === undefined ? rest() : blocks.then(rest);
}

/** Loads metadata of images in blocks, before anything is cached. */
function readOfBlocks(site: Site, key: object, text: Text, shown: ShownTo): Promise<void> | undefined {
  if (!dependsOnSite(dependenceOf(site, key, text))) return undefined;
  if (site.renderings.html.get(contentForm(site, key, text, shown), key) !== undefined) return undefined;
  return site.dynamicBlocks.prepare(text.content, { ...shown, post: text.id, options: optionsOf(site, text.id) });
}

/** Loads metadata of images in a text. */
function readPictures(site: Site, key: object, text: Text): Promise<void> | undefined {
  const { id, content, kind } = text;
  const hasPictures = (kind === 'md' ? namesUploads : namesPictures)(content);
  const hasMedia = showsMedia(site, key, text);
  if (!hasPictures && !hasMedia) return undefined;
  const named = !hasPictures ? [] : kind === 'md' ? site.textMedia.picturesAt(content) : classed(site, content);
  const media = hasMedia ? [...new Set([...named, ...site.textMedia.wished(id, content)])] : named;
  const unread = media.filter((one) => site.media.facts(one) === undefined);
  return unread.length > 0 ? site.media.prepare(unread) : undefined;
}

function classed(site: Site, content: string): readonly AttachmentRecord[] {
  return [...picturesIn(content)].map((picture) => site.posts.get(picture)).filter(isAttachment);
}

/** Renders a long text in a worker. */
function renderLong(site: Site, key: object, text: Text, excerptWords: number | null, shown: ShownTo): Promise<void> | undefined {
  if (text.content.length < longText) return undefined;
  const { html, underWay, worker } = site.renderings;
  const options = optionsOf(site, text.id);
  const content = contentForm(site, key, text, shown);
  const forms = [
    content,
    ...(excerptWords === null ? [] : [`${formOf(`excerpt${excerptWords}`, options)}${text.addressed ?? ''}`]),
  ];
  const isDone = (): boolean => forms.every((form) => html.get(form, key) !== undefined);
  return isDone() ? undefined : render();

  async function render(): Promise<void> {
    // Concurrent requests for one text share one rendering.
    await underWay.get(key);
    if (isDone()) return;
    const work = worker.render({ text: sourceOf(site, key, text, shown), excerptWords }).then((made) => {
      if (!made) return;
      html.set(content, key, made.content);
      if (made.excerpt !== null) html.set(forms[1] as string, key, made.excerpt);
    });
    underWay.set(key, work);
    await work;
  }
}

/** Term ids of a post, ordered by name. */
function termsOf(site: Site, post: PostRecord, taxonomy: string): readonly number[] {
  const ids = post.terms[taxonomy] ?? [];
  if (ids.length < 2) return ids;
  const name = (id: number): string => sortKey(site.terms.get(id)?.name ?? '');
  return [...ids].sort((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b));
}

function classList(site: Site, post: PostRecord): readonly string[] {
  const type = site.types.get(post.type);
  const classes = [`post-${post.id}`, post.type, `type-${post.type}`, `status-${post.status}`];
  if (type?.supports['post-formats']) classes.push(`format-${post.format}`);
  if (isProtected(post)) classes.push('post-password-required');
  else if (site.posts.get(post.featuredMedia) && type?.supports.thumbnail) classes.push('has-post-thumbnail');
  classes.push('hentry');
  for (const taxonomy of site.taxonomies.values()) {
    const prefix = taxonomy.name === 'post_tag' ? 'tag' : taxonomy.name;
    for (const id of termsOf(site, post, taxonomy.name)) {
      const slug = (site.terms.get(id)?.slug ?? '').replace(/%[\da-f]{2}/g, '');
      if (taxonomy.public) classes.push(`${prefix}-${/^\d*$|^-*$/.test(slug) ? id : slug}`);
    }
  }
  if (type?.supports['post-formats'] && post.format !== 'standard') classes.push(`post_format-post-format-${post.format}`);
  return classes;
}
