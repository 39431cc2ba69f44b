/**
 * Options pages: values of the site as a whole, each page a file `options/<page>.yaml`.
 */
import { collectionFields } from '../../../kernel/collections.ts';
import { type Field, map } from '../../../kernel/model/field.ts';
import type { Collection, CollectionRecord } from '../../../kernel/module.ts';
import type { Table } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { writeRecord } from '../../../kernel/site/record-file.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { changedFields, definitionsAt, optionsItems } from '../custom-fields/index.ts';
import type { FieldDefinition, FieldGroup, FieldValues, WithFields } from '../custom-fields/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly options: Table<OptionsPage>;
  }
}

interface OptionsPage extends CollectionRecord, WithFields {}

const values: Field<OptionsPage, unknown> = {
  file: {
    key: 'fields',
    form: { description: 'Values of custom fields.', type: ['object', 'null'] },
    read(raw, draft) {
      draft.fields = raw === undefined ? {} : map.parse(raw, 'fields');
    },
    print: ({ fields }) => (Object.keys(fields).length === 0 ? undefined : fields),
  },
};

export const optionsPages: Collection = { name: 'options', title: 'Options page', fields: { fields: values } };

/** The page that a site has whatever it declares. */
const standardPage = 'options';

/** Pages that groups name, whether they hold anything or not. */
export function isOptionsPage(groups: readonly FieldGroup[], page: string): boolean {
  const isNamed = groups.some(({ location }) =>
    location.some((rules) => rules.some(({ param, isEqual, value }) => param === 'options_page' && isEqual && value === page)),
  );
  return page === standardPage || isNamed;
}

export function optionsOf(site: Site, page: string): OptionsPage {
  return site.options.by('slug', page) ?? { id: 0, path: `options/${page}.yaml`, etag: '', slug: page, fields: {} };
}

/** Those of the page; of visitors and of whoever may not manage options those that are public. */
export function optionDefinitions(call: Call, page: string): ReadonlyMap<string, FieldDefinition> {
  const { site } = call;
  const all = definitionsAt(site.fieldGroups, optionsItems.locate({ slug: page }, site));
  return call.can('manage_options') ? all : new Map([...all].filter(([, { isPublic }]) => isPublic));
}

/** @throws RestError rest_invalid_param */
export async function writeOptions(call: Call, page: string, given: FieldValues): Promise<void> {
  const { site } = call;
  await site.write((site) => {
    const known = optionsOf(site, page);
    const { fields } = changedFields(given, known, optionDefinitions(call, page), call);
    const after = { ...known, fields, id: known.id || site.nextId(optionsPages.name) };
    const before = known.id === 0 ? undefined : known;
    const change = writeRecord<OptionsPage>(site, collectionFields(optionsPages) as never, after, before);
    return { changes: [change], result: null, once: known.path };
  });
}
