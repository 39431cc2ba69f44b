/**
 * Font families and their faces.
 *
 * Shape    settings of a family or a face, sent as JSON text and answered as a map
 * Access   whoever edits theme options
 * Errors   rest_cannot_read, rest_cannot_create, rest_cannot_edit, rest_cannot_delete, rest_post_invalid_id, rest_post_invalid_parent,
 *          rest_duplicate_font_family, rest_duplicate_font_face, rest_font_face_parent_id_mismatch, rest_trash_not_supported,
 *          rest_font_upload_invalid_file_type, rest_invalid_param
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { readFile } from 'node:fs/promises';
import type { DesignRecord } from '../themes/record.ts';
import {
  faceSettings,
  facesOf,
  familiesOf,
  familyById,
  type FontFamily,
  fontSlug,
  hasFamily,
  isFont,
  planFace,
  planFaceRemoval,
  planFamily,
  planFamilyRemoval,
  storedFont,
} from './plan.ts';
import { type ErrorCode, fail } from '../../../kernel/errors.ts';
import { type Fields, same } from '../../../kernel/model/field.ts';
import { everywhere, of } from '../../../kernel/model/schema.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { collectionArgs, slugsArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, gone, item, made, pageOf, type RecordPage } from '../../../kernel/rest/resource.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import { faceSchema, familySettings, latestVersion, settingsOfFace, settingsOfFamily, version } from './settings.ts';
import { forHolders } from '../../../kernel/rest/schema-helpers.ts';
import { requireForce } from '../../../kernel/rest/write-input.ts';

const BASE = '/cms/v2/font-families';
const familyFields: Fields<FontFamily, Call> = {
  id: { schema: of('integer', 'ID of the family.', { context: everywhere, readonly: true }), get: (family) => family.id },
  // Returned in the latest version, whatever was sent (observed).
  theme_json_version: { schema: version, get: () => latestVersion },
  font_faces: {
    schema: of('array', 'IDs of its faces.', { context: everywhere, items: { type: 'integer' } }),
    get: (family, { site }) => facesOf(site, family).map(({ id }) => id),
  },
  font_family_settings: {
    schema: familySettings,
    get: ({ name, slug, fontFamily, preview }) => ({ name, slug, fontFamily, preview }),
  },
};

const faceFields: Fields<DesignRecord, FontFamily> = {
  id: { schema: of('integer', 'ID of the face.', { context: everywhere, readonly: true }), get: (face) => face.id },
  theme_json_version: { schema: version, get: () => latestVersion },
  parent: { schema: of('integer', 'ID of its family.', { context: everywhere }), get: (_, family) => family.id },
  font_face_settings: { schema: faceSchema, get: faceSettings },
};

const { search: _unsearched, ...listArgs } = collectionArgs({
  order: 'desc',
  orderby: 'id',
  keys: ['id', 'include'],
  afterIds: { search_semantics: of('string', 'How to search.', { enum: ['exact'] }) },
});
const versionArg: Args = {
  theme_json_version: of('integer', 'Version of the format of the settings.', {
    default: latestVersion,
    minimum: 2,
    maximum: latestVersion,
  }),
};
const forceArg: Args = { force: of('boolean', 'Must be true: fonts cannot be trashed.', { default: false }) };
const mayRead = forHolders('edit_theme_options', 'rest_cannot_read');
const may =
  (code: ErrorCode): AccessRule =>
  (call) => {
    find(call, call.params.id);
    return call.can('edit_theme_options') ? null : code;
  };

const families = defineResource<FontFamily>({
  name: 'cms_font_family',
  base: BASE,
  fields: familyFields,
  links(family, { site }) {
    const self = `${BASE}/${family.id}`;
    const faces = facesOf(site, family);
    return {
      self,
      collection: BASE,
      ...(faces.length > 0 && { font_faces: faces.map(({ id }) => ({ embeddable: true, href: `${self}/font-faces/${id}` })) }),
    };
  },
  params: { id: of('integer', 'ID of the family.') },
  routes: [
    collection({
      read: { args: { ...listArgs, slug: slugsArg }, allow: mayRead, handle: listFamilies },
      create: {
        args: { ...versionArg, font_family_settings: settingsOfFamily },
        allow: forHolders('edit_theme_options', 'rest_cannot_create'),
        handle: createFamily,
      },
    }),
    item('(?P<id>[\\d]+)', {
      read: { allow: mayRead, handle: (call) => find(call, call.params.id) },
      update: {
        args: { ...versionArg, font_family_settings: settingsOfFamily },
        allow: may('rest_cannot_edit'),
        handle: updateFamily,
      },
      remove: { args: forceArg, allow: may('rest_cannot_delete'), handle: removeFamily },
    }),
  ],
});

const faces = defineResource<DesignRecord, FontFamily>({
  name: 'cms_font_face',
  base: `${BASE}/(?P<font_family_id>[\\d]+)/font-faces`,
  fields: faceFields,
  view: familyOf,
  links(face, call) {
    const parent = `${BASE}/${familyOf(call).id}`;
    return { self: `${parent}/font-faces/${face.id}`, collection: `${parent}/font-faces`, parent };
  },
  params: {
    font_family_id: of('integer', 'ID of the family.', { required: true }),
    id: of('integer', 'ID of the face.', { required: true }),
  },
  routes: [
    collection({
      read: { args: listArgs, allow: mayRead, handle: (call) => page(call, facesOf(call.site, familyOf(call))) },
      create: {
        args: { ...versionArg, font_face_settings: settingsOfFace },
        allow: forHolders('edit_theme_options', 'rest_cannot_create'),
        handle: createFace,
      },
    }),
    item('(?P<id>[\\d]+)', {
      read: { allow: mayRead, handle: findFace },
      remove: { args: forceArg, allow: forHolders('edit_theme_options', 'rest_cannot_delete'), handle: removeFace },
    }),
  ],
});

export const fontRoutes: Namespace['routes'] = [...families, ...faces];

function listFamilies(call: Call) {
  const slugs = call.params.slug as readonly string[] | undefined;
  const all = familiesOf(call.site).filter(({ slug }) => !slugs || slugs.length === 0 || slugs.includes(slug));
  return page(call, all);
}

async function createFamily(call: Call) {
  const { site, params } = call;
  const settings = { ...params.font_family_settings, slug: fontSlug(params.font_family_settings.slug) };
  const id = await site.write((site) => {
    if (hasFamily(site, settings.slug))
      fail('rest_duplicate_font_family', {}, `A font family with slug "${settings.slug}" already exists.`);
    return planFamily(site, settings, params.theme_json_version);
  });
  return made(find(call, id), { Location: call.urls.rest(`${BASE}/${id}`) });
}

async function updateFamily(call: Call): Promise<FontFamily> {
  const { site, params } = call;
  await site.write((site) => {
    const before = find(call, params.id);
    return planFamily(site, { ...before, ...params.font_family_settings }, params.theme_json_version, before);
  });
  return find(call, params.id);
}

function removeFamily(call: Call) {
  requireForce(call, 'Font families');
  return gone(find(call, call.params.id), () =>
    call.site.write(() => ({ changes: planFamilyRemoval(call.site, find(call, call.params.id)), result: null })),
  );
}

async function createFace(call: Call) {
  const { site, params, request } = call;
  const settings = params.font_face_settings as Record<string, unknown>;
  const files: FileChange[] = [];
  const sources: string[] = [];
  for (const source of [settings.src].flat()) {
    const file = request.files?.find(({ name }) => name === source);
    const bytes = file && (await readFile(file.file));
    if (file && bytes) {
      if (!isFont(file.filename, bytes)) fail('rest_font_upload_invalid_file_type');
      const stored = storedFont(site, await site.ownId('posts'), file.filename, bytes);
      files.push(stored.change);
      sources.push(stored.url);
    } else sources.push(scalarText(source));
  }
  const id = await site.write((site) => {
    const family = familyOf(call);
    const twin = facesOf(site, family).some((face) =>
      identifying.every((key) => same(traitOf(faceSettings(face), key), traitOf(settings, key))),
    );
    if (twin) fail('rest_duplicate_font_face');
    return planFace(
      site,
      family,
      { ...settings, src: sources.length === 1 ? sources[0] : sources },
      params.theme_json_version,
      files,
    );
  });
  return made(site.design.get(id) as DesignRecord, {
    Location: call.urls.rest(`${BASE}/${params.font_family_id}/font-faces/${id}`),
  });
}

function removeFace(call: Call) {
  const face = findFace(call);
  requireForce(call, 'Font faces');
  return gone(face, () => call.site.write(() => ({ changes: planFaceRemoval(call.site, findFace(call)), result: null })));
}

/** Distinguishes the faces of a family. */
const identifying = ['fontFamily', 'fontStyle', 'fontWeight', 'fontStretch', 'unicodeRange'];

