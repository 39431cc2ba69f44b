/** The files of one image: the full size and its sizes. Depends only on dimensions and settings, so URLs are known before any pixel is read. */
import type { ClientSizes } from '../../content/attachments/record.ts';
import type { Settings } from '../../../kernel/site/settings.ts';
import { besideSizes, broughtFile, noClientSizes } from './client-sizes.ts';
import { stem } from './names.ts';
import type { Format, Picture } from './image.ts';
import { upright } from './image.ts';
import { bigImage, constrain, type Dimensions, type Rendition, renditions, type Size, standardSizes } from './sizes.ts';
import { extensionOf, mimeOf, pictures } from './types.ts';

export interface Layout {
  /** `derived`: scaled or rotated, so not the original file. */
  readonly full: Dimensions & { readonly file: string; readonly derived: boolean };
  readonly sizes: readonly Rendition[];
  /** Missing sizes, if clients make them. */
  readonly missing: readonly string[];
  /** The file whose dimensions are returned, if another one is shown. */
  readonly stated?: { readonly file: string };
  /** Of derived files. */
  readonly format: Format;
  readonly mime: string;
}

/** The settings that affect a layout. */
export interface Sizing {
  readonly sizes: readonly Size[];
  readonly format: 'original' | 'webp' | 'avif';
  /** 1 to 100; undefined: the default of each format. */
  readonly quality: number | undefined;
}

/** `image_sizes`, `image_format` and `image_quality` of `site.yaml`; invalid entries are ignored. */
export function sizingOf(settings: Pick<Settings, 'value'>): Sizing {
  const sizes = new Map(standardSizes.map((size) => [size.name, size]));
  const own = settings.value('image_sizes');
  for (const [name, row] of Object.entries(typeof own === 'object' && own !== null ? own : {})) {
    if (row === null || row === false) sizes.delete(name);
    else if (/^[\w-]+$/.test(name) && name !== 'full' && typeof row === 'object') {
      const { width = 0, height = 0, crop = false } = row as Partial<Record<string, unknown>>;
      const size = { name, width: pixels(width), height: pixels(height), crop: crop === true };
      if (size.width + size.height > 0) sizes.set(name, size);
    }
  }
  const format = settings.value('image_format');
  const quality = Number(settings.value('image_quality'));
  return {
    sizes: [...sizes.values()],
    format: format === 'webp' || format === 'avif' ? format : 'original',
    quality: quality >= 1 && quality <= 100 ? quality : undefined,
  };
}

/**
 * @param name  of the original, without a folder
 * @param client  client-side sizes
 */
export function layoutOf(name: string, picture: Picture, sizing: Sizing, client: ClientSizes = noClientSizes): Layout {
  const made = madeLayout(name, picture, client.convert ? sizing : { ...sizing, format: 'original' });
  return client === noClientSizes ? made : withBrought(made, name, picture, client);
}

/** Sizes in the order of the reference: its own, then those of the site. */
export function registeredSizes({ sizes }: Pick<Sizing, 'sizes'>): readonly Size[] {
  return inOrder(sizes);
}

function inOrder<S extends { readonly name: string }>(sizes: readonly S[]): readonly S[] {
  const place = ({ name }: S): number => (registered.includes(name) ? registered.indexOf(name) : registered.length);
  return [...sizes].sort((a, b) => place(a) - place(b));
}

const registered = ['thumbnail', 'medium', 'medium_large', 'large', '1536x1536', '2048x2048'];

/** The layout with client-side sizes in place of derived ones; only those if the client makes all. */
function withBrought(made: Layout, name: string, picture: Picture, client: ClientSizes): Layout {
  const { generate, sizes: named, attached, scaled } = client;
  const own = Object.entries(named).flatMap(([size, file]) => {
    const brought = besideSizes.includes(size) ? undefined : broughtFile(client, file);
    return brought ? [{ name: size, file, width: brought.width, height: brought.height, crop: false, brought }] : [];
  });
  const isOwn = (size: string): boolean => own.some((one) => one.name === size);
  const rest = made.sizes.filter((size) => !isOwn(size.name));
  const shown = attached === '' ? undefined : broughtFile(client, attached);
  const whole = generate && !shown ? made.full : { ...upright({ ...picture, orientation: 1 }), file: name, derived: false };
  const measures = shown && scaled ? shown : whole;
  return {
    ...made,
    full: shown ? { width: measures.width, height: measures.height, file: shown.file, derived: false } : whole,
    ...(shown && !scaled ? { stated: { file: name } } : {}),
    sizes: [...own, ...(generate ? rest : [])],
    missing: generate ? [] : inOrder(rest).map((size) => size.name),
  };
}

function madeLayout(name: string, picture: Picture, sizing: Sizing): Layout {
  const turned = upright(picture);
  // PNG drawings often grow when scaled down. (Observed: the reference leaves them alone too.)
  const isBig = picture.format !== 'png' && Math.max(turned.width, turned.height) > bigImage;
  const isTurned = picture.orientation > 1;
  const { base, extension, format } = derivedFrom(name, picture.format, sizing);
  const reduced = isBig ? constrain(turned, { width: bigImage, height: bigImage }) : turned;
  const suffix = isBig ? '-scaled' : isTurned ? '-rotated' : '';
  return {
    full:
      suffix === ''
        ? { ...turned, file: name, derived: false }
        : { ...reduced, file: `${base}${suffix}${extension}`, derived: true },
    sizes: renditions(sizing.sizes, turned, base, extension),
    missing: [],
    format,
    mime: `image/${format}`,
  };
}

/**
 * The name of a possible size of an image; null if the site makes no such size.
 * @param name  of the original, without a folder
 */
export function derivedName(name: string, end: Dimensions | 'scaled' | 'rotated', sizing: Sizing): string | null {
  const mime = mimeOf(name);
  if (mime === null || !pictures.has(mime)) return null;
  if (typeof end === 'string' ? mime === 'image/png' : !sizing.sizes.some((size) => isOf(size, end))) return null;
  const { base, extension } = derivedFrom(name, mime.slice('image/'.length) as Format, sizing);
  return `${base}-${typeof end === 'string' ? end : `${end.width}x${end.height}`}${extension}`;
}

/** The base of derived names. An animation is only kept in its own format. */
function derivedFrom(name: string, own: Format, { format }: Pick<Sizing, 'format'>) {
  const extension = extensionOf(name);
  if (format === 'original' || own === 'gif' || own === format)
    return { base: stem(name), extension: `.${extension}`, format: own };
  return { base: `${stem(name)}-${extension}`, extension: `.${format}`, format };
}

/** Whether dimensions are possible for a size: they fill its box in one direction. */
function isOf(size: Size, { width, height }: Dimensions): boolean {
  const isWithin = (size.width === 0 || width <= size.width) && (size.height === 0 || height <= size.height);
  return isWithin && (width === size.width || height === size.height);
}

function pixels(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 20_000 ? value : 0;
}
