import { row } from '../../../kernel/errors.ts';

export const jobErrors = {
  lang_job_not_found: row(404, 'There is no such job.'),
  lang_job_forbidden: row(403, 'You do not translate between the languages of this job, or it is somebody else’s.'),
  lang_job_not_open: row(409, 'The job is not open: it is done or cancelled, or a newer one has taken its place.'),
  lang_job_no_units: row(422, 'The job has nothing to translate.'),
  lang_translation_edited: row(409, 'The translation was edited after the job was ordered; order it again to go on.'),
  lang_xliff_malformed: row(400, 'The document cannot be read as XLIFF.'),
  lang_xliff_invalid: row(422, 'The document does not fit its job.'),
  lang_xliff_mismatch: row(409, 'The document is not of this job.'),
  lang_too_large: row(413, 'The document is too large.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof jobErrors, ErrorRow> {}
}
