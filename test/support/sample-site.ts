/** The sample site as git has it, copied once a run: to be read and copied, not written to. */
import { join } from 'node:path';

export const sample = join(process.env.CMS_TEST_RUN as string, 'sample');
