/**
 * Field types that refer to images, posts, terms and users.
 *
 * Files contain ids or names: strings are slugs and paths, numbers are ids. Clients send ids. Missing or unreadable references are omitted from lists
 * and null otherwise; the light format keeps the id.
 */
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import {
  anyCount,
  anyFlag,
  anyNumber,
  anyText,
  oneOf,
  shown,
  atMember,
  checkCount,
  type FieldDefinition,
  type FieldReference,
  type FieldType,
  type Origin,
  ValueFault,
  type WithFields,
} from './record.ts';
import { readStored } from './nested-types.ts';
import { idOf, type Referred, referenceKey, referenceKeys, referencesIn, referred, textsOf } from './references.ts';
import { attachmentObject, cropObject, postObject, termObject, urlOfFile, userObject } from './objects.ts';

/** Returns one item in each format; null if missing or unreadable. */
type Show = (found: Referred, definition: FieldDefinition, call: FieldCall) => unknown;

interface ReferenceKind {
  readonly kind: FieldReference['kind'] | ((definition: FieldDefinition) => FieldReference['kind']);
  readonly isImage?: boolean;
  readonly options: FieldType['options'];
  /** Types or taxonomies that the declaration allows. */
  among(definition: FieldDefinition): readonly string[];
  isList(definition: FieldDefinition): boolean;
  show: Show;
}

const always = () => true;
const never = () => false;

export function refType({ kind: given, isImage, options = {}, among, isList, show }: ReferenceKind): FieldType {
  const kindOf = (definition: FieldDefinition) => (typeof given === 'function' ? given(definition) : given);
  const referencesOf = (stored: unknown, definition: FieldDefinition): readonly FieldReference[] => {
    const one = (ref: unknown, keys: FieldReference['keys']): FieldReference => ({
      ...{ kind: kindOf(definition), ref: ref as number | string, among: among(definition), keys },
      ...(isImage ? { isImage } : {}),
    });
    return Array.isArray(stored) ? stored.map((ref, at) => one(ref, [at])) : [one(stored, [])];
  };
  const find = (ref: unknown, definition: FieldDefinition, call: FieldCall): Referred | null =>
    referred(call, { kind: kindOf(definition), ref: ref as number | string, among: among(definition), keys: [] });
  const id: Schema = { type: 'integer' };
  return {
    options,
    schema: (definition) => (isList(definition) ? { type: 'array', items: id } : id),
    accept(value, definition, from) {
      if (!isList(definition)) return acceptRef(value, from);
      const refs = (Array.isArray(value) ? value : [value]).map((one, at) => atMember(at, () => acceptRef(one, from)));
      checkCount(refs, definition, 'entries');
      return [...new Set(refs)];
    },
    standard(stored, definition, call) {
      const showOne = (ref: unknown): unknown => {
        const found = find(ref, definition, call);
        return found === null ? null : show(found, definition, call);
      };
      return Array.isArray(stored) ? stored.map(showOne).filter((one) => one !== null) : showOne(stored);
    },
    light(stored, definition, call) {
      const idIn = (ref: unknown): number | null =>
        idOf(call.site, { kind: kindOf(definition), ref: ref as number | string, among: among(definition), keys: [] }) || null;
      return Array.isArray(stored) ? stored.flatMap((ref) => idIn(ref) ?? []) : idIn(stored);
    },
    references: referencesOf,
  };
}

/** Lists find references under any name; unreadable ones are not found. */
export const findable: Pick<FieldType, 'keyOf' | 'referring'> = {
  keyOf: referenceKey,
  referring(ids, index, definition, call) {
    const [sample] = referencesIn(definition, [1]);
    const found = ids.flatMap((ref) => (sample ? (referred(call, { ...sample, ref }) ?? []) : []));
    const known = new Set(found.map(({ post, term, user }) => (post ?? term ?? user)?.id));
    // A name may belong to several items.
    const refers = ({ fields = {} }: Partial<WithFields>): boolean =>
      referencesIn(definition, readStored(fields[definition.name], definition)).some((one) => known.has(idOf(call.site, one)));
    return [
      { kind: 'in', index, values: found.flatMap((one) => referenceKeys(call.site, one)) },
      { kind: 'test', test: refers as (record: never) => boolean },
    ];
  },
};

