/** The fields of templates and template parts: a post as editors know it. */
import { areaOf, isCustom, templateId, type TemplateType, titleOf } from './templates.ts';
import { themeOf } from './themes.ts';
import { hasBlocks } from '../../../render/blocks.ts';
import { renderTitle } from '../../../render/markup.ts';
import { type Field, type Fields, toRecord } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { isScalar } from '../../../kernel/model/scalars.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { RevisionRecord } from '../../content/revisions/record.ts';
import { editOnly, embedFirst, everywhere, of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { shown, shownFirst } from '../../../kernel/rest/resource-fields.ts';

/** The reference uses `bool` for `boolean`. */
const bool = 'bool' as 'boolean';

/** A template, or a revision of one. */
export interface TemplateRecord extends PostRecord {
  readonly revision?: RevisionRecord;
}

export type TemplateFields = Fields<TemplateRecord, Call>;

export function templateFields(type: TemplateType): TemplateFields {
  const isPart = type === 'cms_template_part';
  return {
    id: { schema: of('string', 'ID of the template.', shownFirst), get: (post, { site }) => templateId(site, post.slug) },
    theme: { schema: word('Theme of the template.'), get: (_, { site }) => themeOf(site).stylesheet },
    content: {
      schema: of(['object', 'string'], 'Content of the template.', {
        default: '',
        context: embedFirst,
        properties: {
          raw: of('string', 'Content as stored.', { context: viewAndEdit }),
          block_version: of('integer', 'Version of the block format.', { context: editOnly, readonly: true }),
        },
      }),
      get: { raw: (post) => post.content, block_version: (post) => (hasBlocks(post.content) ? 1 : 0) },
      set: setText('content'),
    },
    slug: {
      schema: word('Name of the template, unique among its kind.', {
        required: true,
        minLength: 1,
        pattern: '[a-zA-Z0-9_\\%-]+',
      }),
      set: toRecord('slug'),
    },
    source: { schema: of('string', 'Where the template comes from.', shownFirst), get: () => 'custom' },
    origin: { schema: of('string', 'Where it came from before it was changed.', shownFirst), get: () => null },
    type: { schema: word('Type of template.'), get: (post, { request }) => request.dialect.wireName(post.type) },
    description: {
      schema: word('What the template is for.', { default: '' }),
      get: (post) => post.excerpt,
      set: setText('excerpt'),
    },
    title: {
      schema: of(['object', 'string'], 'Title of the template.', {
        default: '',
        context: embedFirst,
        properties: {
          raw: of('string', 'Title as stored.', { context: everywhere }),
          rendered: of('string', 'Title as shown.', { context: everywhere, readonly: true }),
        },
      }),
      get: { raw: titleOf, rendered: (post) => renderTitle(titleOf(post)) },
      set: setText('title'),
    },
    status: {
      schema: word('Status of the template.', { default: 'publish', enum: ['publish', 'future', 'draft', 'pending', 'private'] }),
      // Null was coerced to '', which is not a status.
      set(status, draft) {
        if (status) draft.status = status as string;
      },
    },
    // The API's name, in both dialects.
    [wireConstants.templatePost]: {
      schema: of('integer', 'ID of the post behind it.', shownFirst),
      get: ({ id, revision }) => revision?.id ?? id,
    },
    has_theme_file: { schema: of(bool, 'Whether a theme has a template of this name.', shownFirst), get: () => false },
    ...(isPart
      ? {}
      : {
          is_custom: {
            schema: of(bool, 'Whether it is of no standard kind.', shownFirst),
            get: (post: PostRecord) => isCustom(post.slug),
          },
        }),
    author: { schema: of('integer', 'Who made the template.', { context: everywhere }), set: toRecord('author') },
    ...(isPart ? { area: areaField } : {}),
    date: {
      schema: of(['string', 'null'], 'When it was made, site time.', {
        format: 'date-time',
        context: viewAndEdit,
        readonly: true,
      }),
    },
    modified: {
      schema: of(['string', 'null'], 'When it was changed, site time.', {
        format: 'date-time',
        context: viewAndEdit,
        readonly: true,
      }),
    },
    author_text: {
      schema: of('string', 'Who made it, in words.', shown),
      get: (post, { site }) => site.users.get(post.author)?.name ?? site.settings.value('name'),
    },
    original_source: {
      schema: of('string', 'Where it comes from at first.', { ...shown, enum: ['theme', 'plugin', 'site', 'user'] }),
      get: (post) => (post.author > 0 ? 'user' : 'site'),
    },
    ...(isPart ? {} : { plugin: { schema: of('string', 'Plugin that brings it.', shown), get: () => undefined } }),
  };
}

function word(description: string, more: Partial<Schema> = {}): Schema {
  return of('string', description, { context: embedFirst, ...more });
}

const areaField: Field<TemplateRecord, Call> = {
  schema: word('Place the part is for.'),
  get: areaOf,
  set(area, draft, { before }) {
    draft.meta = { ...before?.meta, area };
  },
};

/** The setter of a text, sent as a string or as `{raw}`. */
function setText(prop: 'title' | 'content' | 'excerpt'): Field<TemplateRecord, Call>['set'] {
  return (value, draft) => {
    const raw = isMap(value) ? value.raw : value;
    if (isScalar(raw)) draft[prop] = String(raw);
  };
}
