/**
 * Media: pictures and other files as attachments.
 *
 * Shape    an attachment's fields; `media_details` by the kind of file
 * Access   attachments of what everyone may read; uploading takes upload_files
 * Errors   those of posts, rest_upload_*, rest_cannot_edit_image, rest_unknown_attachment, rest_image_*
 * Source   specification 2.5, 4.6; conformance scenarios media-library, media-sizes-and-editing
 */
import type { ClientSizes } from '../../content/attachments/record.ts';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttachmentInput,
  editedName,
  hasCover,
  planAttachment,
  planAttachmentDelete,
  planAttachmentUpdate,
} from './plan.ts';
import { createMediaView, filesOf } from './view.ts';
import { edit, PictureError } from '../files/image.ts';
import { pictures } from '../files/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { fail } from '../../../kernel/errors.ts';
import {
  type AttachmentRecord,
  isAttachment,
  type MediaView,
  nameOfMedia,
  uploadPath,
} from '../../content/attachments/record.ts';
import { originalOf } from '../../../kernel/store/paths.ts';
import { resolveDates } from '../../../kernel/model/dates.ts';
import { type Fields, schemasOf } from '../../../kernel/model/field.ts';
import { isBlank, type PostRecord, type PostResource } from '../../content/posts/record.ts';
import { of, resourceSchema } from '../../../kernel/model/schema.ts';
import type { PostType } from '../../types/record.ts';
import { type Arg, type Args, argsForCreate, asSent, bySchema, metaAsSent } from '../../../kernel/rest/args.ts';
import { cleanText, coerceValue } from '../../../kernel/rest/coerce.ts';
import { paging, refusePastEnd } from '../../../kernel/rest/collection.ts';
import { type Links, wholeState } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { invalid } from '../../../kernel/rest/validate.ts';
import { writeParts } from '../../../kernel/compose-modules.ts';
import { action, collection, defineResource, gone, item, made, RecordPage, told } from '../../../kernel/rest/resource.ts';
import { mayCreate, mayDelete, mayEditImage, mayList, mayRead, mayUpdate } from './access.ts';
import { editArgs, modifiersOf } from './edit-routes.ts';
import { mediaListArgs, mediaQuery } from './list.ts';
import { finalizeArgs, isSecureContext, planFinalize, sideload, sideloadArgs } from './sideload.ts';
import { fetchedFile, urlArg } from './upload-by-address.ts';
import { receivedFile } from './uploads.ts';
import { noClientSizes } from '../files/client-sizes.ts';
import { createOperatorFetcher, type Fetcher } from '../../../http-client/fetch.ts';
import { countedOf, forceArg, postLinks, postSchemaLinks, viewOf, withKnown } from '../../content/posts/index.ts';
import { inState } from '../../../kernel/rest/preconditions.ts';
import { changesOf } from '../../../kernel/rest/write-input.ts';

/** An upload waits this long for its sizes; their URLs are right in any case. */
const answerWithinMs = 500;

/** Arguments for the sizes of an upload. */
const uploadArgs = {
  generate_sub_sizes: { ...of('boolean', 'Whether the server makes the sizes.', { default: true }), validate: bySchema },
  convert_format: {
    ...of('boolean', 'Whether sizes are made in the format that the site is set to.', { default: true }),
    validate: bySchema,
  },
} as const satisfies Args;

interface MediaResource extends PostResource {
  find(call: Call, id: unknown): AttachmentRecord;
}

const base = '/cms/v2/media';
const id = '(?P<id>[\\d]+)';

