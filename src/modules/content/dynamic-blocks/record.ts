/**
 * Blocks that show what the site has: what a text with such blocks asks for. `design/dynamic-blocks` answers.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { AttachmentRecord } from '../attachments/record.ts';
import type { Block } from '../../../render/blocks.ts';
import type { RenderOptions, ShownParts } from '../../../render/markup.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly dynamicBlocks: DynamicBlocks;
  }
}

/**
 * On what the blocks of a text depend beside the text: on nothing; on how often it was shown in one answer; on the site; on the site and
 * the address that the text is asked for at.
 */
export type Dependence = 'nothing' | 'count' | 'site' | 'address';

export function dependsOnSite(dependence: Dependence): boolean {
  return dependence === 'site' || dependence === 'address';
}

export interface ShowingOf {
  /** Who reads; null: everybody. */
  readonly reader: Actor | null;
  /** Id of the post the text is of. */
  readonly post: number;
  readonly options: RenderOptions;
  /** How often the answer has shown the text before. */
  readonly before: number;
  /** Path and query, below the site, that the text is asked for at; absent where nobody asked. */
  readonly address?: string | undefined;
  /** Takes the rules of a style sheet for classes that blocks are given. */
  readonly rule?: ((css: string) => void) | undefined;
  /** The text is shown within another: what is shown already is not shown within itself. */
  readonly within?: Showing;
}

/** What is shared by all that is shown within one text. */
export interface Showing {
  /** Texts that are being shown within others, by type and id: `post:7`. */
  readonly open: Set<string>;
  /** What may still be done: blocks and members of lists, and what is worked through for them. */
  left: number;
  /** Characters that blocks have shown so far. */
  shown: number;
  /** The last numbers that were given to blocks, by what counts. */
  readonly numbers: Map<string, number>;
  /** As in `ShowingOf`. */
  readonly address?: string | undefined;
  /** A block is shown by itself: what hints there are for loading its pictures, it has from the start. */
  readonly isAlone?: boolean;
  /** As in `ShowingOf`. */
  readonly rule?: ((css: string) => void) | undefined;
  /** Pictures of whose files nothing is known yet. */
  readonly unread: Set<AttachmentRecord>;
}

export interface DynamicBlocks {
  /** @param record  whose text it is: the content is read once */
  dependenceOf(record: object, text: { readonly content: string }): Dependence;
  /** A text with what stands for addresses of this site alone on their lines. */
  embedOwn(raw: string): string;
  /** A text with its blocks shown. */
  show(raw: string, of: ShowingOf): ShownParts;
  /** Reads what is to be known of pictures that `show` will show; undefined: nothing is to be waited for. */
  prepare(raw: string, of: ShowingOf): Promise<void> | undefined;
  /** A block of a text with the values that its attributes take from the site. */
  bind(block: Block, of: Pick<ShowingOf, 'reader' | 'post'>): Block;
  /** A block alone, without any within it. */
  showOne(
    name: string,
    attributes: Readonly<Record<string, unknown>>,
    of: Pick<ShowingOf, 'reader' | 'post' | 'address'>,
  ): string;
  /** As `prepare`, for `showOne`. */
  prepareOne(...of: Parameters<DynamicBlocks['showOne']>): Promise<void> | undefined;
}
