/** Shared parts of routes for templates, template parts, revisions and autosaves. */
import { fail } from '../../../kernel/errors.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { of } from '../../../kernel/model/schema.ts';
import { type Arg, asSent } from '../../../kernel/rest/args.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { changesOf } from '../../../kernel/rest/write-input.ts';
import type { PostInput, PostRecord } from '../../content/posts/record.ts';
import type { TemplateFields } from './template-fields.ts';
import { cleanTemplateId, templateById, type TemplateType } from './templates.ts';

export const templateArg: Arg = { ...of('string', 'ID of the template.'), coerce: (value) => cleanTemplateId(scalarText(value)) };
/** Capturing groups and escapes as in the catalogue. */
export const templatePath = '([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+';
export const templateHooks = { title: asSent, content: asSent };

/** The template in a path. @throws RestError rest_template_not_found */
export function findTemplate({ site, params }: Call, type: TemplateType): PostRecord {
  return templateById(site, type, params.id) ?? fail('rest_template_not_found');
}

/** The input of a write, as for posts. */
export function templateInput(call: Call, fields: TemplateFields, before?: PostRecord): PostInput {
  return changesOf<PostRecord>(call, fields, before) as PostInput;
}
