/**
 * What a write of a post says, as the domain takes it: the fields' own setters, and the date, which two arguments say together.
 */
import { resolveDates } from '../../kernel/model/dates.ts';
import type { Call } from '../../kernel/rest/types.ts';
import { changesOf } from '../../kernel/rest/write-input.ts';
import type { PostFields, PostInput, PostRecord } from './record.ts';

export function postInput(call: Call, fields: PostFields, before?: PostRecord): PostInput {
  const input = changesOf<PostRecord>(call, fields, before) as PostInput;
  const { date, date_gmt } = call.params;
  const moment = resolveDates({ date, date_gmt }, call.site.zone);
  return moment === undefined ? input : { ...input, date: moment };
}
