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

/** Addresses that begin with a path. */
interface Rooted {
  readonly path: string;
  /** Where one begins, for each of `beginnings`. */
  readonly begins: readonly RegExp[];
}

const rooted = (path: string, pattern = path): Rooted => ({
  path,
  begins: beginnings.map(([, begins]) => new RegExp(`(${begins})(?=${pattern})`, 'gi')),
});
const uploads = rooted(`${uploadsRoot}/`);
/** Two slashes begin the address of another host. */
const everything = rooted('/', '/(?!/)');

/**
 * Markup whose tags name media by whole addresses. Text outside of tags stays as it is.
 *
 * @param home  address of the site without a trailing slash
 * Cost: a search where nothing is to be done, else linear.
 */
export function absoluteUploads(markup: string, home: string): string {
  return home === '' || !markup.includes(uploads.path) ? markup : absolute(markup, home, uploads);
}

/** Markup whose tags name everything of the site by whole addresses, for readers who see it elsewhere. */
export function absoluteAddresses(markup: string, home: string): string {
  return absolute(markup, home, everything);
}

function absolute(markup: string, home: string, { path, begins }: Rooted): string {
  return markup.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.includes(path)
      ? tag.replace(attribute, (_, before: string, ...groups: string[]) => {
          const value = groups[beginnings.length] as string;
          const quote = /^["']/.exec(value)?.[0] ?? '';
          const inner = quote === '' ? value : value.slice(1, -1);
          const own = begins[groups.findIndex((name) => name !== undefined)] as RegExp;
          return `${before}${quote}${inner.replace(own, `$1${home.replaceAll('$', '$$$$')}`)}${quote}`;
        })
      : tag,
  );
}
