/** Plain types, for fields declared by name and type. Values are typed: numbers as numbers, days as `2026-03-05`, references as ids. */
import { renderMarkdown } from '../../../render/markdown.ts';
import { acceptValue, nestedTypes, readStored, schemaOf, showValue } from './nested-types.ts';
import { anyCount, anyFlag, atMember, checkCount, type FieldDefinition, type FieldType, shown, ValueFault } from './record.ts';
import { findable, refType } from './reference-types.ts';
import { textsOf } from './references.ts';
import { anyChoices, choice, moment, number, plainText, trueFalse } from './scalar-types.ts';

const asIs = (stored: unknown): unknown => stored;
const plain = <T extends FieldType>(type: T): T & { readonly isPlain: true } => ({ ...type, isPlain: true });
const asText = (stored: unknown): string => String(stored);

/** Returns the source to editors. */
const markdown: FieldType = {
  ...plainText,
  standard(text, { key }, call) {
    if (call.context === 'edit' || text === '') return text;
    const { settings, operator, url } = call.site;
    return renderMarkdown(String(text), {
      typography: settings.value('typography') === true,
      filtered: operator.filter_content,
      home: url,
      language: String(settings.value('language')),
      anchor: key,
    });
  },
};

const plainNumber: FieldType = { ...number, standard: asIs, keyOf: Number };

const integer: FieldType = {
  ...plainNumber,
  schema: (definition) => ({ ...number.schema(definition), type: 'integer' }),
  accept(value, definition, from) {
    const given = number.accept(value, definition, from);
    if (!Number.isSafeInteger(given)) throw new ValueFault(`must be a whole number, not ${shown(value)}`);
    return given;
  },
};

const day: FieldType = {
  ...moment(/^(?<day>\d{4}-\d{2}-\d{2})$/, 'a day such as 2026-03-05', '', ({ date = '' }) => date),
  options: {},
  schema: () => ({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  standard: asIs,
  keyOf: asText,
};

/** The field of a list's entries. */
function entryOf({ fields }: FieldDefinition): FieldDefinition {
  return fields[0] as FieldDefinition;
}

const list: FieldType = {
  options: { min: anyCount, max: anyCount },
  schema: (definition) => ({ type: 'array', items: schemaOf(entryOf(definition)) }),
  accept(value, definition, from) {
    if (!Array.isArray(value)) throw new ValueFault(`must be a list, not ${shown(value)}`);
    checkCount(value, definition, 'entries');
    return value.map((one, at) =>
      atMember(at, () => {
        const stored = acceptValue(one, entryOf(definition), from);
        if (stored === null) throw new ValueFault('must have a value');
        return stored;
      }),
    );
  },
  standard: (stored, definition, call) =>
    (stored as readonly unknown[]).map((one) => showValue(one, entryOf(definition), 'standard', call)),
  light: (stored, definition, call) =>
    (stored as readonly unknown[]).map((one) => showValue(one, entryOf(definition), 'light', call)),
  references: (stored, definition) =>
    (stored as readonly unknown[]).flatMap((one, at) => {
      const entry = entryOf(definition);
      const value = readStored(one, entry);
      const inner = value === null ? [] : (entry.kind.references?.(value, entry) ?? []);
      return inner.map((reference) => ({ ...reference, keys: [at, ...reference.keys] }));
    }),
};

const namesOf = ({ options }: FieldDefinition): readonly string[] => textsOf(options.to) ?? [];
const isMany = ({ options }: FieldDefinition): boolean => options.multiple === true;

const picture = refType({
  kind: 'post',
  isImage: true,
  options: { multiple: anyFlag, min: anyCount, max: anyCount },
  among: () => ['attachment'],
  isList: isMany,
  show: ({ post }) => post?.id ?? null,
});

/** To items of types, to terms of taxonomies, or to users. */
const relation = refType({
  kind: (definition) => (namesOf(definition)[0] === 'user' ? 'user' : 'post'),
  options: {
    to: (value) => ((textsOf(value) ?? []).length > 0 ? null : 'must name the types that it leads to: page, or [page, post]'),
    multiple: anyFlag,
    min: anyCount,
    max: anyCount,
  },
  among: (definition) => namesOf(definition).filter((name) => name !== 'user'),
  isList: isMany,
  show: ({ post, term, user }) => (post ?? term ?? user)?.id ?? null,
});

export const plainTypes: Readonly<Record<string, FieldType>> = Object.assign(Object.create(null), {
  text: plain({ ...plainText, keyOf: asText }),
  markdown: plain(markdown),
  number: plain(plainNumber),
  integer: plain(integer),
  boolean: plain({ ...trueFalse, keyOf: Number }),
  date: plain(day),
  choice: plain({ ...choice, options: { choices: anyChoices, multiple: anyFlag }, keyOf: asText }),
  list: plain(list),
  group: plain(nestedTypes.group as FieldType),
  picture: plain(picture),
  relation: plain({ ...relation, ...findable }),
});
