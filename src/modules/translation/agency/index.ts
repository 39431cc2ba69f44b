/**
 * The translation agency as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { createDropFolder } from './drop-folder.ts';
import { agencyRoutes } from './routes.ts';
import { createAgencyService } from './service.ts';

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors {
    lang_job_not_ready: ErrorRow;
    lang_job_local_only: ErrorRow;
  }
}

export const translationAgency: Module = {
  name: 'translation-agency',
  errors: {
    lang_job_not_ready: { status: 409, message: 'The agency has not translated the job yet.' },
    lang_job_local_only: { status: 409, message: 'The job is not with an agency.' },
  },
  setup(site) {
    const { agency } = site.translationUpstream.settings;
    const made = agency === null ? null : agency.dropFolder !== '' ? createDropFolder(agency) : createAgencyService(site, agency);
    return { site: { translationAgency: made } };
  },
  namespaces: () => [{ name: 'lang/tm/v1', routes: agencyRoutes }],
};
