import type { Actor } from '../../../kernel/model/access.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Access } from '../../people/accounts/record.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import type { Taxonomy } from '../../types/record.ts';

/** Everyone; the edit context for users who may assign terms of one of them. */
export const readTaxonomies: AccessRule = (call) => {
  const allowed =
    call.context !== 'edit' || taxonomiesAsked(call).some(({ capabilities }) => call.can(capabilities.assign_terms));
  return allowed ? null : 'rest_cannot_view';
};

/** An unknown taxonomy is not refused here, but not found. */
export const readTaxonomy: AccessRule = (call) => {
  const taxonomy = taxonomyNamed(call);
  if (taxonomy && !taxonomy.showInRest) return 'rest_forbidden';
  return taxonomy && call.context === 'edit' && !call.can(taxonomy.capabilities.assign_terms) ? 'rest_forbidden_context' : null;
};

export function taxonomyNamed({ site, request, params }: Call): Taxonomy | undefined {
  return site.taxonomies.get(request.dialect.readWord(params.taxonomy as string));
}

/** The taxonomies of a type, if the request names one, else all. */
export function taxonomiesAsked({ site, request, params }: Call): readonly Taxonomy[] {
  const all = [...site.taxonomies.values()].filter(({ showInRest }) => showInRest);
  if (!params.type) return all;
  const type = request.dialect.readWord(scalarText(params.type));
  return all.filter(({ types }) => types.includes(type));
}

/** Creating terms: users who edit items may in a flat taxonomy, a hierarchy requires the right to edit terms. */
export function canCreateTerm(access: Access, actor: Actor | null, taxonomy: Taxonomy): boolean {
  return access.can(actor, taxonomy.hierarchical ? taxonomy.capabilities.edit_terms : taxonomy.capabilities.assign_terms);
}
