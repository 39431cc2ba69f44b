/** Catalogue paths as templates: `/cms/v2/posts/(?P<id>[\d]+)` is `/cms/v2/posts/{id}` with digits for `id`. */

export interface Template {
  readonly path: string;
  /** In path order. */
  readonly params: readonly { readonly name: string; readonly pattern: string }[];
}

/** A named group, possibly nested. */
interface Group {
  readonly at: number;
  readonly end: number;
  readonly name: string;
  /** Its pattern in JavaScript. */
  readonly pattern: string;
}

export function templateOf(path: string): Template {
  const params: { readonly name: string; readonly pattern: string }[] = [];
  let [made, rest] = ['', path];
  for (let group = groupIn(rest); group; group = groupIn(rest)) {
    const { at, end, name, pattern } = group;
    made += `${rest.slice(0, at)}{${name}}`;
    params.push({ name, pattern });
    rest = rest.slice(end);
  }
  return { path: made + rest, params };
}

/** The first group of a path. */
export function groupIn(path: string): Group | null {
  const at = path.indexOf('(?P<');
  if (at === -1) return null;
  let depth = 0;
  for (let end = at; end < path.length; end++) {
    const sign = path[end];
    if (sign === '\\') end++;
    else if (sign === '[') end = path.indexOf(']', path[end + 1] === '\\' ? end + 3 : end + 1);
    else if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) {
      const mark = path.indexOf('>', at);
      return { at, end: end + 1, name: path.slice(at + 4, mark), pattern: path.slice(mark + 1, end).replaceAll('(?P<', '(?<') };
    }
  }
  return null;
}
