/**
 * Crops: images cut from others, as separate attachments with a sidecar key `crop:`.
 *
 * Source: reference on media tools, part A.
 */
import { type Draft, type Field, FieldProblem, forms } from '../../../kernel/model/field.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { AttachmentRecord } from '../../content/attachments/record.ts';

export const cropTypes = ['aspect_ratio', 'pixel_size', 'free_crop'] as const;
export type CropType = (typeof cropTypes)[number];

/** Pixels of the full image as displayed. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Crop {
  /** Id of the source attachment. */
  readonly original: number;
  readonly type: CropType;
  /** Aspect ratio or pixel size; null if any shape was allowed. */
  readonly ratio: readonly [width: number, height: number] | null;
  /** As sent. */
  readonly coordinates: Area;
  /** Key of its field. */
  readonly field: string;
  /** Id of the item that uses it; 0 until one is saved with it. */
  readonly parent: number;
  /** Of the form; '' once an item has it. */
  readonly tempKey: string;
  /** Milliseconds since the epoch; 0 once an item has it. */
  readonly created: number;
}

export interface CropRecord extends AttachmentRecord {
  /** Null: not a crop. */
  readonly crop: Crop | null;
}

/** Index key of unused crops. */
export const unused = 'unused';

type CropField = Field<CropRecord, unknown>;

const crop: CropField = {
  file: {
    key: 'crop',
    form: of('object', 'What the picture was cut from.', {
      properties: { original: forms.reference, parent: { type: 'integer' } },
    }),
    read(raw, draft, { refs }) {
      const id = (value: unknown): number =>
        typeof value === 'number' || typeof value === 'string' ? refs.postId('attachment', value) : 0;
      draft.crop = raw === undefined || raw === null ? null : readCrop(raw, id);
    },
    print: ({ crop }, { refs }) => (crop ? printCrop(crop, refs.postRef('attachment', crop.original)) : undefined),
  },
  // Only used to find unused ones.
  index: { equal: ({ crop }) => (crop ? crop.parent || unused : undefined) },
};

export const cropFields: Readonly<Record<string, CropField>> = { _crop: crop };

/** @throws FieldProblem */
function readCrop(raw: unknown, idOf: (value: unknown) => number): Draft<Crop> {
  if (!isMap(raw))
    throw new FieldProblem('crop', 'crop must be a map', 'crop: {original: 2024/05/photo.jpg, type: free_crop, …}');
  const { original, type, ratio, coordinates, field, parent, temp_key: tempKey, created } = raw;
  const known = cropTypes.find((one) => one === type);
  if (!known) throw new FieldProblem('crop', `crop has no type ${JSON.stringify(type)}`, `one of ${cropTypes.join(', ')}`);
  const [width, height] = Array.isArray(ratio) ? ratio : [];
  const area = mapOf(coordinates);
  return {
    original: idOf(original),
    type: known,
    ratio: number(width) > 0 && number(height) > 0 ? [number(width), number(height)] : null,
    coordinates: { x: number(area.x), y: number(area.y), width: number(area.width), height: number(area.height) },
    field: text(field),
    parent: Math.max(0, Math.floor(number(parent))),
    tempKey: text(tempKey),
    created: number(created),
  };
}

function printCrop({ type, ratio, coordinates, field, parent, tempKey, created }: Crop, original: string | number): unknown {
  return {
    original,
    type,
    ...(ratio ? { ratio } : {}),
    coordinates,
    ...(field === '' ? {} : { field }),
    ...(parent === 0 ? {} : { parent }),
    ...(tempKey === '' ? {} : { temp_key: tempKey }),
    ...(created === 0 ? {} : { created }),
  };
}

/** Decimals are strings in files. */
function number(value: unknown): number {
  const read = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Number.isFinite(read) ? read : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
