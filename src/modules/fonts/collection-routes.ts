/**
 * Collections of fonts to choose from: files of `fonts/collections/`. A site without one has none.
 *
 * Shape    families with their faces, and categories
 * Access   whoever edits theme options
 * Errors   rest_cannot_read, rest_font_collection_not_found, rest_post_invalid_page_number
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { type DesignRecord, sheetNamed, sheetsOf } from '../design/record.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { everywhere, of } from '../../kernel/model/schema.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { contextArg, listed, pageArg, paging, perPageArg, refusePastEnd } from '../../kernel/rest/collection.ts';
import { createProjector } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ } from '../../kernel/rest/types.ts';
import { draft, forHolders } from '../../kernel/rest/schema-helpers.ts';

const BASE = '/cms/v2/font-collections';
const list = (value: unknown): unknown => (Array.isArray(value) ? value : []);

const fields: Fields<DesignRecord, null> = {
  slug: { schema: of('string', 'Name in addresses.', { context: everywhere, readonly: true }), get: ({ name }) => name },
  name: {
    schema: of('string', 'Name for people.', { context: everywhere }),
    get: ({ name, data }) => scalarText(data.name ?? name),
  },
  description: {
    schema: of('string', 'What the collection holds.', { context: everywhere }),
    get: ({ data }) => scalarText(data.description),
  },
  font_families: {
    schema: of('array', 'Families of the collection.', { context: everywhere }),
    get: ({ data }) => list(data.font_families),
  },
  categories: {
    schema: of('array', 'Categories of the families.', { context: everywhere }),
    get: ({ data }) => list(data.categories),
  },
};

const project = createProjector<DesignRecord, null>({
  fields,
  links: ({ name }, _view, { urls }) => ({
    self: [{ href: urls.rest(`${BASE}/${name}`) }],
    collection: [{ href: urls.rest(BASE) }],
  }),
});

const schema = draft('font-collection', schemasOf(fields));
const allow = forHolders('edit_theme_options', 'rest_cannot_read');

export const fontCollectionRoutes: Namespace['routes'] = [
  {
    path: BASE,
    schema,
    endpoints: [
      { methods: READ, args: { context: contextArg(), page: pageArg, per_page: perPageArg }, allow, handle: listCollections },
    ],
  },
  {
    path: `${BASE}/(?P<slug>[\\/\\w-]+)`,
    schema,
    endpoints: [
      {
        methods: READ,
        args: { context: contextArg() },
        allow,
        handle: (call) =>
          project(sheetNamed(call.site, 'collection', call.params.slug) ?? fail('rest_font_collection_not_found'), null, call),
      },
    ],
  },
];

function listCollections(call: Call) {
  const all = sheetsOf(call.site, 'collection');
  const at = paging(call);
  refusePastEnd(all.length, at);
  return listed(
    call,
    all.slice(at.offset, at.offset + at.perPage).map((one) => project(one, null, call)),
    all.length,
    at,
  );
}