function acceptRef(value: unknown, from: Origin): number | string {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) && from === 'client' ? Number(value) : value;
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 2 ** 31) return id;
  if (from === 'file' && typeof id === 'string' && id.trim() !== '' && id.length <= 1000) return id;
  throw new ValueFault(
    from === 'file' ? `must be an id, a slug or a path, not ${shown(value)}` : `must be an id, not ${shown(value)}`,
  );
}

const fileOptions = {
  return_format: oneOf('array', 'url', 'id'),
  library: anyText,
  preview_size: anyText,
  mime_types: anyText,
  ...Object.fromEntries(
    'min_width min_height max_width max_height min_size max_size'.split(' ').map((name) => [name, anyNumber]),
  ),
};

const showFile: Show = ({ post }, { options }, call) => {
  if (!post) return null;
  if (options.return_format === 'id') return post.id;
  return options.return_format === 'url' ? urlOfFile(call.site, post) : attachmentObject(call, post);
};

function files(isImage: boolean, isList: ReferenceKind['isList'], show = showFile): FieldType {
  return refType({
    kind: 'post',
    isImage,
    options: { ...fileOptions, ...(isList === always ? { min: anyCount, max: anyCount } : {}) },
    among: () => ['attachment'],
    isList,
    show,
  });
}

const cropOptions = {
  crop_type: oneOf('aspect_ratio', 'pixel_size', 'free_crop'),
  aspect_ratio_width: anyNumber,
  aspect_ratio_height: anyNumber,
};

const crop = files(true, never, (found, definition, call) => {
  const { return_format } = definition.options;
  const isObject = return_format === undefined || return_format === 'array';
  return isObject && found.post ? cropObject(call, found.post) : showFile(found, definition, call);
});

const postOptions = {
  types: (value: unknown) => (textsOf(value) === null ? 'must be a list of types' : null),
  return_format: oneOf('id', 'object'),
  multiple: anyFlag,
  allow_null: anyFlag,
};

const showPost: Show = ({ post }, { options }, call) =>
  !post ? null : options.return_format === 'id' ? post.id : postObject(call, post);

const typesOf = ({ options }: FieldDefinition): readonly string[] => textsOf(options.types) ?? [];
const isMultiple = ({ options }: FieldDefinition): boolean => options.multiple === true;

/** A taxonomy field with these controls has one term. */
const picksOne: readonly unknown[] = ['select', 'radio'];

export const referenceTypes: Readonly<Record<string, FieldType>> = {
  image: files(true, never),
  file: files(false, never),
  image_crop: { ...crop, options: { ...crop.options, ...cropOptions } },
  gallery: files(true, always),
  post_object: refType({ kind: 'post', options: postOptions, among: typesOf, isList: isMultiple, show: showPost }),
  relationship: refType({
    kind: 'post',
    options: { ...postOptions, min: anyCount, max: anyCount },
    among: typesOf,
    isList: always,
    show: showPost,
  }),
  taxonomy: refType({
    kind: 'term',
    options: {
      taxonomy: anyText,
      field_type: oneOf('checkbox', 'multi_select', 'radio', 'select'),
      return_format: oneOf('id', 'object'),
      allow_null: anyFlag,
    },
    among: ({ options }) => [String(options.taxonomy ?? 'category')],
    isList: ({ options }) => !picksOne.includes(options.field_type),
    show: ({ term }, { options }, call) => (!term ? null : options.return_format === 'object' ? termObject(call, term) : term.id),
  }),
  user: refType({
    kind: 'user',
    options: {
      role: (value) => (textsOf(value) === null ? 'must be a list of roles' : null),
      return_format: oneOf('id', 'array', 'object'),
      multiple: anyFlag,
      allow_null: anyFlag,
    },
    among: () => [],
    isList: isMultiple,
    show: ({ user }, { options }, call) => (!user ? null : options.return_format === 'id' ? user.id : userObject(call, user)),
  }),
};
