/**
 * Where things of the source were: pages by their addresses and paths, files by theirs; and what a link in a body leads to.
 *
 * Links come out root-relative: a page by the address it had (the import knows where it is now), a file below `/uploads/`.
 */
import { posix } from 'node:path';
import { cleanFileName, uniqueName } from '../../../modules/media/files/names.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import type { GeneratorPlan } from './site-generator.ts';
import { type GeneratorFolder, folderOf, nameOf } from './folder.ts';
import { decoded } from '../../../kernel/model/slugs.ts';

interface SourcePage {
  readonly path: string;
  readonly type: string;
  /** With the base; '' when it had none. */
  readonly link: string;
}

export type LinkTarget =
  | { readonly kind: 'file'; readonly url: string; readonly path: string }
  | { readonly kind: 'page'; readonly url: string; readonly page: SourcePage }
  /** It is meant for this site, and there is nothing. */
  | { readonly kind: 'missing' }
  /** Another site, an anchor, a mail address. */
  | { readonly kind: 'other' };

export interface GeneratorAddresses {
  /** Files that become attachments: path → where they go below the uploads. */
  readonly uploads: ReadonlyMap<string, string>;
  /** Address a file had, with the base; '' when it had none of its own. */
  fileUrl(path: string): string;
  learn(page: SourcePage): void;
  page(path: string): SourcePage | undefined;
  /** What `target`, as written in the page at `from`, leads to. */
  resolve(target: string, from: Pick<SourcePage, 'path' | 'link'>): LinkTarget;
  /** A page or file by its bare name, as notes name each other. */
  byName(name: string): LinkTarget;
}

