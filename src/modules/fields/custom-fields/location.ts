/** Locations of groups: the kinds of items that may have them, and whether one does. */
import { table } from '../../../kernel/model/maps.ts';
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { CommentRecord } from '../../comments/record.ts';
import { isUnlocked } from '../../content/post-passwords/index.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import type { RevisionRecord } from '../../content/revisions/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import type { FieldGroup, LocationParam, LocationRule } from './record.ts';

/** Types and taxonomies of a site, by the names under which modules extend their items. */
export interface Targets {
  readonly types: readonly string[];
  readonly taxonomies: readonly string[];
}

/** The properties of an item that rules test; absent: not applicable. */
export type FieldLocation = Partial<Readonly<Record<LocationParam, readonly string[]>>>;

/** Rules are about posts, unless one of these is used. */
const kinds: Readonly<Partial<Record<LocationParam, 'term' | 'user' | 'comment' | 'options'>>> = table({
  taxonomy: 'term',
  user_role: 'user',
  comment: 'comment',
  options_page: 'options',
});

const anything = 'all';

/** Kinds of items that a group may belong to: types, taxonomies, `user`, `comment`, `options`. */
export function targetsOf({ location }: FieldGroup, targets: Targets): readonly string[] {
  return [...new Set(location.flatMap((rules) => targetsOfRules(rules, targets)))];
}

function targetsOfRules(rules: readonly LocationRule[], { types, taxonomies }: Targets): readonly string[] {
  const kind = rules.flatMap(({ param }) => kinds[param] ?? [])[0];
  if (kind === 'term') return taxonomies.filter((name) => rules.every((rule) => rule.param !== 'taxonomy' || fits(rule, [name])));
  if (kind !== undefined) return [kind];
  return types.filter((name) => rules.every((rule) => rule.param !== 'type' || fits(rule, [name])));
}

export function belongsTo({ location }: FieldGroup, item: FieldLocation): boolean {
  return location.some((rules) => rules.every((rule) => holds(rule, item)));
}

function holds(rule: LocationRule, item: FieldLocation): boolean {
  const values = item[rule.param];
  return values !== undefined && fits(rule, values);
}

function fits({ isEqual, value }: LocationRule, values: readonly string[]): boolean {
  return (value === anything || values.includes(value)) === isEqual;
}

export interface ItemKind<R> {
  /** The location of a new item. @param name  of its type or taxonomy */
  blank(name: string, call: FieldCall): object;
  locate(record: R, site: Site): FieldLocation;
  /** Whether the item's password is required and missing. */
  isLocked?(record: R, call: FieldCall): boolean;
}

/** The name of the default template. */
const plainTemplate = 'default';

export const postItems: ItemKind<PostRecord> = {
  blank: (type) => ({ type }),
  locate: ({ type, template = '', parent = 0, id = 0 }) => ({
    type: [type],
    template: [template === '' ? plainTemplate : template],
    parent: [String(parent)],
    id: [String(id)],
  }),
  isLocked(post, call) {
    if (post.password === undefined || !isProtected(post)) return false;
    const mayEdit = call.can('edit_post', post) && (call.context === 'edit' || call.request.method !== 'GET');
    return !mayEdit && !isUnlocked(call, post);
  },
};

/** Like the item of the revision. */
export const revisionItems: ItemKind<RevisionRecord> = {
  blank: () => ({}),
  locate(revision, site) {
    const post = site.posts.get(revision.parent || revision.id);
    return post === undefined ? {} : postItems.locate(post, site);
  },
};

export const termItems: ItemKind<TermRecord> = {
  blank: (taxonomy) => ({ taxonomy }),
  locate: ({ taxonomy, id = 0, parent = 0 }) => ({ taxonomy: [taxonomy], id: [String(id)], parent: [String(parent)] }),
};

export const userItems: ItemKind<UserRecord> = {
  blank: (_name, { params }) => ({ account: { roles: params.roles ?? [] } }),
  locate: ({ account, id = 0 }) => ({ user_role: account?.roles ?? [], id: [String(id)] }),
};

export const commentItems: ItemKind<CommentRecord> = {
  blank: (_name, { params }) => ({ post: params.post }),
  locate({ post, id = 0 }, site) {
    const type = site.posts.get(post)?.type;
    return { comment: type === undefined ? [] : [type], id: [String(id)] };
  },
};

export const optionsItems: ItemKind<{ readonly slug: string }> = {
  blank: () => ({}),
  locate: ({ slug }) => ({ options_page: [slug] }),
};
