/** Links to decide about a comment that waits. They work until it has been decided on or changed, for a week at most. */
import { dialects, neutral } from '../../kernel/rest/dialect.ts';
import { createSealedLinks } from '../mail/sealed-links/index.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { CommentRecord } from './record.ts';

const lifeSeconds = 7 * 86_400;
/** Next to the sign-in page, in each dialect. */
const paths = dialects.map(({ login }) => `/${login.replace('login', 'comments-moderate')}`);
const linksOf = (site: Site) => createSealedLinks(site, 'comment-decisions.key');
const stateOf = ({ status, etag }: CommentRecord): readonly unknown[] => [status, etag];

/** Null where a link in a letter could lead to somebody else. */
export async function decisionLink(site: Site, comment: CommentRecord): Promise<string | null> {
  if (site.letterUrl === null) return null;
  const token = await linksOf(site).seal(comment.id, stateOf(comment), lifeSeconds);
  return `${site.letterUrl}${paths[dialects.indexOf(neutral)]}?${new URLSearchParams({ token })}`;
}

export const isDecision = (url: string): boolean => paths.includes(url.split('?', 1)[0] as string);

/** The comment of a link; null if the link is over. */
export function commentOf(site: Site, url: string): Promise<CommentRecord | null> {
  const token = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('token') ?? '';
  return linksOf(site).read(token, async (id) => {
    const is = site.comments.get(id);
    return is?.status === 'hold' ? { is, state: stateOf(is) } : null;
  });
}
