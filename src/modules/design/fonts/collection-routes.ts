/**
 * Collections of fonts to choose from: files of `fonts/collections/`. A site without one has none.
 *
 * Shape    families with their faces, and categories
 * Access   whoever edits theme options
 * Errors   rest_cannot_read, rest_font_collection_not_found, rest_post_invalid_page_number
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { type DesignRecord, sheetNamed, sheetsOf } from '../themes/record.ts';
import { fail } from '../../../kernel/errors.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { everywhere as context } from '../../../kernel/model/schema.ts';
import { contextArg, pageArg, perPageArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, item, pageOf } from '../../../kernel/rest/resource.ts';
import { list, text } from '../../../kernel/rest/resource-fields.ts';
import { forHolders } from '../../../kernel/rest/schema-helpers.ts';

const base = '/cms/v2/font-collections';
const allow = forHolders('edit_theme_options', 'rest_cannot_read');
const rows = (value: unknown): unknown => (Array.isArray(value) ? value : []);

export const fontCollectionRoutes = defineResource<DesignRecord>({
  name: 'font-collection',
  base,
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    slug:          text('Name in addresses.', { context, readonly: true, get: ({ name }) => name }),
    name:          text('Name for people.', { context, get: ({ name, data }) => scalarText(data.name ?? name) }),
    description:   text('What the collection holds.', { context, get: ({ data }) => scalarText(data.description) }),
    font_families: list('Families of the collection.', { context, get: ({ data }) => rows(data.font_families) }),
    categories:    list('Categories of the families.', { context, get: ({ data }) => rows(data.categories) }),
  },
  links: ({ name }) => ({ self: `${base}/${name}`, collection: base }),
  routes: [
    collection({
      args: { context: contextArg(), page: pageArg, per_page: perPageArg },
      allow,
      handle: (call) => pageOf(call, sheetsOf(call.site, 'collection')),
    }),
    item('(?P<slug>[\\/\\w-]+)', {
      allow,
      handle: ({ site, params }) => sheetNamed(site, 'collection', params.slug) ?? fail('rest_font_collection_not_found'),
    }),
  ],
});