function traitOf(settings: Readonly<Record<string, unknown>>, key: string): string {
  return scalarText(settings[key]).toLowerCase();
}

function page<T extends { readonly id: number }>(call: Call, all: readonly T[]): RecordPage<T> {
  const { include, exclude, order, orderby } = call.params;
  const chosen = all.filter(({ id }) => (include.length === 0 || include.includes(id)) && !exclude.includes(id));
  const sign = order === 'asc' ? 1 : -1;
  const sorted = [...chosen].sort((a, b) =>
    orderby === 'include' ? include.indexOf(a.id) - include.indexOf(b.id) : sign * (a.id - b.id),
  );
  return pageOf(call, sorted);
}

function find({ site }: Call, id: unknown): FontFamily {
  return familyById(site, Number(id)) ?? fail('rest_post_invalid_id');
}

function familyOf({ site, params }: Call): FontFamily {
  return familyById(site, Number(params.font_family_id)) ?? fail('rest_post_invalid_parent');
}

function findFace(call: Call): DesignRecord {
  const family = familyOf(call);
  const face = call.site.design.get(Number(call.params.id));
  if (face?.kind !== 'face') return fail('rest_post_invalid_id');
  if (face.name !== family.slug)
    fail(
      'rest_font_face_parent_id_mismatch',
      {},
      `The font face does not belong to the specified font family with id of "${family.id}".`,
    );
  return face;
}
