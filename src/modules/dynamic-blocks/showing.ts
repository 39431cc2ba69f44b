/**
 * How a text with dynamic blocks is shown: who is asked for what, and how much.
 */
import type { Site } from '../../kernel/site/site.ts';
import { delimiterNames } from '../../kernel/model/wire-constants.ts';
import type { BlockRun } from '../../render/live-block.ts';
import { showParts } from '../../render/markup.ts';
import { archiveBlocks } from './archives.ts';
import type { Renderers } from './markup.ts';
import type { Dependence, DynamicBlocks, Showing, ShowingOf } from './record.ts';
import { createBlockSite } from './view.ts';

/** What the server shows, by the name of the block. */
export const renderers: Renderers = Object.assign(Object.create(null), archiveBlocks);

/** What may be shown within one text: dynamic blocks, and members of their lists. */
const most = 10_000;

/** Blocks that get a number of their own within an answer. */
const numbered = ['accordion-item', 'gallery'];
const begins = `<!--\\s+(?:${delimiterNames.join('|')}):(?:core/)?`;
const namesDynamic = new RegExp(`${begins}(?:${names(Object.keys(renderers))})(?=\\s)`);
const namesNumbered = new RegExp(`${begins}(?:${names(numbered)})(?=\\s)|is-style-|"position"`);

function names(list: readonly string[]): string {
  return list.map((name) => name.replace('core/', '')).join('|');
}

export function createDynamicBlocks(site: Site): DynamicBlocks {
  return {
    dependenceOf,
    show(raw, of) {
      const showing = of.within ?? { open: new Set([`post:${of.post}`]), left: most, last: 0 };
      const first = of.before > 0 && !of.within ? usedIn(raw, of, { ...showing, open: new Set(showing.open) }) : 0;
      showing.last += first * of.before;
      return showWith(raw, of, showing);
    },
  };

  function showWith(raw: string, of: ShowingOf, showing: Showing): ReturnType<typeof showParts> {
    const post = site.posts.get(of.post);
    const context = post ? { postId: post.id, postType: post.type } : {};
    return showParts(raw, of.options, runOf(site, of, showing), context);
  }

  function usedIn(raw: string, of: ShowingOf, showing: Showing): number {
    showWith(raw, of, showing);
    return showing.last;
  }
}

/** The blocks of one text, within what is shown around. */
export function runOf(site: Site, { reader }: Pick<ShowingOf, 'reader'>, showing: Showing): BlockRun {
  const view = createBlockSite(site, reader, showing);
  return {
    unique: () => ++showing.last,
    renderer(name) {
      const render = renderers[name];
      return render && ((live) => (view.spend(1) ? render(live, view) : ''));
    },
  };
}

function dependenceOf(text: string): Dependence {
  if (!text.includes('<!--')) return 'nothing';
  if (namesDynamic.test(text)) return 'site';
  return namesNumbered.test(text) ? 'count' : 'nothing';
}
