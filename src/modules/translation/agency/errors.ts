import { row } from '../../../kernel/errors.ts';

export const agencyErrors = {
  lang_job_not_ready: row(409, 'The agency has not translated the job yet.'),
  lang_job_local_only: row(409, 'The job is not with an agency.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof agencyErrors, ErrorRow> {}
}
