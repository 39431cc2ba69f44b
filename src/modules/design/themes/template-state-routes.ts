/**
 * Revisions and autosaves of templates.
 *
 * Shape    a template as it was, with the id of the template as `parent`
 * Access   whoever edits the template; autosaves are written by whoever edits theme options
 * Errors   rest_cannot_read, rest_cannot_delete, rest_post_invalid_parent, rest_post_invalid_id, rest_post_no_autosave
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import { schemasOf } from '../../../kernel/model/field.ts';
import { everywhere, of } from '../../../kernel/model/schema.ts';
import { argsForUpdate } from '../../../kernel/rest/args.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { defineResource, item } from '../../../kernel/rest/resource.ts';
import type { Call, Namespace, AccessRule } from '../../../kernel/rest/types.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import {
  autosaveOf,
  findRevision,
  listRevisions,
  planAutosave,
  removeRevision,
  revisionListArgs,
} from '../../content/revisions/index.ts';
import { type RevisionRecord, revisionsOf } from '../../content/revisions/record.ts';
import { manageTemplates } from './access.ts';
import type { TemplateFields, TemplateRecord } from './template-fields.ts';
import { findTemplate, templateArg, templateHooks, templateInput, templatePath } from './template-resource.ts';
import { templateById, templateId, type TemplateType } from './templates.ts';

/** @param base  of the templates; @param fields  theirs */
export function templateStateRoutes(type: TemplateType, base: string, fields: TemplateFields): Namespace['routes'] {
  const below = `(?P<parent>${templatePath})`;
  /** The template of the revisions. @throws RestError rest_post_invalid_parent */
  const parentOf = ({ site, params }: Call, param: 'parent' | 'id' = 'parent'): PostRecord =>
    templateById(site, type, params[param]) ?? fail('rest_post_invalid_parent');
  const mayRead =
    (param: 'parent' | 'id' = 'parent'): AccessRule =>
    (call) =>
      call.can('edit_post', parentOf(call, param)) ? null : 'rest_cannot_read';
  const mayDelete: AccessRule = (call) => (call.can('delete_post', parentOf(call)) ? null : 'rest_cannot_delete');
  return defineResource<TemplateRecord, Call>({
    name: `${type}-revision`,
    base,
    fields: {
      ...fields,
      parent: { schema: of('integer', 'ID of the template.', { context: everywhere }), get: ({ revision }) => revision?.parent },
    },
    links({ slug, revision }, { site }) {
      const parent = `${base}/${templateId(site, slug)}`;
      return { self: `${parent}/${revision?.autosave ? 'autosaves' : 'revisions'}/${revision?.id}`, parent };
    },
    params: { parent: templateArg, id: of('integer', 'ID of the revision.') },
    routes: [
      item(`${below}/revisions`, {
        args: revisionListArgs,
        allow: mayRead(),
        handle: (call) => listRevisions(call, parentOf(call).id, stateOf(parentOf(call))),
      }),
      item(`${below}/revisions/(?P<id>[\\d]+)`, {
        read: { allow: mayRead(), handle: (call) => stateOf(parentOf(call))(findRevision(call, parentOf(call).id)) },
        remove: {
          args: { force: of('boolean', 'Must be true: revisions cannot be trashed.', { default: false }) },
          allow: mayDelete,
          context: ({ context }) => context,
          handle: (call) => removeRevision(call, parentOf(call).id, stateOf(parentOf(call))),
        },
      }),
      item(
        `(?P<id>${templatePath})/autosaves`,
        {
          read: {
            args: { id: templateArg, context: contextArg() },
            allow: mayRead('id'),
            handle: (call) => autosavesOf(call, parentOf(call, 'id')),
          },
          create: {
            args: { id: templateArg, ...argsForUpdate(schemasOf(fields), templateHooks) },
            allow: manageTemplates,
            handle: (call) => autosave(call, type, fields),
          },
        },
        {},
      ),
      item(
        `${below}/autosaves/(?P<id>[\\d]+)`,
        { allow: mayRead(), handle: (call) => ownAutosave(call, parentOf(call)) },
        { parent: templateArg, id: of('integer', 'ID of the autosave.') },
      ),
    ],
  });
}

/** A template as a revision has it. */
function stateOf(template: PostRecord): (revision: RevisionRecord) => TemplateRecord {
  return (revision) => {
    const { title, content, excerpt, author, date: modified } = revision;
    return { ...template, title, content, excerpt, author, modified, revision };
  };
}

function autosavesOf({ site }: Call, template: PostRecord): readonly TemplateRecord[] {
  const states = revisionsOf(site, template.id, { autosaves: true });
  return states.filter((state) => state.autosave).map(stateOf(template));
}

function ownAutosave({ site, user }: Call, template: PostRecord): TemplateRecord {
  return stateOf(template)(autosaveOf(site, template.id, user?.id ?? 0) ?? fail('rest_post_no_autosave'));
}

async function autosave(call: Call, type: TemplateType, fields: TemplateFields): Promise<TemplateRecord> {
  const { site } = call;
  const actor = call.user as NonNullable<Call['user']>;
  const id = await site.write((site) => {
    const post = findTemplate(call, type);
    const { title = post.title, content = post.content, excerpt = post.excerpt } = templateInput(call, fields);
    return planAutosave(site, actor, post, { title, content, excerpt });
  });
  return stateOf(findTemplate(call, type))(site.revisions.get(id) ?? fail('rest_post_no_autosave'));
}
