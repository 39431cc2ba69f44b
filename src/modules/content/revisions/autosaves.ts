/**
 * Autosaves: the unsaved state of a post, one per user; one's own draft is saved in place.
 *
 * Shape    as a revision, with `preview_link`
 * Access   users who may edit the post
 * Errors   rest_post_invalid_id, rest_post_invalid_parent, rest_cannot_read, rest_cannot_edit, rest_post_no_autosave
 * Source   specification 2.6 and 4.4; conformance scenario autosaves-of-posts
 */
import type { Actor } from '../../../kernel/model/access.ts';
import { createRevisionView } from './view.ts';
import { addedTo, planAutosave } from './plan.ts';
import { fail } from '../../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../../kernel/model/field.ts';
import type { PostRecord, PostResource } from '../posts/record.ts';
import { type RevisionRecord, type RevisionView, revisionsOf } from './record.ts';
import { editOnly, of } from '../../../kernel/model/schema.ts';
import { type Args, argsForUpdate } from '../../../kernel/rest/args.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { inState } from '../../../kernel/rest/preconditions.ts';
import { defineResource, item } from '../../../kernel/rest/resource.ts';
import type { Call, Namespace, AccessRule } from '../../../kernel/rest/types.ts';
import { planUpdate, previewLink, viewOf } from '../posts/index.ts';
import { fieldsFor, parentLink, parentOf, prepareRevision } from './routes.ts';
import type { Site } from '../../../kernel/site/site.ts';

interface AutosaveView extends RevisionView {
  preview(revision: RevisionRecord): string;
}

type Fielded = Fields<RevisionRecord, AutosaveView>;

export function autosaveRoutes(site: Site, resource: PostResource): Namespace['routes'] {
  const { type } = resource;
  const fields: Fielded = {
    ...(fieldsFor(site, type) as Fielded),
    preview_link: {
      schema: of('string', 'Preview link for the post.', { format: 'uri', context: editOnly, readonly: true }),
      get: (revision, view) => view.preview(revision),
    },
  };
  const parent: Args = { parent: of('integer', 'The ID for the parent of the autosave.') };
  const mayRead: AccessRule = (call) => (call.can('edit_post', parentOf(call, type)) ? null : 'rest_cannot_read');
  return defineResource<RevisionRecord, AutosaveView>({
    name: `${type.name}-revision`,
    base: `/${type.restNamespace}/${type.restBase}`,
    fields,
    view: (call) => autosaveView(call, resource),
    links: (revision) => parentLink(resource, revision),
    prepare: prepareRevision,
    params: { ...parent, id: of('integer', 'The ID for the autosave.') },
    routes: [
      // The collection's path names the post `id`, although its argument is `parent`.
      item(
        '(?P<id>[\\d]+)/autosaves',
        {
          read: {
            args: { ...parent, context: contextArg() },
            allow: (call) => mayRead(withParent(call)),
            handle: (call) => autosavesOf(call.site, parentOf(withParent(call), type)),
          },
          create: {
            args: { ...parent, ...argsForUpdate(schemasOf(resource.fields), resource.hooks) },
            allow: (call) => (call.can('edit_post', resource.find(call, call.params.id)) ? null : 'rest_cannot_edit'),
            handle: (call) => write(call, resource),
          },
        },
        {},
      ),
      // Whatever the id, this is the caller's own autosave, else the newest of the others (observed).
      item('(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)', {
        allow: mayRead,
        handle: (call) => anyAutosave(call, parentOf(call, type)) ?? fail('rest_post_no_autosave'),
      }),
    ],
  });
}

function autosavesOf(site: Site, post: PostRecord): RevisionRecord[] {
  return revisionsOf(site, post.id, { autosaves: true }).filter(({ autosave }) => autosave);
}

function anyAutosave({ site, user }: Call, post: PostRecord): RevisionRecord | undefined {
  const all = autosavesOf(site, post);
  return all.find(({ author }) => author === user?.id) ?? all[0];
}

const withParent = (call: Call): Call => ({ ...call, params: { ...call.params, parent: call.params.id } });

async function write(call: Call, resource: PostResource): Promise<RevisionRecord> {
  const { site } = call;
  const actor = call.user as Actor;
  const { id } = resource.find(call, call.params.id);
  const isOwnDraft = (post: PostRecord): boolean =>
    (post.status === 'draft' || post.status === 'auto-draft') && post.author === actor.id;
  if (isOwnDraft(resource.find(call, id))) {
    await site.write((site) => {
      const before = inState(call, resource.find(call, id));
      // Other fields wait for a real save, and no revision is made (observed).
      const { terms, meta, format, sticky, template, featuredMedia, ...input } = resource.input(call, before);
      return planUpdate(site, actor, before, input, 'nothing');
    });
    return asRevision(site, resource.find(call, id));
  }
  const autosave = await site.write((site) => {
    const post = resource.find(call, id);
    return planAutosave(site, actor, post, resource.input(call, post));
  });
  return site.revisions.get(autosave) ?? fail('rest_post_no_autosave');
}

/** A draft saved in place, in the shape of an autosave. */
function asRevision(site: Site, post: PostRecord): RevisionRecord {
  const { id, path, etag, author, title, content, excerpt, slug, meta } = post;
  const [date, dateGmt] = post.floating ? ['', ''] : [post.date, post.dateGmt];
  const saved = { date: post.modified, dateGmt: post.modifiedGmt };
  const own = { id, path, etag, parent: 0, author, date, dateGmt, saved, title, content, excerpt, slug, autosave: false, meta };
  return { ...own, ...addedTo(site, post) };
}

function autosaveView(call: Call, resource: PostResource): AutosaveView {
  const { site } = call;
  const states = createRevisionView(site);
  return {
    ...states,
    // A draft saved in place is the item itself.
    guid: (revision) => (revision.parent === 0 ? viewOf(call).guid(resource.find(call, revision.id)) : states.guid(revision)),
    preview(revision) {
      const post = resource.find(call, revision.parent || revision.id);
      if (!resource.type.viewable) return '';
      return previewLink(site, post, viewOf(call).link(post));
    },
  };
}
