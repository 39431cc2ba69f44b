/**
 * Media: every sidecar has its file, every file is what its name says, and something refers to it.
 */
import { fetchKey } from '../modules/content/attachments/record.ts';
import { mediaFolder, originalOf, uploadOf, uploadsRoot } from '../kernel/store/paths.ts';
import { originalsOfDerived } from '../kernel/store/paths.ts';
import { lfsHint, lfsMissing, readPointer } from '../modules/media/files/lfs.ts';
import {
  broughtUpload,
  clientSizesFolder,
  clientSizesKey,
  noClientSizes,
  readClientSizes,
} from '../modules/media/files/client-sizes.ts';
import { agrees, extensionFor, mimeOf, servedAs, sniff } from '../modules/media/files/types.ts';
import type { Content } from './declarations.ts';
import { type Finding, say, type Speller } from './finding.ts';
import { didYouMean, type Remark } from '../kernel/model/remark.ts';
import { settingsOf } from './settings.ts';
import type { ParsedFile } from './parsed-file.ts';
import { decodedPath } from '../kernel/model/slugs.ts';

/** The files below `media/`, and which of them are used. Paths are below `media/`. */
export interface Library {
  /** Null when the file is there, or can be made or fetched; it counts as used then. */
  missing(path: string): Remark | null;
  /** Something refers to the attachment with this id. */
  use(id: number): void;
  /** To be asked when everything else has been looked at. */
  unused(): Finding[];
}

export function createLibrary(content: Content, parsedFiles: readonly ParsedFile[], spell: Speller): Library {
  const files = new Set(content.blobs.map(({ path }) => uploadOf(path)));
  const sidecars = new Map(
    parsedFiles.filter(({ kind }) => kind === 'media').map((parsedFile) => [pathOf(parsedFile), parsedFile]),
  );
  const folded = new Map([...files].map((path) => [path.toLowerCase(), path]));
  const beside = new Set(content.blobs.flatMap(({ path }) => (path.startsWith(mediaFolder) ? [] : [path])));
  const brought = new Map(
    [...sidecars].flatMap(([path, { entry }]) => broughtBy(path, entry).map((name) => [name, path] as const)),
  );
  const usedPaths = new Set<string>();
  const usedIds = new Set<number>();

  function known(path: string): string | undefined {
    if (files.has(path) || sidecars.has(path)) return path;
    const picture = brought.get(path);
    if (picture !== undefined) return picture;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return originalsOfDerived(path.slice(folder.length))
      .map((name) => folder + name)
      .find((name) => files.has(name) || sidecars.has(name));
  }

  return {
    missing(address) {
      const path = decodedPath(address) ?? address;
      const file = known(path);
      if (file !== undefined) {
        usedPaths.add(file);
        return null;
      }
      const other = folded.get(path.toLowerCase());
      const hint =
        other === undefined ? didYouMean(near(path)) : `it is called ${uploadsRoot}/${other}: names are case-sensitive`;
      return say('missing-upload', `there is no file ${mediaFolder}${path}`, hint);
    },
    use: (id) => void usedIds.add(id),
    unused() {
      for (const text of textsOf(content, parsedFiles))
        if (text.includes(`${uploadsRoot}/`)) for (const path of uploadsIn(text)) note(path);
      for (const { uses, entry } of parsedFiles) {
        for (const { target, ref } of uses) if (target.kind === 'post' && target.type === 'attachment') note(ref);
        for (const value of Object.values((entry.data.meta as object | null | undefined) ?? {})) [value].flat().forEach(note);
      }
      const settings = settingsOf(content);
      for (const ref of [settings.logo, settings.icon]) note(ref);
      return [...files].flatMap((path): Finding[] => {
        const parsedFile = sidecars.get(path);
        const isUsed =
          usedPaths.has(path) || usedIds.has(Number(parsedFile?.entry.data.id)) || parsedFile?.entry.data.post !== undefined;
        // What lies beside a text is there for it.
        if (isUsed || mimeOf(path) === null || beside.has(path)) return [];
        return [{ path: mediaFolder + path, keys: [], ...say('unused-media', 'nothing refers to this file') }];
      });
    },
  };

  function note(ref: unknown): void {
    if (typeof ref === 'number') usedIds.add(ref);
    if (typeof ref !== 'string') return;
    const file = known(ref.replace(/^\/+/, ''));
    if (file !== undefined) usedPaths.add(file);
  }

  function near(path: string): string | undefined {
    const found = spell(path, files);
    return found === undefined ? undefined : `${uploadsRoot}/${found}`;
  }
}

