/**
 * Custom fields by route, `fields/v3`, and pages of options, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { fieldErrors } from './errors.ts';
import { optionsPages } from './options.ts';
import { fieldRoutes } from './routes.ts';

export const fieldsV3: Module = {
  name: 'fields-v3',
  errors: fieldErrors,
  collections: [optionsPages],
  namespaces: (site) => [{ name: 'fields/v3', routes: fieldRoutes(site) }],
};
