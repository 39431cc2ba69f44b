/**
 * How far the strings of a site are translated: each with every other language, and what stands between it and its translation.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { openStatuses } from '../jobs/index.ts';
import type { PairState } from '../items/index.ts';
import { stringsIn } from './batches.ts';
import { stringStatus, type UiString } from './record.ts';

export interface StringPair {
  readonly string: UiString;
  readonly target: string;
  readonly state: PairState;
  /** The open job; 0: none. */
  readonly job: number;
}

const states: Readonly<Record<number, PairState>> = table({
  [stringStatus.none]: 'missing',
  [stringStatus.inProgress]: 'in-work',
  [stringStatus.needsUpdate]: 'outdated',
  [stringStatus.complete]: 'translated',
});

/** @param targets  codes; default: every language. Cost: every string in each. */
export function stringOverview(site: Site, targets: readonly string[] = site.languages.codes): readonly StringPair[] {
  const open = openJobs(site);
  const all = [...site.translationStrings.all().values()].filter(({ value }) => /\p{L}/u.test(value));
  return all.flatMap((string) =>
    targets
      .filter((code) => code !== string.lang)
      .map((target): StringPair => {
        const job = open.get(`${target} ${string.id}`) ?? 0;
        const state = states[site.translationStrings.statusOf(string, target)] ?? 'missing';
        return { string, target, state: job > 0 ? 'in-work' : state, job };
      }),
  );
}

/** Language and string → the job that somebody works on. */
function openJobs(site: Site): ReadonlyMap<string, number> {
  const open = [...site.translationJobs.statuses()].filter(
    ({ type, status }) => type === 'st-batch_strings' && openStatuses.includes(status),
  );
  return new Map(
    open.flatMap(({ item, target, job }) => stringsIn(site, item).map(({ id }) => [`${target} ${id}`, job] as const)),
  );
}
