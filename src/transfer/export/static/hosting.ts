/**
 * What hosts read beside the files: `_redirects` and `_headers` (the syntax that Netlify, Cloudflare Pages and GitLab Pages share).
 *
 * Former addresses lead on as they do on the server (modules/content/permalinks/resolve-url.ts). Hosts that match parameters (Netlify) find the
 * files of the queries that were exported; others pass over those lines, which have a word more than they know.
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { forms } from '../../../modules/website/feeds/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import { headerOf, type Written } from '../../../kernel/http/respond.ts';
import { redirectLines } from '../redirects.ts';
import type { ExportFolder } from './folder.ts';
import type { PublicRequest } from './requests.ts';
import type { ExportTree } from './trees.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface Hosting {
  /** Learns what was asked and where it lies. */
  note(request: PublicRequest, file: string, answer: Written): void;
  /** Learns of a file that is more than its bytes. */
  noteDocument(file: string, headers: Readonly<Record<string, string>>): void;
  write(folder: ExportFolder, written: { readonly hasPages: boolean }): void;
}

/** Levels of the interface's addresses: `/cms/v2/posts/7`. */
const levels = 4;
/** Levels of the addresses of pages: `/de/2026/03/05/hello/`. */
const pageLevels = 5;

/**
 * @param trees   the first is what addresses without a segment mean
 * @param root    of the interface: `/cms-json`
 * @param header  spells a header of the interface: `Total` → `X-CMS-Total`
 */
export function createHosting(site: Site, trees: readonly ExportTree[], root: string, header: (name: string) => string): Hosting {
  const base = isUrl(site.url) ? withoutTrailing(new URL(site.url).pathname, '/') : '';
  const queries = new Set<string>();
  const totals: string[] = [];
  const documents: string[] = [];
  const counted = [header('Total'), header('TotalPages')];
  return {
    note({ query }, file, { headers }) {
      const names = Object.keys(query);
      const isPlainList = names.length === 0 && headerOf(headers, counted[0] as string) !== undefined;
      if (isPlainList) {
        const folder = file.slice(0, file.lastIndexOf('/'));
        for (const path of [file, `${folder}/page/*`])
          totals.push(
            rule(
              `${base}/${path}`,
              counted.map((name) => [name, headerOf(headers, name) as string]),
            ),
          );
      }
      if (names.length === 0 || names.some((name) => unmatched.has(name)) || file.includes('~')) return;
      // The values are the last segments: `…/posts/author/3/page/2/index.json`.
      const route = file
        .split('/')
        .slice(0, -1 - names.length * 2)
        .join('/');
      const given = (name: string): string => (name === 'per_page' ? (query[name] as string) : `:${name}`);
      const target = names.map((name) => `${name}/${given(name)}`).join('/');
      const asked = names.map((name) => `${name}=${given(name)}`).join(' ');
      queries.add(`${base}/${route} ${asked} ${base}/${route}/${target}/index.json 200`);
    },
    noteDocument(file, headers) {
      const told = ['Content-Type', 'Link', 'X-Robots-Tag'].flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, value] as const];
      });
      documents.push(rule(`${base}/${file.split('/').map(encodeURIComponent).join('/')}`, told));
    },
    write(folder, { hasPages }) {
      folder.put(
        '_redirects',
        printLines([
          ...redirectLines(site, base),
          ...[...queries].sort(byDetail),
          ...trees.flatMap(({ prefix }) => routeRules(base + prefix + root)),
          ...withoutSegment(trees, base, root),
          ...feedRules(base),
          ...sitemapRules(base),
        ]),
      );
      const common = trees.map(({ prefix, locale }) =>
        rule(`${base}${prefix}${root}/*`, [
          ['Access-Control-Allow-Origin', '*'],
          ['Access-Control-Expose-Headers', [...counted, 'Link'].join(', ')],
          ...(locale === '' ? [] : ([['Content-Language', locale]] as const)),
          ['X-Content-Type-Options', 'nosniff'],
          ['X-Robots-Tag', 'noindex'],
        ]),
      );
      // What can run something in the site's name is shown without scripts, as the server does it.
      const media = rule(`${base}${uploadsRoot}/*`, [
        ['Access-Control-Allow-Origin', '*'],
        ['Content-Security-Policy', "script-src 'none'"],
        ['X-Content-Type-Options', 'nosniff'],
      ]);
      // Pages hold what people have written.
      const inert = [
        ['Content-Security-Policy', "script-src 'none'; object-src 'none'; base-uri 'none'"],
        ['X-Content-Type-Options', 'nosniff'],
      ] as const;
      const pages = hasPages ? [rule(`${base}/*`, inert)] : [];
      folder.put('_headers', printLines([...pages, ...common, media, ...totals, ...documents]));
    },
  };
}

/** `_embed` has no value to match; addresses and formats are no names of files. */
const unmatched: ReadonlySet<string> = new Set(['_embed', 'format', 'url']);

/**
 * The route itself, with a slash behind it, is answered with its file. Level by level: a rule for everything below would catch
 * the files too where rules come before files.
 */
function routeRules(root: string): string[] {
  return Array.from({ length: levels + 1 }, (_, level) => {
    const path = `${root}/${'abcdefgh'.slice(0, level).replace(/./g, ':$&/')}`;
    return `${path} ${path}index.json 200`;
  });
}

/** Feeds have the addresses that they have on the server. */
function feedRules(base: string): string[] {
  return Array.from({ length: pageLevels + 1 }, (_, level) => {
    const path = `${base}/${'abcdefgh'.slice(0, level).replace(/./g, ':$&/')}`;
    return Object.values(forms).map(({ suffix, file }) => `${path}${suffix} ${path}${file} 200`);
  }).flat();
}

function sitemapRules(base: string): string[] {
  return ['sitemap_index', 'wp-sitemap'].map((name) => `${base}/${name}.xml ${base}/sitemap.xml 301`);
}

/** Where the default language has a segment, addresses without one are answered from its tree. */
function withoutSegment([first]: readonly ExportTree[], base: string, root: string): readonly string[] {
  if (first === undefined || first.prefix === '') return [];
  const feeds = Object.values(forms).map(({ file }) => `${base}/${file} ${base}${first.prefix}/${file} 301`);
  return [`${base}${root}/* ${base}${first.prefix}${root}/:splat 200`, ...feeds];
}

/** Rules with more parameters stand before those with fewer: the first that fits is taken. */
function byDetail(a: string, b: string): number {
  return b.split(' ').length - a.split(' ').length || (a < b ? -1 : 1);
}

function rule(path: string, headers: readonly (readonly [string, string])[]): string {
  return [path, ...headers.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
}

function printLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
