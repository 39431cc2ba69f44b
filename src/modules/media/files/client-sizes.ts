/**
 * Image sizes that a client made and uploaded, as the sidecar key `client_sizes`. Their files are in `media-sizes/`, in folders like those of
 * `media/`; they are not attachments, and are served next to the image.
 *
 *     client_sizes:
 *       generate: false                # the server makes none; by default it makes missing ones
 *       convert: false                 # sizes made by the server keep the image's format
 *       files:                         # all uploaded files
 *         - {file: cat-150x150.png, width: 150, height: 150, filesize: 4096, mime: image/png}
 *       sizes: {thumbnail: cat-150x150.png}
 *       attached: cat-scaled.jpg       # shown in place of the image
 *       scaled: true                   # its dimensions are returned in place of the image's
 */
import { FieldProblem, type Scalar } from '../../../kernel/model/field.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { BroughtFile, ClientSizes } from '../../content/attachments/record.ts';
import { mimeOf } from './types.ts';

/** The default: the server makes all sizes. */
export const noClientSizes: ClientSizes = Object.freeze({
  generate: true,
  convert: true,
  files: [],
  sizes: Object.freeze(Object.create(null)),
  attached: '',
  scaled: false,
});

/** What clients bring beside sizes: the picture in full, and what stands for an animation. None is shown among the sizes. */
export const besideSizes: readonly string[] = ['full', 'animated_video', 'animated_video_poster'];

export const clientSizesFolder = 'media-sizes/';
export const maxBrought = 200;
export const clientSizesKey = 'client_sizes';

/** The name of an uploaded size below the uploads: it is next to the image. @param upload  of the image */
export function broughtUpload(upload: string, file: string): string {
  return upload.slice(0, upload.lastIndexOf('/') + 1) + file;
}

/** The path of such a file. */
export function broughtPath(upload: string, file: string): string {
  return clientSizesFolder + broughtUpload(upload, file);
}

export function broughtFile({ files }: ClientSizes, name: string): BroughtFile | undefined {
  return files.find(({ file }) => file === name);
}

export const clientSizesScalar: Scalar<ClientSizes> = {
  form: of('object', 'Sizes that a client made and brought.', {
    properties: {
      generate: of('boolean', 'Whether the server makes sizes.'),
      convert: of('boolean', 'Whether sizes are made in the format that the site is set to.'),
      files: of('array', 'Files that were brought, in media-sizes/.', { items: { type: 'object' }, maxItems: maxBrought }),
      sizes: of('object', 'Size: name of its file.'),
      attached: of('string', 'The file that is shown in full.'),
      scaled: of('boolean', 'Whether its measures are told in place of those of the picture.'),
    },
  }),
  parse(raw, key) {
    const read = readClientSizes(raw);
    if (typeof read === 'string')
      throw new FieldProblem(key, `${key}: ${read}`, 'take the key out, and the server makes the sizes');
    return read;
  },
  print: ({ generate, convert, files, sizes, attached, scaled }) => ({
    ...(generate ? {} : { generate }),
    ...(convert ? {} : { convert }),
    ...(files.length > 0 ? { files: files.map((file) => ({ ...file })) } : {}),
    ...(Object.keys(sizes).length > 0 ? { sizes: { ...sizes } } : {}),
    ...(attached === '' ? {} : { attached }),
    ...(scaled ? { scaled } : {}),
  }),
};

/** @returns an error message if invalid */
export function readClientSizes(raw: unknown): ClientSizes | string {
  if (raw === undefined || raw === null) return noClientSizes;
  if (typeof raw !== 'object' || Array.isArray(raw)) return 'it is no map';
  const { generate, convert, files: rows = [], sizes, attached = '', scaled } = mapOf(raw);
  if (!Array.isArray(rows) || rows.length > maxBrought) return `files is no list of at most ${maxBrought}`;
  const files: BroughtFile[] = [];
  for (const row of rows) {
    const file = readFile(mapOf(row));
    if (file === null) return 'a file lacks its name, measures or type';
    files.push(file);
  }
  const isBrought = (name: unknown): name is string => files.some(({ file }) => file === name);
  const named: Record<string, string> = Object.create(null);
  for (const [size, name] of Object.entries(mapOf(sizes))) {
    if (!/^[\w-]+$/.test(size) || size === 'full') return `${JSON.stringify(size)} is no name of a size`;
    if (!isBrought(name)) return `the file of ${size} is not among files`;
    named[size] = name;
  }
  if (attached !== '' && !isBrought(attached)) return 'the attached file is not among files';
  return {
    generate: generate !== false,
    convert: convert !== false,
    files,
    sizes: named,
    attached: attached as string,
    scaled: scaled === true,
  };
}

function readFile({ file, width, height, filesize, mime }: Readonly<Record<string, unknown>>): BroughtFile | null {
  if (typeof file !== 'string' || !isBroughtName(file)) return null;
  if (![width, height, filesize].every((value) => Number.isSafeInteger(value) && (value as number) > 0)) return null;
  const [w, h, bytes] = [width, height, filesize] as [number, number, number];
  const type = mimeOf(file) as string;
  return mime === type ? { file, width: w, height: h, filesize: bytes, mime: type } : null;
}

/** A file name of an image or, for animations, of a video. */
function isBroughtName(name: string): boolean {
  return !/[/\\\u0000-\u001f]/.test(name) && !name.startsWith('.') && /^(?:image|video)\//.test(mimeOf(name) ?? '');
}
