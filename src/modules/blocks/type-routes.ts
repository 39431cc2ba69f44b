/**
 * Types of blocks, as editors register them.
 *
 * Shape    one row of the table of built-in blocks, with the attributes that its supports bring
 * Access   whoever edits items of some type
 * Errors   rest_block_type_cannot_view, rest_block_type_invalid
 * Source   the reference's registrations (6.9); its route catalogue
 */
import { fail } from '../../kernel/errors.ts';
import { type BlockType, blockTypes } from '../../render/block-types.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { of, type Schema } from '../../kernel/model/schema.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ } from '../../kernel/rest/types.ts';
import { draft, forEditors, shownFirst } from '../../kernel/rest/schema-helpers.ts';

const NAME = '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$';
const nullable = { default: null };
const blockName: Schema = { type: 'string', pattern: NAME };
const word: Schema = { type: 'string' };
const object: Schema = { type: 'object' };
const words = (description: string): Schema => shownFirst('array', description, { default: [], items: word });
/** Script and style handles are written as a list of one type. */
const handles = (description: string): Schema => shownFirst(['array'], description, { default: [], items: word });
const handle = (description: string): Schema => shownFirst(['string', 'null'], description, nullable);
const names = (description: string): Schema => shownFirst(['array', 'null'], description, { items: blockName, default: null });
const inner: Schema = of('array', 'Blocks within the example.', {
  items: {
    type: 'object',
    properties: { name: { ...blockName, required: true }, attributes: object, innerBlocks: { type: 'array' } },
  },
});
const category = shownFirst(['string', 'null'], 'Category of the block.', nullable);
const icon = shownFirst(['string', 'null'], 'Icon of the block.', nullable);
const keywords = words('Words by which the block is found.');
const example = shownFirst(['object', 'null'], 'An example of the block.', {
  default: null,
  properties: { attributes: object, innerBlocks: inner },
});
const variations: Schema = shownFirst('array', 'Forms of the block with their own names.', {
  default: null,
  items: {
    type: 'object',
    properties: {
      name: { ...word, required: true },
      title: { ...word, required: true },
      description: { ...word, required: false },
      category,
      icon,
      isDefault: { type: 'boolean', required: false, default: false },
      attributes: object,
      innerBlocks: inner,
      example,
      scope: {
        type: ['array', 'null'],
        default: null,
        items: { type: 'string', enum: ['block', 'inserter', 'transform'] },
        readonly: true,
      },
      keywords,
    },
  },
});

const empty = (): readonly never[] => [];
const none = (): null => null;
/** A map that is empty prints as a list, as in the reference. */
const map = (value: Readonly<Record<string, unknown>>): unknown => (Object.keys(value).length > 0 ? value : []);
const open = (description: string): Schema => shownFirst('object', description, { default: [], properties: [] });

