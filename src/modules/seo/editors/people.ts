/**
 * What each person has seen and allowed. Nobody else's business, so in the private mount: `seo/people/<id>.yaml`.
 */
import { isMap, table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { parseYaml } from '../../../kernel/yaml/parse.ts';
import { printMap } from '../../../kernel/yaml/print.ts';

export interface Person {
  /** Id of an introduction → whether it was seen. */
  readonly introductions: Readonly<Record<string, boolean>>;
  /** Keys of alerts that were dismissed. */
  readonly alerts_dismissed: readonly string[];
  readonly video_embed_permission: boolean;
}

const nobody: Person = table({ introductions: {}, alerts_dismissed: [], video_embed_permission: false });

type Kept = Pick<Site, 'store'>;

export async function personOf({ store }: Kept, user: number): Promise<Person> {
  return parse(await store.private.get(documentOf(user)));
}

/** Changes what is kept of a person; nothing is kept of who is as everybody begins. */
export async function changePerson({ store }: Kept, user: number, change: (before: Person) => Partial<Person>): Promise<void> {
  const { private: documents } = store;
  const alter = (bytes: Uint8Array | null): Uint8Array | null | undefined => {
    const before = parse(bytes);
    const after = print({ ...before, ...change(before) });
    if (after === print(before)) return undefined;
    return after === '' ? null : Buffer.from(after);
  };
  const key = documentOf(user);
  if (documents.update) return documents.update(key, alter);
  const made = alter(await documents.get(key));
  if (made === null) await documents.remove(key);
  else if (made) await documents.set(key, made);
}

/** Nothing is kept of somebody who goes. */
export async function forgetPerson({ store }: Kept, user: number): Promise<void> {
  await store.private.remove(documentOf(user));
}

function documentOf(user: number): string {
  return `seo/people/${user}.yaml`;
}

function parse(bytes: Uint8Array | null): Person {
  const said = bytes === null ? {} : parseYaml(Buffer.from(bytes).toString('utf8'));
  const { introductions, alerts_dismissed: alerts } = said;
  return {
    introductions: isMap(introductions)
      ? Object.fromEntries(Object.entries(introductions).map(([id, isSeen]) => [id, isSeen === true]))
      : nobody.introductions,
    alerts_dismissed: Array.isArray(alerts) ? alerts.map(String) : nobody.alerts_dismissed,
    video_embed_permission: said.video_embed_permission === true,
  };
}

function print(person: Person): string {
  const kept = (Object.entries(person) as [keyof Person, unknown][]).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(nobody[name]),
  );
  return kept.length === 0 ? '' : `${printMap(Object.fromEntries(kept)).join('\n')}\n`;
}
