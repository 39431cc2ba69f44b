/**
 * Scripts in content files: in bodies and in every text of front matter and YAML. They go out as they are unless the operator filters.
 */
import { operatorSettings } from '../kernel/model/operator.ts';
import type { Entry } from '../kernel/store/types.ts';
import { activeParts, isActiveAddress } from '../render/active.ts';
import type { Content } from './declarations.ts';
import { type Finding, say } from './finding.ts';
import type { Keys } from '../kernel/model/remark.ts';
import { codeIn, type Ranges } from '../render/body-ranges.ts';

const hint = `if intended, nothing has to be done; ${operatorSettings.filter_content.env}=1 serves texts without it`;
/** Of one file so many values are looked at; there is a limit to what `validate` shows of a file anyway. */
const maxValues = 10_000;

/** One finding for each element, or for each value that holds some. Cost: linear in the bytes. */
export function checkActive({ entries }: Content): Finding[] {
  return entries.flatMap((entry) => [...inBody(entry), ...inValues(entry)]);
}

function inBody({ path, kind, body }: Entry): Finding[] {
  if (!body.includes('<')) return [];
  const code = kind === 'md' && /`|~~~/.test(body) ? codeIn(body) : [];
  return activeParts(body)
    .filter(({ at }) => !isWithin(code, at))
    .map(({ at, length, what }) => ({ path, keys: [], at, length, ...say('active-content', `active content: ${what}`, hint) }));
}

function inValues({ path, data }: Entry): Finding[] {
  const found: Finding[] = [];
  let left = maxValues;
  look(data, []);
  return found;

  function look(value: unknown, keys: Keys): void {
    if (left-- <= 0) return;
    if (typeof value === 'string') {
      const what = isActiveAddress(value)
        ? 'an address that runs a script'
        : value.includes('<')
          ? activeParts(value)[0]?.what
          : undefined;
      if (what !== undefined) found.push({ path, keys, ...say('active-content', `active content: ${what}`, hint) });
    } else if (Array.isArray(value)) for (const [at, one] of value.entries()) look(one, [...keys, at]);
    else if (value !== null && typeof value === 'object')
      for (const [key, one] of Object.entries(value)) look(one, [...keys, key]);
  }
}

function isWithin(ranges: Ranges, at: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as readonly [number, number])[1] <= at) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && (ranges[low] as readonly [number, number])[0] <= at;
}
