/**
 * The field modes `copy` and `copy-once`: translations get values of the original when it is saved, or when they are created. Values are in meta or
 * custom fields.
 *
 * Source: reference on languages, 3.3, 13.3.
 */
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { same } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import type { PreparedWrite } from '../../../kernel/module.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import type { Translated } from '../record.ts';
import { modeOf } from './rules.ts';

/** Maps of a record that its file has under the same name. */
const maps = ['meta', 'fields'] as const;

type Values = Readonly<Record<string, unknown>>;
type Item = Translated & { readonly [K in (typeof maps)[number]]?: Values };

/** Changes of translations after a save of the original. Cost: nothing if no values are written. */
export function copyValues(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
  if (site.translationConfig.rules.fields.size === 0) return [];
  return changes.flatMap((change): readonly FileChange[] => {
    const isSaid = 'data' in change && change.expect !== null && maps.some((map) => Object.hasOwn(change.data, map));
    const item = isSaid ? itemAt(site, change.from ?? change.path) : undefined;
    if (!isSaid || item === undefined || site.translations.original(item).id !== item.id) return [];
    return site.translations.members(item).flatMap((one) => (one.id === item.id ? [] : copied(site, change, one)));
  });
}

function copied(site: Site, { data }: Write, translation: Item): readonly FileChange[] {
  const changed: Record<string, unknown> = {};
  for (const map of maps) {
    if (!Object.hasOwn(data, map)) continue;
    const values = isMap(data[map]) ? data[map] : {};
    const own = translation[map] ?? {};
    const next: Record<string, unknown> = { ...own };
    for (const name of new Set([...Object.keys(values), ...Object.keys(own)])) {
      if (modeOf(site.translationConfig.rules, 'post', name) !== 'copy') continue;
      if (Object.hasOwn(values, name)) next[name] = values[name];
      else delete next[name];
    }
    if (!same(next, own)) changed[map] = Object.keys(next).length > 0 ? next : undefined;
  }
  const { path, etag } = translation;
  return Object.keys(changed).length === 0 ? [] : [{ path, expect: etag, data: changed, order: Object.keys(changed) }];
}

/** A new translation gets values of its original that its writer does not set. */
export function copyOnce(write: PreparedWrite, { site, params }: Call, before: unknown): PreparedWrite {
  const source = before === undefined ? sourceOf(site, params) : undefined;
  if (source === undefined) return write;
  const added = maps.flatMap((map) => {
    const said = isMap(write.input[map]) ? write.input[map] : {};
    const modes = ['copy', 'copy-once'];
    const values = Object.entries(source[map] ?? {}).filter(
      ([name]) => !Object.hasOwn(said, name) && modes.includes(modeOf(site.translationConfig.rules, 'post', name) ?? ''),
    );
    return values.length === 0 ? [] : [[map, { ...Object.fromEntries(values), ...said }] as const];
  });
  return added.length === 0 ? write : { ...write, input: { ...write.input, ...Object.fromEntries(added) } };
}

/** The original of a new item. */
function sourceOf(site: Site, { translation_of: of, trid }: Call['params']): Item | undefined {
  const id = Number(of ?? trid ?? 0);
  return id > 0 ? site.records.table<Item>('posts').get(id) : undefined;
}

function itemAt(site: Site, path: string): Item | undefined {
  if (site.paths.find(path)?.kind !== 'post') return undefined;
  const items = site.records.table<Item>('posts');
  return [...items.with('place', logicalPath(path))].flatMap((id) => items.get(id) ?? []).find((item) => item.path === path);
}
