/** The schema of a view configuration: lists and forms. */
import { of, type Schema, type Schemas } from '../../../kernel/model/schema.ts';

const word: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const numeric: Schema = { type: 'number' };
/** An empty schema; the reference prints it as a list. */
const anything = [] as unknown as Schema;
const words = listOf(word);
const length: Schema = { type: ['string', 'number'] };
const density = choice('compact', 'balanced', 'comfortable');
const alignment = choice('start', 'center', 'end');
const direction = choice('asc', 'desc');
const operators = [
  ...['is', 'isNot', 'isAny', 'isNone', 'isAll', 'isNotAll', 'lessThan', 'greaterThan'],
  ...['lessThanOrEqual', 'greaterThanOrEqual', 'before', 'after'],
];

const columns = {
  styles: {
    type: 'object',
    additionalProperties: map({ width: length, maxWidth: length, minWidth: length, align: alignment }),
  },
  density,
  enableMoving: flag,
} as const satisfies Schemas;
const cards = { badgeFields: words, previewSize: numeric } as const satisfies Schemas;

/** Common to all views. */
const shared: Schemas = {
  filters: listOf(map({ field: word, operator: choice(...operators), value: anything, isLocked: flag })),
  sort: map({ field: word, direction }),
  perPage: { type: 'integer' },
  fields: words,
  titleField: word,
  mediaField: word,
  descriptionField: word,
  showTitle: flag,
  showMedia: flag,
  showDescription: flag,
  showLevels: flag,
  groupBy: map({ field: word, direction, showLabel: { type: 'boolean', default: true } }),
  infiniteScrollEnabled: flag,
};

/** By view type. */
const layouts: Readonly<Record<string, Schemas>> = {
  table: columns,
  list: { density },
  grid: { ...cards, density },
  activity: { density },
  pickerGrid: { ...cards, density },
  pickerTable: columns,
};

const view: Schemas = { type: word, layout: map({ ...columns, ...cards }), ...shared };

const labelPosition = choice('top', 'side', 'none');
const opened = choice('dropdown', 'modal');
const summaries = oneOf(word, listOf(oneOf(word, map({ id: word, visibility: choice('always', 'when-collapsed') }))));
const formLayout = oneOf(
  map({ type: choice('regular'), labelPosition }),
  map({
    type: choice('panel'),
    labelPosition,
    openAs: oneOf(opened, map({ type: opened, applyLabel: word, cancelLabel: word })),
    summary: oneOf(word, words),
    editVisibility: choice('always', 'on-hover'),
  }),
  map({ type: choice('card'), withHeader: flag, isOpened: flag, isCollapsible: flag, summary: summaries }),
  map({
    type: choice('row'),
    alignment,
    styles: { type: 'object', additionalProperties: map({ flex: length }) },
  }),
  map({ type: choice('details'), summary: word }),
);
const formField = map({
  id: word,
  label: word,
  description: word,
  layout: formLayout,
  children: listOf(oneOf(word, { type: 'object' })),
});

export const viewConfigSchema = {
  kind: of('string', 'Kind of what is listed: postType, taxonomy, root or another word.', { readonly: true }),
  name: of('string', 'Name of what is listed.', { readonly: true }),
  version: of('integer', 'Version of the form of this answer.', { readonly: true }),
  default_view: of('object', 'How the list is shown at first.', { readonly: true, properties: view }),
  default_layouts: of('object', 'What each type of view starts from.', {
    readonly: true,
    properties: Object.fromEntries(Object.entries(layouts).map(([name, own]) => [name, map({ ...shared, layout: map(own) })])),
  }),
  view_list: of('array', 'Views to choose from.', {
    readonly: true,
    items: map({ title: word, slug: word, view: map(view) }),
  }),
  form: of('object', 'The form of one item.', {
    readonly: true,
    properties: { layout: formLayout, fields: listOf(oneOf(word, formField)) },
  }),
} as const satisfies Schemas;

function map(properties: Schemas): Schema {
  return { type: 'object', properties };
}

function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

function oneOf(...some: readonly Schema[]): Schema {
  return { oneOf: some };
}

function choice(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}
