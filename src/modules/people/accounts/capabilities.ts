/**
 * Permissions. Every question, `can(user, 'edit_post', 7)`, is reduced to primitive capabilities, and the user must have all of them through roles or
 * personally. Questions about a post, term, comment or user depend on its author and status; nothing else in the project compares roles.
 *
 * Source: the reference's mapping of capabilities (6.9), from the recordings posts-by-role, users, comments and application-passwords. Deviation: a
 * revision can be deleted by users who may delete its parent (specification 4.4).
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { Status, Taxonomy, PostType } from '../../types/record.ts';
import { type Access, type Lookup, type PostLike, statusInForce } from './record.ts';
import type { Role } from './roles.ts';

interface AccessOptions {
  readonly roles: readonly Role[];
  readonly types: readonly PostType[];
  readonly taxonomies: readonly Taxonomy[];
  readonly statuses: readonly Status[];
  readonly lookup: Lookup;
  /** Capability → those that imply it. A namespace adds its own. */
  readonly implied?: Readonly<Record<string, readonly string[]>>;
}

const denied = 'do_not_allow';

/** A capability → its synonyms. */
const synonymsOf: Readonly<Record<string, string>> = {
  manage_categories: 'edit_categories delete_categories manage_post_tags edit_post_tags delete_post_tags',
  // Rights on patterns are those on posts.
  edit_posts: 'assign_categories assign_post_tags edit_blocks',
  edit_others_posts: 'edit_others_blocks',
  edit_private_posts: 'edit_private_blocks',
  edit_published_posts: 'edit_published_blocks',
  publish_posts: 'publish_blocks',
  read_private_posts: 'read_private_blocks',
  delete_posts: 'delete_blocks',
  delete_others_posts: 'delete_others_blocks',
  delete_private_posts: 'delete_private_blocks',
  delete_published_posts: 'delete_published_blocks',
  promote_users: 'promote_user add_users',
  delete_users: 'delete_user',
  unfiltered_html: 'edit_css edit_block_css',
  edit_theme_options: 'customize',
  install_plugins: 'upload_plugins',
  install_themes: 'upload_themes',
  install_languages: 'update_languages',
  activate_plugins: 'activate_plugin deactivate_plugin deactivate_plugins',
  resume_plugins: 'resume_plugin',
  resume_themes: 'resume_theme',
  update_core: 'update_php',
  manage_options: 'manage_privacy_options export_others_personal_data erase_others_personal_data setup_network',
  // Roles keep them for old clients; they are disabled, as on a new site of the reference.
  [denied]: 'manage_links unfiltered_upload delete_site',
};

const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries(synonymsOf).flatMap(([name, others]) => others.split(' ').map((other): [string, string] => [other, name])),
);

const impliedByStandard: Readonly<Record<string, readonly string[]>> = {
  install_languages: ['update_core', 'install_plugins', 'install_themes'],
  resume_plugins: ['activate_plugins'],
  resume_themes: ['switch_themes'],
  view_site_health_checks: ['install_plugins'],
};

/** Statuses that count as published for rights. */
const published: readonly string[] = ['publish', 'future'];

type Rule = (actor: Actor | null, thing: unknown, more: unknown) => readonly string[];

