/** Resolves references by id or by name, for readers with permission. */
import { fail } from '../../../kernel/errors.ts';
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { findNamed } from '../../../kernel/model/named.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { type TermRecord, termsNamed } from '../../content/terms/record.ts';
import { placeBelow } from '../../types/record.ts';
import { peopleNamed, type UserRecord } from '../../people/users/record.ts';
import { type FieldDefinition, type FieldReference, memberName } from './record.ts';

export interface Referred {
  readonly post?: PostRecord;
  readonly term?: TermRecord;
  readonly user?: UserRecord;
}

type Looked = Pick<Site, 'posts' | 'terms' | 'users' | 'refs' | 'types' | 'taxonomies'>;

/** A list of strings, or one; null otherwise. */
export function textsOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value)) return typeof value === 'object' ? null : [String(value)];
  return value.some((one) => typeof one === 'object') ? null : value.map(String);
}

function kindIn({ taxonomies }: Looked, { kind, among }: FieldReference): FieldReference['kind'] {
  return kind === 'post' && among.some((name) => taxonomies.has(name)) ? 'term' : kind;
}

/** The id of a reference; 0 if unknown. A number is not looked up. */
export function idOf(site: Looked, reference: FieldReference): number {
  const { ref, among } = reference;
  if (typeof ref === 'number') return ref;
  const kind = kindIn(site, reference);
  if (kind === 'term') return first(among, (taxonomy) => findNamed(ref, termsNamed(site.terms, taxonomy)) ?? 0);
  if (kind === 'user') return findNamed(ref, peopleNamed(site)) ?? 0;
  const types = among.length > 0 ? among : [...site.types.keys()];
  return first(['', ...types], (type) => (type === 'attachment' ? mediaAt(site, ref) : site.refs.postId(type, ref)));
}

/** A value with names in place of ids, as in files; an id without an unambiguous name stays. */
export function withNames(site: Looked, definition: FieldDefinition, stored: unknown): unknown {
  return referencesIn(definition, stored).reduce((value, reference) => {
    const name = typeof reference.ref === 'number' ? nameOf(site, reference, reference.ref) : undefined;
    return name === undefined ? value : putAt(value, reference.keys, name);
  }, stored);
}

function nameOf(site: Looked, reference: FieldReference, id: number): string | undefined {
  const kind = kindIn(site, reference);
  const isIt = (name: unknown): name is string =>
    typeof name === 'string' && name !== '' && idOf(site, { ...reference, ref: name }) === id;
  if (kind === 'user') return [site.users.get(id)?.slug].find(isIt);
  if (kind === 'term') return [site.terms.get(id)?.slug].find(isIt);
  const post = site.posts.get(id);
  return post && [site.refs.postRef(post.type, id), logicalPath(post.path)].find(isIt);
}

function putAt(value: unknown, [key, ...rest]: FieldReference['keys'], name: string): unknown {
  if (key === undefined) return name;
  if (Array.isArray(value)) return value.map((one, at) => (at === key ? putAt(one, rest, name) : one));
  return { ...mapOf(value), [key]: putAt(mapOf(value)[key], rest, name) };
}

/** Media are named by their path below `media/`, with extension. */
function mediaAt(site: Looked, ref: string): number {
  return site.refs.postId('attachment', ref);
}

function first(names: readonly string[], find: (name: string) => number): number {
  for (const name of names) {
    const id = find(name);
    if (id > 0) return id;
  }
  return 0;
}

/** The target of a reference, for any reader; null if unknown or not allowed by the field. */
function lookUp(site: Looked, reference: FieldReference): Referred | null {
  const { among, isImage } = reference;
  const [id, kind] = [idOf(site, reference), kindIn(site, reference)];
  if (kind === 'user') {
    const user = site.users.get(id);
    return user ? { user } : null;
  }
  if (kind === 'term') {
    const term = site.terms.get(id);
    return term && (among.length === 0 || among.includes(term.taxonomy)) ? { term } : null;
  }
  const post = site.posts.get(id);
  if (!post || (among.length > 0 && !among.includes(post.type))) return null;
  return isImage && isAttachment(post) && !post.mime.startsWith('image/') ? null : { post };
}

/** The target of a reference, if the caller may read it. */
export function referred(call: FieldCall, reference: FieldReference): Referred | null {
  const found = lookUp(call.site, reference);
  return found?.post && !mayRead(call, found.post) ? null : found;
}

/** Published posts are public, attachments depend on their parent. */
function mayRead(call: FieldCall, post: PostRecord): boolean {
  if (post.status === 'inherit') {
    const parent = call.site.posts.get(post.parent);
    return parent === undefined || parent.id === post.id || mayRead(call, parent);
  }
  const isOpen = post.status === 'publish' && call.site.types.get(post.type)?.capabilities.read === 'read';
  return isOpen || call.can('read_post', post);
}

/** The index key of a reference: a name without optional parts. */
export function referenceKey(ref: unknown): string {
  return typeof ref === 'number' ? `#${ref}` : String(ref).replace(/^\/+|\/+$|\.(?:md|html)$/g, '');
}

/** All index keys of an item. */
export function referenceKeys({ types }: Pick<Site, 'types'>, { post, term, user }: Referred): readonly string[] {
  const { id = 0, slug } = term ?? user ?? {};
  if (slug !== undefined) return [`#${id}`, slug];
  if (!post) return [];
  const place = logicalPath(post.path);
  return [`#${post.id}`, place, placeBelow(types.get(post.type), post.path) ?? place];
}

/** References in a stored value, with positions. */
export function referencesIn(definition: FieldDefinition, stored: unknown): readonly FieldReference[] {
  if (stored === undefined || stored === null) return [];
  return definition.kind.references?.(stored, definition) ?? [];
}

/** @throws RestError rest_invalid_param for an unknown reference, or one that the field does not allow */
export function checkReferences(site: Looked, definition: FieldDefinition, stored: unknown): void {
  for (const reference of referencesIn(definition, stored)) {
    if (lookUp(site, reference) !== null) continue;
    const { kind, ref, keys, among, isImage } = reference;
    const wanted = isImage ? 'a picture' : among.length > 0 ? among.join(' or ') : kind;
    refuse(memberName(definition.name, keys), `is no id of ${wanted}: ${ref}.`);
  }
}

/** @throws RestError rest_invalid_param in the contract's shape, naming the member */
export function refuse(member: string, message: string): never {
  const said = `${member} ${message}`;
  return fail(
    'rest_invalid_param',
    { params: { fields: said }, details: { fields: { code: 'rest_invalid_param', message: said, data: null } } },
    'Invalid parameter(s): fields',
  );
}
