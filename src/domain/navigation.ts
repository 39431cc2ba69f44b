/**
 * The navigation an editor starts from when a page names none: the latest one there is, or a new one that lists the pages.
 */
import type { PostRecord } from '../model/post.ts';
import type { Actor } from './capabilities.ts';
import { planCreate } from './posts.ts';
import { delimiterNames } from './render/blocks.ts';
import type { Site } from './site.ts';

const type = 'cms_navigation';

/** @returns its id; null when there is none and none can be written. Two at once make one: the second finds the first's file. */
export async function fallbackNavigation(site: Site, actor: Actor | null): Promise<number | null> {
  const known = latest(site);
  if (known) return known.id;
  if (site.store.readOnly) return null;
  return site.write(() => {
    const found = latest(site);
    if (found) return { changes: [], result: found.id };
    const content = `<!-- ${delimiterNames[0]}:page-list /-->`;
    return planCreate(site, actor, type, { title: 'Navigation', slug: 'navigation', status: 'publish', content });
  });
}

function latest(site: Site): PostRecord | undefined {
  const where = [
    { kind: 'in', index: 'type', values: [type] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ] as const;
  return site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit: 1 }).records[0];
}
