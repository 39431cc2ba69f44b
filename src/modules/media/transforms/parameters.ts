/**
 * What an address asks of a picture: `?w=640&h=360&fit=cover&format=webp&q=70`. Every parameter is optional and stands there once; with
 * others beside them there would be any number of addresses for one picture.
 */
import type { Fit, Format } from '../files/image.ts';
import type { Dimensions } from '../files/sizes.ts';

/** `auto` is what the client takes, of those that are smaller than the picture's own. */
type AskedFormat = Exclude<Format, 'gif'> | 'auto';

export interface Transform extends Dimensions {
  readonly fit: Fit;
  /** Undefined: that of the picture. */
  readonly format: AskedFormat | undefined;
  /** 1 to 100; undefined: that of the site. */
  readonly quality: number | undefined;
  /** As the address has it; '' for none. */
  readonly signature: string;
}

/** Pixels of a side at most. */
export const maxSide = 4096;
const maxLength = 400;
const names: ReadonlySet<string> = new Set(['w', 'h', 'fit', 'format', 'q', 's']);
/** An address with none of these asks for the file. */
const asking: readonly string[] = ['w', 'h', 'fit', 'format', 'q'];
const fits: readonly Fit[] = ['inside', 'cover', 'contain'];
const formats: readonly AskedFormat[] = ['avif', 'webp', 'jpeg', 'png', 'auto'];

/** @returns what is asked, a sentence about what is wrong with it, or null where nothing is asked */
export function readTransform(url: string): Transform | string | null {
  const mark = url.indexOf('?');
  if (mark < 0) return null;
  const query = url.slice(mark + 1).replace(/#.*$/s, '');
  const params = new URLSearchParams(query.slice(0, maxLength * 2));
  if (!asking.some((name) => params.has(name))) return null;
  if (query.length > maxLength) return `the query is longer than ${maxLength} characters`;
  const seen = new Set<string>();
  for (const name of params.keys()) {
    if (!names.has(name)) return `${JSON.stringify(name)} is no parameter of a picture: w, h, fit, format, q`;
    if (seen.has(name)) return `${name} stands there twice`;
    seen.add(name);
  }
  const [width, height] = [sideIn(params.get('w')), sideIn(params.get('h'))];
  if (width === null || height === null) return `w and h are whole numbers of pixels from 1 to ${maxSide}`;
  const fit = (params.get('fit') ?? 'inside') as Fit;
  if (!fits.includes(fit)) return `fit is one of ${fits.join(', ')}`;
  if (fit !== 'inside' && (width === 0 || height === 0)) return `fit=${fit} needs both w and h`;
  const format = (params.get('format') ?? undefined) as AskedFormat | undefined;
  if (format !== undefined && !formats.includes(format)) return `format is one of ${formats.join(', ')}`;
  const q = params.get('q');
  if (q !== null && !/^(?:[1-9]\d?|100)$/.test(q)) return 'q is a whole number from 1 to 100';
  return { width, height, fit, format, quality: q === null ? undefined : Number(q), signature: params.get('s') ?? '' };
}

/** 0 where nothing is said; null for what is no side. */
function sideIn(text: string | null): number | null {
  if (text === null) return 0;
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= maxSide ? Number(text) : null;
}

/** The format that a picture is sent in. */
export function formatFor({ format }: Pick<Transform, 'format'>, own: Format, accept: string): Format {
  if (format === undefined) return own;
  if (format !== 'auto') return format;
  return (['avif', 'webp'] as const).find((one) => accepts(accept, `image/${one}`)) ?? (own === 'png' ? 'png' : 'jpeg');
}

/** Whether `Accept` names a type: `*` is what clients send that know neither. */
function accepts(accept: string, type: string): boolean {
  return accept.split(',').some((one) => {
    const [name = '', ...params] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === type && !params.some((param) => /^q=0(?:\.0*)?$/.test(param));
  });
}
