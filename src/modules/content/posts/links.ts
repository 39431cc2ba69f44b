/** Links of posts: to the item, related items and actions. Actions are only linked for users who may perform them. */
import type { PostRecord, PostResource } from './record.ts';
import { historyLinks } from '../revisions/record.ts';
import type { Link, Links } from '../../../kernel/rest/item.ts';
import type { Call } from '../../../kernel/rest/types.ts';

/** An action link: relation, title for schemas, what it changes, and who has it. */
interface Action {
  readonly relation: string;
  readonly title: string;
  readonly target: Record<string, unknown>;
  may(call: Call, post: PostRecord): boolean;
}

export function postLinks(call: Call, resource: PostResource, post: PostRecord): Links {
  const { type, taxonomies } = resource;
  const { urls, site } = call;
  const collection = `/${type.restNamespace}/${type.restBase}`;
  const self = urls.rest(`${collection}/${post.id}`);
  const links: Record<string, readonly Link[]> = {
    self: [{ href: self }],
    collection: [{ href: urls.rest(collection) }],
    about: [{ href: urls.rest(`/cms/v2/types/${type.name}`) }],
  };
  if (type.supports.author && post.author > 0)
    links.author = [{ embeddable: true, href: urls.rest(`/cms/v2/users/${post.author}`) }];
  if (type.supports.comments) links.replies = [{ embeddable: true, href: urls.rest(`/cms/v2/comments?post=${post.id}`) }];
  if (type.supports.revisions) Object.assign(links, historyLinks(site, post.id, self));
  if (type.hierarchical && post.parent > 0) {
    const above = site.types.get(site.posts.get(post.parent)?.type ?? '') ?? type;
    links.up = [{ embeddable: true, href: urls.rest(`/${above.restNamespace}/${above.restBase}/${post.parent}`) }];
  }
  if (type.supports.thumbnail && post.featuredMedia > 0) {
    links['cms:featuredmedia'] = [{ embeddable: true, href: urls.rest(`/cms/v2/media/${post.featuredMedia}`) }];
  }
  if (type.name !== 'attachment' && type.name !== 'nav_menu_item')
    links['cms:attachment'] = [{ href: urls.rest(`/cms/v2/media?parent=${post.id}`) }];
  if (taxonomies.length > 0) {
    links['cms:term'] = taxonomies.map(({ name, restNamespace, restBase }) => ({
      taxonomy: call.request.dialect.wireName(name),
      embeddable: true,
      href: urls.rest(`/${restNamespace}/${restBase}?post=${post.id}`),
    }));
  }
  if (call.context === 'edit')
    for (const { relation, may } of actions(resource)) if (may(call, post)) links[`cms:${relation}`] = [{ href: self }];
  return Object.assign(links, resource.extension.links(post, call));
}

/** The `links` of the schema: every action, for anyone. */
export function postSchemaLinks(call: Call, resource: PostResource): readonly Record<string, unknown>[] {
  const href = call.urls.rest(`/${resource.type.restNamespace}/${resource.type.restBase}/{id}`);
  const { dialect } = call.request;
  const own = actions(resource).map(({ relation, title, target }) => ({
    rel: dialect.relationUri(relation),
    title: title.replace(/(?<!\w)\w+(?= taxonomy\.$)/, dialect.wireName),
    href,
    targetSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(target).map(([name, schema]) => [dialect.wireName(name), schema])),
    },
  }));
  return [...own, ...resource.extension.schemaLinks(call)];
}

const known = new WeakMap<PostResource, readonly Action[]>();

function actions(resource: PostResource): readonly Action[] {
  const made = known.get(resource) ?? actionsOf(resource);
  known.set(resource, made);
  return made;
}

function actionsOf({ type, taxonomies }: PostResource): readonly Action[] {
  const { capabilities } = type;
  const terms = (restBase: string) => ({ [restBase]: { type: 'array', items: { type: 'integer' } } });
  return [
    ...(type.name === 'attachment'
      ? []
      : [
          {
            relation: 'action-publish',
            title: 'The current user can publish this post.',
            target: { status: { type: 'string', enum: ['publish', 'future'] } },
            may: (call: Call) => call.can(capabilities.publish_posts),
          },
        ]),
    {
      relation: 'action-unfiltered-html',
      title: 'The current user can post unfiltered HTML markup and JavaScript.',
      target: { content: { raw: { type: 'string' } } },
      may: (call: Call) => call.can('unfiltered_html'),
    },
    ...(type.name === 'post'
      ? [
          {
            relation: 'action-sticky',
            title: 'The current user can sticky this post.',
            target: { sticky: { type: 'boolean' } },
            may: (call: Call) => call.can(capabilities.edit_others_posts) && call.can(capabilities.publish_posts),
          },
        ]
      : []),
    ...(type.supports.author
      ? [
          {
            relation: 'action-assign-author',
            title: 'The current user can change the author on this post.',
            target: { author: { type: 'integer' } },
            may: (call: Call) => call.can(capabilities.edit_others_posts),
          },
        ]
      : []),
    ...taxonomies.flatMap((taxonomy) => [
      {
        relation: `action-assign-${taxonomy.restBase}`,
        title: `The current user can assign terms in the ${taxonomy.name} taxonomy.`,
        target: terms(taxonomy.restBase),
        may: (call: Call) => call.can(taxonomy.capabilities.assign_terms),
      },
      {
        relation: `action-create-${taxonomy.restBase}`,
        title: `The current user can create terms in the ${taxonomy.name} taxonomy.`,
        target: terms(taxonomy.restBase),
        may: (call: Call) =>
          call.can(taxonomy.hierarchical ? taxonomy.capabilities.edit_terms : taxonomy.capabilities.assign_terms),
      },
    ]),
  ];
}
