/**
 * Relative addresses in bodies (`./pic.png`, `other.md#part`): a text is shown with the addresses of the files that they name. Those
 * that name nothing that is served lead nowhere, as a text is shown at many addresses, in lists, feeds and clients. Says where the file
 * is, and what to write instead.
 */
import { mediaFolder, uploadsRoot } from '../kernel/store/paths.ts';
import { type Finding, say } from './finding.ts';
import type { Remark } from '../kernel/model/remark.ts';
import { type BodyLink, linksIn } from '../render/body-links.ts';
import { wikiNamesIn } from '../modules/content/relative-links/record.ts';
import { decodedPath } from '../kernel/model/slugs.ts';

/** What a folder says of a path in it. */
export interface Surroundings {
  /** The file or item at a path, exactly or without its extension; null: nothing. */
  at(path: string): NamedTarget | null;
  /** Where else a file of this name lies, when there is one. */
  named(name: string): string | undefined;
  /** Whether the site has a page there: a path with a leading slash. */
  isPage(address: string): boolean;
  /** Whether a wiki link of the name leads anywhere; null where there are no such links. */
  isNamed(name: string): boolean | null;
}

export interface NamedTarget {
  readonly path: string;
  /** Null for items whose address the files alone do not say. Absent: it is not served. */
  readonly address?: string | null;
}

/** Addresses with a scheme, of the site's root, of a part of the same text, and placeholders of front ends. */
const settled = /^(?:[a-z][a-z0-9+.-]+:|[/#?&]|\\\\|$)|\{\{|\{%|<%|\$\{|%7B/i;
/** Among attributes of blocks stand other words than addresses. */
const clear = /^\.{1,2}[\\/]|[\\/]|\.[a-z0-9]{2,5}(?:[?#]|$)/i;

interface Text {
  readonly path: string;
  readonly body: string;
  readonly kind: 'md' | 'html';
  /** Address of its page. */
  readonly own: string;
}

/** What is to be said of the relative addresses of one text. */
export function relativeLinks({ path, body, kind, own }: Text, around: Surroundings): Finding[] {
  return linksIn(body, kind, [])
    .flatMap((link): Finding[] => {
      const remark = checkRelative(link, path, own, around);
      return remark ? [{ path, keys: [], at: link.at, length: link.length, ...remark }] : [];
    })
    .concat(kind === 'md' ? wikiLinks(body, around).map((spot) => ({ path, keys: [], ...spot })) : []);
}

/** Wiki links of a text in Markdown that lead nowhere. */
export function wikiLinks(
  body: string,
  { isNamed }: Surroundings,
): (Remark & { readonly at: number; readonly length: number })[] {
  if (isNamed('') === null) return [];
  return wikiNamesIn(body).flatMap(({ at, length, name }) =>
    isNamed(name) ? [] : [{ at, length, ...say('wiki-link', `no item or picture is called ${JSON.stringify(name)}`) }],
  );
}

/** @param from  path of the file. @param own  address of its page, null when it has none */
export function checkRelative(link: BodyLink, from: string, own: string | null, around: Surroundings): Remark | null {
  const address = link.address.trim();
  if (settled.test(address) || (link.isLoose && !clear.test(address))) return null;
  if (/^[a-z]:\\/i.test(address)) return remark(address, 'it is a path on one computer');
  if (/^www\./i.test(address)) return remark(address, `write https://${address}`);
  const [, written = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const path = resolve(folder, (decodedPath(written) ?? written).replaceAll('\\', '/'));
  if (path === null) return remark(address, 'it leads out of the content folder');
  const target = around.at(path);
  // Among attributes of blocks only what begins with a dot is taken for one.
  if (target && target.address !== undefined && (!link.isLoose || /^\.{1,2}\//.test(address))) return null;
  if (target) return remark(address, fixOf(target, rest));
  const isFile = /\.[a-z0-9]{1,8}$/i.test(path);
  if (!isFile && own !== null && around.isPage(new URL(written, `http://x${own}`).pathname)) return null;
  const elsewhere = around.named(path.slice(path.lastIndexOf('/') + 1));
  const found = elsewhere === undefined ? null : around.at(elsewhere);
  return remark(address, `there is no file ${path}${found ? `; perhaps it is meant: ${fixOf(found, rest)}` : ''}`);
}

/** Where a file that lies beside texts would be served: the same folder below `media/`. */
export function mediaPlace(path: string): { readonly path: string; readonly address: string } {
  const below = path.slice(path.indexOf('/') + 1);
  return { path: mediaFolder + below, address: encodeURI(`${uploadsRoot}/${below}`) };
}

function remark(address: string, hint: string): Remark {
  return say('relative-link', `${JSON.stringify(address)} is relative and leads nowhere on the site`, hint);
}

function fixOf({ path, address }: NamedTarget, rest: string): string {
  if (address === null) return `the file is ${path}: write its address, beginning with a slash`;
  if (address !== undefined) return `the file is ${path}: write ${address}${rest}`;
  const place = mediaPlace(path);
  return `the file is ${path}, which is not served: move it to ${place.path} and write ${place.address}${rest}`;
}

/** A path of the content folder; null outside of it. */
function resolve(folder: string, path: string): string | null {
  const segments = folder.split('/').filter((segment) => segment !== '');
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}
