/**
 * What earlier imports of the same site have made and this source does not hold: another file of an export that was split. Items of the
 * source may name it as they name one another.
 */
import { logicalPath, parentPath } from '../../kernel/model/logical-path.ts';
import { table } from '../../kernel/model/maps.ts';
import { type ExistingFile, spaceOf } from './inventory.ts';
import type { Line } from './import-state.ts';
import type { ContentKind } from './items.ts';
import { isBelow, type PlanDraft, type PlannedItem } from './planned-item.ts';

const maps = table({ user: 'users', term: 'terms', post: 'posts', comment: 'comments' } as const);

/** Puts them into the draft, under their keys. Items of the source have to be there already. */
export function addKnownItems(draft: PlanDraft): void {
  const { importState, inventory, claimed } = draft;
  for (const line of importState.all()) {
    if (line.kind === 'menu-link' && line.link && !draft.links.has(line.key)) draft.links.set(line.key, knownLink(line));
    if (!isKind(line.kind) || line.etag === '') continue;
    const map = draft[maps[line.kind]];
    const existing = inventory.byId[spaceOf(line.kind)].get(line.id);
    if (map.has(line.key) || existing?.kind !== line.kind || claimed.has(existing)) continue;
    claimed.add(existing);
    map.set(line.key, knownItem(line.kind, line.key, existing, line));
  }
  const byId = new Map(
    [...draft.posts.values()].flatMap((planned) => (planned.existing ? [[planned.existing.id, planned]] : [])),
  );
  for (const planned of [...draft.posts.values()]) if (planned.isKnown) setParent(draft, planned, byId);
}

/** Pages above one: those that nothing else names, too, for addresses go through them. */
function setParent(draft: PlanDraft, planned: PlannedItem, byId: Map<number, PlannedItem>): void {
  const { inventory, posts, types } = draft;
  for (let at = planned; at.parent === null; ) {
    const id = inventory.places.get(parentPath(at.existing?.path ?? '').toLowerCase());
    const existing = id === undefined ? undefined : inventory.byId.posts.get(id);
    if (!existing || existing.of !== at.of || existing === at.existing) return;
    const above = byId.get(existing.id) ?? knownItem('post', `here ${existing.id}`, existing, null);
    if (!byId.has(existing.id)) posts.set(above.key, above);
    byId.set(existing.id, above);
    at.parent = above;
    if (!isBelow(types, at) || !above.isKnown) return;
    at = above;
  }
}

function knownItem(kind: ContentKind, key: string, existing: ExistingFile, line: Line | null): PlannedItem {
  const { of, id, slug, path } = existing;
  return {
    ...{ kind, key, of, id, slug, place: logicalPath(path), file: path.replace(/\.[^./]*$/, ''), existing, line },
    ...{ parent: null, lang: existing.lang, original: null, isCut: false, formerPath: '', isGone: false, isSettled: true },
    ...{ header: null, isKnown: true },
    ...(line?.address === undefined ? {} : { address: line.address }),
    ...(line?.language === undefined ? {} : { said: { lang: line.language[0], translationOf: '', group: line.language[1] } }),
  };
}

/** A link of a menu, which is no file of its own. */
function knownLink(line: Line): PlannedItem {
  const { key, id } = line;
  return {
    ...{ kind: 'menu-link', key, of: '', id, slug: '', place: '', file: '', existing: null, line, parent: null, lang: '' },
    ...{ original: null, isCut: false, formerPath: '', isGone: false, isSettled: true, header: null, isKnown: true },
  };
}

function isKind(kind: string): kind is keyof typeof maps {
  return Object.hasOwn(maps, kind);
}
