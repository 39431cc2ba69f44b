/** Who may call a route of search metadata, as rows: a refusal of everybody who lacks the right. */
import type { ApiRow } from '../../support/describe-api.ts';

export const roles = ['subscriber', 'contributor', 'author', 'editor'] as const;

/** The lowest role that has each right. */
const lowest: Readonly<Record<string, number>> = { read: 0, edit_posts: 1, publish_posts: 2, edit_others_posts: 3, manage: 4 };

/** @param does  method and path; `body` is one that is fine */
export function refusals(right: keyof typeof lowest, does: string, body?: unknown): ApiRow[] {
  const sent = body === undefined ? {} : { body };
  const visitor: ApiRow = { name: `${does} is not for visitors`, does, ...sent, gets: [401, 'rest_forbidden'] };
  return [
    visitor,
    ...roles
      .slice(0, lowest[right])
      .map((who): ApiRow => ({ name: `${does} is not for a ${who}`, who, does, ...sent, gets: [403, 'rest_forbidden'] })),
  ];
}
