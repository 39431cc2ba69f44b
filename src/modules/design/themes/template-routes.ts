/**
 * Templates and template parts.
 *
 * Shape    a post that clients name by theme and slug (`site//index`), its blocks raw
 * Access   whoever edits items reads; whoever edits theme options writes, and sees revisions
 * Errors   rest_cannot_manage_templates, rest_template_not_found, rest_template_already_trashed
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import { of } from '../../../kernel/model/schema.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, gone, item, made, type RouteLinks } from '../../../kernel/rest/resource.ts';
import type { Call, Namespace } from '../../../kernel/rest/types.ts';
import { planCreate, planDelete, planTrash, planUpdate } from '../../content/posts/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { historyLinks } from '../../content/revisions/record.ts';
import { manageTemplates, readTemplates } from './access.ts';
import { type TemplateFields, templateFields, type TemplateRecord } from './template-fields.ts';
import { findTemplate, templateArg, templateHooks, templateInput, templatePath } from './template-resource.ts';
import { templateStateRoutes } from './template-state-routes.ts';
import { areaOf, isCustom, lookUp, templateId, templatesOf, type TemplateType } from './templates.ts';

const listArgs: Args = {
  context: contextArg(),
  [wireConstants.templatePost]: of('integer', 'Limit results to the template of this post.'),
  area: of('string', 'Limit results to parts for this place.'),
  post_type: of('string', 'Limit results to templates for this type of items.'),
};
const lookupArgs: Args = {
  slug: of('string', 'Name of the template wanted.', { required: true }),
  is_custom: of('boolean', 'Whether the template is of no standard kind.'),
  template_prefix: of('string', 'Kind of the template, where its name does not say.'),
};
const deleteArgs: Args = { force: of('boolean', 'Whether to delete for good instead of trashing.', { default: false }) };

export function templateRoutes(type: TemplateType, restBase: string): Namespace['routes'] {
  const base = `/cms/v2/${restBase}`;
  const fields = templateFields(type);
  const routes = defineResource<TemplateRecord, Call>({
    name: type,
    base,
    fields,
    hooks: templateHooks,
    links: (template, call) => linksOf(call, type, base, template),
    params: { id: templateArg },
    routes: [
      collection({
        read: { args: listArgs, allow: readTemplates, handle: (call) => list(call, type) },
        create: { args: 'writable', allow: manageTemplates, handle: (call) => create(call, type, base, fields) },
      }),
      {
        ...item<TemplateRecord>('lookup', { args: lookupArgs, allow: readTemplates, handle: (call) => found(call, type) }),
        hasSchema: false,
      },
      item(`(?P<id>${templatePath})`, {
        read: { allow: readTemplates, handle: (call) => findTemplate(call, type) },
        update: { args: 'writable', allow: manageTemplates, handle: (call) => update(call, type, fields) },
        remove: { args: deleteArgs, allow: manageTemplates, handle: (call) => remove(call, type) },
      }),
    ],
  });
  return [...templateStateRoutes(type, base, fields), ...routes];
}

function linksOf({ site, can }: Call, type: TemplateType, base: string, { id, slug }: PostRecord): RouteLinks {
  const self = `${base}/${templateId(site, slug)}`;
  return {
    self,
    collection: base,
    about: `/cms/v2/types/${type}`,
    ...historyLinks(site, id, self),
    ...(can('edit_theme_options') && { 'cms:action-publish': self }),
    ...(can('unfiltered_html') && { 'cms:action-unfiltered-html': self }),
  };
}

function list(call: Call, type: TemplateType): readonly PostRecord[] {
  const { [wireConstants.templatePost]: id, area, post_type: wanted } = call.params;
  // The types of a template are not stored; those of a standard kind have none.
  return templatesOf(call.site, type)
    .filter((post) => id === undefined || post.id === id)
    .filter((post) => area === undefined || type !== 'cms_template_part' || areaOf(post) === area)
    .filter((post) => wanted === undefined || type !== 'cms_template' || isCustom(post.slug));
}

/** Without a template the response is an empty map. */
function found({ site, params }: Call, type: TemplateType) {
  const { slug, is_custom: custom, template_prefix: prefix } = params;
  return lookUp(site, type, slug, custom === true, prefix ?? '') ?? new Map<string, TemplateRecord>();
}

async function create(call: Call, type: TemplateType, base: string, fields: TemplateFields) {
  const { site, user } = call;
  const id = await site.write((site) => planCreate(site, user, type, { status: 'publish', ...templateInput(call, fields) }));
  const post = site.posts.get(id) as PostRecord;
  return made(post, { Location: call.urls.rest(`${base}/${templateId(site, post.slug)}`) });
}

async function update(call: Call, type: TemplateType, fields: TemplateFields): Promise<PostRecord> {
  const { site, user } = call;
  const { id } = findTemplate(call, type);
  await site.write((site) => {
    const before = site.posts.get(id) ?? fail('rest_template_not_found');
    return planUpdate(site, user, before, templateInput(call, fields, before));
  });
  return site.posts.get(id) as PostRecord;
}

async function remove(call: Call, type: TemplateType) {
  const { site, user, params } = call;
  const post = findTemplate(call, type);
  if (params.force) return gone(post, () => site.write(() => planDelete(site, findTemplate(call, type))));
  if (post.status === 'trash') fail('rest_template_already_trashed');
  await site.write((site) => planTrash(site, user, findTemplate(call, type)));
  // The name before trashing, which frees the slug.
  return { ...(site.posts.get(post.id) as PostRecord), slug: post.slug };
}
