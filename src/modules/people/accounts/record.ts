/**
 * The rights of an actor, as other modules ask for them; the rules behind the answers are in `capabilities.ts`.
 */
import type { AccessControl, Actor } from '../../../kernel/model/access.ts';
import type { Call, Refusal, AccessRule } from '../../../kernel/rest/types.ts';
import type { PostType, Status, Taxonomy } from '../../types/record.ts';
import type { Role } from './roles.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly access: Access;
  }
}

/** What a rule must know of a post; its record has more. */
export interface PostLike {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  /** 0: nobody. */
  readonly author: number;
  /** 0: none. */
  readonly parent: number;
  /** What a trashed post was. */
  readonly trashed?: { readonly status: string } | null;
}

interface TermLike {
  readonly id: number;
  readonly taxonomy: string;
}

export interface CommentLike {
  readonly id: number;
  readonly post: number;
}

/** The site as far as rules ask for it. */
export interface Lookup {
  post(id: number): PostLike | undefined;
  term(id: number): TermLike | undefined;
  comment(id: number): CommentLike | undefined;
  /** The term that items without one fall back to; it cannot be deleted. */
  isDefaultTerm(term: TermLike): boolean;
  /** The front page or the page of posts; deleting it changes the site. */
  isFrontPage(post: PostLike): boolean;
}

export interface Access extends AccessControl {
  /** All of `capabilities` of a user as clients see them: of the roles, the roles' names, and in person. */
  allCapabilities(actor: Actor): Readonly<Record<string, boolean>>;
  /** `extra_capabilities`: the roles' names, and in person. */
  extraCapabilities(actor: Actor): Readonly<Record<string, boolean>>;
  readonly types: ReadonlyMap<string, PostType>;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly lookup: Lookup;
}

/** The effective status of a post: `inherit` means that of the parent, or public. */
export function statusInForce(post: PostLike, lookup: Pick<Lookup, 'post'>): string {
  if (post.type !== 'attachment' || post.status !== 'inherit') return post.status;
  const parent = post.parent === 0 ? undefined : lookup.post(post.parent);
  if (parent === undefined || parent.type === 'attachment') return 'publish';
  return parent.status === 'trash' ? (parent.trashed?.status ?? 'publish') : parent.status;
}

/**
 * Whether a post is visible, ignoring its password: a public status, the right to read it, or, for media, a visible parent. Types that require more
 * than `read` (patterns, templates) require it for published items too.
 */
export function canReadPost(access: Access, actor: Actor | null, post: PostLike): boolean {
  const type = access.types.get(post.type);
  if (type === undefined || !type.showInRest) return false;
  if (access.can(actor, 'read_post', post)) return true;
  if (type.capabilities.read !== 'read') return false;
  if (post.status !== 'inherit') return access.statuses.get(post.status)?.public === true;
  const parent = post.parent === 0 ? undefined : access.lookup.post(post.parent);
  return parent === undefined || parent.status === 'inherit' || canReadPost(access, actor, parent);
}

/** Whether the user may write anything: required by editors' helper routes (statuses, block types, link details). */
export function canEditSomething(access: Access, actor: Actor | null): boolean {
  return [...access.types.values()].some((type) => type.showInRest && access.can(actor, type.capabilities.edit_posts));
}

/** For users who may write anything. */
export function forEditors(refusal: Refusal): AccessRule {
  return ({ site, user }: Call) => (canEditSomething(site.access, user) ? null : refusal);
}

/** Whether the credentials of a request allow changes: only then may a read store choices or create what is missing. */
export function mayChangeHere({ user, request }: Pick<Call, 'user' | 'request'>): boolean {
  return user?.refuses?.('POST', request.route, {}) !== true;
}

export interface Network {
  /** The address itself, or the network in CIDR notation. */
  readonly name: string;
  /** Limit relative to that of a single address. */
  readonly room: number;
}

/**
 * The networks of an address, the narrowest first. For IPv6 that is a /64, because its owner has all of it; many have 256 or 65,536 of those, and
 * with IPv4 some neighbors. An invalid address is its own network.
 */
export function networksOf(address: string): readonly [Network, ...Network[]] {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
  const start = /^(\d+\.\d+\.\d+)\.\d+$/.exec(plain)?.[1];
  if (start !== undefined) return [one(plain), { name: `${start}.0/24`, room: 3 }];
  if (!plain.includes(':')) return [one(plain)];
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(plain);
  const [site, subnet] = [[a, b, c].map(hex).join(':'), d & 0xff00];
  return [one(`${site}:${hex(d)}::/64`), { name: `${site}:${hex(subnet)}::/56`, room: 2 }, { name: `${site}::/48`, room: 3 }];
}

function one(name: string): Network {
  return { name, room: 1 };
}

/** The groups of an IPv6 address; an IPv4 suffix counts as two. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const [before, behind] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const used = [...(before ?? []), ...(behind ?? [])].reduce((sum, group) => sum + (group.includes('.') ? 2 : 1), 0);
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - used) }, () => '0');
  return [...(before ?? []), ...zeros, ...(behind ?? [])].map((group) => Number.parseInt(group, 16) || 0);
}

function hex(group: number): string {
  return group.toString(16);
}
