/**
 * Who may do what with jobs.
 *
 * Source: reference on languages, 1.1, 4.1; decisions, "Who may".
 */
import type { Actor } from '../../../kernel/model/access.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { type Call, needs } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { UserRecord } from '../../people/users/record.ts';
import type { JobRecord, StatusRecord } from './record.ts';

/**
 * Who writes what services deliver: published as the settings of the site say, and without markup that is not everybody's, whoever
 * has it fetched.
 * @param id  of whoever has; 0: nobody
 */
export function outsider(id = 0): Actor {
  return { id, roles: ['administrator'], capabilities: { unfiltered_html: false } };
}

/** Of whoever manages the work of others: one of them is enough. */
const managing = ['manage_options', 'manage_translations'] as const;

export function isManager({ can }: Pick<Call, 'can'>): boolean {
  return managing.some((right) => can(right));
}

export const mayManage = needs(...managing);
export const mayTranslate = needs(...managing, 'translate');

/** Source → targets. */
type LanguagePairs = Readonly<Record<string, readonly string[]>>;

/** What an account says of them. */
export function languagePairs({ account }: Pick<UserRecord, 'account'>): LanguagePairs {
  const stored = account?.meta.language_pairs;
  if (!isMap(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).map(([source, targets]) => [source, Array.isArray(targets) ? targets.map(String) : []]),
  );
}

/** Whether a user translates from one language into another; a manager without pairs does all. */
export function hasPair(site: Site, user: number, source: string, target: string): boolean {
  const person = site.users.get(user);
  if (!person?.account) return false;
  const pairs = languagePairs(person);
  const isAny = Object.keys(pairs).length === 0 && mayManageAll(site, person.account);
  return isAny || (pairs[source]?.includes(target) ?? false);
}

function mayManageAll({ access }: Site, actor: Actor): boolean {
  return managing.some((right) => access.can(actor, right));
}

/** Whether somebody may work on a job: a manager, or whoever has its languages, and it is theirs or nobody's. */
export function isEligible(site: Site, actor: Actor | null, job: Pick<JobRecord, 'translator'>, status: StatusRecord): boolean {
  if (actor === null) return false;
  if (mayManageAll(site, actor)) return true;
  if (!site.access.can(actor, 'translate') || !hasPair(site, actor.id, status.source, status.target)) return false;
  return site.access.can(actor, 'edit_others_posts') || job.translator === 0 || job.translator === actor.id;
}
