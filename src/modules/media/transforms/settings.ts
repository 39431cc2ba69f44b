/**
 * `images` of `site.yaml`: who may ask for pictures in sizes of their own.
 */
import { fileOnly, type Setting } from '../../../kernel/model/settings.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Settings } from '../../../kernel/site/settings.ts';
import { maxSide, type Transform } from './parameters.ts';

export const imageSettings: readonly Setting[] = [
  {
    group: 'media',
    key: 'images',
    schema: {
      ...fileOnly(
        'Images in other sizes on demand: `signed: true` for signed URLs, `allow: [640, 800x450]` for these sizes',
        'object',
      ),
      properties: {
        signed: { type: 'boolean' },
        allow: {
          type: 'array',
          items: { type: ['integer', 'string'], pattern: '^[1-9]\\d{0,3}(?:x[1-9]\\d{0,3})?$' },
          maxItems: 64,
        },
        cache: { type: 'integer', minimum: 1, maximum: 1_048_576 },
      },
      additionalProperties: false,
    },
    default: {},
  },
];

export interface ImageRules {
  readonly isSigned: boolean;
  /** `640` for a width with whatever height follows, `800x450` for a box. */
  readonly allowed: ReadonlySet<string>;
  /** Of pictures on disk. */
  readonly cacheBytes: number;
}

/** Null where nobody may ask. */
export function rulesOf(settings: Pick<Settings, 'value'>): ImageRules | null {
  const { signed, allow, cache } = mapOf(settings.value('images'));
  const allowed = new Set(Array.isArray(allow) ? allow.map(String) : []);
  if (signed !== true && allowed.size === 0) return null;
  return { isSigned: signed === true, allowed, cacheBytes: (typeof cache === 'number' ? cache : 512) * 1024 * 1024 };
}

/** Whether the list has a size. A quality of one's own would make a hundred pictures of each: that takes a signature. */
export function isAllowed({ allowed }: ImageRules, { width, height, quality }: Transform): boolean {
  if (quality !== undefined || width === 0 || width > maxSide) return false;
  return allowed.has(height === 0 ? String(width) : `${width}x${height}`);
}
