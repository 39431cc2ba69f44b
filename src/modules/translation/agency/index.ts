/**
 * The translation agency as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { createDropFolder } from './drop-folder.ts';
import { agencyErrors } from './errors.ts';
import { agencyRoutes } from './routes.ts';
import { createAgencyService } from './service.ts';

export const translationAgency: Module = {
  name: 'translation-agency',
  errors: agencyErrors,
  setup(site) {
    const { agency } = site.translationUpstream.settings;
    const made = agency === null ? null : agency.dropFolder !== '' ? createDropFolder(agency) : createAgencyService(site, agency);
    return { site: { translationAgency: made } };
  },
  namespaces: () => [{ name: 'lang/tm/v1', routes: agencyRoutes }],
};
