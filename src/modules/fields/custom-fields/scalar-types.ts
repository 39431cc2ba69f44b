/** Field types with one value or a list of choices. */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import { coerceValue } from '../../../kernel/rest/coerce.ts';
import { isEmail, validateValue } from '../../../kernel/rest/validate.ts';
import { typedValue } from '../../../kernel/model/typed-value.ts';
import { localDate } from '../../../render/local-date.ts';
import { renderMarkup } from '../../../render/markup.ts';
import { localeOf } from '../../languages/record.ts';
import {
  anyCount,
  anyFlag,
  anyNumber,
  anyText,
  numberOf,
  oneOf,
  shown,
  type FieldDefinition,
  type FieldType,
  type OptionCheck,
  ValueFault,
} from './record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

/** Maximum length of a text without its own limit. */
const maxText = 1_000_000;

function textOf(value: unknown, { options }: FieldDefinition): string {
  if (typeof value === 'object') throw new ValueFault(`must be a text, not ${shown(value)}`);
  const text = String(value);
  const limit = options.maxlength === undefined ? maxText : Number(options.maxlength);
  if ([...text].length > limit) throw new ValueFault(`must have at most ${limit} characters`);
  return text;
}

const textOptions = { maxlength: anyCount, placeholder: anyText };

export const plainText: FieldType = {
  options: textOptions,
  schema: ({ options }) => ({
    type: 'string',
    ...(options.maxlength === undefined ? {} : { maxLength: Number(options.maxlength) }),
  }),
  accept: textOf,
  standard: (text) => text,
  hasEmptyText: true,
};

/** A string with a format; an empty one is no value. */
function formed(schema: Schema, wanted: string, isFit: (text: string) => boolean): FieldType {
  return {
    ...plainText,
    schema: () => ({ type: 'string', ...schema }),
    accept(value, definition) {
      const text = textOf(value, definition).trim();
      if (text !== '' && !isFit(text)) throw new ValueFault(`must be ${wanted}, not ${shown(text)}`);
      return text;
    },
  };
}

/** Safe URLs. */
export function isAddress(text: string): boolean {
  if (/^(?:\/(?!\\)|#|\?)/.test(text)) return !/\s/.test(text);
  return /^(?:https?|ftp):\/\/[^/\s]/i.test(text) ? isUrl(text) : /^(?:mailto|tel):\S+$/i.test(text);
}

const textarea: FieldType = {
  ...plainText,
  options: { ...textOptions, rows: anyCount, new_lines: (value) => (value === '' ? null : oneOf('br', 'wpautop')(value)) },
  standard(text, { options }, { site }) {
    if (options.new_lines === 'br') return String(text).replace(/\r\n?|\n/g, '<br />\n');
    if (options.new_lines !== 'wpautop') return text;
    return renderMarkup(String(text), { smilies: false, typography: false, home: site.url });
  },
};

const wysiwyg: FieldType = {
  ...plainText,
  standard: (text, _definition, { site }) =>
    renderMarkup(String(text), {
      smilies: site.settings.value('smilies') === true,
      typography: site.settings.value('typography') === true,
      filtered: site.operator.filter_content,
      home: site.url,
    }),
};

/** Returned as a string, as front ends of the original expect (recorded). */
export const number: FieldType = {
  options: { min: anyNumber, max: anyNumber, step: anyNumber },
  schema: ({ options }) => ({
    type: 'number',
    ...(options.min === undefined ? {} : { minimum: numberOf(options.min) }),
    ...(options.max === undefined ? {} : { maximum: numberOf(options.max) }),
  }),
  accept(value, { options }) {
    const given = numberOf(value);
    if (!Number.isFinite(given)) throw new ValueFault(`must be a number, not ${shown(value)}`);
    if (options.min !== undefined && given < numberOf(options.min)) throw new ValueFault(`must be at least ${options.min}`);
    if (options.max !== undefined && given > numberOf(options.max)) throw new ValueFault(`must be at most ${options.max}`);
    return given;
  },
  standard: String,
};

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true'].map((value): [unknown, boolean] => [value, true]),
  ...[false, 0, '0', 'false', ''].map((value): [unknown, boolean] => [value, false]),
]);

export const trueFalse: FieldType = {
  schema: () => ({ type: 'boolean' }),
  accept(value) {
    const truth = truths.get(value);
    if (truth === undefined) throw new ValueFault(`must be true or false, not ${shown(value)}`);
    return truth;
  },
  standard: (value) => value,
  hasEmptyText: true,
};

/** Value → label. */
export function choicesOf({ options }: FieldDefinition): ReadonlyMap<string, string> {
  const { choices } = options;
  if (Array.isArray(choices)) return new Map(choices.map((choice) => [String(choice), String(choice)]));
  return new Map(isMap(choices) ? Object.entries(choices).map(([value, label]) => [value, String(label ?? value)]) : []);
}

export const anyChoices: OptionCheck = (value) => {
  const labels = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : null;
  if (labels === null) return 'must be a map of values and labels, or a list of values';
  if (labels.length > 1000) return 'has more than 1000 values';
  return labels.every((label) => typeof label !== 'object' || label === null) ? null : 'must have texts as labels';
};

