/**
 * What a write of a post says, as the domain takes it.
 */
import type { PostInput } from './plan.ts';
import { resolveDates } from '../../kernel/model/dates.ts';
import type { PostRecord } from './record.ts';
import { isScalar } from '../../kernel/model/scalars.ts';
import type { Call } from '../../kernel/rest/types.ts';
import type { PostResource } from './routes.ts';
import { inputFrom, isGiven, metaInput } from '../../kernel/rest/write-input.ts';

export function postInput(call: Call, resource: PostResource, before?: PostRecord): PostInput {
  const { params, site } = call;
  const { type } = resource;
  const has = (name: string): boolean => name in resource.updateArgs && isGiven(params[name]);
  const known = Object.fromEntries(Object.entries(inputs).filter(([name]) => name in resource.updateArgs));
  const input = inputFrom<PostInput>(params, known);
  for (const part of ['title', 'content', 'excerpt']) {
    const raw = has(part) ? rawOf(params[part]) : undefined;
    // An empty title within an object is passed over (observed), and so is a lone 0.
    const isPassedOver = part === 'title' && typeof params[part] === 'object' && (raw === '' || raw === '0');
    if (raw !== undefined && !isPassedOver) input[part] = raw;
  }
  // A null that was sent arrives as an empty text: of a status it means a draft, of the others nothing (observed).
  if (input.status === '') input.status = 'draft';
  for (const key of ['comments', 'pings']) if (input[key] === '') delete input[key];
  if (input.author === 0) delete input.author;
  const dates = resolveDates({ date: params.date, date_gmt: params.date_gmt }, site.zone);
  if (dates !== undefined) input.date = dates;
  const terms = resource.taxonomies.filter(({ restBase }) => has(restBase)).map(({ name, restBase }) => [name, params[restBase]]);
  if (terms.length > 0) input.terms = Object.fromEntries(terms);
  if (has('meta')) {
    const { readWord } = call.request.dialect;
    const given = Object.entries(params.meta as Record<string, unknown>).map(([name, value]) => [readWord(name), value]);
    input.meta = metaInput(site.meta[type.name] ?? {}, Object.fromEntries(given), before?.meta ?? {});
  }
  return input as PostInput;
}

/** Parameter → key of the input. */
const inputs: Readonly<Record<string, keyof PostInput>> = {
  status: 'status',
  slug: 'slug',
  author: 'author',
  parent: 'parent',
  menu_order: 'order',
  featured_media: 'featuredMedia',
  comment_status: 'comments',
  ping_status: 'pings',
  format: 'format',
  sticky: 'sticky',
  template: 'template',
  password: 'password',
};

/** A text, or `{raw}`; anything else, a number say, is passed over (observed). */
function rawOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : undefined;
  const { raw } = value as { raw?: unknown };
  return isScalar(raw) ? String(raw) : undefined;
}
