/**
 * Revisions and autosaves of templates.
 *
 * Shape    a template as it was, with the id of the template as `parent`
 * Access   whoever edits the template; autosaves are written by whoever edits theme options
 * Errors   rest_cannot_read, rest_cannot_delete, rest_post_invalid_parent, rest_post_invalid_id, rest_post_no_autosave
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../kernel/errors.ts';
import { of } from '../../kernel/model/schema.ts';
import type { Args } from '../../kernel/rest/args.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import type { Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { type Call, CREATE, DELETE, READ, type Rule } from '../../kernel/rest/types.ts';
import type { PostRecord } from '../posts/record.ts';
import { autosaveOf, planAutosave } from '../revisions/plan.ts';
import { revisionsOf } from '../revisions/record.ts';
import type { RevisionRecord } from '../revisions/record.ts';
import { findRevision, listRevisions, removeRevision, revisionListArgs } from '../revisions/index.ts';
import { manageTemplates } from './access.ts';
import { findTemplate, templateArg, templateInput, templatePath, type TemplateResource } from './template-resource.ts';
import { templateById } from './templates.ts';

type Routes = Namespace['routes'];

const parentArg: Args = { parent: templateArg };

export function templateStateRoutes(resource: TemplateResource): Routes {
  return [...revisionRoutes(resource), ...autosaveRoutes(resource)];
}

function revisionRoutes(resource: TemplateResource): Routes {
  const { base, stateSchema: schema } = resource;
  const args: Args = { ...parentArg, id: of('integer', 'ID of the revision.') };
  const allow = readStates(resource);
  return [
    {
      path: `${base}/(?P<parent>${templatePath})/revisions`,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { ...parentArg, ...revisionListArgs },
          allow,
          handle: (call) => listRevisions(call, parentOf(call, resource).id, stateOf(call, resource)),
        },
      ],
    },
    {
      path: `${base}/(?P<parent>${templatePath})/revisions/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { ...args, context: contextArg() },
          allow,
          handle: (call) => stateOf(call, resource)(findRevision(call, parentOf(call, resource).id)),
        },
        {
          methods: DELETE,
          args: { ...args, force: of('boolean', 'Must be true: revisions cannot be trashed.', { default: false }) },
          allow: (call) => (call.can('delete_post', parentOf(call, resource)) ? null : 'rest_cannot_delete'),
          handle: (call) => removeRevision(call, parentOf(call, resource).id, stateOf(call, resource)),
        },
      ],
    },
  ];
}

function autosaveRoutes(resource: TemplateResource): Routes {
  const { base, stateSchema: schema, updateArgs } = resource;
  return [
    {
      path: `${base}/(?P<id>${templatePath})/autosaves`,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { id: templateArg, context: contextArg() },
          allow: readStates(resource, 'id'),
          handle: (call) => listAutosaves(call, resource),
        },
        {
          methods: CREATE,
          args: { id: templateArg, ...updateArgs },
          allow: manageTemplates,
          handle: (call) => autosave(call, resource),
        },
      ],
    },
    {
      path: `${base}/(?P<parent>${templatePath})/autosaves/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { ...parentArg, id: of('integer', 'ID of the autosave.'), context: contextArg() },
          allow: readStates(resource),
          handle: (call) => readAutosave(call, resource),
        },
      ],
    },
  ];
}

function listAutosaves(call: Call, resource: TemplateResource): Item[] {
  const parent = parentOf(call, resource, 'id');
  const states = revisionsOf(call.site, parent.id, { autosaves: true }).filter((state) => state.autosave);
  return states.map((one) => resource.state(parent, one, call));
}

function readAutosave(call: Call, resource: TemplateResource): Item {
  const parent = parentOf(call, resource);
  return resource.state(parent, autosaveOf(call.site, parent.id, call.user?.id ?? 0) ?? fail('rest_post_no_autosave'), call);
}

async function autosave(call: Call, resource: TemplateResource): Promise<Item> {
  const { site } = call;
  const actor = call.user as NonNullable<Call['user']>;
  const id = await site.write(() => {
    const post = findTemplate(call, resource);
    const { title = post.title, content = post.content, excerpt = post.excerpt } = templateInput(call);
    return planAutosave(site, actor, post, { title, content, excerpt });
  });
  const revision = site.revisions.get(id) ?? fail('rest_post_no_autosave');
  return resource.state(findTemplate(call, resource), revision, { ...call, context: 'edit' });
}

/** The template whose states a path is about. @throws RestError rest_post_invalid_parent */
function parentOf({ site, params }: Call, { type }: TemplateResource, param: 'parent' | 'id' = 'parent'): PostRecord {
  return templateById(site, type, params[param]) ?? fail('rest_post_invalid_parent');
}

function stateOf(call: Call, resource: TemplateResource): (revision: RevisionRecord) => Item {
  const parent = parentOf(call, resource);
  return (revision) => resource.state(parent, revision, call);
}

function readStates(resource: TemplateResource, param: 'parent' | 'id' = 'parent'): Rule {
  return (call) => (call.can('edit_post', parentOf(call, resource, param)) ? null : 'rest_cannot_read');
}
