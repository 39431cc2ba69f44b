/**
 * Every ability of a site, as a dialect names their parts.
 */
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createAbilities } from './abilities.ts';
import { historyAbilities } from './history-abilities.ts';
import { itemAbilities } from './item-abilities.ts';
import { libraryAbilities } from './library-abilities.ts';
import type { Ability } from './record.ts';

export function allAbilities(site: Site, { prefix }: Pick<Dialect, 'prefix'>): readonly Ability[] {
  return [...createAbilities(prefix), ...itemAbilities, ...libraryAbilities(site), ...historyAbilities, ...site.addedAbilities];
}
