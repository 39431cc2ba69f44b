/** Rendering of texts with dynamic blocks, and its limits. */
import type { Site } from '../../../kernel/site/site.ts';
import { delimiterNames } from '../../../render/wire-constants.ts';
import { type BlockRun, createNumbers, type LiveBlock } from '../../../render/live-block.ts';
import { bindBlock } from '../../../render/bindings.ts';
import { blockTypes, namesOfShowing } from '../../../render/block-types.ts';
import { showBlock } from '../../../render/block-tree.ts';
import type { BlockContext } from '../../../render/live-block.ts';
import { showParts } from '../../../render/markup.ts';
import { replaceLoneAddresses } from '../../../render/shortcodes.ts';
import { decodeEntities } from '../../../render/text.ts';
import { embeddedPost } from '../../embeds/index.ts';
import { archiveBlocks } from './archives.ts';
import { boundValue } from './bindings.ts';
import { breadcrumbBlocks } from './breadcrumbs.ts';
import { commentBlocks } from './comment-blocks.ts';
import { loopPageBlocks } from './loop-pages.ts';
import { loopBlocks } from './loops.ts';
import type { Renderers } from './markup.ts';
import { linkBlocks } from './navigation-links.ts';
import { navigationBlocks } from './navigation.ts';
import { patternBlocks } from './patterns.ts';
import { peopleBlocks } from './people.ts';
import { pictureBlocks, postBlocks } from './post-fields.ts';
import { listBlocks } from './post-lists.ts';
import { mediaBlocks } from './media-blocks.ts';
import type { Dependence, DynamicBlocks, Showing, ShowingOf } from '../../content/dynamic-blocks/record.ts';
import { siteBlocks } from './site-parts.ts';
import { termBlocks } from './term-lists.ts';
import { createBlockSite } from './view.ts';

/** Renderers by block name. */
export const renderers: Renderers = Object.assign(
  Object.create(null),
  archiveBlocks,
  breadcrumbBlocks,
  commentBlocks,
  linkBlocks,
  listBlocks,
  loopBlocks,
  loopPageBlocks,
  mediaBlocks,
  navigationBlocks,
  patternBlocks,
  peopleBlocks,
  pictureBlocks,
  postBlocks,
  siteBlocks,
  termBlocks,
);

/** Budget of one text: dynamic blocks, list members, and query costs. */
const most = 20_000;

const begins = `<!--\\s+(?:${delimiterNames.join('|')}):(?:core/)?`;
const namesDynamic = new RegExp(
  `${begins}(?:${names(Object.keys(renderers).filter((name) => !(name in pictureBlocks)))})(?=\\s)|"useFeaturedImage"|"bindings"`,
);
const namesNumbered = new RegExp(
  `${begins}(?:${names(namesOfShowing('number'))})(?=\\s)|is-style-|"(?:elements|position|duotone|lightbox)"`,
);

function names(list: readonly string[]): string {
  return list.map((name) => name.replace('core/', '')).join('|');
}

/** Texts with library images in blocks; and those that depend on the URL. */
const withPictures = new RegExp(`:(?:core/)?(?:${names(namesOfShowing('pictures', 'texts'))})\\s`);
const namesAddress = new RegExp(`:(?:core/)?(?:${names(namesOfShowing('address', 'texts'))})\\s`);

function fresh(address?: string): Showing {
  return { open: new Set(), left: most, shown: 0, numbers: new Map(), unread: new Set(), address };
}

