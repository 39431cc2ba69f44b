/**
 * Who manages translations, and who translates.
 *
 * Source: reference on languages, 1.1.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { UserRecord } from '../../people/users/record.ts';

/** Those who translate: whoever may, and has languages to translate between. */
export function translatorsOf(site: Site): readonly UserRecord[] {
  return peopleWith(site, 'translate').filter(({ account }) => {
    const pairs = account?.meta.language_pairs;
    return isMap(pairs) && Object.keys(pairs).length > 0;
  });
}

export function managersOf(site: Site): readonly UserRecord[] {
  return peopleWith(site, 'manage_translations');
}

function peopleWith(site: Site, capability: string): readonly UserRecord[] {
  const may = ({ account }: UserRecord): boolean =>
    account !== null && (site.access.can(account, capability) || site.access.can(account, 'manage_options'));
  return [...site.users.all()].filter(may).sort((a, b) => a.id - b.id);
}