/** Sidecars without a file, and files that are not what their name says. */
export function checkMedia(
  content: Content,
  parsedFiles: readonly ParsedFile[],
  head: ((path: string) => Uint8Array | null) | undefined,
): Finding[] {
  const originals = new Set(content.blobs.map(({ path }) => path));
  const folded = new Map([...originals].map((path) => [path.toLowerCase(), path]));
  const described = new Set(parsedFiles.flatMap(({ kind, entry }) => (kind === 'media' ? [originalOf(entry.path)] : [])));
  const findings: Finding[] = [];
  for (const { kind, entry } of parsedFiles) {
    const original = originalOf(entry.path);
    if (kind !== 'media') continue;
    const { path, data } = entry;
    for (const name of broughtBy(uploadOf(original), entry)) {
      const place = clientSizesFolder + name;
      if (originals.has(place)) continue;
      const elsewhere = [...originals].find((one) => one.startsWith(clientSizesFolder) && baseOf(one) === baseOf(place));
      const hint =
        elsewhere === undefined ? `take it out of ${clientSizesKey}, and the server makes the size` : `move ${elsewhere} there`;
      findings.push({ path, keys: [clientSizesKey], ...say('missing-upload', `there is no file ${place}`, hint) });
    }
    if (originals.has(original)) continue;
    if (typeof data[fetchKey] === 'string') {
      findings.push({
        path,
        keys: [fetchKey],
        ...say('not-fetched', 'its file has not been fetched yet', 'run cms media fetch'),
      });
      continue;
    }
    const other = folded.get(original.toLowerCase());
    const hint = didYouMean(other && `${other}.yaml`, 'put the file beside it, or remove this one');
    // Only capitals differ: on many systems it is the same name, so nothing else can be meant.
    const fix = other !== undefined && !described.has(other) ? { fix: { kind: 'move', to: `${other}.yaml` } as const } : {};
    findings.push({ path, keys: [], ...say('no-original', 'describes a file that does not exist', hint), ...fix });
  }
  for (const { path } of content.blobs) {
    const mime = mimeOf(path);
    if (servedAs(path) === null) findings.push({ path, keys: [], ...say('not-served', 'is of a kind that is not served') });
    if (mime === null || head === undefined) continue;
    const bytes = head(path);
    if (bytes === null || bytes.length === 0) {
      if (bytes !== null) findings.push({ path, keys: [], ...say('wrong-bytes', 'is empty') });
      continue;
    }
    if (readPointer(bytes)) {
      findings.push({ path, keys: [], ...say('lfs-pointer', lfsMissing, lfsHint) });
      continue;
    }
    const found = sniff(bytes);
    if (agrees(mime, found)) continue;
    const extension = found === null ? null : extensionFor(found);
    const what = found === null ? `is not ${mime}` : `is named as ${mime} and holds ${found}`;
    findings.push({
      path,
      keys: [],
      ...say('wrong-bytes', what, extension === null ? undefined : `rename it to .${extension}, and its sidecar`),
    });
  }
  return findings;
}

/** Pictures of items that are files of another kind. */
export function checkPictures(parsedFiles: readonly ParsedFile[]): Finding[] {
  const byId = new Map(parsedFiles.flatMap((one) => (one.kind === 'media' ? [[one.entry.data.id, pathOf(one)] as const] : [])));
  return parsedFiles.flatMap(({ kind, entry: { path }, uses }): Finding[] =>
    uses.flatMap(({ keys, target, ref, isOther }): Finding[] => {
      const isMeant = kind === 'post' && target.kind === 'post' && target.type === 'attachment';
      if (!isMeant || (keys[0] !== 'featured_media' && !isOther)) return [];
      const file = typeof ref === 'number' ? byId.get(ref) : ref;
      const mime = file === undefined ? null : mimeOf(file);
      if (mime === null || mime.startsWith('image/')) return [];
      return [{ path, keys, ...say('not-a-picture', `${file} is ${mime}, and no picture`) }];
    }),
  );
}

/** What clients have brought for a picture, by the names that are served. @param path  of the picture, below the uploads */
function broughtBy(path: string, { data }: ParsedFile['entry']): readonly string[] {
  const sizes = data[clientSizesKey] === undefined ? noClientSizes : readClientSizes(data[clientSizesKey]);
  return typeof sizes === 'string' ? [] : sizes.files.map(({ file }) => broughtUpload(path, file));
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Texts outside of bodies in which addresses may stand. */
function* textsOf(content: Content, parsedFiles: readonly ParsedFile[]): Generator<string> {
  for (const { kind, entry } of parsedFiles) {
    if (kind === 'menu' || kind === 'design' || entry.data.meta !== undefined) yield JSON.stringify(entry.data);
    if (kind === 'revision') continue;
    for (const key of ['description', 'caption', 'excerpt']) if (typeof entry.data[key] === 'string') yield entry.data[key];
  }
  yield JSON.stringify(settingsOf(content));
}

function* uploadsIn(text: string): Generator<string> {
  for (const found of text.matchAll(/\/uploads\/([^\s"'<>()?#\\]+)/g))
    yield decodedPath(found[1] as string) ?? (found[1] as string);
}

function pathOf({ entry }: ParsedFile): string {
  return uploadOf(originalOf(entry.path));
}
