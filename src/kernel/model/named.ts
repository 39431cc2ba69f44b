/**
 * What a name means: the one rule by which a term or a person is found, whether the server reads a file, an import plans one or a check
 * judges a folder. Each tells what it knows; the order is said here.
 */
import { slugify } from './slugs.ts';

/** What is there to be named. */
export interface NamedThings<T> {
  /** What has a slug now. */
  present(slug: string): T | undefined;
  /** What had it before, of which files may still speak by it. */
  former(slug: string): T | undefined;
  /** What readers see called so, in small letters; absent where things are not named by what is shown. */
  shown?(name: string): T | undefined;
}

/** What is meant by a slug or a name: a present slug before a former one, and both before a name that is shown. */
export function findNamed<T>(name: string, { present, former, shown }: NamedThings<T>): T | undefined {
  const slug = slugify(name);
  const bySlug = slug === '' ? undefined : (present(slug) ?? former(slug));
  return bySlug ?? shown?.(name.toLowerCase());
}
