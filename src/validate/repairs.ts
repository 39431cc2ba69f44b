/**
 * What `--fix` does: only what leaves the site as it is served, or makes served what was not. Each repair touches the lines it
 * names; what needs a person's judgement (which of two slugs, which spelling) is left to them.
 */
import { same } from '../kernel/model/field.ts';
import type { Entry, Write } from '../kernel/store/types.ts';
import type { Highest } from '../kernel/store/taken-ids.ts';
import type { Finding } from './finding.ts';
import type { Keys } from '../kernel/model/remark.ts';
import { sequencesOf } from './ids.ts';
import type { ParsedFile } from './parsed-file.ts';

/** One thing that is put right, for people. */
export interface Repair {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

export interface RepairPlan {
  /**
   * Changes to be committed one after another, each on the state that the one before has left: a write finds again the items of a
   * menu by their ids, so that comments inside them stay only where id and values do not change at once.
   */
  readonly steps: readonly (readonly Write[])[];
  readonly repairs: readonly Repair[];
}

/** @param before  ids given before, by number space; they are not used again */
export function planRepairs(findings: readonly Finding[], parsedFiles: readonly ParsedFile[], before: Highest): RepairPlan {
  const sequences = sequencesOf(parsedFiles, before);
  const byPath = new Map(parsedFiles.map((parsedFile) => [parsedFile.entry.path, parsedFile]));
  const drafts = new Map<string, Draft>();
  const repairs: Repair[] = [];
  for (const { path, rule, fix } of findings) {
    const parsedFile = byPath.get(path);
    if (!fix || !parsedFile || (fix.kind === 'move' && byPath.has(fix.to))) continue;
    const draft = drafts.get(path) ?? { entry: parsedFile.entry, data: [{}, {}, {}], cuts: [] };
    drafts.set(path, draft);
    const done = (message: string): void => void repairs.push({ path, rule, message });
    if (fix.kind === 'ids') {
      const ids = fix.places.map((keys) => {
        const id = sequences.next(keys.length > 1 ? 'posts' : parsedFile.space);
        if (keys.length > 1) put(draft, 'without', keys, undefined);
        put(draft, 'ids', keys, id);
        return id;
      });
      done(ids.length === 1 ? `id ${ids[0]}` : `ids ${ids[0]} to ${ids.at(-1)}`);
    } else if (fix.kind === 'value') {
      put(draft, 'values', fix.keys, fix.value);
      const name = fix.keys.filter((key) => typeof key === 'string').join('.');
      done(fix.value === undefined ? `${name} taken out` : `${name}: ${fix.value}`);
    } else if (fix.kind === 'text') {
      draft.cuts.push(fix);
      done(`${parsedFile.entry.body.slice(fix.at, fix.at + fix.length)} → ${fix.text}`);
    } else {
      draft.to = fix.to;
      done(`renamed to ${fix.to}`);
    }
  }
  const steps = stages.map((_, stage) => [...drafts.values()].flatMap((draft) => toWrite(draft, stage)));
  return { steps: steps.filter((writes) => writes.length > 0), repairs };
}

/** Ids that are to change go, ids come, values change. */
const stages = ['without', 'ids', 'values'] as const;
type Stage = (typeof stages)[number];
type Data = Record<string, unknown>;

interface Draft {
  readonly entry: Entry;
  /** What is changed of the front matter, as it is after each stage. */
  readonly data: readonly [Data, Data, Data];
  readonly cuts: { readonly at: number; readonly length: number; readonly text: string }[];
  to?: string;
}

/** Body and path change in the first stage. `expect` of later ones is what the one before has left; the committer knows. */
function toWrite({ entry, data: all, cuts, to }: Draft, stage: number): Write[] {
  const before = all[stage - 1] ?? {};
  const data = Object.fromEntries(
    Object.entries(all[stage] as Data).filter(
      ([key, value]) => !same(value, Object.hasOwn(before, key) ? before[key] : entry.data[key]),
    ),
  );
  const isFirst = stage === 0;
  if (Object.keys(data).length === 0 && !(isFirst && (cuts.length > 0 || to !== undefined))) return [];
  let body = entry.body;
  for (const { at, length, text } of cuts.toSorted((a, b) => b.at - a.at))
    body = body.slice(0, at) + text + body.slice(at + length);
  return [
    {
      path: to ?? entry.path,
      ...(isFirst && to !== undefined ? { from: entry.path } : {}),
      expect: entry.etag,
      data,
      order: ['id'],
      ...(isFirst && cuts.length > 0 ? { body } : {}),
    },
  ];
}

/** Sets what `keys` lead to, in copies of the value of the first of them, from a stage on. Undefined takes it out. */
function put({ entry, data }: Draft, from: Stage, keys: Keys, value: unknown): void {
  const [top, ...inner] = keys as [string, ...Keys];
  for (const [stage, copy] of data.entries()) {
    if (stage < stages.indexOf(from)) continue;
    if (inner.length === 0) {
      copy[top] = value;
      continue;
    }
    copy[top] ??= structuredClone(entry.data[top]);
    let at = copy[top] as Record<string | number, unknown>;
    for (const key of inner.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
    const last = inner.at(-1) as string | number;
    if (value === undefined) delete at[last];
    else if (last === 'id' && !('id' in at)) {
      // Behind what the item says itself, before what is below it.
      const { items, ...own } = at;
      for (const key of Object.keys(at)) delete at[key];
      Object.assign(at, own, { id: value }, items === undefined ? {} : { items });
    } else at[last] = value;
  }
}
