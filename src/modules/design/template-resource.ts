/**
 * What the routes of templates, of template parts, and of their revisions and autosaves share.
 */
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { isScalar, scalarText } from '../../kernel/model/scalars.ts';
import { everywhere, of } from '../../kernel/model/schema.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate, asSent } from '../../kernel/rest/args.ts';
import { createProjector, type Item, type Link, type Links } from '../../kernel/rest/item.ts';
import { draft } from '../../kernel/rest/schema-helpers.ts';
import type { Call, Route } from '../../kernel/rest/types.ts';
import type { PostInput, PostRecord } from '../posts/record.ts';
import { revisionsOf } from '../revisions/record.ts';
import type { RevisionRecord } from '../revisions/record.ts';
import { templateFields, type TemplateView } from './template-fields.ts';
import { cleanTemplateId, templateById, templateId, type TemplateType } from './templates.ts';

export interface TemplateResource {
  readonly type: TemplateType;
  /** Route of the collection. */
  readonly base: string;
  readonly createArgs: Args;
  readonly updateArgs: Args;
  readonly schema: NonNullable<Route['schema']>;
  /** Of revisions and autosaves. */
  readonly stateSchema: NonNullable<Route['schema']>;
  item(post: PostRecord, call: Call): Item;
  /** A template as a revision has it. */
  state(parent: PostRecord, revision: RevisionRecord, call: Call): Item;
}

export const templateArg: Arg = { ...of('string', 'ID of the template.'), coerce: (value) => cleanTemplateId(scalarText(value)) };
/** Capturing groups and escapes as the catalogue has them. */
export const templatePath = '([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+';

export function createTemplateResource(type: TemplateType, base: string): TemplateResource {
  const fields = templateFields(type);
  const properties = schemasOf(fields);
  const stateFields: Fields<PostRecord, TemplateView> = {
    ...fields,
    parent: { schema: of('integer', 'ID of the template.', { context: everywhere }), get: (_, { revision }) => revision?.parent },
  };
  const project = createProjector<PostRecord, TemplateView>({
    fields,
    links: (post, { call }) => linksOf(call, type, base, post),
  });
  const projectState = createProjector<PostRecord, TemplateView>({
    fields: stateFields,
    links: (post, { call, revision }) => {
      const parent = call.urls.rest(`${base}/${templateId(call.site, post.slug)}`);
      const kind = revision?.autosave ? 'autosaves' : 'revisions';
      return { self: [{ href: `${parent}/${kind}/${revision?.id}` }], parent: [{ href: parent }] };
    },
  });
  const hooks = { title: asSent, content: asSent };
  const titled = (call: Call, behind: string): string => call.request.dialect.wireName(type) + behind;
  return {
    type,
    base,
    createArgs: argsForCreate(properties, hooks),
    updateArgs: argsForUpdate(properties, hooks),
    schema: (call) => draft(titled(call, ''), properties)(),
    stateSchema: (call) => draft(titled(call, '-revision'), schemasOf(stateFields))(),
    item: (post, call) => project(post, { call }, call),
    state(parent, revision, call) {
      const { title, content, excerpt, author, date: modified } = revision;
      return projectState({ ...parent, title, content, excerpt, author, modified }, { call, revision }, call);
    },
  };
}

/** The template a path names. @throws RestError rest_template_not_found */
export function findTemplate({ site, params }: Call, { type }: TemplateResource): PostRecord {
  return templateById(site, type, params.id) ?? fail('rest_template_not_found');
}

/** The parameters of a write as posts take them. */
export function templateInput({ params }: Call, before?: PostRecord): PostInput {
  const text = (name: string): string | undefined => {
    const value = params[name];
    const raw = typeof value === 'object' && value !== null ? value.raw : value;
    return isScalar(raw) ? String(raw) : undefined;
  };
  const input = {
    title: text('title'),
    content: text('content'),
    excerpt: text('description'),
    slug: params.slug,
    // A null was made '' on the way, which is no status.
    status: params.status || undefined,
    author: params.author,
    meta: params.area === undefined ? undefined : { ...before?.meta, area: params.area },
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null)) as PostInput;
}

function linksOf(call: Call, type: TemplateType, base: string, post: PostRecord): Links {
  const self = call.urls.rest(`${base}/${templateId(call.site, post.slug)}`);
  const revisions = revisionsOf(call.site, post.id, { autosaves: true });
  const links: Record<string, readonly Link[]> = {
    self: [{ href: self }],
    collection: [{ href: call.urls.rest(base) }],
    about: [{ href: call.urls.rest(`/cms/v2/types/${type}`) }],
    'version-history': [{ count: revisions.length, href: `${self}/revisions` }],
  };
  const last = revisions[0];
  if (last) links['predecessor-version'] = [{ id: last.id, href: `${self}/revisions/${last.id}` }];
  if (call.can('edit_theme_options')) links['cms:action-publish'] = [{ href: self }];
  if (call.can('unfiltered_html')) links['cms:action-unfiltered-html'] = [{ href: self }];
  return links;
}
