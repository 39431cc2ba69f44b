/** The fields of attachments: those of a post, and those of files. */
import {
  type Field,
  FieldProblem,
  type Fields,
  forms,
  inFile,
  type Scalar,
  type Setter,
  text,
  toRecord,
  word,
} from '../../../kernel/model/field.ts';
import type { PostFields } from '../../content/posts/record.ts';
import { editOnly, everywhere, of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import { isScalar } from '../../../kernel/model/scalars.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { statusFacet } from '../../content/posts/index.ts';
import { type AttachmentRecord, type MediaView, fetchKey, nameOfMedia, uploadPath } from '../../content/attachments/record.ts';
import { clientSizesKey, clientSizesScalar, noClientSizes } from '../files/client-sizes.ts';
import { standardSizes } from '../files/sizes.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

type AttachmentField = Field<AttachmentRecord, MediaView>;
type AttachmentFields = Fields<AttachmentRecord, MediaView>;

const readonly = true;

const quality = { type: 'integer', minimum: 1, maximum: 100 } as const;

/** An address on the web, as written. */
const webAddress: Scalar<string> = {
  form: of('string', 'An address on the web.'),
  parse(raw, key) {
    const address = text.parse(raw, key);
    if (address === '' || (/^https?:\/\/[^/\s]/i.test(address) && isUrl(address))) return address;
    throw new FieldProblem(
      key,
      `${key} is no address on the web: ${JSON.stringify(address)}`,
      'write it with its scheme: https://example.com/cat.jpg',
    );
  },
  print: (value) => value,
};

/** @param base  the fields every type has */
export function attachmentFields(base: PostFields): PostFields {
  const { password: _password, _excerpt, content: _content, parent: _parent, ...shared } = base;
  const fields: AttachmentFields = {
    ...(shared as unknown as AttachmentFields),
    title: {
      ...(base.title as unknown as AttachmentField),
      set: setRaw('title'),
      file: inFile<AttachmentRecord, 'title'>('title', text, ({ path }) => nameOfMedia(path)),
    },
    slug: {
      ...(base.slug as unknown as AttachmentField),
      file: inFile<AttachmentRecord, 'slug'>('slug', text, ({ path }) => slugify(nameOfMedia(path))),
    },
    alt_text: {
      schema: of('string', 'Alternative text to display when attachment is not displayed.', { context: everywhere }),
      get: (media) => media.alt,
      set: toRecord('alt'),
      file: inFile<AttachmentRecord, 'alt'>('alt', text, ''),
    },
    caption: {
      schema: rawAndRendered('The attachment caption.', everywhere),
      get: { raw: (media) => media.excerpt, rendered: (media, view) => view.caption(media) },
      isWhole: true,
      set: setRaw('excerpt'),
      file: inFile<AttachmentRecord, 'excerpt'>('excerpt', text, '', 'caption'),
    },
    description: {
      schema: rawAndRendered('The attachment description.', viewAndEdit),
      get: { raw: (media) => media.content, rendered: (media, view) => view.description(media) },
      isWhole: true,
      set: setRaw('content'),
      file: inFile<AttachmentRecord, 'content'>('content', text, '', 'description'),
    },
    status: {
      ...(base.status as unknown as AttachmentField),
      set: toRecord('status'),
      file: statusFacet<AttachmentRecord>([...((base.status?.file?.form?.enum ?? []) as string[]), 'inherit'], 'inherit'),
    },
    ping_status: {
      ...(base.ping_status as unknown as AttachmentField),
      file: inFile<AttachmentRecord, 'pings'>('pings', word(['open', 'closed'] as const), 'closed'),
    },
    post: {
      schema: of('integer', 'The ID for the associated post of the attachment.', { context: viewAndEdit }),
      get: (media) => media.parent || null,
      set: toRecord('parent'),
      file: {
        key: 'post',
        form: forms.reference,
        read(raw, draft, { refs }) {
          draft.parent = typeof raw === 'number' || typeof raw === 'string' ? refs.postId('', raw) : 0;
        },
        print: (media) => media.parent || undefined,
      },
    },
    media_type: {
      schema: of('string', 'Attachment type.', { enum: ['image', 'file'], context: everywhere, readonly }),
      get: (media) => (media.mime.startsWith('image/') ? 'image' : 'file'),
    },
    mime_type: {
      schema: of('string', 'The attachment MIME type.', { context: everywhere, readonly }),
      get: (media) => media.mime,
      index: { equal: (media) => media.mime },
    },
    media_details: {
      schema: of('object', 'Details about the media file, specific to its type.', { context: everywhere, readonly }),
      get: (media, view) => view.details(media),
      isWhole: true,
    },
    source_url: {
      schema: of('string', 'URL to the original attachment file.', { format: 'uri', context: everywhere, readonly }),
      get: (media, view) => view.sourceUrl(media),
    },
    missing_image_sizes: {
      schema: of('array', 'List of the missing image sizes of the attachment.', {
        items: { type: 'string' },
        context: editOnly,
        readonly,
      }),
      get: (media, view) => view.missingSizes(media),
    },
    filename: {
      schema: of('string', 'Name of the file as it was uploaded.', { context: viewAndEdit, readonly }),
      get: (media, view) => view.fileName(media),
    },
    filesize: {
      schema: of(['integer', 'null'], 'Size of the file in bytes; null while it is elsewhere.', {
        context: viewAndEdit,
        readonly,
      }),
      get: (media, view) => view.fileSize(media),
    },
    exif_orientation: {
      schema: of('integer', 'How the picture is turned, as EXIF counts: 1 is upright.', { context: editOnly, readonly }),
      get: (media, view) => view.making(media)?.orientation,
    },
    image_quality: {
      schema: of('object', 'Quality that sizes are made in.', {
        context: editOnly,
        readonly,
        properties: {
          default: quality,
          sizes: { type: 'object', properties: Object.fromEntries(standardSizes.map(({ name }) => [name, quality])) },
        },
      }),
      get: (media, view) => {
        const making = view.making(media);
        return making && { default: making.quality, sizes: [] };
      },
      isWhole: true,
    },
    image_output_format: {
      schema: of(['string', 'null'], 'MIME type of the sizes, where it is another than that of the picture.', {
        context: editOnly,
        readonly,
      }),
      get: (media, view) => view.making(media)?.format,
    },
    image_save_progressive: {
      schema: of('boolean', 'Whether sizes are written as progressive images.', { context: editOnly, readonly }),
      get: (media, view) => view.making(media) && false,
    },
    _source: {
      file: {
        key: 'source',
        form: { ...forms.reference, description: 'Picture it was edited from: path below media/, or id.' },
        read(raw, draft, { refs }) {
          draft.source = typeof raw === 'number' || typeof raw === 'string' ? refs.postId('attachment', raw) : 0;
        },
        print: (media, { refs }) => (media.source === 0 ? undefined : refs.postRef('attachment', media.source)),
      },
    },
    _client_sizes: {
      file: inFile<AttachmentRecord, 'clientSizes'>('clientSizes', clientSizesScalar, noClientSizes, clientSizesKey),
    },
    _fetch: { file: inFile<AttachmentRecord, 'fetch'>(fetchKey, webAddress, '') },
    _file: { index: { text: (media) => (media.mime === undefined ? '' : uploadPath(media)) } },
  };
  return fields as unknown as PostFields;
}

/** The setter of a text, sent as a string or as `{raw}`. */
function setRaw(prop: 'title' | 'excerpt' | 'content'): Setter<AttachmentRecord> {
  return (value, draft) => {
    const raw = typeof value === 'object' && value !== null ? (value as { raw?: unknown }).raw : value;
    if (isScalar(raw)) draft[prop] = String(raw);
  };
}

function rawAndRendered(description: string, context: typeof everywhere): Schema {
  return of('object', description, {
    context,
    properties: {
      raw: of('string', 'As it exists in the file.', { context: editOnly }),
      rendered: of('string', 'HTML, transformed for display.', { context, readonly }),
    },
  });
}
