/**
 * Blocks of a body: every one is closed, in order, and its attributes can be read. The server shows broken blocks as well as it
 * can; editors offer to repair them, and lose what they cannot read.
 */
import { delimiterNames } from '../render/wire-constants.ts';
import { type Delimiter, delimiters, hasBlocks, parseAttributes } from '../render/blocks.ts';
import { say } from './finding.ts';
import type { Remark } from '../kernel/model/remark.ts';
import { type Ranges, within } from '../render/body-ranges.ts';

/** Something about a stretch of a body. */
export interface BodyRemark extends Remark {
  readonly at: number;
  readonly length: number;
}

interface BlockSeen {
  readonly delimiter: Delimiter;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A body can be all mistakes. */
const maxSpots = 10_000;
const likeBlock = new RegExp(`<!--\\s*(?:/\\s*)?(?:${delimiterNames.join('|')}):[a-z]`, 'g');

/**
 * @param code  passages in which nothing is a block
 * @param see   gets every block that opens, with its attributes
 */
export function checkBlocks(body: string, code: Ranges, see: (block: BlockSeen) => void): BodyRemark[] {
  if (!mayHaveBlocks(body)) return [];
  const spots: BodyRemark[] = [];
  const open: Delimiter[] = [];
  const counts = new Map<string, number>();
  const known = new Set<number>();
  const count = (name: string, by: number): void => void counts.set(name, (counts.get(name) ?? 0) + by);
  const spot = ({ start, end }: Pick<Delimiter, 'start' | 'end'>, remark: Remark): void => {
    spots.push({ at: start, length: end - start, ...remark });
  };
  const unclosed = (one: Delimiter): void => {
    count(one.name, -1);
    spot(one, say('block-unclosed', `block ${one.name} is not closed`, `write its end, or <!-- … /--> if it holds nothing`));
  };
  let isCode = within(code);
  for (const delimiter of delimiters(body)) {
    if (spots.length > maxSpots) return spots;
    known.add(delimiter.start);
    if (isCode(delimiter.start)) continue;
    const { kind, name, json } = delimiter;
    if (kind === 'close') {
      if ((counts.get(name) ?? 0) === 0) {
        spot(
          delimiter,
          say(
            'block-unopened',
            `nothing opens this block ${name}`,
            open.length > 0 ? `the open one is ${open.at(-1)?.name}` : undefined,
          ),
        );
        continue;
      }
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        if (last.name === name) break;
        unclosed(last);
      }
      count(name, -1);
      continue;
    }
    if (kind === 'open') {
      open.push(delimiter);
      count(name, 1);
    }
    const attributes = parseAttributes(json);
    if (attributes === null) spot(delimiter, say('block-attributes', `the attributes of block ${name} are not valid JSON`));
    else see({ delimiter, attributes });
  }
  for (const one of open.slice(0, maxSpots)) unclosed(one);
  isCode = within(code);
  for (const like of body.matchAll(likeBlock)) {
    if (known.has(like.index) || isCode(like.index)) continue;
    if (spots.length > maxSpots) return spots;
    const end = Math.min(body.length, like.index + 60);
    spot(
      { start: like.index, end },
      say('block-delimiter', 'this comment begins like a block but is not one', 'attributes are JSON in braces: {"level":3}'),
    );
  }
  return spots;
}

/** Cheap; also for bodies that only end blocks. */
export function mayHaveBlocks(body: string): boolean {
  return hasBlocks(body) || delimiterNames.some((name) => body.includes(`/${name}:`));
}
