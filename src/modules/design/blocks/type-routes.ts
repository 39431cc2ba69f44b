/**
 * Types of blocks, as editors register them.
 *
 * Shape    an entry of the table of built-in blocks, with the attributes that its supports bring
 * Access   whoever edits items of some type
 * Errors   rest_block_type_cannot_view, rest_block_type_invalid
 * Source   the reference's registrations (7.1); its route catalogue
 */
import { fail } from '../../../kernel/errors.ts';
import { of, type Schema } from '../../../kernel/model/schema.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, field, integer, list, object, shownFirst, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { type BlockType, blockTypes } from '../../../render/block-types.ts';
import { readBlockTypes as allow } from './access.ts';

const base = '/cms/v2/block-types';
const pattern = '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$';
const blockName: Schema = { type: 'string', pattern };
const word: Schema = { type: 'string' };
const map: Schema = { type: 'object' };
const flag: Schema = { type: 'boolean', required: false, default: false };

// Options of fields: replacements for null, an empty list or an empty map.
const nullable = { ...shownFirst, default: null };
const none = { ...nullable, get: () => null };
const words = { ...shownFirst, default: [], items: word };
const handles = { ...words, get: () => [] };
const names = { ...shownFirst, items: blockName, default: null };
const open = { ...shownFirst, default: [], properties: [] };

const innerBlocks = of('array', 'Blocks within the example.', {
  items: {
    type: 'object',
    properties: { name: { ...blockName, required: true }, attributes: map, innerBlocks: { type: 'array' } },
  },
});
const example = { ...nullable, properties: { attributes: map, innerBlocks } };
const scopes: Schema = { type: 'string', enum: ['block', 'inserter', 'transform'] };
const scope: Schema = { type: ['array', 'null'], default: null, items: scopes, readonly: true };
const style: Schema = {
  type: 'object',
  properties: { name: { ...word, required: true }, label: word, inline_style: word, style_handle: word },
};
const variation: Schema = {
  type: 'object',
  properties: {
    name: { ...word, required: true },
    title: { ...word, required: true },
    description: { ...word, required: false },
    category: of(['string', 'null'], 'Category of the block.', nullable),
    icon: of(['string', 'null'], 'Icon of the block.', nullable),
    isDefault: flag,
    attributes: map,
    innerBlocks,
    example: of(['object', 'null'], 'An example of the block.', example),
    scope,
    keywords: of('array', 'Words by which the block is found.', words),
  },
};
const hooks = { [pattern]: { type: 'string', enum: ['before', 'after', 'first_child', 'last_child'] } as Schema };

export const blockTypeRoutes = defineResource<BlockType>({
  name: 'block-type',
  base,
  // biome-ignore format: a field a line, to be read against the catalogue
  fields: {
    attributes:             field(['object', 'null'], 'Attributes of the block.', { ...shownFirst, properties: [], default: null, additionalProperties: map }),
    is_dynamic:             bool('Whether the server renders the block.', { ...shownFirst, default: false }),
    api_version:            integer('Version of the block interface.', { ...shownFirst, default: 1, get: (block) => block.apiVersion }),
    name:                   text('Name of the block with its namespace.', { ...shownFirst, pattern, required: true }),
    title:                  text('Title of the block.', { ...shownFirst, default: '' }),
    category:               field(['string', 'null'], 'Category of the block.', nullable),
    parent:                 field(['array', 'null'], 'Blocks it may stand in directly.', names),
    ancestor:               field(['array', 'null'], 'Blocks it may stand in at any depth.', names),
    icon:                   field(['string', 'null'], 'Icon of the block.', none),
    description:            text('What the block is for.', { ...shownFirst, default: '' }),
    keywords:               list('Words by which the block is found.', words),
    provides_context:       object('What it tells the blocks within it.', { ...shownFirst, properties: [], additionalProperties: word, default: [], get: (block) => mapOrList(block.provides) }),
    uses_context:           list('What it learns from the blocks around it.', { ...words, get: (block) => block.uses }),
    selectors:              object('CSS selectors of its parts.', { ...open, get: (block) => mapOrList(block.selectors) }),
    supports:               object('Features of the block.', { ...open, get: (block) => mapOrList(block.supports) }),
    styles:                 list('Looks of the block.', { ...shownFirst, default: [], items: style }),
    textdomain:             field(['string', 'null'], 'Where its texts are translated.', { ...nullable, get: () => 'default' }),
    example:                field(['object', 'null'], 'An example of the block.', { ...example, get: () => null }),
    editor_script_handles:  field(['array'], 'Scripts for the editor.', handles),
    script_handles:         field(['array'], 'Scripts for editor and page.', handles),
    view_script_handles:    field(['array'], 'Scripts for the page.', handles),
    view_script_module_ids: field(['array'], 'Script modules for the page.', handles),
    editor_style_handles:   field(['array'], 'Styles for the editor.', handles),
    style_handles:          field(['array'], 'Styles for editor and page.', handles),
    view_style_handles:     field(['array'], 'Styles for the page.', handles),
    variations:             list('Forms of the block with their own names.', { ...nullable, items: variation }),
    block_hooks:            object('Blocks it is put beside by itself.', { ...shownFirst, default: [], patternProperties: hooks, get: () => [] }),
    allowed_blocks:         field(['array', 'null'], 'Blocks that may stand in it.', { ...names, get: (block) => block.allowed }),
    editor_script:          field(['string', 'null'], 'Script for the editor (old form).', none),
    script:                 field(['string', 'null'], 'Script for editor and page (old form).', none),
    view_script:            field(['string', 'null'], 'Script for the page (old form).', none),
    editor_style:           field(['string', 'null'], 'Style for the editor (old form).', none),
    style:                  field(['string', 'null'], 'Style for editor and page (old form).', none),
  },
  links: ({ name, isDynamic }) => ({
    collection: base,
    self: `${base}/${name}`,
    up: `${base}/${name.split('/')[0]}`,
    ...(isDynamic ? { 'cms:render-block': `/cms/v2/block-renderer/${name}?context=edit` } : {}),
  }),
  params: {
    name: of('string', 'Part of the name after the slash.'),
    namespace: of('string', 'Part of the name before the slash.'),
  },
  routes: [
    collection({ args: listArgs(), allow, handle: listTypes }),
    item('(?P<namespace>[a-zA-Z0-9_-]+)', { args: listArgs(), allow, handle: listTypes }),
    item('(?P<namespace>[a-zA-Z0-9_-]+)/(?P<name>[a-zA-Z0-9_-]+)', {
      // An unknown one allows nothing (observed in `Allow`).
      allow: (call) => allow(call) ?? (typeNamed(call) ? null : 'rest_block_type_invalid'),
      handle: (call) => typeNamed(call) ?? fail('rest_block_type_invalid'),
    }),
  ],
});

function typeNamed({ params }: Call): BlockType | undefined {
  return blockTypes.get(`${params.namespace}/${params.name}`);
}

function listArgs() {
  return { context: contextArg(), namespace: of('string', 'Part of the name before the slash.') };
}

function listTypes({ params }: Call): readonly BlockType[] {
  const wanted = params.namespace as string | undefined;
  return [...blockTypes.values()].filter(({ name }) => !wanted || name.startsWith(`${wanted}/`));
}

/** The reference prints an empty map as a list. */
function mapOrList(value: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(value).length > 0 ? value : [];
}