export function mediaRoutes(site: Site, fetcher = createOperatorFetcher(site.operator)): Namespace['routes'] {
  const resource = createMediaResource(site);
  const listArgs = mediaListArgs(site, resource);
  const fields = resource.fields as unknown as Fields<AttachmentRecord, MediaView>;
  const actionArg: Arg = { type: 'string', enum: ['create-image-subsizes'], required: true, validate: bySchema };
  return defineResource<AttachmentRecord, MediaView>({
    name: 'attachment',
    base,
    fields,
    view: (call) => createMediaView(call.site, viewOf(call)),
    links: (media, call) => linksOf(call, resource, media),
    hooks: resource.hooks,
    schema: (call, properties) => ({
      ...resourceSchema('attachment', properties),
      links: postSchemaLinks(call, resource),
    }),
    state: ({ etag }) => etag,
    cacheVersion: wholeState,
    params: { id: of('integer', 'ID of the media item.') },
    routes: [
      collection({
        read: {
          args: listArgs,
          lists: resource.type.extensionNames,
          allow: mayList,
          handle: (call) => list(withKnown(call, listArgs), resource),
        },
        create: {
          args: { ...argsForCreate(schemasOf(fields), resource.hooks), ...uploadArgs, url: urlArg(site, fetcher) },
          allow: mayCreate,
          handle: (call) => create(call, resource, fetcher),
        },
      }),
      item(id, {
        read: { allow: mayRead, handle: (call) => read(call, resource) },
        update: { args: 'writable', allow: mayUpdate, handle: (call) => update(call, resource) },
        remove: { args: { force: forceArg }, allow: mayDelete, handle: (call) => remove(call, resource) },
      }),
      {
        ...action(`${id}/sideload`, {
          args: sideloadArgs(site),
          allow: mayEditImage,
          handle: (call) => sideload(call, () => resource.find(call, call.params.id)),
        }),
        isOffered: isSecureContext,
      },
      {
        ...item(`${id}/finalize`, {
          create: { args: finalizeArgs(site), allow: mayEditImage, handle: (call) => finalize(call, resource) },
        }),
        isOffered: isSecureContext,
      },
      item(`${id}/post-process`, {
        create: { args: { action: actionArg }, allow: mayUpdate, handle: (call) => process(call, resource) },
      }),
      item(
        `${id}/edit`,
        {
          create: {
            args: editArgs(schemasOf(fields), resource.hooks),
            allow: mayEditImage,
            context: ({ context }) => context,
            handle: (call) => editImage(call, resource),
          },
        },
        {},
      ),
    ],
  });
}

function createMediaResource(site: Site): MediaResource {
  const type = site.types.get('attachment') as PostType;
  return {
    type,
    taxonomies: [],
    extension: site.modules.extension(type.extensionNames, writeParts),
    fields: site.postFields.get('attachment') ?? {},
    hooks: hooks(site),
    find: (call, id) => {
      const post = call.site.posts.get(Number(id));
      return isAttachment(post) ? post : fail('rest_post_invalid_id');
    },
    input: (call, before) => inputOf(call, before),
  };
}

function hooks(site: Site): Record<string, Partial<Arg>> {
  const templates = (): readonly string[] => Object.keys(mapOf(site.settings.value('templates')));
  return {
    title: asSent,
    caption: asSent,
    description: asSent,
    alt_text: {
      validate: bySchema,
      coerce: (value, _request, param, arg) => cleanText(scalarText(coerceValue(value, arg, param))),
    },
    meta: metaAsSent,
    // The current value may always be sent again.
    status: {
      validate: (value, request, param, arg) =>
        site.posts.get(Number(/\/(\d+)$/.exec(request.route)?.[1] ?? 0))?.status === value
          ? null
          : bySchema(value, request, param, arg),
    },
    template: {
      validate: (value, _request, param) =>
        isBlank(value) || templates().some((one) => one === value)
          ? null
          : invalid('rest_invalid_param', `${param} is not one of the site's templates.`),
    },
  };
}

function linksOf(call: Call, resource: MediaResource, media: AttachmentRecord): Links {
  const links = postLinks(call, resource, media);
  const parent = media.parent > 0 ? call.site.posts.get(media.parent) : undefined;
  const type = parent && call.site.types.get(parent.type);
  if (!parent || !type) return links;
  const href = call.urls.rest(`/${type.restNamespace}/${type.restBase}/${parent.id}`);
  const attached = { embeddable: true as const, post_type: call.request.dialect.wireName(parent.type), id: parent.id, href };
  return { ...links, 'cms:attached-to': [attached] };
}