export function createAddresses(folder: GeneratorFolder, plan: GeneratorPlan): GeneratorAddresses {
  const uploads = new Map<string, string>();
  const urls = new Map<string, string>();
  const fileAt = new Map<string, string>();
  const named = new Map<string, string>();
  const taken = new Map<string, Set<string>>();
  for (const path of folder.paths) {
    const role = plan.role(path);
    if (role.kind === 'page' && !named.has(nameOf(path).toLowerCase())) named.set(nameOf(path).toLowerCase(), path);
    if (role.kind !== 'file') continue;
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    if (!named.has(name)) named.set(name, path);
    uploads.set(path, placeFor(role.url === '' ? path : role.url.replace(/^\/uploads\//, '/'), taken));
    fileAt.set(`${uploadsRoot}/${uploads.get(path)}`, path);
    urls.set(path, role.url === '' ? '' : plan.base + role.url);
    if (role.url !== '' && !fileAt.has(role.url)) fileAt.set(role.url, path);
  }
  const pages = new Map<string, SourcePage>();
  const pageAt = new Map<string, SourcePage>();
  const hosts = plan.address === '' ? [] : sameHosts(plan.address);

  const file = (path: string, rest: string): LinkTarget => {
    const place = uploads.get(path);
    const url = `${uploadsRoot}/${place?.split('/').map(encodeURIComponent).join('/')}${rest}`;
    return place === undefined ? { kind: 'missing' } : { kind: 'file', url, path };
  };
  const known = (page: SourcePage, rest: string): LinkTarget =>
    page.link === '' ? { kind: 'missing' } : { kind: 'page', url: page.link + rest, page };

  /** By an address without host. */
  function atUrl(url: string, rest: string): LinkTarget | undefined {
    for (const path of [withoutBase(url, plan.base), url]) {
      const found = fileAt.get(path);
      if (found !== undefined) return file(found, rest);
    }
    const page = pageAt.get(evened(url)) ?? pageAt.get(evened(plan.base + url));
    return page ? known(page, rest) : undefined;
  }

  /** By a path of the source, with the usual things left out of it. */
  function atPath(path: string, rest: string): LinkTarget | undefined {
    for (const candidate of [
      path,
      `${path}.md`,
      `${path}/index.md`,
      `${path}/_index.md`,
      `${path}.mdx`,
      path.replace(/(?<!\/)\/+$/, '.md'),
    ]) {
      const page = pages.get(candidate);
      if (page) return known(page, rest);
      if (uploads.has(candidate)) return file(candidate, rest);
    }
    return undefined;
  }

  return {
    uploads,
    fileUrl: (path) => urls.get(path) ?? '',
    learn(page) {
      pages.set(page.path, page);
      const key = evened(page.link);
      if (page.link !== '' && !pageAt.has(key)) pageAt.set(key, page);
    },
    page: (path) => pages.get(path),
    byName(name) {
      const path = named.get(name.toLowerCase()) ?? named.get(nameOf(name).toLowerCase());
      const page = path === undefined ? undefined : pages.get(path);
      if (page) return known(page, '');
      return path === undefined ? { kind: 'missing' } : file(path, '');
    },
    resolve(written, from) {
      const meant = plan.readLink?.(written) ?? { path: written };
      if ('url' in meant) return { kind: 'page', url: meant.url, page: { path: '', type: '', link: meant.url } };
      const target = meant.path;
      const host = hosts.find(
        (prefix) => target.toLowerCase().startsWith(prefix) && /^(?:[/?#]|$)/.test(target.slice(prefix.length)),
      );
      const local = host === undefined ? target : target.slice(host.length) || '/';
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(local)) return { kind: 'other' };
      const [, plain = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(local) as RegExpExecArray;
      const path = decoded(plain);
      if (path.startsWith('/'))
        return (
          atUrl(path, rest) ??
          atPath(path.slice(1), rest) ??
          (host === undefined || hasExtension(path) ? { kind: 'missing' } : { kind: 'other' })
        );
      const alias = /^[@~]\/(.*)$/.exec(path)?.[1] ?? /^@(assets\/.*)$/.exec(path)?.[1];
      if (alias !== undefined) return atPath(`src/${alias}`, rest) ?? { kind: 'missing' };
      const sibling = posix.normalize(posix.join(folderOf(from.path), path));
      const found = sibling.startsWith('..') ? undefined : atPath(sibling, rest);
      if (found) return found;
      const kept = fileAt.get(`${uploadsRoot}/${path}`);
      if (kept !== undefined) return file(kept, rest);
      const url = posix.normalize(posix.join(from.link.endsWith('/') ? from.link : posix.dirname(from.link || '/'), path));
      return atUrl(url, rest) ?? atPath(posix.normalize(path).replace(/^(?:\.\.?\/)+/, ''), rest) ?? { kind: 'missing' };
    },
  };
}

const nothing: ReadonlySet<string> = new Set();

/** Where a file goes below the uploads: its path in names that are safe everywhere, with no other file at the same place. */
function placeFor(path: string, taken: Map<string, Set<string>>): string {
  const steps = path.replace(/^\/+/, '').split('/');
  const name = cleanFileName(steps.pop() as string) || 'file';
  const folders = steps
    .map((step) =>
      step
        .normalize('NFC')
        .replace(/[^\p{L}\p{N}._-]+/gu, '-')
        .replace(/^[.\-_]+|[.\-_]+$/g, ''),
    )
    .filter((step) => step !== '');
  const folder = folders.join('/');
  const names = taken.get(folder.toLowerCase()) ?? new Set<string>();
  taken.set(folder.toLowerCase(), names);
  // Only names that collide are compared with all others of the folder.
  const alone = uniqueName(name, nothing);
  const unique = names.has(alone.toLowerCase()) ? uniqueName(name, names) : alone;
  names.add(unique.toLowerCase());
  return folder === '' ? unique : `${folder}/${unique}`;
}

/** An address with both protocols, with and without `www.`, lower case. */
function sameHosts(address: string): string[] {
  const host = address.toLowerCase().replace(/^https?:\/\/(?:www\.)?/, '');
  return ['https://', 'http://', 'https://www.', 'http://www.', '//', '//www.'].map((prefix) => prefix + host);
}

/** `/a/`, `/a/index.html` and `/a.html` are one address. */
function evened(link: string): string {
  return decoded(link)
    .toLowerCase()
    .replace(/(?:\/index)?\.html?$/, '')
    .replace(/(?<!\/)\/+$/, '');
}

function withoutBase(url: string, base: string): string {
  return base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}

function hasExtension(path: string): boolean {
  return /\.[a-z0-9]{2,5}$/i.test(path);
}
