/**
 * Blocks rendered by the server, for previews in editors.
 *
 * Shape    `rendered`: markup
 * Access   whoever edits the post named, or posts at all
 * Errors   block_cannot_read, block_invalid, rest_invalid_param
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import '../../content/dynamic-blocks/record.ts';
import { fail } from '../../../kernel/errors.ts';
import { blockTypes } from '../../../render/block-types.ts';
import { editOnly, of, resourceSchema, type Schema, type Schemas } from '../../../kernel/model/schema.ts';
import { type Arg, asSent, checkArgs } from '../../../kernel/rest/args.ts';
import { coerceValue } from '../../../kernel/rest/coerce.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { validateValue } from '../../../kernel/rest/validate.ts';

const attributesArg: Arg = {
  description: 'Attributes of the block.',
  type: 'object',
  default: [],
  // Error details name the attribute without its parameter (observed).
  validate: (value, request) => {
    const schema = schemaFor(request);
    return schema === null ? null : validateValue(value, schema, '');
  },
  coerce: (value, request, param) => {
    const schema = schemaFor(request);
    return schema === null ? value : coerceValue(value, schema, param);
  },
};

export const blockRendererRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)',
    schema: () => ({
      ...resourceSchema('rendered-block', {
        rendered: of('string', 'Markup of the block.', { required: true, context: editOnly }),
      }),
      // Drafts are excluded (observed).
      $schema: 'http://json-schema.org/schema#',
    }),
    endpoints: [
      {
        methods: ['GET', 'POST'],
        args: {
          name: of('string', 'Name of the block with its namespace.'),
          // The only context must be given (observed).
          context: contextArg(['edit'], 'view'),
          attributes: { ...attributesArg, ...asSent },
          post_id: of('integer', 'ID of the post around the block.'),
        },
        allow: mayRender,
        handle: render,
      },
    ],
  },
];

/** Attributes are validated after permissions (observed). @throws RestError block_invalid, rest_invalid_param */
async function render({ site, params, user, request }: Call): Promise<Record<string, string>> {
  const given = checkArgs({ attributes: attributesArg }, { attributes: params.attributes }, request, site).attributes;
  const block = blockTypes.get(params.name);
  if (!block?.isDynamic) return fail('block_invalid');
  const attributes = Array.isArray(given) ? {} : (given as Record<string, unknown>);
  const of = { reader: user, post: Number(params.post_id ?? 0), address: request.target };
  await site.dynamicBlocks.prepareOne(block.name, attributes, of);
  return { rendered: site.dynamicBlocks.showOne(block.name, attributes, of) };
}

function mayRender(call: Call): ReturnType<AccessRule> {
  const id = Number(call.params.post_id ?? 0);
  if (id > 0) {
    const post = call.site.posts.get(id);
    return post && call.can('edit_post', post)
      ? null
      : { code: 'block_cannot_read', message: 'Sorry, you are not allowed to read blocks of this post.' };
  }
  return call.can('edit_posts') ? null : 'block_cannot_read';
}

/** The attributes of the block; null if unknown, which is refused later. */
function schemaFor(request: RestRequest): Schema | null {
  const block = blockTypes.get(request.route.split('/').slice(-2).join('/'));
  if (!block) return null;
  // `rich-text` attributes have string values.
  const properties = Object.fromEntries(
    Object.entries(block.attributes).map(([name, one]) => [name, one.type === 'rich-text' ? { ...one, type: 'string' } : one]),
  ) as Schemas;
  return { type: 'object', properties, additionalProperties: false };
}
