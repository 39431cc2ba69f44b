/** Reports former URLs that are lost, and those taken by another item. */
import type { Site } from '../../../kernel/site/site.ts';
import type { Entry, Problem } from '../../../kernel/store/types.ts';
import { type Former, formerOf, itemOf, keyOf, missingAlias } from './alias-plan.ts';
import { postsAt } from './served-items.ts';

/** @param why  why no alias is written for them */
export function lostAddresses(site: Site, formers: readonly Former[], why: string): readonly Problem[] {
  return formers.flatMap((former) => {
    const alias = missingAlias(site, former);
    const path = itemOf(site, former)?.path;
    if (alias === null || path === undefined) return [];
    const message =
      former.table === 'posts' ? `${former.address} was its address, and leads nowhere now` : `it was called ${former.slug}`;
    return [lostAddress(path, message, `${why}; to keep it, write \`aliases: [${alias}]\``)];
  });
}

/** Items that now have the former URL of another one. @param before  items that were served before */
export function takenAddresses(site: Site, before: readonly Former[], entries: readonly Entry[]): readonly Problem[] {
  const known = new Set(before.map(keyOf));
  return entries.flatMap(({ path }) =>
    postsAt(site, path).flatMap((post) => {
      if (known.has(keyOf({ table: 'posts', id: post.id })) || !formerOf(site, 'posts', post)) return [];
      const others = [...site.posts.with('slug', `~${post.slug}`)].flatMap((id) => site.posts.get(id) ?? []);
      return others
        .filter((other) => other.id !== post.id && other.type === post.type)
        .map((other) =>
          lostAddress(
            path,
            `${post.slug} is a former slug of ${other.path}: its address shows this item from now on`,
            'give it another slug if that is not meant',
          ),
        );
    }),
  );
}

export function lostAddress(path: string, message: string, hint?: string): Problem {
  const problem = { path, line: 1, column: 1, severity: 'warning', rule: 'lost-address', message } as const;
  return hint === undefined ? problem : { ...problem, hint };
}
