/**
 * Templates and template parts, their revisions and autosaves.
 *
 * Shape    a post that clients name by theme and slug (`site//index`), its blocks raw
 * Access   whoever edits items reads; whoever edits theme options writes, and sees revisions
 * Errors   rest_cannot_manage_templates, rest_template_not_found, rest_template_already_trashed, rest_cannot_read,
 *          rest_post_invalid_parent, rest_post_invalid_id, rest_post_no_autosave
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { wireConstants } from '../../kernel/model/wire-constants.ts';
import type { Actor } from '../accounts/capabilities.ts';
import type { PostInput, PostRecord } from '../posts/record.ts';
import { planCreate, planDelete, planTrash, planUpdate } from '../posts/plan.ts';
import { autosaveOf, planAutosave, revisionsOf } from '../revisions/plan.ts';
import {
  areaOf,
  cleanTemplateId,
  isCustom,
  lookUp,
  templateById,
  templateId,
  templatesOf,
  type TemplateType,
} from './templates.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import type { RevisionRecord } from '../revisions/record.ts';
import { everywhere, of } from '../../kernel/model/schema.ts';
import { isScalar, scalarText } from '../../kernel/model/scalars.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate, asSent } from '../../kernel/rest/args.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item, type Link, type Links } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, CREATE, DELETE, READ, type Rule, UPDATE } from '../../kernel/rest/types.ts';
import { draft, forEditors, forHolders } from '../../kernel/rest/schema-helpers.ts';
import { findRevision, listRevisions, removeRevision, revisionListArgs } from '../revisions/routes.ts';
import { templateFields, type TemplateView } from './template-fields.ts';
import { created } from '../../kernel/rest/write-input.ts';

const templateArg: Arg = { ...of('string', 'ID of the template.'), coerce: (value) => cleanTemplateId(scalarText(value)) };
/** Capturing groups and escapes as the catalogue has them. */
const ID = '([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+';
const mayRead = forEditors('rest_cannot_manage_templates');
const mayManage = forHolders('edit_theme_options', 'rest_cannot_manage_templates');

