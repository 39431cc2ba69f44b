/**
 * Custom fields as a module: groups that `site.yaml` declares, the member `fields` of items, and the namespace `fields/v3`.
 */
import { mapOf } from '../../kernel/model/maps.ts';
import { of } from '../../kernel/model/schema.ts';
import type { Module } from '../../kernel/module.ts';
import type { Problem } from '../../kernel/store/types.ts';

import { standardTaxonomies, standardTypes } from '../types/index.ts';
import { attachedMedia } from './attach.ts';
import { fieldChecks } from './checks.ts';
import { declaredGroups } from './declaration.ts';
import { fieldExtensions } from './fields.ts';
import type { Targets } from './location.ts';
import { optionsPages } from './options.ts';
import type { FieldGroup } from './record.ts';
import { fieldRoutes } from './routes.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Groups of custom fields, in the order of `site.yaml`. */
    readonly fieldGroups: readonly FieldGroup[];
  }
}

declare module '../../kernel/errors.ts' {
  interface ModuleErrors {
    cant_update_item: ErrorRow;
    rest_options_page_invalid: ErrorRow;
  }
}

export const customFields: Module = {
  name: 'custom-fields',
  settings: [
    {
      key: 'fields',
      group: 'content',
      schema: of('array', 'Groups of custom fields, and the items they belong to.', { items: { type: 'object' } }),
      default: [],
    },
  ],
  errors: {
    cant_update_item: {
      status: 400,
      message: 'There are no values to write: send {"fields": {"name": "value"}}, of fields that the item has.',
    },
    rest_options_page_invalid: { status: 404, message: 'There is no such options page.' },
  },
  collections: [optionsPages],
  extend(settings) {
    const [types, taxonomies] = [settings.stored('types'), settings.stored('taxonomies')];
    const { groups } = declaredGroups(settings.value('fields'), types);
    return groups.length === 0 ? {} : fieldExtensions(groups, targetsIn(types, taxonomies));
  },
  setup(site, { entry }) {
    const { groups, faults } = declaredGroups(site.settings.value('fields'), entry?.data.types);
    const at = { path: 'site.yaml', line: 1, column: 1, severity: 'error', rule: 'field-declaration' } as const;
    const problems = faults.map((fault): Problem => ({ ...at, ...fault }));
    return {
      site: { fieldGroups: groups },
      follow: (changes) => attachedMedia(site, changes),
      problems: () => problems,
    };
  },
  namespaces: (site) => [{ name: 'fields/v3', routes: fieldRoutes(site) }],
  checks: fieldChecks,
};

/** What a group may belong to: built-in types of content, and those of the site. */
function targetsIn(types: unknown, taxonomies: unknown): Targets {
  const isContent = ({ public: isPublic, showInRest }: { readonly public: boolean; readonly showInRest: boolean }) =>
    isPublic && showInRest;
  return {
    types: [...standardTypes.filter(isContent).map(({ name }) => name), ...Object.keys(mapOf(types))],
    taxonomies: [...standardTaxonomies.filter(isContent).map(({ name }) => name), ...Object.keys(mapOf(taxonomies))],
  };
}
