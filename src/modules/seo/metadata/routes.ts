/** Routes of `seo/v1` as rows. */
import type { Args } from '../../../kernel/rest/args.ts';
import type { Method } from '../../../kernel/rest/request.ts';
import type { Endpoint, Namespace, AccessRule } from '../../../kernel/rest/types.ts';

type SeoRow = readonly [methods: readonly Method[], allow: AccessRule, handle: Endpoint['handle'], args?: Args];

/** @param path  below the namespace */
export function seoRoute(path: string, ...rows: readonly SeoRow[]): Namespace['routes'][number] {
  return {
    path: `/seo/v1/${path}`,
    endpoints: rows.map(([methods, allow, handle, args = {}]) => ({ methods, allow, handle, args })),
  };
}
