/** Custom fields as a module: groups declared in `site.yaml`, and the member `fields` of items. */
import { mapOf } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Module } from '../../../kernel/module.ts';
import type { Problem } from '../../../kernel/store/types.ts';
import { standardTaxonomies, standardTypes } from '../../types/index.ts';
import { attachedMedia } from './attach.ts';
import { fieldChecks } from './checks.ts';
import { declaredGroups } from './declaration.ts';
import { fieldExtensions } from './fields.ts';
import type { Targets } from './location.ts';
import type { FieldGroup } from './record.ts';

export { commentItems, type ItemKind, optionsItems, postItems, termItems, userItems } from './location.ts';
export { changedFields, definitionsAt, type ValueFormat, prepareFields, shownField, shownFields } from './values.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** In the order of `site.yaml`. */
    readonly fieldGroups: readonly FieldGroup[];
  }
}

export const customFields: Module = {
  name: 'custom-fields',
  settings: [
    {
      key: 'fields',
      group: 'content',
      schema: of(
        ['array', 'object'],
        'Custom fields: a map of types, taxonomies and user, each with its fields; or a list of groups',
        {
          items: { type: 'object' },
        },
      ),
      default: [],
    },
  ],
  extend(settings) {
    const [types, taxonomies] = [settings.stored('types'), settings.stored('taxonomies')];
    const isExtended = settings.stored('deployment') === 'extended';
    const { groups } = declaredGroups(settings.value('fields'), isExtended ? types : undefined);
    return groups.length === 0 ? {} : fieldExtensions(groups, targetsIn(types, taxonomies));
  },
  setup(site, { entry }) {
    const isExtended = site.settings.value('deployment') === 'extended';
    const { groups, faults } = declaredGroups(site.settings.value('fields'), isExtended ? entry?.data.types : undefined);
    const at = { path: 'site.yaml', line: 1, column: 1, severity: 'error', rule: 'field-declaration' } as const;
    const problems = faults.map((fault): Problem => ({ ...at, ...fault }));
    return {
      site: { fieldGroups: groups },
      follow: (changes) => attachedMedia(site, changes),
      problems: () => problems,
    };
  },
  checks: fieldChecks,
};

/** Possible targets of a group: built-in types, and those of the site. */
function targetsIn(types: unknown, taxonomies: unknown): Targets {
  const isContent = ({ public: isPublic, showInRest }: { readonly public: boolean; readonly showInRest: boolean }) =>
    isPublic && showInRest;
  return {
    types: [...standardTypes.filter(isContent).map(({ name }) => name), ...Object.keys(mapOf(types))],
    taxonomies: [...standardTaxonomies.filter(isContent).map(({ name }) => name), ...Object.keys(mapOf(taxonomies))],
  };
}