async function list(call: Call, resource: MediaResource) {
  const page = paging(call);
  const found = await call.site.posts.find(mediaQuery(call, resource));
  const { records } = found;
  const total = countedOf(call, found);
  refusePastEnd(total, page);
  const shown = records as readonly AttachmentRecord[];
  await prepare(call.site, shown);
  return new RecordPage(shown, total, page);
}

async function read(call: Call, resource: MediaResource) {
  const media = resource.find(call, call.params.id);
  await prepare(call.site, [media]);
  // A single image is probably about to be shown.
  if (!call.site.store.readOnly) void call.site.media.make(media);
  const link = `<${viewOf(call).link(media)}>; rel="alternate"; type=text/html`;
  return told(media, { Link: link });
}

async function create(call: Call, resource: MediaResource, fetcher: Fetcher) {
  const { site, user, params } = call;
  if (site.store.readOnly) fail('rest_read_only');
  const given = inputOf(call);
  const url = typeof params.url === 'string' ? params.url : null;
  // A file uploaded by URL keeps its own name, whatever is sent (observed).
  const { title: _t, alt: _a, excerpt: _e, content: _c, slug: _s, ...unnamed } = given;
  const input: AttachmentInput = url === null ? given : unnamed;
  const parent = params.post === undefined ? undefined : site.posts.get(Number(params.post));
  if (isAttachment(parent) || site.revisions.get(Number(params.post))) fail('rest_invalid_param', {}, 'Invalid parent type.');
  const file = url === null ? await receivedFile(call) : await fetchedFile(site, fetcher, url);
  let id: number;
  try {
    if (input.featuredMedia !== undefined) checkCover(site, file.mime, input.featuredMedia);
    id = await site.write((site) => {
      const { input: all, plan } = resource.extension.prepareWrite(input, site, call);
      return plan(planAttachment(site, user, file, all, 0, clientSizesOf(params)));
    });
  } finally {
    // The uploaded temporary file is removed; a stored one has been moved.
    if (url !== null && 'fromFile' in file.content) await rm(file.content.fromFile, { force: true });
  }
  const media = resource.find(call, id);
  await sizesOf(site, media);
  const twins = await site.media.duplicates(media);
  const known = twins.flatMap((path) => [...site.posts.with('place', path)]).filter((other) => other !== id);
  const links = known.map((other) => `<${call.urls.rest(`${base}/${other}`)}>; rel="duplicate"`);
  return made(await prepared(call, resource, id), {
    Location: call.urls.rest(`${base}/${id}`),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  });
}

/** The client-side sizes of an upload. */
function clientSizesOf({ generate_sub_sizes: generate, convert_format: convert }: Call['params']): ClientSizes {
  return generate === false || convert === false
    ? { ...noClientSizes, generate: generate !== false, convert: convert !== false }
    : noClientSizes;
}

async function finalize(call: Call, resource: MediaResource) {
  const { site, params } = call;
  const { id } = resource.find(call, params.id);
  const rows = (params.sub_sizes ?? []) as readonly Readonly<Record<string, unknown>>[];
  await site.write((site) => planFinalize(site, inState(call, resource.find(call, id)), rows));
  return prepared(call, resource, id);
}

/** Only audio and video have a cover. @throws RestError rest_no_featured_media, rest_invalid_featured_media */
function checkCover(site: Site, mime: string, cover: number): void {
  if (!hasCover(mime)) fail('rest_no_featured_media');
  const shown = site.posts.get(cover);
  if (cover !== 0 && !(isAttachment(shown) && shown.mime.startsWith('image/'))) fail('rest_invalid_featured_media');
}

async function update(call: Call, resource: MediaResource) {
  const { site, user } = call;
  const { id } = resource.find(call, call.params.id);
  await site.write((site) => {
    const before = inState(call, resource.find(call, id));
    const { input, plan } = resource.extension.prepareWrite(inputOf(call, before), site, call, before);
    return plan(planAttachmentUpdate(site, user, before, input));
  });
  return prepared(call, resource, id);
}