export function templateRoutes(type: TemplateType, restBase: string): Namespace['routes'] {
  const base = `/cms/v2/${restBase}`;
  const fields = templateFields(type);
  const properties = schemasOf(fields);
  const revisionFields: Fields<PostRecord, TemplateView> = {
    ...fields,
    parent: { schema: of('integer', 'ID of the template.', { context: everywhere }), get: (_, { revision }) => revision?.parent },
  };
  const projectPost = createProjector<PostRecord, TemplateView>({ fields, links: (post, { call }) => linksOf(call, post) });
  const projectState = createProjector<PostRecord, TemplateView>({
    fields: revisionFields,
    links: (post, { call, revision }) => {
      const parent = call.urls.rest(`${base}/${templateId(call.site, post.slug)}`);
      const kind = revision?.autosave ? 'autosaves' : 'revisions';
      return { self: [{ href: `${parent}/${kind}/${revision?.id}` }], parent: [{ href: parent }] };
    },
  });
  const item = (post: PostRecord, call: Call): Item => projectPost(post, { call }, call);
  const state = (parent: PostRecord, revision: RevisionRecord, call: Call): Item => {
    const { title, content, excerpt, author, date: modified } = revision;
    return projectState({ ...parent, title, content, excerpt, author, modified }, { call, revision }, call);
  };
  const schema = (call: Call) => draft(call.request.dialect.wireName(type), properties)();
  const stateSchema = (call: Call) => draft(`${call.request.dialect.wireName(type)}-revision`, schemasOf(revisionFields))();
  const hooks = { title: asSent, content: asSent };
  const updateArgs = argsForUpdate(properties, hooks);
  const idArg: Args = { id: templateArg };
  const parentArg: Args = { parent: templateArg };
  const stateArgs: Args = { ...parentArg, id: of('integer', 'ID of the revision.') };

  const find = (call: Call): PostRecord => templateById(call.site, type, call.params.id) ?? fail('rest_template_not_found');
  const parentOf = (call: Call, id = call.params.parent): PostRecord =>
    templateById(call.site, type, id) ?? fail('rest_post_invalid_parent');
  const stateOf = (call: Call) => {
    const parent = parentOf(call);
    return (revision: RevisionRecord): Item => state(parent, revision, call);
  };
  const mayReadStates: Rule = (call) => (call.can('edit_post', parentOf(call)) ? null : 'rest_cannot_read');

  return [
    {
      path: `${base}/(?P<parent>${ID})/revisions`,
      schema: stateSchema,
      endpoints: [
        {
          methods: READ,
          args: { ...parentArg, ...revisionListArgs },
          allow: mayReadStates,
          handle: (call) => listRevisions(call, parentOf(call).id, stateOf(call)),
        },
      ],
    },
    {
      path: `${base}/(?P<parent>${ID})/revisions/(?P<id>[\\d]+)`,
      schema: stateSchema,
      endpoints: [
        {
          methods: READ,
          args: { ...stateArgs, context: contextArg() },
          allow: mayReadStates,
          handle: (call) => state(parentOf(call), findRevision(call, parentOf(call).id), call),
        },
        {
          methods: DELETE,
          args: { ...stateArgs, force: of('boolean', 'Must be true: revisions cannot be trashed.', { default: false }) },
          allow: (call) => (call.can('delete_post', parentOf(call)) ? null : 'rest_cannot_delete'),
          handle: (call) => removeRevision(call, parentOf(call).id, stateOf(call)),
        },
      ],
    },
    {
      path: `${base}/(?P<id>${ID})/autosaves`,
      schema: stateSchema,
      endpoints: [
        {
          methods: READ,
          args: { ...idArg, context: contextArg() },
          allow: (call) => (call.can('edit_post', parentOf(call, call.params.id)) ? null : 'rest_cannot_read'),
          handle: (call) => {
            const parent = parentOf(call, call.params.id);
            return revisionsOf(call.site, parent.id, { autosaves: true })
              .filter(({ autosave }) => autosave)
              .map((one) => state(parent, one, call));
          },
        },
        { methods: CREATE, args: { ...idArg, ...updateArgs }, allow: mayManage, handle: autosave },
      ],
    },
    {
      path: `${base}/(?P<parent>${ID})/autosaves/(?P<id>[\\d]+)`,
      schema: stateSchema,
      endpoints: [
        {
          methods: READ,
          args: { ...parentArg, id: of('integer', 'ID of the autosave.'), context: contextArg() },
          allow: mayReadStates,
          handle: (call) => {
            const parent = parentOf(call);
            return state(parent, autosaveOf(call.site, parent.id, call.user?.id ?? 0) ?? fail('rest_post_no_autosave'), call);
          },
        },
      ],
    },
    {
      path: base,
      schema,
      endpoints: [
        {
          methods: READ,
          args: {
            context: contextArg(),
            [wireConstants.templatePost]: of('integer', 'Limit results to the template of this post.'),
            area: of('string', 'Limit results to parts for this place.'),
            post_type: of('string', 'Limit results to templates for this type of items.'),
          },
          allow: mayRead,
          handle: list,
        },
        { methods: CREATE, args: argsForCreate(properties, hooks), allow: mayManage, handle: create },
      ],
    },
    {
      path: `${base}/lookup`,
      endpoints: [
        {
          methods: READ,
          args: {
            slug: of('string', 'Name of the template wanted.', { required: true }),
            is_custom: of('boolean', 'Whether the template is of no standard kind.'),
            template_prefix: of('string', 'Kind of the template, where its name does not say.'),
          },
          allow: mayRead,
          handle: (call) => {
            const { slug, is_custom: custom, template_prefix: prefix } = call.params;
            const found = lookUp(call.site, type, slug, custom === true, prefix ?? '');
            // Without a template the answer is an empty map; a member without a value is not printed.
            return found ? item(found, call) : { none: undefined };
          },
        },
      ],
    },
    {
      path: `${base}/(?P<id>${ID})`,
      schema,
      endpoints: [
        { methods: READ, args: { ...idArg, context: contextArg() }, allow: mayRead, handle: (call) => item(find(call), call) },
        { methods: UPDATE, args: { ...idArg, ...updateArgs }, allow: mayManage, handle: update },
        {
          methods: DELETE,
          args: { ...idArg, force: of('boolean', 'Whether to delete for good instead of trashing.', { default: false }) },
          allow: mayManage,
          handle: remove,
        },
      ],
    },
  ];

  function list(call: Call): Item[] {
    const { [wireConstants.templatePost]: id, area, post_type: wanted } = call.params;
    // A template does not say what types it is for: those of a standard kind are for none in particular.
    return templatesOf(call.site, type)
      .filter(
        (post) =>
          (id === undefined || post.id === id) && (area === undefined || type !== 'cms_template_part' || areaOf(post) === area),
      )
      .filter((post) => wanted === undefined || type !== 'cms_template' || isCustom(post.slug))
      .map((post) => item(post, call));
  }

  async function create(call: Call) {
    const { site, user } = call;
    const id = await site.write(() => planCreate(site, user, type, { status: 'publish', ...inputOf(call) }));
    const post = site.posts.get(id) as PostRecord;
    return created(call, `${base}/${templateId(site, post.slug)}`, item(post, { ...call, context: 'edit' }));
  }

  async function update(call: Call): Promise<Item> {
    const { site, user } = call;
    const { id } = find(call);
    await site.write(() => {
      const before = site.posts.get(id) ?? fail('rest_template_not_found');
      return planUpdate(site, user, before, inputOf(call, before));
    });
    return item(site.posts.get(id) as PostRecord, { ...call, context: 'edit' });
  }

  async function remove(call: Call) {
    const { site, user, params } = call;
    const post = find(call);
    if (params.force) {
      const previous = item(post, { ...call, context: 'edit' }).body;
      await site.write(() => planDelete(site, find(call)));
      return { deleted: true, previous };
    }
    if (post.status === 'trash') fail('rest_template_already_trashed');
    await site.write(() => planTrash(site, user, find(call)));
    // Named as before: the slug of what is trashed is freed.
    return item({ ...(site.posts.get(post.id) as PostRecord), slug: post.slug }, { ...call, context: 'edit' });
  }

  async function autosave(call: Call): Promise<Item> {
    const { site } = call;
    const actor = call.user as Actor;
    const id = await site.write(() => {
      const post = find(call);
      const { title = post.title, content = post.content, excerpt = post.excerpt } = inputOf(call);
      return planAutosave(site, actor, post, { title, content, excerpt });
    });
    return state(find(call), site.revisions.get(id) ?? fail('rest_post_no_autosave'), { ...call, context: 'edit' });
  }

  function inputOf({ params }: Call, before?: PostRecord): PostInput {
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

  function linksOf(call: Call, post: PostRecord): Links {
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
}
