/**
 * Directories of blocks and patterns: external services set by the operator (`CMS_BLOCK_DIRECTORY`, `CMS_PATTERN_DIRECTORY`). Without one, the API
 * says so.
 */
import { type Fetcher, FetchError } from '../../../http-client/fetch.ts';
import { printGmt } from '../../../kernel/model/dates.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { withoutTags } from '../../../render/text.ts';

export interface DirectoryBlock {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Package of the block. */
  readonly id: string;
  /** 0 to 5. */
  readonly rating: number;
  readonly ratingCount: number;
  readonly installs: number;
  readonly authorRating: number;
  readonly authorBlocks: number;
  readonly author: string;
  readonly icon: string;
  /** GMT, `YYYY-MM-DDTHH:MM:SS`; '' if unknown. */
  readonly updated: string;
}

export interface DirectoryPattern {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly description: string;
  readonly viewportWidth: number;
  readonly blockTypes: readonly string[];
}

/** The response of a directory; null if unavailable or invalid. */
export async function askDirectory(
  fetcher: Fetcher,
  address: string,
  query: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (!isUrl(address)) return null;
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) url.searchParams.append(Array.isArray(value) ? `${name}[]` : name, String(one));
  }
  try {
    const { status, body, isCut } = await fetcher.get(url.href, { headers: { accept: 'application/json' }, maxBytes: 4_000_000 });
    return status === 200 && !isCut ? (JSON.parse(body.toString('utf8')) as unknown) : null;
  } catch (error) {
    if (error instanceof FetchError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Blocks in a response: packages with their blocks. Null if invalid. */
export function readBlocks(answered: unknown): readonly DirectoryBlock[] | null {
  const { plugins } = mapOf(answered);
  if (!Array.isArray(plugins)) return null;
  return plugins.map(mapOf).flatMap((one) => {
    const block = Object.values(mapOf(one.blocks)).map(mapOf)[0];
    if (!block) return [];
    return [
      {
        name: text(block.name),
        title: text(block.title) || text(one.name),
        description: text(one.short_description),
        id: text(one.slug),
        rating: number(one.rating) / 20,
        ratingCount: number(one.num_ratings),
        installs: number(one.active_installs),
        authorRating: number(one.author_block_rating) / 20,
        authorBlocks: number(one.author_block_count),
        author: withoutTags(text(one.author)),
        icon: text(mapOf(one.icons)['1x']) || 'block-default',
        updated: moment(text(one.last_updated)),
      },
    ];
  });
}

/** Patterns in a response; null if invalid. */
export function readPatterns(answered: unknown): readonly DirectoryPattern[] | null {
  if (!Array.isArray(answered)) return null;
  return answered.map(mapOf).map((one) => {
    const meta = mapOf(one.meta);
    const said = (name: string): unknown => Object.entries(meta).find(([key]) => key.endsWith(`_${name}`))?.[1];
    return {
      id: number(one.id),
      title: text(mapOf(one.title).rendered),
      content: text(one.pattern_content),
      categories: texts(one.category_slugs),
      keywords:
        texts(one.keyword_slugs).length > 0
          ? texts(one.keyword_slugs)
          : text(said('keywords'))
              .split(',')
              .map((word) => word.trim())
              .filter(Boolean),
      description: text(said('description')),
      viewportWidth: number(said('viewport_width')),
      blockTypes: texts(said('block_types')),
    };
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function number(value: unknown): number {
  return Number.isFinite(Number(value)) ? Number(value) : 0;
}

function moment(value: string): string {
  const at = Date.parse(value.replace(/(\d)(am|pm)/i, '$1 $2'));
  return Number.isNaN(at) ? '' : printGmt(at);
}