const choiceOptions = {
  choices: anyChoices,
  return_format: oneOf('value', 'label', 'array'),
  multiple: anyFlag,
  allow_null: anyFlag,
};

function choiceIn(value: unknown, definition: FieldDefinition): string {
  const choices = choicesOf(definition);
  const choice = typeof value === 'object' ? undefined : String(value);
  if (choice === undefined || !choices.has(choice))
    throw new ValueFault(`must be one of ${[...choices.keys()].slice(0, 20).join(', ')}, not ${shown(value)}`);
  return choice;
}

function choiceList(value: unknown, definition: FieldDefinition): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map((one, at) => {
    try {
      return choiceIn(one, definition);
    } catch (error) {
      throw error instanceof ValueFault && Array.isArray(value) ? error.below(at) : error;
    }
  });
}

function choiceShown(value: unknown, definition: FieldDefinition): unknown {
  if (Array.isArray(value)) return value.map((one) => choiceShown(one, definition));
  const label = choicesOf(definition).get(String(value)) ?? String(value);
  const { return_format } = definition.options;
  return return_format === 'label' ? label : return_format === 'array' ? { value, label } : value;
}

export const choice: FieldType = {
  options: choiceOptions,
  schema(definition) {
    const one: Schema = { type: 'string', enum: [...choicesOf(definition).keys()] };
    return definition.options.multiple === true ? { type: 'array', items: one } : one;
  },
  accept: (value, definition) =>
    definition.options.multiple === true ? choiceList(value, definition) : choiceIn(value, definition),
  standard: choiceShown,
};

const checkbox: FieldType = {
  ...choice,
  schema: (definition) => ({ type: 'array', items: { type: 'string', enum: [...choicesOf(definition).keys()] } }),
  accept: choiceList,
};

/** A date or time, stored in one format and returned in `return_format`. */
export function moment(
  pattern: RegExp,
  wanted: string,
  usual: string,
  store: (parts: Readonly<Record<string, string>>) => unknown,
): FieldType {
  const read = (value: unknown): Readonly<Record<string, string>> | null => {
    const parts = typeof value === 'object' ? undefined : pattern.exec(String(value).trim())?.groups;
    if (!parts) return null;
    const { day = '2000-01-01', hours = '00', minutes = '00', seconds = '00' } = parts;
    const date = day.includes('-') ? day : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
    const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
    return isDay(date) && isTime ? { date, time: `${hours.padStart(2, '0')}:${minutes}:${seconds}` } : null;
  };
  return {
    options: { return_format: anyText, display_format: anyText, first_day: anyCount },
    schema: () => ({ type: ['string', 'integer'] }),
    accept(value) {
      const parts = read(value);
      if (parts === null) throw new ValueFault(`must be ${wanted}, not ${shown(value)}`);
      return store(parts);
    },
    standard(stored, { options }, call) {
      const { date, time } = read(stored) as Readonly<Record<string, string>>;
      return localDate(String(options.return_format ?? usual), `${date}T${time}`, call.site.zone, localeOf(call));
    },
    light: String,
  };
}

/** Whether the day exists: JavaScript turns `2024-02-30` into March 1. */
function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(date);
}

const clock = '(?<hours>\\d{1,2}):(?<minutes>\\d{2})(?::(?<seconds>\\d{2}))?';

/** A custom field of a type (`types.<type>.fields`), returned as declared. */
const declared: FieldType = {
  schema: ({ options }) => options.schema as Schema,
  accept(value, { name, options }, from) {
    const schema = options.schema as Schema;
    const given = from === 'file' ? typedValue(schema, value) : value;
    if (given === undefined) throw new ValueFault(`must be of type ${[schema.type].flat().join(' or ')}, not ${shown(value)}`);
    const problem = validateValue(given, schema, name);
    if (problem) throw new ValueFault(problem.message.replace(name, '').trim());
    return coerceValue(given, schema, name);
  },
  standard: (value) => value,
  hasEmptyText: true,
};

export const scalarTypes: Readonly<Record<string, FieldType>> = {
  text: plainText,
  textarea,
  wysiwyg,
  email: formed({ format: 'email' }, 'an email address', isEmail),
  url: formed({}, 'an address with its scheme', isAddress),
  color: formed({}, 'a colour such as #ff0000', (text) =>
    /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|rgba?\([\d\s.,%]{1,60}\))$/i.test(text),
  ),
  number,
  range: number,
  true_false: trueFalse,
  select: choice,
  radio: choice,
  button_group: choice,
  checkbox,
  date: moment(/^(?<day>\d{8}|\d{4}-\d{2}-\d{2})$/, 'a day such as 20240506', 'd/m/Y', ({ date = '' }) =>
    Number(date.replaceAll('-', '')),
  ),
  date_time: moment(
    new RegExp(`^(?<day>\\d{4}-\\d{2}-\\d{2})[ T]${clock}$`),
    'a moment such as 2024-05-06 10:00:00',
    'd/m/Y g:i a',
    ({ date, time }) => `${date} ${time}`,
  ),
  time: moment(new RegExp(`^${clock}$`), 'a time of day such as 10:30:00', 'g:i a', ({ time }) => time),
  declared,
};
