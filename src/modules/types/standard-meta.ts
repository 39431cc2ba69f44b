/**
 * Registered meta of the basic deployment, by type.
 */
import { wireConstants } from '../../render/wire-constants.ts';
import type { MetaSchemas } from './record.ts';
import type { Schema } from '../../kernel/model/schema.ts';

const footnotes: Schema = { title: '', type: 'string', default: '' };
const area: Schema = { title: '', type: 'string', default: '' };

export const standardMeta: Readonly<Record<string, MetaSchemas>> = {
  post: { footnotes },
  cms_template_part: { area },
  page: { footnotes },
  cms_block: {
    [wireConstants.patternSync]: { type: 'string', title: '', default: '', enum: ['partial', 'unsynced'] },
    footnotes,
  },
};
