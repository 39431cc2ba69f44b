/**
 * Templates and template parts.
 *
 * Shape    a post that clients name by theme and slug (`site//index`), its blocks raw
 * Access   whoever edits items reads; whoever edits theme options writes, and sees revisions
 * Errors   rest_cannot_manage_templates, rest_template_not_found, rest_template_already_trashed
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../kernel/errors.ts';
import { of } from '../../kernel/model/schema.ts';
import { wireConstants } from '../../kernel/model/wire-constants.ts';
import type { Args } from '../../kernel/rest/args.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import type { Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { type Answer, type Call, CREATE, DELETE, READ, UPDATE } from '../../kernel/rest/types.ts';
import { created, removed } from '../../kernel/rest/write-input.ts';
import { planCreate, planDelete, planTrash, planUpdate } from '../posts/plan.ts';
import type { PostRecord } from '../posts/record.ts';
import { manageTemplates, readTemplates } from './access.ts';
import {
  createTemplateResource,
  findTemplate,
  templateArg,
  templateInput,
  templatePath,
  type TemplateResource,
} from './template-resource.ts';
import { templateStateRoutes } from './template-state-routes.ts';
import { areaOf, isCustom, lookUp, templateId, templatesOf, type TemplateType } from './templates.ts';

type TemplateRoute = Namespace['routes'][number];

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

export function templateRoutes(type: TemplateType, restBase: string): Namespace['routes'] {
  const resource = createTemplateResource(type, `/cms/v2/${restBase}`);
  return [...templateStateRoutes(resource), collectionRoute(resource), lookupRoute(resource), itemRoute(resource)];
}

function collectionRoute(resource: TemplateResource): TemplateRoute {
  const { base: path, schema, createArgs } = resource;
  return {
    path,
    schema,
    endpoints: [
      { methods: READ, args: listArgs, allow: readTemplates, handle: (call) => list(call, resource) },
      { methods: CREATE, args: createArgs, allow: manageTemplates, handle: (call) => create(call, resource) },
    ],
  };
}

function lookupRoute({ base, type, item }: TemplateResource): TemplateRoute {
  const handle = (call: Call): unknown => {
    const { slug, is_custom: custom, template_prefix: prefix } = call.params;
    const found = lookUp(call.site, type, slug, custom === true, prefix ?? '');
    // Without a template the answer is an empty map; a member without a value is not printed.
    return found ? item(found, call) : { none: undefined };
  };
  return { path: `${base}/lookup`, endpoints: [{ methods: READ, args: lookupArgs, allow: readTemplates, handle }] };
}

function itemRoute(resource: TemplateResource): TemplateRoute {
  const { base, schema, updateArgs, item } = resource;
  const id = templateArg;
  return {
    path: `${base}/(?P<id>${templatePath})`,
    schema,
    endpoints: [
      {
        methods: READ,
        args: { id, context: contextArg() },
        allow: readTemplates,
        handle: (call) => item(findTemplate(call, resource), call),
      },
      { methods: UPDATE, args: { id, ...updateArgs }, allow: manageTemplates, handle: (call) => update(call, resource) },
      {
        methods: DELETE,
        args: { id, force: of('boolean', 'Whether to delete for good instead of trashing.', { default: false }) },
        allow: manageTemplates,
        handle: (call) => remove(call, resource),
      },
    ],
  };
}

function list(call: Call, { type, item }: TemplateResource): Item[] {
  const { [wireConstants.templatePost]: id, area, post_type: wanted } = call.params;
  // A template does not say what types it is for: those of a standard kind are for none in particular.
  return templatesOf(call.site, type)
    .filter((post) => id === undefined || post.id === id)
    .filter((post) => area === undefined || type !== 'cms_template_part' || areaOf(post) === area)
    .filter((post) => wanted === undefined || type !== 'cms_template' || isCustom(post.slug))
    .map((post) => item(post, call));
}

async function create(call: Call, { base, type, item }: TemplateResource): Promise<Answer> {
  const { site, user } = call;
  const id = await site.write(() => planCreate(site, user, type, { status: 'publish', ...templateInput(call) }));
  const post = site.posts.get(id) as PostRecord;
  return created(call, `${base}/${templateId(site, post.slug)}`, item(post, { ...call, context: 'edit' }));
}

async function update(call: Call, resource: TemplateResource): Promise<Item> {
  const { site, user } = call;
  const { id } = findTemplate(call, resource);
  await site.write(() => {
    const before = site.posts.get(id) ?? fail('rest_template_not_found');
    return planUpdate(site, user, before, templateInput(call, before));
  });
  return resource.item(site.posts.get(id) as PostRecord, { ...call, context: 'edit' });
}

async function remove(call: Call, resource: TemplateResource): Promise<unknown> {
  const { site, user, params } = call;
  const post = findTemplate(call, resource);
  if (params.force)
    return removed(resource.item(post, { ...call, context: 'edit' }), () =>
      site.write(() => planDelete(site, findTemplate(call, resource))),
    );
  if (post.status === 'trash') fail('rest_template_already_trashed');
  await site.write(() => planTrash(site, user, findTemplate(call, resource)));
  // Named as before: the slug of what is trashed is freed.
  return resource.item({ ...(site.posts.get(post.id) as PostRecord), slug: post.slug }, { ...call, context: 'edit' });
}
