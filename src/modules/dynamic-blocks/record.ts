/**
 * Blocks that show what the site has: what a text with such blocks asks for.
 */
import type { Actor } from '../../kernel/model/access.ts';
import type { RenderOptions, ShownParts } from '../../render/markup.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly dynamicBlocks: DynamicBlocks;
  }
}

/** On what the blocks of a text depend beside the text: on nothing; on how often it was shown in one answer; on the site. */
export type Dependence = 'nothing' | 'count' | 'site';

export interface ShowingOf {
  /** Who reads; null: everybody. */
  readonly reader: Actor | null;
  /** Id of the post the text is of. */
  readonly post: number;
  readonly options: RenderOptions;
  /** How often the answer has shown the text before. */
  readonly before: number;
  /** The text is shown within another: what is shown already is not shown within itself. */
  readonly within?: Showing;
}

/** What is shared by all that is shown within one text. */
export interface Showing {
  /** Texts that are being shown, by `post:7`. */
  readonly open: Set<string>;
  /** What may still be shown. */
  left: number;
  last: number;
}

export interface DynamicBlocks {
  dependenceOf(text: string): Dependence;
  /** A text with its blocks shown. */
  show(raw: string, of: ShowingOf): ShownParts;
}
