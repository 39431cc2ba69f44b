/**
 * Where the file of a changed post goes, and whether it holds Markdown or markup.
 */
import { isDated, type PostRecord } from './record.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { PostType } from '../types/record.ts';
import { hasBlocks } from '../../render/blocks.ts';
import type { Site } from '../../kernel/site/site.ts';
import { freePath, pathFor, standsInPlace } from './file.ts';

/** A file follows its slug, date and parent, unless a person put it somewhere else. */
export function newPath(site: Site, before: PostRecord, after: PostRecord): string {
  const type = site.types.get(after.type) as PostType;
  const redated =
    isDated(type) && !after.floating && before.date.slice(0, 7) !== after.date.slice(0, 7) && standsInPlace(site, before);
  const renamed = before.slug !== after.slug && after.slug !== '';
  const kind = rejudged(site, before, after);
  if (!redated && !renamed && kind === before.kind && before.parent === after.parent) return before.path;
  const path = pathFor(site, { ...after, kind }, slugify(after.title));
  if (/\/index\.[^/]*$/.test(before.path) && type.hierarchical) return path.replace(/(\.[^./]*)$/, '/index$1');
  if (redated || standsInPlace(site, before)) return path;
  return freePath(site, after, before.path.replace(/[^/]*$/, '') + path.replace(/^.*\//, ''));
}

/** In `auto` writing, an empty or wholly replaced body is judged again. */
function rejudged(site: Site, before: PostRecord, after: PostRecord): PostRecord['kind'] {
  if (site.settings.value('writing') !== 'auto' || before.content === after.content || after.content === '') return before.kind;
  const lines = new Set(before.content.split('\n').map((line) => line.trim()));
  const shares = after.content.split('\n').some((line) => line.trim() !== '' && lines.has(line.trim()));
  return shares ? before.kind : kindOf(site, after.content);
}

/** The kind of file for a body that comes in over the interface (architecture section 3, `writing`). */
export function kindOf(site: Site, body: string): 'md' | 'html' {
  const writing = site.settings.value('writing');
  if (writing !== 'auto') return writing === 'markdown' ? 'md' : 'html';
  return hasBlocks(body) || MARKUP.test(body) ? 'html' : 'md';
}

/** Block-level markup at the start of a line. */
const MARKUP =
  /^\s{0,3}<\/?(?:address|article|aside|blockquote|center|details|dialog|dd|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|legend|li|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio)[\s>/]/im;
