/** What getters of revisions use: texts like those of the post, and its meta. */
import { shownLocal } from '../../../kernel/model/dates.ts';
import { metaOf } from '../../../kernel/model/typed-value.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createStateView } from '../posts/index.ts';
import type { PostRecord } from '../posts/record.ts';
import type { RevisionRecord, RevisionView } from './record.ts';

export function createRevisionView(site: Site): RevisionView {
  return {
    ...createStateView(site, textOf),
    guid: (revision) => `${site.url}/?p=${revision.id}`,
    gmt: (date) => shownLocal(date, site.zone),
    meta(revision) {
      const meta = metaOf(site.meta[site.posts.get(revision.parent || revision.id)?.type ?? ''] ?? {}, revision.meta);
      // No revision of a pattern has a sync status (observed).
      return wireConstants.patternSync in (meta as object) ? { ...(meta as object), [wireConstants.patternSync]: null } : meta;
    },
  };
}

function textOf(revision: RevisionRecord): Pick<PostRecord, 'id' | 'title' | 'content' | 'excerpt' | 'kind'> {
  return { ...revision, id: revision.parent, kind: revision.path.endsWith('.md') ? 'md' : 'html' };
}
