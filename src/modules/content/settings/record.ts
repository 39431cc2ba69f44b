/** Settings that refer to a deleted or moved item. */
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { Setting } from '../../../kernel/model/settings.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { placeBelow } from '../../types/record.ts';
import type { Site } from '../../../kernel/site/site.ts';

/** The change of settings when a page or media item is deleted; a site without its front page shows posts. */
export function settingsWithout(site: Site, id: number, kind: Kind): readonly FileChange[] {
  const gone = naming(site, id, kind).map(({ key }) => key);
  const keys = gone.includes('front_page') ? ['front', ...gone] : gone;
  return settingsWith(site, Object.fromEntries(keys.map((key) => [key, undefined])));
}

/** Settings refer to pages by path, so they follow a move. */
export function settingsAfterMoves(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
  const page = site.types.get('page');
  const data: Record<string, unknown> = {};
  for (const change of changes) {
    if (!('from' in change) || change.from === undefined) continue;
    const place = placeBelow(page, change.path);
    if (place === undefined) continue;
    const [id] = site.posts.with('place', logicalPath(change.from));
    for (const { key } of id === undefined ? [] : naming(site, id, 'page'))
      if (typeof site.settings.stored(key) === 'string') data[key] = place;
  }
  return settingsWith(site, data);
}

type Kind = 'page' | 'media';

function naming(site: Site, id: number, kind: Kind): readonly Setting[] {
  return site.settings.rows.filter(({ key, refers }) => {
    const stored = refers === kind ? site.settings.stored(key) : undefined;
    if (typeof stored !== 'string' && typeof stored !== 'number') return false;
    return site.refs.postId(kind === 'page' ? 'page' : 'attachment', stored) === id;
  });
}

function settingsWith(site: Site, data: Readonly<Record<string, unknown>>): readonly FileChange[] {
  const { entry, rows } = site.settings;
  if (!entry || Object.keys(data).length === 0) return [];
  return [{ path: entry.path, expect: entry.etag, data, order: rows.map(({ key }) => key) }];
}
