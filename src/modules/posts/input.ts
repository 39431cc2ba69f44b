/**
 * What a write of a post says, as the domain takes it: the fields' own setters, and the date, which two arguments say together.
 */
import type { PostInput, PostFields, PostRecord } from './record.ts';
import { resolveDates } from '../../kernel/model/dates.ts';
import { setFields } from '../../kernel/model/field.ts';
import type { Call } from '../../kernel/rest/types.ts';

export function postInput({ params, site, request }: Call, fields: PostFields, before?: PostRecord): PostInput {
  const { readWord } = request.dialect;
  const input = setFields<PostRecord>(fields, params, { before, zone: site.zone, readName: readWord }) as PostInput;
  const date = resolveDates({ date: params.date, date_gmt: params.date_gmt }, site.zone);
  return date === undefined ? input : { ...input, date };
}