async function remove(call: Call, resource: MediaResource) {
  const { site } = call;
  const { id } = resource.find(call, call.params.id);
  if (!call.params.force) fail('rest_trash_not_supported');
  return gone(await prepared(call, resource, id), () =>
    site.write(() => planAttachmentDelete(site, inState(call, resource.find(call, id)))),
  );
}

async function process(call: Call, resource: MediaResource) {
  const media = resource.find(call, call.params.id);
  await call.site.media.remake(media);
  return prepared(call, resource, media.id);
}

/** A new attachment, edited from the original of this one. */
async function editImage(call: Call, resource: MediaResource) {
  const { site, user, params } = call;
  const media = resource.find(call, call.params.id);
  await prepare(site, [media]);
  const path = decoded(scalarText(params.src).replace(/[?#].*$/, ''));
  if (path === null || !site.media.facts(media)?.picture || !filesOf(site, media).some((file) => path.endsWith(`/${file}`)))
    fail('rest_unknown_attachment');
  if (!pictures.has(media.mime)) fail('rest_cannot_edit_file_type');
  const modifiers = modifiersOf(params);
  if (modifiers.length === 0) fail('rest_image_not_edited');
  const edited = site.media.readSource(originalOf(media.path), (source) => edit(source, modifiers));
  const bytes = await edited.catch((error: unknown) => {
    if (error instanceof PictureError) return fail(failures[modifiers.at(-1)?.type ?? 'crop'], {}, error.message);
    throw error;
  });
  if (bytes === null) fail('rest_unknown_attachment');
  const name = editedName(uploadPath(media).replace(/^.*\//, ''));
  const given = inputOf(call);
  const input: AttachmentInput = {
    ...given,
    title: given.title ?? (media.title || nameOfMedia(media.path)),
    excerpt: given.excerpt ?? media.excerpt,
    content: given.content ?? media.content,
    alt: given.alt ?? media.alt,
  };
  const id = await site.write((site) => {
    const { input: all, plan } = resource.extension.prepareWrite(input, site, call);
    return plan(planAttachment(site, user, { name, mime: media.mime, content: { bytes } }, all, media.id));
  });
  await sizesOf(site, resource.find(call, id));
  return made(await prepared(call, resource, id), { Location: call.urls.rest(`${base}/${id}`) });
}

/** Null for invalid escapes. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const failures = table({
  flip: 'rest_image_flip_failed',
  rotate: 'rest_image_rotation_failed',
  crop: 'rest_image_crop_failed',
} as const);

/** The written attachment, ready to be returned. */
async function prepared(call: Call, resource: MediaResource, id: number): Promise<AttachmentRecord> {
  const media = resource.find(call, id);
  await prepare(call.site, [media]);
  return media;
}

/** Loads the facts of attachments and of their sources. */
async function prepare(site: Site, media: readonly AttachmentRecord[]): Promise<void> {
  const sources = media.flatMap(({ source }) => (source > 0 ? (site.posts.get(source) ?? []) : []));
  await site.media.prepare([...media, ...sources.filter(isAttachment)]);
}

/** Waits for the sizes of a new image, within a limit. */
async function sizesOf(site: Site, media: AttachmentRecord): Promise<void> {
  const late = new AbortController();
  await Promise.race([site.media.make(media), pause(answerWithinMs, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
}

/** The input of a write: setters of fields, and the date from two arguments. */
function inputOf(call: Call, before?: PostRecord): AttachmentInput {
  const { params, site } = call;
  const fields = site.postFields.get('attachment') ?? {};
  // Terms of media are only written by hand.
  const { terms: _terms, ...input } = changesOf<PostRecord>(call, fields, before);
  const date = resolveDates({ date: params.date, date_gmt: params.date_gmt }, site.zone);
  return { ...input, date: date === null ? site.now() : date } as AttachmentInput;
}