const fields: Fields<BlockType, null> = {
  attributes: {
    schema: shownFirst(['object', 'null'], 'Attributes of the block.', {
      properties: [],
      default: null,
      additionalProperties: object,
    }),
    get: (block) => block.attributes,
  },
  is_dynamic: {
    schema: shownFirst('boolean', 'Whether the server renders the block.', { default: false }),
    get: (block) => block.isDynamic,
  },
  api_version: { schema: shownFirst('integer', 'Version of the block interface.', { default: 1 }), get: () => 3 },
  name: {
    schema: shownFirst('string', 'Name of the block with its namespace.', { pattern: NAME, required: true }),
    get: (block) => block.name,
  },
  title: { schema: shownFirst('string', 'Title of the block.', { default: '' }), get: (block) => block.title },
  category: { schema: category, get: (block) => block.category },
  parent: { schema: names('Blocks it may stand in directly.'), get: (block) => block.parent },
  ancestor: { schema: names('Blocks it may stand in at any depth.'), get: (block) => block.ancestor },
  icon: { schema: icon, get: none },
  description: { schema: shownFirst('string', 'What the block is for.', { default: '' }), get: (block) => block.description },
  keywords: { schema: keywords, get: (block) => block.keywords },
  provides_context: {
    schema: shownFirst('object', 'What it tells the blocks within it.', {
      properties: [],
      additionalProperties: word,
      default: [],
    }),
    get: (block) => map(block.provides),
  },
  uses_context: { schema: words('What it learns from the blocks around it.'), get: (block) => block.uses },
  selectors: { schema: open('CSS selectors of its parts.'), get: empty },
  supports: { schema: open('Features of the block.'), get: (block) => map(block.supports) },
  styles: {
    schema: shownFirst('array', 'Looks of the block.', {
      default: [],
      items: {
        type: 'object',
        properties: { name: { ...word, required: true }, label: word, inline_style: word, style_handle: word },
      },
    }),
    get: (block) => block.styles,
  },
  textdomain: { schema: shownFirst(['string', 'null'], 'Where its texts are translated.', nullable), get: () => 'default' },
  example: { schema: example, get: none },
  editor_script_handles: { schema: handles('Scripts for the editor.'), get: empty },
  script_handles: { schema: handles('Scripts for editor and page.'), get: empty },
  view_script_handles: { schema: handles('Scripts for the page.'), get: empty },
  view_script_module_ids: { schema: handles('Script modules for the page.'), get: empty },
  editor_style_handles: { schema: handles('Styles for the editor.'), get: empty },
  style_handles: { schema: handles('Styles for editor and page.'), get: empty },
  view_style_handles: { schema: handles('Styles for the page.'), get: empty },
  variations: { schema: variations, get: empty },
  block_hooks: {
    schema: shownFirst('object', 'Blocks it is put beside by itself.', {
      default: [],
      patternProperties: { [NAME]: { type: 'string', enum: ['before', 'after', 'first_child', 'last_child'] } },
    }),
    get: empty,
  },
  allowed_blocks: { schema: names('Blocks that may stand in it.'), get: (block) => block.allowed },
  editor_script: { schema: handle('Script for the editor (old form).'), get: none },
  script: { schema: handle('Script for editor and page (old form).'), get: none },
  view_script: { schema: handle('Script for the page (old form).'), get: none },
  editor_style: { schema: handle('Style for the editor (old form).'), get: none },
  style: { schema: handle('Style for editor and page (old form).'), get: none },
};

const project = createProjector<BlockType, null>({
  fields,
  links: ({ name, isDynamic }, _view, { urls }) => ({
    collection: [{ href: urls.rest('/cms/v2/block-types') }],
    self: [{ href: urls.rest(`/cms/v2/block-types/${name}`) }],
    up: [{ href: urls.rest(`/cms/v2/block-types/${name.split('/')[0]}`) }],
    ...(isDynamic ? { 'cms:render-block': [{ href: urls.rest(`/cms/v2/block-renderer/${name}?context=edit`) }] } : {}),
  }),
});

const schema = draft('block-type', schemasOf(fields));
const allow = forEditors('rest_block_type_cannot_view');
const namespace = { namespace: of('string', 'Part of the name before the slash.') };

export const blockTypeRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/block-types',
    schema,
    endpoints: [{ methods: READ, args: { context: contextArg(), ...namespace }, allow, handle: list }],
  },
  {
    path: '/cms/v2/block-types/(?P<namespace>[a-zA-Z0-9_-]+)',
    schema,
    endpoints: [{ methods: READ, args: { context: contextArg(), ...namespace }, allow, handle: list }],
  },
  {
    path: '/cms/v2/block-types/(?P<namespace>[a-zA-Z0-9_-]+)/(?P<name>[a-zA-Z0-9_-]+)',
    schema,
    endpoints: [
      {
        methods: READ,
        args: { name: of('string', 'Part of the name after the slash.'), ...namespace, context: contextArg() },
        allow,
        handle: read,
      },
    ],
  },
];

function list(call: Call): Item[] {
  const wanted = call.params.namespace as string | undefined;
  const blocks = [...blockTypes.values()].filter(({ name }) => !wanted || name.startsWith(`${wanted}/`));
  return blocks.map((block) => project(block, null, call));
}

function read(call: Call): Item {
  const block = blockTypes.get(`${call.params.namespace}/${call.params.name}`) ?? fail('rest_block_type_invalid');
  return project(block, null, call);
}
