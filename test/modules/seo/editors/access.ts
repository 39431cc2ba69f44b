/** Who may call a route of search metadata, as rows: a refusal of everybody who lacks the right. */
import type { ApiRow } from '../../../support/describe-api.ts';

export const roles = ['subscriber', 'contributor', 'author', 'editor'] as const;

/** The lowest role that has each right. */
const lowest = { nothing: -1, read: 0, edit_posts: 1, publish_posts: 2, edit_others_posts: 3, manage: 4 } as const;
type Right = keyof typeof lowest;

/** @param does  method and path; `body` is one that is fine */
export function refusals(right: Right, does: string, body?: unknown): ApiRow[] {
  const sent = body === undefined ? {} : { body };
  const visitor: ApiRow = { name: `${does} is not for visitors`, does, ...sent, gets: [401, 'rest_forbidden'] };
  return [
    visitor,
    ...roles
      .slice(0, lowest[right])
      .map((who): ApiRow => ({ name: `${does} is not for a ${who}`, who, does, ...sent, gets: [403, 'rest_forbidden'] })),
  ];
}

/** The same answer for everybody who has the right, the lowest role first. @param row  `writes` is of the first */
export function allowed(right: Right, { does, body, gets, writes = [] }: Omit<ApiRow, 'name' | 'who'>): ApiRow[] {
  const first = lowest[right];
  const row = { does, gets, ...(body === undefined ? {} : { body }) };
  const visitor: ApiRow[] = first < 0 ? [{ name: `${does} is for visitors`, ...row }] : [];
  const users = [...roles.slice(Math.max(0, first)), 'admin'].map(
    (who): ApiRow => ({ name: `${does} is for ${who}`, who, ...row }),
  );
  return [...visitor, ...users].map((one, at) => (at === 0 ? { ...one, writes } : one));
}