export function createAccess(options: AccessOptions): Access {
  const { lookup } = options;
  const roles = byName(options.roles);
  const types = byName(options.types);
  const taxonomies = byName(options.taxonomies);
  const statuses = byName(options.statuses);
  const implied = { ...impliedByStandard, ...options.implied };
  const held = new WeakMap<Actor, Readonly<Record<string, boolean>>>();

  const rules: Record<string, Rule> = {
    read_post: (actor, thing) => onPost(thing, (post) => read(actor, post)),
    edit_post: (actor, thing) => onPost(thing, (post) => change('edit', actor, post)),
    delete_post: (actor, thing) => onPost(thing, (post) => remove(actor, post)),
    publish_post: (_, thing) => onPost(thing, publish),
    edit_comment: (actor, thing) => {
      const comment = resolve(thing, lookup.comment);
      if (comment === undefined) return [denied];
      const post = lookup.post(comment.post);
      return post === undefined ? ['edit_posts'] : change('edit', actor, post);
    },
    edit_term: (_, thing) => onTerm(thing, 'edit_terms'),
    delete_term: (_, thing) => onTerm(thing, 'delete_terms'),
    assign_term: (_, thing) => onTerm(thing, 'assign_terms'),
    edit_user: (actor, thing) => (isSelf(actor, thing) ? [] : ['edit_users']),
    remove_user: (actor, thing) => [isSelf(actor, thing) ? denied : 'remove_users'],
    update_https: () => ['manage_options', 'update_core'],
  };
  for (const verb of ['create', 'read', 'edit', 'delete']) rules[`${verb}_app_password`] = rules.edit_user!;
  for (const verb of ['list', 'delete']) rules[`${verb}_app_passwords`] = rules.edit_user!;
  for (const kind of ['post', 'comment', 'term', 'user']) {
    for (const verb of ['add', 'edit', 'delete']) rules[`${verb}_${kind}_meta`] = meta(rules[`edit_${kind}`]!);
  }
  for (const verb of ['read', 'edit', 'delete'] as const) {
    rules[`${verb}_page`] = rules[`${verb}_post`]!;
    for (const type of options.types) if (type.mapMetaCap) rules[type.capabilities[`${verb}_post`]] ??= rules[`${verb}_post`]!;
  }

  return {
    can(actor, capability, ...args) {
      const rule = Object.hasOwn(rules, capability) ? rules[capability] : undefined;
      const needed = rule === undefined ? [capability] : rule(actor, args[0], args[1]);
      return needed.every((name) => holds(actor, synonyms.get(name) ?? name));
    },
    allCapabilities,
    extraCapabilities,
    types,
    taxonomies,
    statuses,
    roles,
    lookup,
  };

  function allCapabilities(actor: Actor): Readonly<Record<string, boolean>> {
    let all = held.get(actor);
    if (all === undefined) {
      const granted = actor.roles.flatMap((name) => roles.get(name)?.capabilities ?? []);
      all = { ...Object.fromEntries(granted.map((name) => [name, true])), ...extraCapabilities(actor) };
      held.set(actor, all);
    }
    return all;
  }

  function holds(actor: Actor | null, capability: string): boolean {
    if (capability === denied) return false;
    if (capability === 'exist') return true;
    if (actor === null) return false;
    const all = allCapabilities(actor);
    if (Object.hasOwn(all, capability)) return all[capability] === true;
    return Object.hasOwn(implied, capability) && implied[capability]!.some((other) => all[other] === true);
  }

  /** Rights on a revision are those on the post it is one of. */
  function onPost(thing: unknown, then: (post: PostLike) => readonly string[]): readonly string[] {
    const post = resolve(thing, lookup.post);
    const subject = post?.type === 'revision' ? lookup.post(post.parent) : post;
    return subject === undefined || subject.type === 'revision' ? [denied] : then(subject);
  }

  function remove(actor: Actor | null, post: PostLike): readonly string[] {
    return lookup.isFrontPage(post) ? ['manage_options'] : change('delete', actor, post);
  }

  function publish(post: PostLike): readonly string[] {
    return [types.get(post.type)?.capabilities.publish_posts ?? 'edit_others_posts'];
  }

  /** Rights to edit or delete: one's own by its state; others' by a right of its own and one more when it is out. */
  function change(verb: 'edit' | 'delete', actor: Actor | null, post: PostLike): readonly string[] {
    const type = types.get(post.type);
    if (type === undefined) return ['edit_others_posts'];
    const words = type.capabilities;
    if (!type.mapMetaCap) return [words[`${verb}_post`]];
    const word = (which: '' | 'others_' | 'published_' | 'private_'): string => words[`${verb}_${which}posts`];
    if (actor !== null && post.author === actor.id) {
      const state = post.status === 'trash' ? (post.trashed?.status ?? '') : post.status;
      return [published.includes(state) ? word('published_') : word('')];
    }
    if (published.includes(post.status)) return [word('others_'), word('published_')];
    return post.status === 'private' ? [word('others_'), word('private_')] : [word('others_')];
  }

  function read(actor: Actor | null, post: PostLike): readonly string[] {
    const type = types.get(post.type);
    if (type === undefined) return ['edit_others_posts'];
    if (!type.mapMetaCap) return [type.capabilities.read_post];
    const status = statuses.get(statusInForce(post, lookup));
    if (status?.public || (actor !== null && post.author === actor.id)) return [type.capabilities.read];
    return status?.private ? [type.capabilities.read_private_posts] : change('edit', actor, post);
  }

  function onTerm(thing: unknown, right: keyof Taxonomy['capabilities']): readonly string[] {
    const term = resolve(thing, lookup.term);
    const taxonomy = taxonomies.get(term?.taxonomy ?? '');
    if (term === undefined || taxonomy === undefined) return [denied];
    return [right === 'delete_terms' && lookup.isDefaultTerm(term) ? denied : taxonomy.capabilities[right]];
  }
}

function extraCapabilities(actor: Actor): Readonly<Record<string, boolean>> {
  return { ...Object.fromEntries(actor.roles.map((name) => [name, true])), ...actor.capabilities };
}

/** Meta: whoever may edit the thing, but never a protected key, which starts with `_`. */
function meta(edit: Rule): Rule {
  return (actor, thing, key) => [...edit(actor, thing, undefined), ...(String(key ?? '').startsWith('_') ? [denied] : [])];
}

/** The thing itself, or the one with that id. */
function resolve<T extends { readonly id: number }>(thing: unknown, find: (id: number) => T | undefined): T | undefined {
  if (typeof thing === 'number') return find(thing);
  return typeof thing === 'object' && thing !== null ? (thing as T) : undefined;
}

function isSelf(actor: Actor | null, user: unknown): boolean {
  const id = typeof user === 'object' && user !== null ? (user as { id?: unknown }).id : user;
  return actor !== null && actor.id === id;
}

function byName<T extends { readonly name: string }>(things: readonly T[]): ReadonlyMap<string, T> {
  return new Map(things.map((thing) => [thing.name, thing]));
}
