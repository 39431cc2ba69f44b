/**
 * Constants for front ends, from `constants.yaml`: contact data, links, labels, flags. A file per language, `constants.de.yaml`, is merged over it;
 * lists are replaced.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Batch } from '../../../kernel/store/types.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import { linkOf } from '../../content/permalinks/record.ts';
import { translatedId } from './language.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Constants {
  /** Reads the files in a batch. @returns whether there are any */
  take(batch: Batch): boolean;
  /** @param language  code; null on a site without languages */
  values(language: string | null): Values;
}

/** `constants.yaml`, `constants.de.yaml`. */
const name = /^constants(?:\.([a-z][a-z0-9-]*))?\.yaml$/;
/** Maximum nesting; deeper values are dropped. */
const maxDepth = 20;

export function isConstants(path: string): boolean {
  return name.test(path);
}

export function createConstants(): Constants {
  const files = new Map<string, Values>();
  return {
    take({ entries, removed }) {
      const changed = entries.filter(({ path }) => isConstants(path));
      const gone = removed.filter(isConstants);
      for (const path of gone) files.delete(path);
      for (const { path, data } of changed) files.set(path, data);
      return changed.length + gone.length > 0;
    },
    values(language) {
      const base = files.get('constants.yaml') ?? {};
      const over = language === null ? undefined : files.get(`constants.${language}.yaml`);
      return over ? merged(base, over) : base;
    },
  };
}

/** The values for a call: without private ones, with resolved references. */
export async function shownConstants(call: Call, values: Values): Promise<unknown> {
  await call.site.media.prepare([...picturesIn(call, values)]);
  return shown(call, values, 0);
}

function merged(base: Values, over: Values): Values {
  const both: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    both[key] = isMap(value) && isMap(below) ? merged(below, value) : value;
  }
  return both;
}

function shown(call: Call, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return value.map((one) => shown(call, one, depth + 1));
  const reference = referenceIn(value as Values);
  if (reference) return reference.to === 'media' ? picture(call, reference.ref) : page(call, reference.ref);
  const members = Object.entries(value as Values).filter(([key]) => !key.startsWith('_'));
  return Object.fromEntries(members.map(([key, one]) => [key, shown(call, one, depth + 1)]));
}

interface Reference {
  readonly to: 'media' | 'page';
  /** Id, or path below the folder. */
  readonly ref: string | number;
}

/** `{media: 15}`, `{page: about}`: a map with only that key. */
function referenceIn(value: Values): Reference | null {
  const keys = Object.keys(value);
  const [to] = keys;
  const ref = to === undefined ? undefined : value[to];
  if (keys.length !== 1 || (to !== 'media' && to !== 'page')) return null;
  return typeof ref === 'number' || typeof ref === 'string' ? { to, ref } : null;
}

function* picturesIn(call: Call, value: unknown, depth = 0): Generator<AttachmentRecord> {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return;
  const reference = Array.isArray(value) ? null : referenceIn(value as Values);
  if (!reference) for (const one of Object.values(value)) yield* picturesIn(call, one, depth + 1);
  else if (reference.to === 'media') {
    const media = attachment(call, reference.ref);
    if (media) yield media;
  }
}

function attachment({ site, user }: Call, ref: string | number) {
  const media = site.posts.get(site.refs.postId('attachment', ref));
  return isAttachment(media) && media.status !== 'trash' && canReadPost(site.access, user, media) ? media : null;
}

function picture(call: Call, ref: string | number): Values | null {
  const media = attachment(call, ref);
  return media && { id: media.id, url: sourceUrl(call.site, media), alt: media.alt };
}

function page(call: Call, ref: string | number): Values | null {
  const { site, user } = call;
  const found = site.posts.get(translatedId(call, site.refs.postId('page', ref)));
  if (found?.type !== 'page' || !canReadPost(site.access, user, found)) return null;
  return { id: found.id, url: site.url + linkOf(site, found, true), title: found.title };
}
