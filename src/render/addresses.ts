/**
 * Addresses of media in rendered text. Files hold them root-relative (`/uploads/2026/03/cat.jpg`), which reads well and moves
 * with the site; who shows the text from another origin needs them whole.
 */
import { uploadsRoot } from '../kernel/store/paths.ts';

/** Attributes that hold addresses, and where in their values one begins. */
const beginnings: readonly (readonly [names: string, begins: string])[] = [
  ['src|href|poster|data-[a-z-]+', '^\\s*'],
  ['srcset', '(?:^|,)\\s*'],
  ['style', 'url\\(\\s*(?:["\']|&quot;|&#0?39;)?'],
];
const attribute = new RegExp(
  `(\\s(?:${beginnings.map(([names]) => `(${names})`).join('|')})\\s*=\\s*)("[^"]*"|'[^']*'|[^\\s"']+)`,
  'gi',
);
const addresses = beginnings.map(([, begins]) => new RegExp(`(${begins})(?=${uploadsRoot}/)`, 'gi'));

/**
 * Markup whose tags name media by whole addresses. Text outside of tags stays as it is.
 *
 * @param home  address of the site without a trailing slash
 * Cost: a search where nothing is to be done, else linear.
 */
export function absoluteUploads(markup: string, home: string): string {
  if (home === '' || !markup.includes(`${uploadsRoot}/`)) return markup;
  return markup.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.includes(`${uploadsRoot}/`)
      ? tag.replace(attribute, (_, before: string, ...groups: string[]) => {
          const value = groups[beginnings.length] as string;
          const quote = /^["']/.exec(value)?.[0] ?? '';
          const inner = quote === '' ? value : value.slice(1, -1);
          const begins = addresses[groups.findIndex((name) => name !== undefined)] as RegExp;
          return `${before}${quote}${inner.replace(begins, `$1${home.replaceAll('$', '$$$$')}`)}${quote}`;
        })
      : tag,
  );
}
