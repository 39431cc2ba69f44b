/**
 * Custom fields by route, `fields/v3`, and pages of options, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { optionsPages } from './options.ts';
import { fieldRoutes } from './routes.ts';

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors {
    cant_update_item: ErrorRow;
    rest_options_page_invalid: ErrorRow;
  }
}

export const fieldsV3: Module = {
  name: 'fields-v3',
  errors: {
    cant_update_item: {
      status: 400,
      message: 'There are no values to write: send {"fields": {"name": "value"}}, of fields that the item has.',
    },
    rest_options_page_invalid: { status: 404, message: 'There is no such options page.' },
  },
  collections: [optionsPages],
  namespaces: (site) => [{ name: 'fields/v3', routes: fieldRoutes(site) }],
};
