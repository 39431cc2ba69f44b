/**
 * What a name means: the one rule by which a term or a person is found, whether the server reads a file, an import plans one or a check
 * judges a folder. Each tells what it knows; the order is said here.
 */
import { slugify } from './slugs.ts';

export interface NamedThings<T> {
  /** By current slug. */
  present(slug: string): T | undefined;
  /** By former slug, which files may still use. */
  former(slug: string): T | undefined;
  /** By display name in lower case; absent if display names do not count. */
  shown?(name: string): T | undefined;
}

/** The item for a slug or a name: current slugs first, then former ones, then display names. */
export function findNamed<T>(name: string, { present, former, shown }: NamedThings<T>): T | undefined {
  const slug = slugify(name);
  const bySlug = slug === '' ? undefined : (present(slug) ?? former(slug));
  return bySlug ?? shown?.(name.toLowerCase());
}