export function createDynamicBlocks(site: Site): DynamicBlocks {
  const known = new WeakMap<object, Dependence>();
  return {
    embedOwn: (raw) => showLone(site, raw),
    dependenceOf(record, text) {
      const before = known.get(record);
      if (before !== undefined) return before;
      const found = dependenceOf(site, text.content);
      known.set(record, found);
      return found;
    },
    show(raw, of) {
      const showing = of.within ?? { ...fresh(of.address), rule: of.rule };
      if (of.before > 0 && !of.within)
        for (const [kind, count] of numbersIn(raw, of)) showing.numbers.set(kind, count * of.before);
      return showText(raw, of, showing);
    },
    bind: (block, { reader, post }) => {
      const run = runOf(site, { reader, post }, fresh());
      return bindBlock(block, blockTypes.get(block.name ?? ''), contextOf(post), run.bound ?? (() => undefined));
    },
    showOne: (name, attributes, of) => showBlockOf(name, attributes, of, { ...fresh(of.address), isAlone: true }),
    prepare: (raw, of) => (withPictures.test(raw) ? reading((showing) => showText(raw, of, showing), of) : undefined),
    prepareOne: (name, attributes, of) => reading((showing) => showBlockOf(name, attributes, of, showing), of),
  };

  function showText(raw: string, of: ShowingOf, showing: Showing): ReturnType<typeof showParts> {
    return showParts(showOwn(site, raw), of.options, runOf(site, of, showing), contextOf(of.post));
  }

  function showBlockOf(...[name, attrs, of, showing]: [...Parameters<DynamicBlocks['showOne']>, Showing]): string {
    const block = { name, attrs, innerBlocks: [], innerHTML: '', innerContent: [] };
    return showBlock(block, runOf(site, of, showing), contextOf(of.post), 0);
  }

  /** Numbers consumed by one rendering of a text. */
  function numbersIn(raw: string, of: ShowingOf): Map<string, number> {
    const showing = fresh(of.address);
    showText(raw, of, showing);
    return showing.numbers;
  }

  function reading(show: (showing: Showing) => unknown, { address }: Pick<ShowingOf, 'address'>): Promise<void> | undefined {
    const showing = fresh(address);
    show(showing);
    return showing.unread.size > 0 ? site.media.prepare([...showing.unread]) : undefined;
  }

  function contextOf(id: number): BlockContext {
    const post = site.posts.get(id);
    return post ? { postId: post.id, postType: post.type } : {};
  }
}

/** The blocks of a text, within its context. */
function runOf(site: Site, { reader, post }: Pick<ShowingOf, 'reader' | 'post'>, showing: Showing): BlockRun {
  const view = createBlockSite(site, reader, showing, post);
  return {
    ...createNumbers(showing.numbers),
    rule: showing.rule,
    bound: (question) => (view.spend(1) ? boundValue(question, view) : undefined),
    renderer(name) {
      const render = renderers[name];
      if (!render) return undefined;
      const guarded = (live: LiveBlock): string =>
        site.spare(`block ${name}`, site.posts.get(post) ?? { id: post }, () => render(live, view), '');
      return (live) => (view.spend(1) ? view.shown(() => guarded(live)) : '');
    },
  };
}

/** Embeds of site URLs on their own lines. */
function showLone(site: Site, text: string, show = embeddedPost): string {
  if (!text.includes(`${site.url}/`)) return text;
  return replaceLoneAddresses(text, (address) => (isOwn(site, address) ? show(site, decodeEntities(address)) : undefined));
}

const embed = /\[embed(?![\w-])[^\][]*\]\s*(https?:\/\/[^\s<>"[\]]+)\s*\[\/embed\]/g;

/** Also those in `[embed]`. */
function showOwn(site: Site, text: string, show = embeddedPost): string {
  if (!text.includes(`${site.url}/`)) return text;
  const shown = text.replace(embed, (whole, address: string) =>
    isOwn(site, address) ? (show(site, decodeEntities(address)) ?? whole) : whole,
  );
  return showLone(site, shown, show);
}

function isOwn(site: Site, address: string): boolean {
  return address.startsWith(`${site.url}/`);
}

function namesOwn(site: Site, text: string): boolean {
  return showOwn(site, text, () => '') !== text;
}

function dependenceOf(site: Site, text: string): Dependence {
  if (!text.includes('<!--')) return namesOwn(site, text) ? 'site' : 'nothing';
  if (namesAddress.test(text)) return 'address';
  if (namesOwn(site, text) || namesDynamic.test(text)) return 'site';
  return namesNumbered.test(text) ? 'count' : 'nothing';
}
