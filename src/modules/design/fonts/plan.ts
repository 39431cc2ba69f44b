/**
 * Fonts of the site: a file per family, one per face below it, and font files among the media. A family is identified by its slug (the file name), a
 * face by its distinctive settings.
 */
import { table } from '../../../kernel/model/maps.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { type DesignRecord, sheetNamed, sheetsOf, writeSheet } from '../themes/record.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface FontFamily {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly fontFamily: string;
  readonly preview: string;
}

/** Folder of uploaded fonts, served like other uploads. */
const FILES = 'media/fonts';

export function familiesOf(site: Pick<Site, 'design'>): readonly FontFamily[] {
  return sheetsOf(site, 'family').map(toFamily);
}

export function familyById(site: Pick<Site, 'design'>, id: number): FontFamily | undefined {
  const sheet = site.design.get(id);
  return sheet?.kind === 'family' ? toFamily(sheet) : undefined;
}

/** A slug that is a safe file name; '' if nothing is left. */
export function fontSlug(text: string): string {
  const slug = slugify(text)
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, 100);
  // Reserved folder name.
  return slug === 'collections' ? 'collections-font' : slug;
}

export function hasFamily(site: Pick<Site, 'design'>, slug: string): boolean {
  return sheetNamed(site, 'family', slug) !== undefined;
}

/** Faces of a family, by id. */
export function facesOf(site: Pick<Site, 'design'>, family: FontFamily): readonly DesignRecord[] {
  return [...site.design.with('faces', family.slug)].flatMap((id) => site.design.get(id) ?? []).sort((a, b) => a.id - b.id);
}

/** Settings of a face, with the API's keys. */
export function faceSettings({ data }: DesignRecord): Settings {
  const { id: _, theme_json_version: __, ...settings } = data;
  return settings;
}

/** Plans the file of a family, new or changed. @returns its id */
export function planFamily(site: PlanningSite, settings: Settings, version: number, before?: FontFamily): WritePlan<number> {
  const known = before && site.design.get(before.id);
  const id = before?.id ?? site.nextId('posts');
  const slug = before?.slug ?? scalarText(settings.slug);
  const preview = settings.preview ? { preview: settings.preview } : {};
  const data = {
    id,
    name: settings.name,
    fontFamily: settings.fontFamily,
    ...preview,
    ...(version === 3 ? {} : { theme_json_version: version }),
  };
  return { changes: [writeSheet(known?.path ?? `fonts/${slug}.yaml`, data, known)], result: id };
}

/** Plans the file of a face with uploaded font files. @returns its id */
export function planFace(
  site: PlanningSite,
  family: FontFamily,
  settings: Settings,
  version: number,
  files: readonly FileChange[],
): WritePlan<number> {
  const id = site.nextId('posts');
  const name = [settings.fontStyle, settings.fontWeight]
    .map((part) =>
      scalarText(part)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
    )
    .join('-');
  const path = `fonts/${family.slug}/${name}-${id}.yaml`;
  const data = { id, ...settings, ...(version === 3 ? {} : { theme_json_version: version }) };
  return { changes: [...files, writeSheet(path, data)], result: id };
}

/** Plans the deletion of a face with its uploaded files. */
export function planFaceRemoval(site: Pick<Site, 'url'>, face: DesignRecord): FileChange[] {
  const sources = [faceSettings(face).src].flat().map(String);
  const own = `${site.url}/uploads/fonts/`;
  const files = sources
    .filter((src) => src.startsWith(own))
    .map((src) => src.slice(own.length))
    .filter((name) => /^[\w-][\w.-]*$/.test(name));
  return [{ remove: face.path, expect: face.etag }, ...files.map((name) => ({ remove: `${FILES}/${name}` }))];
}

/** Plans the deletion of a family with its faces. */
export function planFamilyRemoval(site: Site, family: FontFamily): FileChange[] {
  const sheet = site.design.get(family.id) as DesignRecord;
  return [...facesOf(site, family).flatMap((face) => planFaceRemoval(site, face)), { remove: sheet.path, expect: sheet.etag }];
}

/** A stored font file and its URL, with a unique name. */
export function storedFont(
  site: Pick<Site, 'url'>,
  id: number,
  filename: string,
  bytes: Uint8Array,
): { readonly change: FileChange; readonly url: string } {
  const [, stem = 'font', extension = ''] = /^(.*?)(\.[a-z0-9]+)$/i.exec(filename.replace(/^.*[\\/]/, '')) ?? [];
  const name = `${stem.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'font'}-${id}${extension.toLowerCase()}`;
  return { change: { path: `${FILES}/${name}`, bytes }, url: `${site.url}/uploads/fonts/${name}` };
}

/** Whether the signature matches the type of the name. */
export function isFont(filename: string, bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  const kinds: Readonly<Record<string, readonly string[]>> = table({
    woff2: ['wOF2'],
    woff: ['wOFF'],
    ttf: ['\0\x01\0\0', 'true'],
    otf: ['OTTO', '\0\x01\0\0'],
  });
  return (kinds[filename.replace(/^.*\./, '').toLowerCase()] ?? []).includes(start);
}

function toFamily({ id, name, data }: DesignRecord): FontFamily {
  const text = (key: string, fallback = ''): string => scalarText(data[key] ?? fallback);
  return {
    id,
    slug: name,
    name: text('name', name),
    fontFamily: text('fontFamily', text('name', name)),
    preview: text('preview'),
  };
}
